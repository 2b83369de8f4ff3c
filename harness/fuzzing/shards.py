"""The shards of a soak: games inside the kernels, played by threads of this process or of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ...generator.chess960 import STANDARD, chess960_start
from ...generator.kernels.machine.memory import Control
from ...generator.position import Position
from ...generator.soaking import SoakResult, soak
from ...strategies.seeds import tricky_positions
from ..work.executor import TaskContext
from ..work.threads import LocalThreads
from ..work.worker_state import WORKER
from .plan import FuzzPlan

STARTS = 40
"""How many of the 960 starting positions of Chess960 games start from, besides the tricky positions."""


@dataclass(frozen=True)
class Shard:
    """A part of a soak."""

    number: int
    positions: int
    seed: int


def threads_here(plan: FuzzPlan) -> LocalThreads:
    """Return as many threads as a plan says, which play the games of shards."""
    return LocalThreads(plan.jobs, play)


def play(context: TaskContext, shard: Shard) -> SoakResult:
    """Play the games of a shard."""
    control = Control()
    with context.stopping(control.stop, lambda: control.nodes):
        result = soak(starts(), shard.positions, shard.seed, control=control)
    WORKER.note(positions=result.positions)
    return result


@cache
def starts() -> tuple[Position, ...]:
    """Return the positions from which games start."""
    numbers = range(0, 960, 960 // STARTS)
    setups = [chess960_start(number, (number * 7) % 960) for number in numbers]
    return (Position.start(), chess960_start(STANDARD), *tricky_positions(), *setups)
