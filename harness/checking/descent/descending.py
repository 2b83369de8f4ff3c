"""The descent from an incorrect count to the wrong move.

At each step, the engine under test and the reference divide the same position; the engine is given a new FEN. If the
move lists differ, the cause is found. If only counts differ, the first move with different counts is played, and the
depth decreases by one. If the counts now agree although the one above was incorrect, then the move lists are correct
but the *state* is not: the engine plays that move incorrectly. From then on, the engine must play the moves itself
until its incorrect state leads to an incorrect move list. If the counts still agree, an earlier move is not taken back
correctly.

If the engine prints no root moves, the descent starts at the lowest depth at which the totals differ, and compares the
counts after each legal move. The moves that the engine lists are deduced from its counts.
"""

from __future__ import annotations

from dataclasses import replace

from ....generator.game import Game
from ....generator.position_setup import IMAGE_OPTIONS, PositionSetup, describe_setup
from ....generator.types.moves import GenType
from ...engines.asking.session import EngineSession
from ...model.results.finding import Cause, Finding
from .deducing import DEEPEST, deduce_moves
from .descent_path import DescentPath, DescentStep, PositionRefused, finding_at
from .draws import explain_draw, lists_nothing
from .shared_mistakes import explain_short_list
from .vanished import explain_contradiction
from .wrong_moves import move_to_follow, only_notation_is_wrong, wrong_moves


def descend(start: Game, depth: int, engine: EngineSession, reference: EngineSession) -> Finding | None:
    """Return the cause of an incorrect count at `depth` after a game, or None if the divides agree.

    This takes at most `depth + 1` divides by each engine, and counts after each move if one prints no root moves. If
    the engine under test can print its FEN of a position, that shows which part of the state is incorrect. The descent
    ends at the first position that the engine rejects. Raises EngineError.
    """
    if isinstance(start, PositionSetup) and start.options & IMAGE_OPTIONS:
        return _explain_transformed(start, depth, engine, reference)
    path = DescentPath(start, engine, reference)
    try:
        return _with_remark(_follow(path, depth), path.remark)
    except PositionRefused as refusal:
        return finding_at(path, refusal.setup, plays=False).noting(Cause.REFUSED, str(refusal))


def _with_remark(finding: Finding | None, remark: str) -> Finding | None:
    """Add the engine's own remark about the failing question to a finding."""
    if finding is None or not remark or not (finding.wrong or finding.state):
        return finding
    return finding.noting(finding.cause, "; ".join(filter(None, [finding.note, f"the engine says: {remark!r}"])))


def _explain_transformed(
    start: PositionSetup, depth: int, engine: EngineSession, reference: EngineSession
) -> Finding | None:
    """Return the finding in a transformed position that is checked instead of the original one."""
    image = start.image
    finding = descend(image if image.options else Game(image.base, image.moves), depth, engine, reference)
    if finding is None:
        return None
    note = f"the same position is counted correctly, but not when it is set up by {describe_setup(start.options, ())}"
    return finding.noting(finding.cause, "; ".join(filter(None, [finding.note, f"{note}: {start.base.fen()}"])))


def _follow(path: DescentPath, depth: int) -> Finding | None:
    above: DescentStep | None = None
    first = step = path.fresh(path.start, depth)
    while True:
        if step.agrees and (played := path.play_to(step)) is not None:
            # The count is correct from the FEN but not after the moves, so the engine's state is incorrect.
            step = played
        wrong = wrong_moves(step.position, step.got, step.expected)
        move = move_to_follow(step.position, step.got, step.expected) if step.depth > 1 else None
        if wrong and not (only_notation_is_wrong(wrong) and move is not None):
            return finding_at(path, step.setup, wrong, plays=step.plays)
        below = path.descend_by_playing(step) if move is None else path.below(step, move)
        if below is None:
            return _conclude_without_moves(path, first, above, step)
        above, step = step, below


def _conclude_without_moves(
    path: DescentPath, first: DescentStep, above: DescentStep | None, step: DescentStep
) -> Finding | None:
    """Return the finding if the move lists agree or were not printed."""
    if not path.moves and step.agrees:
        return None
    if step.surplus:
        return _explain_number(path, step) if step.depth == 1 else _explain_moves_together(path, step)
    if above is not None and above.got.counts and above.expected.counts:
        return explain_contradiction(path, above, step, descend)
    note = (
        f"{first.got.total:,} nodes against {first.expected.total:,} at depth {first.depth}, "
        "but when asked step by step the two agree"
    )
    return finding_at(path, step.setup, plays=step.plays).noting(Cause.VANISHED, note)


