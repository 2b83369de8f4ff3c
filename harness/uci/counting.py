"""The command `go perft N`: the count below each root move and their sum, as Stockfish prints them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...generator.counting.counter import Stopped
from ...generator.counting.leaves import MAX_DEPTH
from ...generator.kernels.machine.control import Control
from ...generator.position import Position
from ...generator.types.moves import Move
from ..engines.task import Task
from .commands import whole
from .lines import info

Say = Callable[[str], None]
"""Takes a part of an answer, whole lines, before the answer is complete."""
RootCounts = Callable[..., Iterator[tuple[Move, int]]]
"""`generator.counting.leaves.root_counts` with all that a count may use."""

GATHERED = 3
"""Depth up to which an answer is given all at once, which saves its reader waking up for each root move."""


def depth_of(words: Sequence[str]) -> int:
    """Return the depth of a count, by the words behind `perft`. Raises UsageError."""
    return whole(words[0] if words else "", 0, MAX_DEPTH, "the depth of perft")


def count(position: Position, depth: int, root_counts: RootCounts, task: Task, say: Say) -> str:
    """Return the end of the answer to a count; the root moves are said before. It ends early if the task is stopped."""
    if depth == 0:
        return _total(1)
    gathered: list[str] = []
    say = gathered.append if depth <= GATHERED else say
    control = Control()
    task.attach(control)
    counts: list[int] = []
    try:
        for move, nodes in root_counts(position, depth, control=control):
            say(f"{move.uci(position.chess960)}: {nodes}\n")
            counts.append(nodes)
        end = _total(sum(counts))
    except Stopped:
        end = info(f"stopped: {len(counts)} of {len(position.legal_moves)} root moves are counted")
    return "".join(gathered) + end


def _total(nodes: int) -> str:
    return f"\nNodes searched: {nodes}\n\n"
