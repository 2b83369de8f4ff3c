"""A trial of depths: which ones an engine answers at all.

Some programs refuse, crash or are silent beyond a depth, whatever the position, and some at depth 1. That is a limit,
and not a fault. Two positions with few moves show it: what fails there at a depth fails in any position.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ....generator.line import Line
from ....generator.position import Position
from ..base import CountsAnotherPosition, EngineContradiction, EngineError, ImpossibleCount
from .chess960_trial import without_name

if TYPE_CHECKING:
    from .session import EngineSession

NEVER = 1_000
"""A depth beyond any that is asked for."""
EASY = "8/8/8/8/8/5k1p/7P/7K w - - 0 1", "8/8/8/p7/P7/k7/8/K7 w - - 0 1"
"""Kings and pawns: 224 and 201 leaf nodes at depth 5."""
LISTED_DEPTH = 1
"""What answers no greater depth may be unable to play a move: that is a fault, and no limit."""
EASIEST_DEPTH = 5
"""No greater depth is tried beforehand: up to this one they have 224 nodes at most."""
FIRST_SECONDS, LEAST_SECONDS, TIMES_LONGER = 10.0, 2.0, 20
"""Time limits in seconds: of the first answer, and the least of each later one, which is otherwise this many times the
slowest answer so far. An answer includes the start of the process.
"""


@dataclass
class Depths:
    """The depths that an engine is asked for, and those that it has answered."""

    least: int = 0
    most: int = NEVER
    silent: set[int] = field(default_factory=set)
    """Depths between these that are not asked any more."""
    answered: set[int] = field(default_factory=set)
    tried: set[int] = field(default_factory=set)
    """Depths about which a trial has shown no limit."""
    why: str = ""
    """What the engine does at a depth that it does not answer, as a clause."""

    def __contains__(self, depth: int) -> bool:
        """Return True if the engine may be asked for a depth."""
        return self.least <= depth <= self.most and depth not in self.silent

    def note(self, depth: int, nodes: int) -> None:
        """Note an answer. A count of 0 may be that of an engine that counts nothing at this depth."""
        if nodes:
            self.answered.add(depth)


def try_depths(session: EngineSession, depth: int, depths: Depths) -> bool:
    """Find out whether an engine that fails at a depth answers none so deep, or shallow; note it, and return True.

    Its processes are new, before and after. Raises Interrupted.
    """
    if depth in depths.answered or depth in depths.tried:
        return False
    depths.tried.add(depth)
    session.restart()
    try:
        least = max(1, session.min_depth)
        return _try_least(session, depth, depths) if depth <= least else _try_deeper(session, least, depth, depths)
    finally:
        session.restart()


def _try_least(session: EngineSession, depth: int, depths: Depths) -> bool:
    """Find out whether an engine counts one ply deeper than the least depth, and not at that."""
    began = time.monotonic()
    if _failure(session, EASY[1], depth + 1, FIRST_SECONDS) is not None:
        return False
    seconds = _patience(time.monotonic() - began)
    why = _failure(session, EASY[0], depth, seconds)
    if why is None or _failure_anew(session, depth, seconds) is None:
        return False
    depths.least, depths.why = depth + 1, f"at depth {depth} {why}"
    return True


def _try_deeper(session: EngineSession, least: int, depth: int, depths: Depths) -> bool:
    """Find out whether an engine counts up to some depth, at least 2, and not at the next two."""
    seconds, slowest = FIRST_SECONDS, 0.0
    for at in range(least, depth + 1):
        began = time.monotonic()
        why = _failure(session, EASY[0], at, seconds)
        if why is None:
            slowest = max(slowest, time.monotonic() - began)  # the first one starts the process
            seconds = _patience(slowest)
        elif at > max(least, LISTED_DEPTH + 1) and all(
            _failure_anew(session, deeper, seconds) is not None for deeper in (at, at + 1)
        ):
            depths.most, depths.why = at - 1, f"at depth {at} {why}"
            return True
        else:
            return False
    return False


def _failure_anew(session: EngineSession, depth: int, seconds: float) -> str | None:
    """Return how a new process of an engine fails in the second easy position, None if it does not."""
    session.restart()
    return _failure(session, EASY[1], depth, seconds)


def _patience(seconds: float) -> float:
    """Return how long an answer may take, given how long the slowest one before it has taken."""
    return max(LEAST_SECONDS, math.ceil(TIMES_LONGER * seconds))


def is_silence(error: EngineError | None) -> bool:
    """Return True if an engine has failed with no answer at all, whatever it is that it says or does instead."""
    is_answer = isinstance(error, (EngineContradiction, CountsAnotherPosition, ImpossibleCount))
    return error is not None and error.verdict.is_engine_failure and not is_answer


def can_count(session: EngineSession, depth: int) -> bool:
    """Return True if an engine soon answers a depth in an easy position, its start included."""
    seconds = FIRST_SECONDS if session.engine.starts_for_each_question else LEAST_SECONDS
    return _failure(session, EASY[0], depth, seconds) is None


def _failure(session: EngineSession, fen: str, depth: int, seconds: float) -> str | None:
    """Return, as a clause, how an engine gives no count of an easy position, None if it does. Raises Interrupted."""
    try:
        counted = session.within(seconds).perft(Line(Position.from_fen(fen)), depth)
    except EngineError as error:
        return without_name(session, error) if is_silence(error) else None
    return None if counted else "it counts no nodes"


def limit_of(session: EngineSession, depths: Depths) -> str:
    """Return, as a sentence without a stop, which depths an engine is asked for."""
    why = f": {depths.why}" if depths.why else ""
    if depths.most < NEVER:
        return f"{session.name} counts to depth {depths.most} only{why}"
    if depths.silent:
        return f"{session.name} was silent at depth {', '.join(map(str, sorted(depths.silent)))}"
    hint = f' ("min_depth": {depths.least} in a descriptor saves this trial)' if why and session.engine.launch else ""
    return f"{session.name} counts from depth {session.min_depth} on{why}{hint}"
