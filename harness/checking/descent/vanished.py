"""A count that is wrong within a divide and right when it is asked for by itself: somebody contradicts himself.

It is the engine or the reference. One of its moves is not played rightly, or a move before it is not
taken back rightly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.types.moves import Move
from ...asking.client import EngineClient
from ...explaining import Rule, explain_state
from ...explaining.rules import UNREADABLE
from ...explaining.states.undo import misplays
from ...model.results.divide import Contradiction
from ...model.results.events import Cause, Finding, WrongMove
from ..comparing import explain_wrong_move, write_move
from .findings import finding_at
from .undoing import explain_wrong_undo
from .way import DescentStep, Way

Descend = Callable[[Line, int, EngineClient, EngineClient], Finding | None]


def explain_contradiction(way: Way, above: DescentStep, step: DescentStep, descend: Descend) -> Finding:
    """Return the cause of a count that was wrong in the divide `above` and is right at the last `step` of the way.

    `descend` follows the difference again where it is the reference that contradicts itself.
    """
    move = way.moves.pop()
    text = move.uci(chess960=True)
    if above.expected.counts.get(text) != step.expected.total:
        found = _of_reference(way, above, descend)
    else:
        plays = way.engine.plays_moves
        found = None if plays else _check_printed_fen(way, above, move) or _find_misplay(way, above, step, move)
    return found or _explain_undo(way, above, step, move)


def _check_printed_fen(way: Way, above: DescentStep, move: Move) -> Finding | None:
    """Return what is wrong in the FEN that the engine prints after a move, if it prints any; clocks count nothing."""
    after = above.setup.afresh().after(move)
    printed = way.engine.fen(after)
    if printed is None:
        return None
    text = move.uci(chess960=True)
    found = explain_state(above.position, text, after.position.fen(), printed)
    wrong = [why for why in found if why.rule not in (Rule.HALFMOVE_CLOCK, Rule.MOVE_NUMBER, *UNREADABLE)]
    if not wrong:
        return None
    finding = finding_at(way, above.setup, plays=above.plays).noting(Cause.STATE, f"the engine's FEN is {printed}")
    state = tuple(explain_wrong_move(above.position, text, "state", why) for why in wrong)
    return replace(finding, state=state, depth=above.depth)


def _find_misplay(way: Way, above: DescentStep, step: DescentStep, move: Move) -> Finding | None:
    """Return what the engine makes of a move, where only one wrong position has the nodes that it counts."""
    text, right = move.uci(chess960=True), step.position.fen()
    divided = above.got.counts[text]
    found = {
        explanations
        for wrong in misplays(above.position, move)
        if perft(wrong, step.depth) == divided
        and (explanations := explain_state(above.position, text, right, wrong.fen()))
    }
    if len(found) != 1:
        return None
    uci, _ = write_move(above.position, text)
    note = f"below {uci} it counts {divided:,} nodes instead of {step.expected.total:,}, as from this wrong position"
    state = tuple(explain_wrong_move(above.position, text, "state", why) for why in found.pop())
    finding = finding_at(way, above.setup, plays=above.plays).noting(Cause.STATE, note)
    return replace(finding, state=state, depth=above.depth)


def _explain_undo(way: Way, above: DescentStep, step: DescentStep, move: Move) -> Finding:
    """Return the move before the last one that is taken back wrongly, or how the engine contradicts itself."""
    text = move.uci(chess960=True)
    uci, san = write_move(above.position, text)
    told = Contradiction(uci, san, step.position.fen(), above.got.counts[text], step.got.total, step.expected.total)
    played = f"{told.played:,} after playing it, " * way.engine.plays_moves
    counts = f"{told.divided:,} in the divide, {played}{told.from_fen:,} from the FEN"
    wrong = explain_wrong_undo(above.position, above.depth, above.got, above.expected)
    cause = Cause.VANISHED if wrong is None else Cause.UNDO
    finding = finding_at(way, above.setup, [] if wrong is None else [wrong], plays=above.plays)
    note = f"below {uci} the engine contradicts itself ({counts}): {told.sentence}"
    return replace(finding.noting(cause, note), depth=above.depth)


def _of_reference(way: Way, above: DescentStep, descend: Descend) -> Finding | None:
    """Return the cause of a wrong count of the reference, which contradicts itself."""
    finding = descend(above.setup.afresh(), above.depth, way.reference, way.engine)
    if finding is None:
        return None
    return replace(
        finding,
        path=way.render_moves() + finding.path,
        wrong=tuple(map(_by_reference, finding.wrong)),
        state=tuple(map(_by_reference, finding.state)),
        divides=way.asked,
        note=finding.note.replace("the engine contradicts", "the reference contradicts"),
    )


def _by_reference(move: WrongMove) -> WrongMove:
    """Return a wrong move of the reference as the other side sees it: what one lists too many, the other lacks."""
    kind = {"extra": "missing", "missing": "extra"}.get(move.kind, move.kind)
    return replace(move, kind=kind, engine_is_right=not move.engine_is_right)
