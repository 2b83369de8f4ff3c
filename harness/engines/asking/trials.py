"""Trials: easy questions that show what an engine may be asked at all, so that a limit is not taken for a fault.

Each one gets from the session what it needs to ask: functions that count, divide and restart.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ..base import (
    CountsAnotherPosition,
    Divide,
    EngineContradiction,
    EngineError,
    EngineTimeout,
    ImpossibleCount,
    NotUnderstood,
)
from ..call import EngineCall
from ..engine import Engine
from ..root_moves import castlings_by_king_target
from ..stdio.sentinels import SENTINELS

# The position: an engine that is never given it, or whose answer is not understood, would fail at every position, and
# each failure would look like a fault in its moves.


def check_position_is_taken(engine: Engine, call: EngineCall) -> None:
    """Raise NotUnderstood if a program that was started gives the same count for two positions, at two depths.

    Any other failure is left to the first case that shows it, and is reported with that case.
    """
    if engine.has_taken_position:
        return
    lines = [Game(Position.from_fen(fen)) for fen in SENTINELS]
    for depth in (least := max(1, engine.min_depth), least + 1):
        counts = set[int]()
        for game in lines:
            try:
                counts.add(engine.perft(game, depth, call.step()))
            except EngineError:
                return
            if counts == {perft(game.position, depth)} or len(counts) > 1 or call.stopped:
                return
    (count,) = counts
    if count == perft(Position.start(), depth):
        raise NotUnderstood(f"{engine.name} counts the starting position, whatever it is given")
    first, second = (perft(game.position, depth) for game in lines)
    raise NotUnderstood(
        f"{engine.name} does not take the position, or its answer is not understood: at depth {depth} it counts "
        f"{count:,} in {SENTINELS[0]!r} and in {SENTINELS[1]!r}, which have {first} and {second}"
    )


# Chess960, for engines that do not declare whether they know it. They are asked about two plain castlings, one to each
# side: the king goes three files, nothing stands in the way, and nothing attacks it. No generator of standard chess has
# them, and hardly any fault of Chess960 takes both away. So an engine that has one of them knows Chess960, and what it
# gets wrong elsewhere is its fault.

CASTLINGS = "8/8/8/8/8/5k2/8/3K3R w H - 0 1", "8/8/8/8/3k4/8/8/R4K2 w A - 0 1"
"""One castling each. The other king is near, so that it has other moves after it than after any other castling."""
TOTALS_DEPTH = 2
"""Totals alone are compared at this depth, where a king or a rook that lands elsewhere changes them."""


def try_chess960(
    name: str, divide: Callable[[Game, int], Divide], count: Callable[[Game, int], int], least: int
) -> str | None:
    """Return how an engine shows that it does not know Chess960, as a clause; None if it does. Raises Interrupted.

    A FEN of Chess960 may leave something in its process, which is to be ended afterwards.
    """
    first = ""
    for fen in CASTLINGS:
        try:
            failure = _chess960_failure(fen, divide, count, least)
        except EngineTimeout as error:
            return first or without_name(name, error)  # the next position may take as long
        except EngineError as error:
            failure = without_name(name, error)
        if failure is None:
            return None
        first = first or failure
    return first


def _chess960_failure(
    fen: str, divide: Callable[[Game, int], Divide], count: Callable[[Game, int], int], least: int
) -> str | None:
    """Return what is wrong with an answer, None if it has the castling. Raises EngineError, Interrupted."""
    game = Game(Position.from_fen(fen, chess960=True))
    ((target, castling),) = castlings_by_king_target(game.position).items()
    listed = divide(game, max(1, least)).counts
    if listed:
        return None if {target, castling} & listed.keys() else f"it lists no castling {castling} in {fen}"
    depth = max(TOTALS_DEPTH, least)
    total, expected = count(game, depth), perft(game.position, depth)
    return None if total == expected else f"it counts {total} instead of {expected} at depth {depth} in {fen}"


def without_name(name: str, error: EngineError) -> str:
    """Return what an error says about an engine that was named before."""
    text = str(error).removeprefix(f"the reference {name} failed: ")
    return text.replace(f"{name} ", "it ", 1) if text.startswith(f"{name} ") else text


# Depths. Some programs refuse, crash or are silent beyond a depth, whatever the position, and some at depth 1. That is
# a limit, and not a fault. Two positions with few moves show it: an engine that fails there fails in any position.

NEVER = 1_000
"""A depth beyond any that is asked for."""
EASY = "8/8/8/8/8/5k1p/7P/7K w - - 0 1", "8/8/8/p7/P7/k7/8/K7 w - - 0 1"
"""Kings and pawns: 224 and 201 leaf nodes at depth 5."""
LISTED_DEPTH = 1
"""An engine that answers no greater depth may be unable to play a move: that is a fault, and no limit."""
EASIEST_DEPTH = 5
"""The greatest depth that is tried beforehand: up to this one the easy positions have 224 nodes at most."""
FIRST_SECONDS, LEAST_SECONDS, TIMES_LONGER = 10.0, 2.0, 20
"""Time limits in seconds: of the first answer, and the least of each later one, which is otherwise this many times the
slowest answer so far. An answer includes the start of the process.
"""
FailsAt = Callable[[str, int, float], str | None]
"""Returns, as a clause, how an engine gives no count of a FEN at a depth in so many seconds; None if it gives one."""


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

    def describe(self, name: str, least: int, *, is_program: bool) -> str:
        """Return, as a sentence without a stop, which depths an engine is asked for, from the least one on."""
        why = f": {self.why}" if self.why else ""
        if self.most < NEVER:
            return f"{name} counts to depth {self.most} only{why}"
        if self.silent:
            return f"{name} was silent at depth {', '.join(map(str, sorted(self.silent)))}"
        hint = f' ("min_depth": {self.least} in a descriptor saves this trial)' if why and is_program else ""
        return f"{name} counts from depth {least} on{why}{hint}"


def try_depths(fails_at: FailsAt, restart: Callable[[], None], least: int, depth: int, depths: Depths) -> bool:
    """Find out whether an engine that fails at a depth answers none so deep, or shallow; note it, and return True.

    `least` is the least depth that it is asked for. Its processes are new, before and after. Raises Interrupted.
    """
    if depth in depths.answered or depth in depths.tried:
        return False
    depths.tried.add(depth)

    def fails_in_new_process(at: int, seconds: float) -> str | None:
        restart()
        return fails_at(EASY[1], at, seconds)

    restart()
    try:
        if depth <= least:
            return _try_least(fails_at, fails_in_new_process, depth, depths)
        return _try_deeper(fails_at, fails_in_new_process, least, depth, depths)
    finally:
        restart()


def _try_least(
    fails_at: FailsAt, fails_in_new_process: Callable[[int, float], str | None], depth: int, depths: Depths
) -> bool:
    """Find out whether an engine counts one ply deeper than the least depth, and not at that."""
    began = time.monotonic()
    if fails_at(EASY[1], depth + 1, FIRST_SECONDS) is not None:
        return False
    seconds = _patience(time.monotonic() - began)
    why = fails_at(EASY[0], depth, seconds)
    if why is None or fails_in_new_process(depth, seconds) is None:
        return False
    depths.least, depths.why = depth + 1, f"at depth {depth} {why}"
    return True


def _try_deeper(
    fails_at: FailsAt,
    fails_in_new_process: Callable[[int, float], str | None],
    least: int,
    depth: int,
    depths: Depths,
) -> bool:
    """Find out whether an engine counts up to some depth, at least 2, and not at the next two."""
    seconds, slowest = FIRST_SECONDS, 0.0
    for at in range(least, depth + 1):
        began = time.monotonic()
        why = fails_at(EASY[0], at, seconds)
        if why is None:
            slowest = max(slowest, time.monotonic() - began)  # the first one starts the process
            seconds = _patience(slowest)
        elif at > max(least, LISTED_DEPTH + 1) and all(
            fails_in_new_process(deeper, seconds) is not None for deeper in (at, at + 1)
        ):
            depths.most, depths.why = at - 1, f"at depth {at} {why}"
            return True
        else:
            return False
    return False


def _patience(seconds: float) -> float:
    """Return how long an answer may take, given how long the slowest one before it has taken."""
    return max(LEAST_SECONDS, math.ceil(TIMES_LONGER * seconds))


def is_silence(error: EngineError | None) -> bool:
    """Return True if an engine has failed with no answer at all, whatever it is that it says or does instead."""
    is_answer = isinstance(error, (EngineContradiction, CountsAnotherPosition, ImpossibleCount))
    return error is not None and error.verdict.is_engine_failure and not is_answer
