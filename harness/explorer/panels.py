"""The texts of the panels: the rule, and the moves by GenType."""

from __future__ import annotations

from rich.text import Text

from ...generator.movelist import MoveList
from ...generator.position import Position
from ...generator.types.moves import GenType
from ...reports.finding import STYLES, claim, remarks
from ...reports.text import count
from ..checking.comparing import write_move
from ..checking.lists.correct import compare_lists
from ..engines.base import Divide
from ..explaining import explain_move
from ..model.results.finding import Finding, WrongMove
from ..trees.controller import failures
from ..trees.engine_pane import ComparedList
from ..trees.tree import Node, NodeFailure
from .tree_view import SIGNS
from .view import PANELS, View, fen_of


def tabs_text(shown: str) -> Text:
    """Return the titles of the panels, with the current one in brackets."""
    return Text("  ").join(
        Text(f"[{title}]", style="bold reverse") if name == shown else Text(f" {title} ")
        for name, title in PANELS.items()
    )


def rule_text(view: View) -> Text:
    """Return a description of the node under the cursor, starting with its errors."""
    node, parts = view.cursor, []
    finding, wrong = view.finding_here(), view.wrong_here()
    if finding is not None:
        parts.append(_of_finding(finding))
    elif wrong is not None:
        parts.append(_of_wrong(wrong))
    parts += [_of_failure(view, failure) for failure in failures(node)]
    if node.kind == "count" or (node.wrong and not node.kind):
        parts.append(_of_difference(view, node))
    if (odd := _contradiction(view, node)) is not None:
        parts.append(odd)
    if view.followed:
        parts.append(Text(view.followed))
    if wrong is None and finding is None and node.parent is not None:
        parts.append(Text(explain_move(node.parent.position, node.text).sentence))
    if node.can_be_played and not node.position.legal_moves:
        parts.append(Text("Checkmate." if node.position.in_check else "Stalemate."))
    parts.append(_path_text(node))
    parts.append(Text(view.position.fen(), style="dim", overflow="fold"))
    return Text("\n\n").join(parts)


def _of_finding(finding: Finding) -> Text:
    text = Text(f"{finding.headline_with_move}\n", style="bold", overflow="fold")
    sentences = [*remarks(finding), *(f"{claim(move)}: {move.sentence}" for move in (*finding.state, *finding.wrong))]
    if finding.base_moves and not finding.setup:
        sentences.append(f"Played from {finding.base_fen} by {' '.join(finding.base_moves)}.")
    text.append("\n".join(sentences), style="not bold")
    return text


def _of_wrong(move: WrongMove) -> Text:
    title = Text(f"{move.title}\n", style="bold")
    return title.append(f"{claim(move)}: ", style=f"bold {STYLES[move.kind]}").append(move.sentence, style="not bold")


def _of_failure(view: View, failure: NodeFailure) -> Text:
    text = (
        Text(overflow="fold").append(failure.verdict.value, style="bold red").append(" (u asks again): ", style="dim")
    )
    return text.append(view.with_short_names(failure.message))


def _of_difference(view: View, node: Node) -> Text:
    first, second = view.names
    counts = [node.count(side) for side in (0, 1)]
    text = Text(overflow="fold")
    if None not in counts and counts[0] != counts[1]:
        text.append(f"{first}: {counts[0]:,}\n{second}: {counts[1]:,}\n")
    if node.wrong > 1:
        text.append(f"{node.wrong} differences are known in this branch. ")
    if node.can_open and node.kind in ("", "count"):
        text.append("f follows the difference down.", style="dim")
    return text


def _contradiction(view: View, node: Node) -> Text | None:
    """Return a sentence if an engine contradicts its divide at the parent, or None."""
    for side, name in enumerate(view.names):
        above, here = node.count(side), node.answers[side]
        if node.parent is not None and above is not None and isinstance(here, Divide) and above != here.total:
            return Text(
                f"{name} counts {above:,} after playing {node.uci}, but {here.total:,} from the FEN: it plays or "
                "takes back a move wrongly, or miscounts the parent. f finds out which.",
                overflow="fold",
            )
    return None


def _path_text(node: Node) -> Text:
    """Return the moves that lead to a node."""
    moves = [step.san or step.uci for step in node.path]
    return Text(f"after {' '.join(moves)}" if moves else "the root position", style="dim", overflow="fold")


def lists_text(view: View) -> Text:
    """Return the correct moves of a GenType in the position on the board, and those that the engine lists."""
    position, gentype = view.position, view.gentype
    compared = _compared_list(view, position, gentype)
    names = " ".join(f"[{one.name}]" if one is gentype else one.name for one in view.gentypes)
    text = Text(overflow="fold").append(f"{names}\n", style="dim")
    if isinstance(compared, str):
        correct = tuple(move.uci(chess960=True) for move in MoveList(position, gentype).moves)
        reason = f"{compared}\n" if compared else ""
        text.append(f"{gentype.name}: {count(len(correct), 'move')}\n", style="bold").append(reason, style="dim")
        compared = ComparedList((), correct, ())
    else:
        text.append(f"{gentype.name}: {count(len(compared.correct), 'move')}", style="bold")
        text.append(f", {view.names[0]} has {len(compared.moves)}\n")
    for move, kind, why in compared.wrong:
        text.append_text(_list_line(position, move, kind, compared)).append(f"  {why}\n")
    for move in sorted({*compared.correct, *compared.moves} - {move for move, _, _ in compared.wrong}):
        text.append_text(_list_line(position, move, "", compared))
    return text


def _list_line(position: Position, text: str, kind: str, compared: ComparedList) -> Text:
    """Return a table row: the move if it is correct, the move if the engine lists it, and its SAN."""
    shown, san = write_move(position, text)
    correct = shown if text in compared.correct else ""
    listed = shown if text in compared.moves else ""
    style = f"bold {STYLES[kind]}" if kind else ""
    return Text().append(f"{SIGNS[kind]}{correct:<6} {listed:<6} {san or 'not legal'}\n", style=style)


def _compared_list(view: View, position: Position, gentype: GenType) -> ComparedList | str:
    """Return the engine's list, or the reason why there is none ("" for perft-check's generator)."""
    name, key = view.names[0], (fen_of(position), gentype)
    if view.controller.panes[0].session.is_kernel:
        return ""
    listed = view.lists.get(key)
    if isinstance(listed, ComparedList):
        return listed
    if isinstance(listed, NodeFailure):
        return f"{listed.verdict.value}: {view.with_short_names(listed.message)}"
    answer = view.node_on_board.answers[0]
    if gentype is GenType.LEGAL and isinstance(answer, Divide) and not answer.is_total_only:
        return _of_divide(position, answer)
    is_asked = key in view.asked_lists and key not in view.lists
    return f"asking {name} ..." if is_asked else f"{name} lists no such moves"


def _of_divide(position: Position, divide: Divide) -> ComparedList:
    """Return the engine's list of legal moves, derived from its divide."""
    moves = tuple(move for move in divide.counts for _ in range(1 + divide.repeated.get(move, 0)))
    correct = tuple(move.uci(chess960=True) for move in position.legal_moves)
    wrong = ((move, kind, explain_move(position, move).sentence) for move, kind in compare_lists(moves, correct))
    return ComparedList(moves, correct, tuple(wrong))
