"""Explain counts that are incorrect within a divide but correct on their own.

In this case, the engine or the reference contradicts itself: either it plays a move incorrectly, or it does not take an
earlier move back correctly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ....generator.counting.perft import divide, perft
from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.moves import Move
from ...engines.asking.session import EngineSession
from ...engines.base import Divide
from ...explaining import Rule
from ...explaining.undo import FailedUndo, failed_undos
from ...model.results.finding import KEPT_STATE, MAYBE_EARLIER, Cause, Finding, WrongMove
from ...model.results.positions import Contradiction
from ..comparing import explain_wrong_move, write_move
from .descent_path import DescentPath, DescentStep, explain_misplay, finding_at, wrong_state
from .draws import below_dead_positions, explain_draw

Descend = Callable[[Game, int, EngineSession, EngineSession], Finding | None]


def explain_contradiction(path: DescentPath, above: DescentStep, step: DescentStep, descend: Descend) -> Finding:
    """Return the cause of a count that was incorrect in the divide `above` but is correct at `step`.

    `step` is the end of the path. If the reference contradicts itself, `descend` traces the difference again.
    """
    move = path.moves.pop()
    text = move.uci(chess960=True)
    if draw := explain_draw(above.setup, above.depth, path.engine) or _explain_dead_positions(above):
        return replace(finding_at(path, above.setup, draw, plays=above.plays), depth=above.depth)
    if above.expected.counts.get(text) != step.expected.total:
        found = _explain_reference(path, above, descend)
    else:
        plays = path.engine.plays_moves
        found = None if plays else _check_printed_fen(path, above, move) or _find_misplay(path, above, step, move)
    return found or _explain_undo(path, above, step, move)


def _find_kept_state(path: DescentPath, above: DescentStep, depth: int) -> str:
    """Return a remark if the engine miscounts only after other questions, or "" if this is not the case.

    The engine is given the FEN after each move, so that the questions have no common move to make and unmake.
    """
    engine, start = path.engine, path.start.position
    if engine.is_in_process or engine.is_reference:
        return ""
    at_top = depth + len(path.moves)
    for position, plies in ((above.position, depth), (above.position, depth + 1), (start, at_top), (start, at_top + 1)):
        correct, nodes_asked, later = divide(position, plies + 1), 0, {}
        engine.restart()
        for move, nodes in correct.items():
            nodes_asked += nodes
            if nodes_asked > MOST_ASKED_AGAIN:
                break
            later[move] = engine.perft(Game(position.play_unchecked(move)), plies)
        wrong = next((move for move, nodes in later.items() if nodes != correct[move]), None)
        if wrong is None:
            continue
        engine.restart()
        alone = engine.perft(Game(position.play_unchecked(wrong)), plies)
        if alone != correct[wrong]:
            break
        uci = wrong.uci(position.chess960)
        fresh = f"after {uci} at depth {plies}, a new process counts {alone:,} nodes"
        counts = f"{fresh}, and {later[wrong]:,} once it was asked about other positions"
        return f"{KEPT_STATE}: {counts}; look for a hash table or a global variable that is not reset"
    return ""


MOST_ASKED_AGAIN = 100_000
"""Maximum number of nodes to count to determine whether answers depend on earlier questions."""


def _explain_dead_positions(above: DescentStep) -> tuple[WrongMove, ...]:
    """Return a wrong move if the counts of a divide are incorrect exactly below moves to dead positions."""
    why = below_dead_positions(above.position, above.got, above.expected)
    if why is None:
        return ()
    first = next(text for text, nodes in sorted(above.expected.counts.items()) if above.got.counts.get(text) != nodes)
    return (explain_wrong_move(above.position, first, "draw", why),)


def _check_printed_fen(path: DescentPath, above: DescentStep, move: Move) -> Finding | None:
    """Return a finding if the engine prints an incorrect FEN after a move; clocks are ignored."""
    after = above.setup.without_moves().after(move)
    printed = path.engine.fen(after)
    if printed is None:
        return None
    state = wrong_state(above.position, move, printed, ignored=(Rule.HALFMOVE_CLOCK, Rule.MOVE_NUMBER))
    if not state:
        return None
    finding = finding_at(path, above.setup, plays=above.plays).noting(Cause.STATE, f"the engine's FEN is {printed}")
    return replace(finding, state=state, depth=above.depth)


def _find_misplay(path: DescentPath, above: DescentStep, step: DescentStep, move: Move) -> Finding | None:
    """Return how the engine misplays a move, if its count matches exactly one incorrect position."""
    text = move.uci(chess960=True)
    divided = above.got.counts[text]
    state = explain_misplay(above.position, move, lambda wrong: perft(wrong, step.depth) == divided)
    if not state:
        return None
    uci, _ = write_move(above.position, text)
    note = f"below {uci} it counts {divided:,} nodes instead of {step.expected.total:,}, as from this wrong position"
    finding = finding_at(path, above.setup, plays=above.plays).noting(Cause.STATE, note)
    return replace(finding, state=state, depth=above.depth)


def _explain_undo(path: DescentPath, above: DescentStep, step: DescentStep, move: Move) -> Finding:
    """Return a finding about the earlier move that is taken back incorrectly, or about the contradiction."""
    text = move.uci(chess960=True)
    uci, san = write_move(above.position, text)
    contradiction = Contradiction(
        uci, san, step.position.fen(), above.got.counts[text], step.got.total, step.expected.total
    )
    played = f"{contradiction.played:,} after playing it, " * path.engine.plays_moves
    counts = f"{contradiction.divided:,} in the divide, {played}{contradiction.from_fen:,} from the FEN"
    wrong = explain_wrong_undo(above.position, above.depth, above.got, above.expected)
    cause = Cause.VANISHED if wrong is None else Cause.UNDO
    kept = _find_kept_state(path, above, step.depth) if wrong is None else ""
    finding = finding_at(path, above.setup, [] if wrong is None else [wrong], plays=above.plays)
    note = kept or f"below {uci} the engine contradicts itself ({counts}): {contradiction.sentence}"
    return replace(finding.noting(cause, note), depth=above.depth)


def _explain_reference(path: DescentPath, above: DescentStep, descend: Descend) -> Finding | None:
    """Return the cause of an incorrect count of a reference that contradicts itself."""
    finding = descend(above.setup.without_moves(), above.depth, path.reference, path.engine)
    if finding is None:
        return None
    return replace(
        finding,
        path=path.render_moves() + finding.path,
        wrong=tuple(map(_from_engine_view, finding.wrong)),
        state=tuple(map(_from_engine_view, finding.state)),
        divides=path.asked,
        note=finding.note.replace("the engine contradicts", "the reference contradicts"),
    )


def _from_engine_view(move: WrongMove) -> WrongMove:
    """Return a wrong move of the reference from the engine's point of view: an extra move becomes a missing one."""
    kind = {"extra": "missing", "missing": "extra"}.get(move.kind, move.kind)
    return replace(move, kind=kind, engine_is_correct=not move.engine_is_correct)