UNNAMED = "the count is incorrect, and the engine prints no root moves that show why"
"""The common beginning of notes on findings from counts alone, which may all have the same cause."""
CONTRADICTS = "the engine contradicts itself"
"""The beginning of a note on a total that differs from the engine's own moves and counts."""


def _explain_number(path: DescentPath, step: DescentStep) -> Finding:
    """Return the finding if only the number of moves is known and it is incorrect."""
    surplus = step.surplus
    number = f"{abs(surplus)} {'extra' if surplus > 0 else 'missing'} move{'s' * (abs(surplus) != 1)}"
    here = f"{number} here ({step.got.total} instead of {step.expected.total})"
    if not step.got.is_total_only or _lists_legal_moves(path, step):
        counts = f"{step.got.total} nodes for them instead of {step.expected.total}"
        note = f"it lists the correct moves here, but counts {counts}"
        return finding_at(path, step.setup, plays=step.plays).noting(Cause.COUNT, note)
    if lists_nothing(step.got, step.expected) and (draw := explain_draw(step.setup, 1, path.engine)):
        return finding_at(path, step.setup, draw, plays=step.plays)
    if step.plays:
        finding = finding_at(path, step.setup, plays=True)
        return finding.noting(finding.cause, f"{UNNAMED}; {here}")
    short = explain_short_list(step.setup, step.got.total, path.engine) if surplus < -1 else ()
    if short:
        return finding_at(path, step.setup, short, plays=False)
    wrong = deduce_moves(step.setup, surplus, path.engine)
    if not wrong:
        return finding_at(path, step.setup, plays=False).noting(Cause.COUNT, f"{UNNAMED}; {here}")
    finding = finding_at(path, step.setup, wrong, plays=False)
    note = f"{here}; it prints no root moves, but its counts to depth {DEEPEST} are as if exactly this were wrong"
    return finding.noting(Cause.MOVES, "; ".join(filter(None, [note, finding.note])))


def _explain_moves_together(path: DescentPath, step: DescentStep) -> Finding:
    """Return the finding if a total is incorrect although the count after each move is correct."""
    surplus = step.surplus
    if surplus < 0 and (draw := explain_draw(step.setup, step.depth, path.engine)):
        return replace(finding_at(path, step.setup, draw, plays=step.plays), depth=step.depth)
    finding = replace(finding_at(path, step.setup, plays=step.plays), depth=step.depth)
    if step.got.counts and _lists_legal_moves(path, step):
        parts = f"it lists the {len(step.got.counts)} legal moves and counts {step.expected.total:,} nodes after them"
        total = f"its total for the position is {step.got.total:,}"
        return finding.noting(Cause.VANISHED, f"{CONTRADICTS} at depth {step.depth}: {parts}, but {total}")
    many = f"{abs(surplus):,} node{'s' * (abs(surplus) != 1)} too {'many' if surplus > 0 else 'few'}"
    note = f"{UNNAMED}; it counts {many} at depth {step.depth} ({step.got.total:,} instead of {step.expected.total:,})"
    if not step.got.counts:  # it does not support the depth of the positions after the moves
        return finding.noting(Cause.COUNT, note)
    note += (
        ", though it counts the position after each move correctly: a move is listed in place of another, "
        "or is not made or taken back correctly, or the counts are not added up correctly"
    )
    return finding.noting(Cause.COUNT, note)


def _lists_legal_moves(path: DescentPath, step: DescentStep) -> bool:
    """Return True if an engine whose total is incorrect lists exactly the legal moves when asked only for them."""
    engine, legal = path.engine, {move.uci(chess960=True) for move in step.position.legal_moves}
    listed = None if step.plays else engine.moves(step.setup, GenType.LEGAL)
    if listed is None and engine.min_depth <= 1 and step.depth > 1:
        divide = engine.divide(step.setup, 1)
        listed = None if divide.is_total_only or divide.repeated else [*divide.counts]
    return listed is not None and len(listed) == len(legal) and set(listed) == legal
