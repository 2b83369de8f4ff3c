"""First contact: two positions with different counts show whether an engine takes the position that it is given.

An engine that is never given the position, or whose answer is not understood, would fail at every position, and each
failure would look like a fault in its moves.
"""

from __future__ import annotations

from ....generator.counting.perft import perft
from ....generator.line import Line
from ....generator.position import Position
from ..base import EngineError, NotUnderstood
from ..call import EngineCall
from ..engine import Engine
from ..stdio.sentinels import SENTINELS


def check_contact(engine: Engine, call: EngineCall) -> None:
    """Raise NotUnderstood if a program, which has been started, gives one count for two positions, at two depths.

    Any other failure is left to the first case that shows it, and is reported with that case.
    """
    if engine.has_taken_position:
        return
    lines = [Line(Position.from_fen(fen)) for fen in SENTINELS]
    for depth in (least := max(1, engine.min_depth), least + 1):
        counts = set[int]()
        for line in lines:
            try:
                counts.add(engine.perft(line, depth, call.step()))
            except EngineError:
                return
            if counts == {perft(line.position, depth)} or len(counts) > 1 or call.stopped:
                return
    (count,) = counts
    if count == perft(Position.start(), depth):
        raise NotUnderstood(f"{engine.name} counts the starting position, whatever it is given")
    first, second = (perft(line.position, depth) for line in lines)
    raise NotUnderstood(
        f"{engine.name} does not take the position, or its answer is not understood: at depth {depth} it counts "
        f"{count:,} in {SENTINELS[0]!r} and in {SENTINELS[1]!r}, which have {first} and {second}"
    )
