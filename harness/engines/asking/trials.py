"""Trials with easy questions, so that limitations of an engine are not mistaken for faults.

The session passes functions that ask the engine.
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

# Positions. If an engine ignores the position, or its answers cannot be parsed, every position fails, and each failure
# looks like a fault in its moves.


def check_position_is_taken(engine: Engine, call: EngineCall) -> None:
    """Raise NotUnderstood if a program gives the same counts for two different positions, at two depths.

    Other failures are ignored, because the first affected case will report them.
    """
    if engine.has_taken_position:
        return
    games = [Game(Position.from_fen(fen)) for fen in SENTINELS]
    for depth in (least := max(1, engine.min_depth), least + 1):
        counts = set[int]()
        for game in games:
            try:
                counts.add(engine.perft(game, depth, call.step()))
            except EngineError:
                return
            if counts == {perft(game.position, depth)} or len(counts) > 1 or call.stopped:
                return
    (count,) = counts
    if count == perft(Position.start(), depth):
        raise NotUnderstood(f"{engine.name} counts the starting position, whatever it is given")
    first, second = (perft(game.position, depth) for game in games)
    raise NotUnderstood(
        f"{engine.name} does not receive the position, or its answer cannot be read: at depth {depth} it counts "
        f"{count:,} in {SENTINELS[0]!r} and in {SENTINELS[1]!r}, where the correct counts are {first} and {second}"
    )


# Chess960, for engines that do not declare whether they support it. They are asked about two simple castling moves, one
# on each side, in which the king moves three files and its path is empty and not attacked. A generator for standard
# chess lists neither, and hardly any fault in Chess960 removes both. So an engine that lists one of them supports
# Chess960, and incorrect answers in other positions are faults.

CASTLINGS = "8/8/8/8/8/5k2/8/3K3R w H - 0 1", "8/8/8/8/3k4/8/8/R4K2 w A - 0 1"
"""Positions with one castling move each. The opponent's king is close, so that its number of moves depends on the
squares of king and rook after castling.
"""
TOTALS_DEPTH = 2
"""Depth at which totals are compared if the engine lists no moves."""


def try_chess960(
    name: str, divide: Callable[[Game, int], Divide], count: Callable[[Game, int], int], least: int
) -> str | None:
    """Return a clause that says how an engine has shown that it does not support Chess960, or None if it does.

    The caller should then terminate the engine's process, because a Chess960 FEN may have affected its state. Raises
    Interrupted.
    """
    first = ""
    for fen in CASTLINGS:
        try:
            failure = _chess960_failure(fen, divide, count, least)
        except EngineTimeout as error:
            return first or without_name(name, error)  # the next position may take just as long
        except EngineError as error:
            failure = without_name(name, error)
        if failure is None:
            return None
        first = first or failure
    return first


def _chess960_failure(
    fen: str, divide: Callable[[Game, int], Divide], count: Callable[[Game, int], int], least: int
) -> str | None:
    """Ask about a position with a castling move, and return what is wrong with the answer, or None.

    Raises EngineError, Interrupted.
    """
    game = Game(Position.from_fen(fen, chess960=True))
    ((target, castling),) = castlings_by_king_target(game.position).items()
    listed = divide(game, max(1, least)).counts
    if listed:
        return None if {target, castling} & listed.keys() else f"it does not list castling {castling} in {fen}"
    depth = max(TOTALS_DEPTH, least)
    total, expected = count(game, depth), perft(game.position, depth)
    return None if total == expected else f"it counts {total} instead of {expected} at depth {depth} in {fen}"


def without_name(name: str, error: EngineError) -> str:
    """Return an error message with the engine's name replaced by "it"."""
    text = str(error).removeprefix(f"the reference {name} failed: ")
    return text.replace(f"{name} ", "it ", 1) if text.startswith(f"{name} ") else text


# Depths. Some programs reject any question above some depth, or at depth 1, or crash or hang there. That is a
# limitation, not a fault. An engine that fails in two positions with few moves is assumed to fail in every position.

