"""Estimates of the duration of a count. A count that would take more than a day is refused."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from ...errors import UsageError
from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...reports.text import duration, short, speed
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError
from .output.console import err

DAY, MINUTE = 86_400.0, 60.0
SHALLOW = 4
"""Depth up to which no estimate is made."""
COUNTED_NODES = 200_000
"""Trees up to this number of nodes are counted to extrapolate larger ones."""
SMALL_NODES = 5_000_000
"""Number of nodes up to which no estimate is made."""
SAMPLE_SECONDS = 2.0
"""Maximum duration of a count that measures an engine's speed."""
MEASURED_SECONDS = 0.005
"""Minimum duration of a count that measures an engine's speed."""


def check_duration(game: Game, depth: int, sessions: Sequence[EngineSession], timeout: float) -> None:
    """Print how long a count will take if it is more than a minute.

    perft-check's kernels are not measured, because they show their progress and keep partial results. Raises UsageError
    if the count would take more than a day and the `timeout` is shorter. Raises Interrupted.
    """
    foreign = [session for session in sessions if not session.engine.uses_kernels]
    if depth <= SHALLOW or not foreign:  # return before `_counts`, which may compile a kernel
        return
    known = _counts(game.position, depth)
    logs = [_log_of_nodes(known, at) for at in range(depth + 1)]
    if logs[depth] <= math.log10(SMALL_NODES):
        return
    for session in foreign:
        measured = _nodes_per_second(game, session, known)
        if measured is None:
            continue
        log_seconds = logs[depth] - math.log10(measured)
        what = (
            f"about {_amount(logs[depth])} nodes, which will take {session.name} {_time(log_seconds)} "
            f"at {speed(measured, 1)}"
        )
        if log_seconds > math.log10(max(DAY, timeout if math.isfinite(timeout) else 0)):
            within = max(at for at in range(depth) if logs[at] - math.log10(measured) <= math.log10(MINUTE))
            raise UsageError(f"depth {depth} has {what}: choose depth {within}, or set --timeout to at least that time")
        if log_seconds > math.log10(MINUTE):
            err().print(what, style="dim")


def check_depth(depth: int, sessions: Sequence[EngineSession]) -> None:
    """Raise UsageError if one of the started engines cannot count to this depth. Raises Interrupted."""
    for session in sessions:
        if depth < 1 or session.is_in_process:
            continue
        if (limit := session.try_depth(depth)) is not None and not session.may_count(depth):
            raise UsageError(f"{limit}; choose another depth", session.spec)


def _counts(position: Position, depth: int) -> list[int]:
    """Return the counts of a position from depth 0 to the greatest depth that is counted quickly."""
    counts = [1]
    while len(counts) <= depth and 0 < counts[-1] <= COUNTED_NODES:
        counts.append(perft(position, len(counts)))
    return counts


def _log_of_nodes(known: Sequence[int], depth: int) -> float:
    """Return log10 of the number of nodes at a depth, extrapolated from the growth over the last two plies."""
    if depth < len(known) or not known[-1]:
        return math.log10(max(1, known[min(depth, len(known) - 1)]))
    plies = min(2, len(known) - 1)
    growth = math.log10(known[-1] / known[-1 - plies]) / plies
    return math.log10(known[-1]) + growth * (depth - len(known) + 1)


def _nodes_per_second(game: Game, session: EngineSession, known: Sequence[int]) -> float | None:
    """Return the speed of an engine, or None if it cannot be measured. Raises Interrupted."""
    measured, seconds = None, 0.0
    for depth in range(max(1, session.min_depth), len(known)):
        began = time.perf_counter()
        try:
            counted = session.perft(game, depth)
        except EngineError:
            break
        seconds = time.perf_counter() - began
        if counted != known[depth]:  # an incorrect engine visits other nodes, so its speed is unknown
            return None
        measured = max(1, known[depth]) / max(seconds, 1e-9)
        if depth + 1 < len(known) and seconds * known[depth + 1] / max(1, known[depth]) > SAMPLE_SECONDS:
            break
    return measured if seconds >= MEASURED_SECONDS else None


def _amount(log: float) -> str:
    return short(10**log) if log < 15 else f"10^{log:.0f}"


def _time(log_seconds: float) -> str:
    days = 10 ** min(log_seconds, 300) / DAY
    if days <= 1:
        return duration(days * DAY)
    if days < 1000:
        return f"{days:,.0f} days"
    return f"{days / 365:,.0f} years" if days < 365e6 else "more than a million years"
