"""Our own generators as engines: `own` lists moves, `own:turbo` and `own:two-plies` count them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from ....generator.line import Line
from ....generator.position import Position
from ...model.capabilities import Capability
from ..base import Divide, InProcess, read_back
from ..capabilities import CountsMany
from ..task import Task

if TYPE_CHECKING:
    from ....generator.counting.counter import Kernel
    from ....generator.counting.table import Table
    from ....generator.kernels.machine.memory import Control
    from ....generator.kernels.tables import Backend
    from ....generator.types.moves import Move

KERNELS: dict[str, Kernel] = {"own": "list", "own:turbo": "turbo", "own:two-plies": "two-plies"}
"""The kernel behind each engine name."""
_ENTRY_POINTS: dict[Kernel, str] = {
    "list": "count_leaves_by_list",
    "turbo": "count_leaves",
    "two-plies": "count_leaves_by_two",
}


def compile_notice(entry_point: str) -> str | None:
    """Return a line that says what a kernel waits for at its first use on a machine, if it has to wait."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode, current_mode
    from ....generator.kernels.machine.kernel_cache import is_cached

    if current_mode() is ExecutionMode.PYTHON:
        return "the generator runs as plain Python (NUMBA_DISABLE_JIT is set): expect it to be slow"
    return None if is_cached(entry_point) else "compiling the generator for this machine, once: a few seconds"


class KernelEngine(InProcess, ABC):
    """A generator of ours behind the engine protocol; who lists the root moves and who counts is left open."""

    def __init__(self, name: str, entry_point: str) -> None:
        """Take the name that reports show, and that of the function which Numba compiles."""
        self.name = name
        self._entry_point = entry_point

    @abstractmethod
    def moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves. Raises EngineRejection."""

    @abstractmethod
    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises EngineRejection, and Stopped where `control` has stopped it."""

    def notice(self) -> str | None:
        """Say so when this machine has to compile the kernels first."""
        return compile_notice(self._entry_point)

    def start(self, task: Task) -> None:
        """Load the kernel from the cache, or compile it."""
        self.perft(Line(Position.start()), 1, task)

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the number of leaf nodes. Raises EngineRejection."""
        from ....generator.counting.counter import Stopped

        try:
            return self.count(read_back(setup).position, depth, _control_of(task))
        except Stopped:
            return 0

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the leaf nodes below each root move. Raises EngineRejection."""
        from ....generator.counting.counter import Stopped

        position = read_back(setup).position
        self.moves(position)
        task.begin_anew()  # at its first use the kernel for that is compiled
        pairs: list[tuple[str, int]] = []
        with suppress(Stopped):
            for move, count in self.counts_below(position, depth, _control_of(task)):
                pairs.append((move.uci(chess960=True), count))
                task.found(*pairs[-1])
        return Divide.of(pairs)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield the number of leaf nodes below each legal move. Raises as `count` does."""
        for move in self.moves(position):
            yield move, self.count(position.play_unchecked(move), depth - 1, control)


def _control_of(task: Task) -> Control:
    from ....generator.kernels.machine.memory import Control

    control = Control()
    task.attach(control)
    return control


@dataclass(frozen=True)
class KernelOptions:
    """What a large count of our kernels may use."""

    threads: int = 1
    hash_bytes: int | None = None
    """Memory of the table, if there is one."""
    is_exact: bool = False
    """Whether the table verifies positions by twice as many bits."""

    def table(self) -> Table | None:
        """Return a new table, if there is one. Raises UsageError where the machine has no room for it."""
        from ....generator.counting.table import Table

        return None if self.hash_bytes is None else Table(self.hash_bytes, is_exact=self.is_exact)


ALONE = KernelOptions()


class _OneCount(TypedDict):
    """Who makes a count."""

    kernel: Kernel
    backend: Backend | None


class _SharedCount(_OneCount):
    """Who makes a count that may take long, and with what."""

    threads: int
    table: Table | None


class OwnEngine(KernelEngine, CountsMany):
    """One of our kernels for standard chess and Chess960."""

    is_own = True
    lacks: Mapping[Capability, str] = {}

    def __init__(self, name: str, backend: Backend | None = None, means: KernelOptions = ALONE) -> None:
        """Choose a kernel by the engine's name, the slider back-end (by default the best), and what a count may use.

        Raises UsageError where the machine has no room for the table.
        """
        table = means.table()
        self._one: _OneCount = {"kernel": KERNELS[name], "backend": backend}
        self._shared: _SharedCount = {**self._one, "threads": means.threads, "table": table}
        super().__init__(name, _ENTRY_POINTS[KERNELS[name]] if table is None else "count_leaves_with_table")

    def moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves."""
        return position.legal_moves

    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises Stopped."""
        from ....generator.counting.leaves import perft

        return perft(position, depth, control=control, **self._shared)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield the number of leaf nodes below each legal move, which the threads share."""
        from ....generator.counting.leaves import root_counts

        return root_counts(position, depth, control=control, **self._shared)

    def perft_each(self, positions: Sequence[Position], depths: Sequence[Sequence[int]], task: Task) -> list[list[int]]:
        """Return the leaf nodes of each position at each of its depths, which are 1 or more."""
        from ....generator.counting.counter import Stopped
        from ....generator.counting.leaves import perft_each

        control = _control_of(task)
        try:
            return perft_each(positions, depths, control=control, **self._one)
        except Stopped:
            return [[0] * len(several) for several in depths]