LEAST = 2
"""Minimum number of incorrect counts to be explained, because a single one may match by chance."""
MOST_NAMED = 4
"""Maximum number of other moves to name if they leave the same position behind."""


def explain_wrong_undo(position: Position, depth: int, got: Divide, correct: Divide) -> WrongMove | None:
    """Return the move whose incorrect undo explains the incorrect counts of a divide, or None.

    From the first incorrect count up to the next move that may cause the same fault, every count must be the one that
    the failed undo would produce. If several moves qualify, the one that explains the most counts is returned, or among
    those the last one before the first incorrect count. Because engines that sort their root moves hide the order in
    which they play them, later moves are tried as well, but these must explain all incorrect counts.
    """
    known = {move.uci(chess960=True): move for move in position.legal_moves}
    order = [known[text] for text in got.counts if text in known]
    first = next((index for index, move in enumerate(order) if _differs(move, got, correct)), None)
    if first is None:
        return None
    differing = [move for move in order if _differs(move, got, correct)]
    fits: list[tuple[int, Move, FailedUndo]] = []
    for move, failed in _failed_undos(position, reversed(order[:first])):
        before = _matching_counts(failed, depth, order[order.index(move) + 1 : first], correct)
        window = _matching_counts(failed, depth, _moves_until_repetition(position, order, first, failed), got)
        explained = _matching_counts(failed, depth, differing, got).count(True)
        if False not in (*before, *window) and explained >= LEAST:
            fits.append((explained, move, failed))
    if not fits:
        for move, failed in _failed_undos(position, order):
            accounted = _matching_counts(failed, depth, differing, got)
            if False not in accounted and accounted.count(True) > LEAST:
                fits.append((accounted.count(True), move, failed))
    if not fits:
        return None
    _, move, failed = max(fits, key=lambda fit: fit[0])
    found = explain_wrong_move(position, move.uci(chess960=True), "undo", failed.why)
    others = [position.san(one) for _, one, left in fits if one != move and left.position == failed.position]
    if not others:
        return found
    return replace(found, sentence=f"{found.sentence} {MAYBE_EARLIER}: {', '.join(others[:MOST_NAMED])}.")


def _moves_until_repetition(
    position: Position, order: Sequence[Move], first: int, failed: FailedUndo
) -> Sequence[Move]:
    """Return the moves from the first incorrect count on, up to one whose undo may fail in the same way."""
    for index in range(first, len(order)):
        if any(one.why.rule is failed.why.rule for one in failed_undos(position, order[index])):
            return order[first : index + 1]
    return order[first:]


def _failed_undos(position: Position, moves: Iterator[Move] | Sequence[Move]) -> Iterator[tuple[Move, FailedUndo]]:
    for move in moves:
        for failed in failed_undos(position, move):
            yield move, failed


def _matching_counts(failed: FailedUndo, depth: int, moves: Sequence[Move], counted: Divide) -> list[bool | None]:
    """Return, for each move, whether its count matches the position that the failed undo leaves behind.

    None means that the move is illegal in that position, so that the expected count is unknown.
    """
    legal = set(failed.position.legal_moves)
    return [
        perft(failed.position.play_unchecked(move), depth - 1) == counted.counts.get(move.uci(chess960=True))
        if move in legal
        else None
        for move in moves
    ]


def _differs(move: Move, got: Divide, correct: Divide) -> bool:
    text = move.uci(chess960=True)
    return got.counts[text] != correct.counts.get(text)
