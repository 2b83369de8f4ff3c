"""Estimate how long a count will take before an engine is asked for it, and refuse one that takes more than a day."""

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
"""No count to this depth is estimated."""
COUNTED_NODES = 200_000
"""Counts up to this size are made; larger ones are estimated."""
SMALL_NODES = 5_000_000
"""No count of fewer nodes is estimated."""
SAMPLE_SECONDS = 2.0
"""How long a count may take by which the speed of an engine is measured."""
MEASURED_SECONDS = 0.005
"""A count that takes less time is too short to measure the speed."""


def check_duration(game: Game, depth: int, sessions: Sequence[EngineSession], timeout: float) -> None:
    """Print how long a count takes if that is more than a minute.

    The kernels of perft-check are not measured: they show how far they are, and keep what they have when interrupted.
    Raises UsageError if it is more than a day, unless the `timeout` is as long, and Interrupted.
    """
    foreign = [session for session in sessions if not session.engine.uses_kernels]
    if depth <= SHALLOW or not foreign:  # the counts below may have to compile a kernel first
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
        what = f"about {_amount(logs[depth])} nodes, {_time(log_seconds)} at the {speed(measured, 1)} of {session.name}"
        if log_seconds > math.log10(max(DAY, timeout if math.isfinite(timeout) else 0)):
            within = max(at for at in range(depth) if logs[at] - math.log10(measured) <= math.log10(MINUTE))
            raise UsageError(f"depth {depth}: {what}: choose depth {within}, or give a --timeout as long as that")
        if log_seconds > math.log10(MINUTE):
            err().print(what, style="dim")


def check_depth(depth: int, sessions: Sequence[EngineSession]) -> None:
    """Raise UsageError if one of the engines, which have been started, counts nothing at a depth; Interrupted."""
    for session in sessions:
        if depth < 1 or session.is_in_process:
            continue
        if (limit := session.try_depth(depth)) is not None and not session.may_count(depth):
            raise UsageError(f"{limit}; choose another depth", session.spec)


def _counts(position: Position, depth: int) -> list[int]:
    """Return the counts of a position from depth 0 up to the largest that is computed quickly."""
    counts = [1]
    while len(counts) <= depth and 0 < counts[-1] <= COUNTED_NODES:
        counts.append(perft(position, len(counts)))
    return counts


def _log_of_nodes(known: Sequence[int], depth: int) -> float:
    """Return the decimal logarithm of the nodes at a depth; beyond what is known they grow as in the last two plies."""
    if depth < len(known) or not known[-1]:
        return math.log10(max(1, known[min(depth, len(known) - 1)]))
    plies = min(2, len(known) - 1)
    growth = math.log10(known[-1] / known[-1 - plies]) / plies
    return math.log10(known[-1]) + growth * (depth - len(known) + 1)


def _nodes_per_second(game: Game, session: EngineSession, known: Sequence[int]) -> float | None:
    """Return how fast an engine counts, None if that cannot be measured. Raises Interrupted."""
    measured, seconds = None, 0.0
    for depth in range(max(1, session.min_depth), len(known)):
        began = time.perf_counter()
        try:
            counted = session.perft(game, depth)
        except EngineError:
            break
        seconds = time.perf_counter() - began
        if counted != known[depth]:  # it visits other nodes than we count: its speed is unknown
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