NEVER = 1_000
"""A depth greater than any in a question."""
EASY = "8/8/8/8/8/5k1p/7P/7K w - - 0 1", "8/8/8/p7/P7/k7/8/K7 w - - 0 1"
"""Positions with only kings and pawns, which have 224 and 201 leaf nodes at depth 5."""
LISTED_DEPTH = 1
"""A depth limit this small is not accepted, because it may be due to a fault: the engine may be unable to make
moves."""
EASIEST_DEPTH = 5
"""Maximum depth that is tried in advance. Up to this depth, the easy positions have at most 224 leaf nodes."""
FIRST_SECONDS, LEAST_SECONDS, TIMES_LONGER = 10.0, 2.0, 20
"""Time limit for the first answer, and minimum time limit for later ones, in seconds. Otherwise the limit is
`TIMES_LONGER` times the slowest answer so far, including process startup.
"""
FailsAt = Callable[[str, int, float], str | None]
"""A function of FEN, depth and time limit. It returns a clause that says how the engine fails, or None if it
succeeds."""


@dataclass
class Depths:
    """The depths that an engine is known to support, or not to support."""

    least: int = 0
    most: int = NEVER
    silent: set[int] = field(default_factory=set)
    """Depths between `least` and `most` at which the engine has not answered and is no longer asked."""
    answered: set[int] = field(default_factory=set)
    tried: set[int] = field(default_factory=set)
    """Depths that were tried."""
    why: str = ""
    """A clause that says what the engine does at an unsupported depth."""

    def __contains__(self, depth: int) -> bool:
        return self.least <= depth <= self.most and depth not in self.silent

    def note(self, depth: int, nodes: int) -> None:
        """Record an answer, unless it is 0, which engines may print at unsupported depths."""
        if nodes:
            self.answered.add(depth)

    def describe(self, name: str, least: int, *, is_program: bool) -> str:
        """Return a sentence, without a final period, that states the supported depths."""
        why = f": {self.why}" if self.why else ""
        if self.most < NEVER:
            return f"{name} counts to depth {self.most} only{why}"
        if self.silent:
            return f"{name} does not answer at depth {', '.join(map(str, sorted(self.silent)))}"
        hint = f' ("min_depth": {self.least} in a descriptor saves this trial)' if why and is_program else ""
        return f"{name} counts from depth {least} on{why}{hint}"


def try_depths(fails_at: FailsAt, restart: Callable[[], None], least: int, depth: int, depths: Depths) -> bool:
    """Return True if an engine that failed at a depth has a depth limit, which is recorded in `depths`.

    `least` is the smallest supported depth. The process is restarted before and after the trial. Raises Interrupted.
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
    """Return True if an engine fails at the smallest depth but succeeds one ply deeper."""
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
    """Return True if an engine succeeds up to some depth, at least 2, and fails at the next two."""
    seconds, slowest = FIRST_SECONDS, 0.0
    for at in range(least, depth + 1):
        began = time.monotonic()
        why = fails_at(EASY[0], at, seconds)
        if why is None:
            slowest = max(slowest, time.monotonic() - began)  # the first answer includes process startup
            seconds = _patience(slowest)
        elif at > max(least, LISTED_DEPTH + 1) and all(
            fails_in_new_process(deeper, seconds) is not None for deeper in (at, at + 1)
        ):
            depths.most, depths.why = at - 1, f"at depth {at} {why}"
            return True
        else:
            return False
    return False


def _patience(slowest: float) -> float:
    """Return the time limit for an answer in seconds, given the time of the slowest answer so far."""
    return max(LEAST_SECONDS, math.ceil(TIMES_LONGER * slowest))


def is_silence(error: EngineError | None) -> bool:
    """Return True if an engine failed without answering, for example because it crashed."""
    is_answer = isinstance(error, (EngineContradiction, CountsAnotherPosition, ImpossibleCount))
    return error is not None and error.verdict.is_engine_failure and not is_answer
