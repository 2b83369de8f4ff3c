"""Our own generators as engines: `own` lists moves, `own:turbo` counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...generator.line import Line
from ...generator.position import Position
from ..task import Task
from .base import Divide, InProcess

if TYPE_CHECKING:
    from ...generator.counting import Kernel
    from ...generator.kernels.tables import Backend

KERNELS: dict[str, Kernel] = {"own": "list", "own:turbo": "turbo"}
"""The kernel behind each engine name."""
_ENTRY_POINTS: dict[Kernel, str] = {"list": "count_leaves_by_list", "turbo": "count_leaves"}


def compile_notice(entry_point: str) -> str | None:
    """Return a line that says what a kernel waits for at its first use on a machine, if it has to wait."""
    from ...generator.kernels.jit import is_cached, jit_enabled

    if not jit_enabled():
        return "the generator runs as plain Python (NUMBA_DISABLE_JIT is set): expect it to be slow"
    return None if is_cached(entry_point) else "compiling the generator for this machine, once: a few seconds"


class OwnEngine(InProcess):
    """One of our kernels, behind the engine protocol."""

    def __init__(self, name: str, backend: Backend | None = None) -> None:
        """Choose a kernel by the engine's name, and the slider back-end; by default the best."""
        self.name = name
        self._kernel = KERNELS[name]
        self._backend = backend

    def notice(self) -> str | None:
        """Say so when this machine has to compile the kernels first."""
        return compile_notice(_ENTRY_POINTS[self._kernel])

    def start(self, task: Task) -> None:
        """Load the kernel from the cache, or compile it."""
        self.perft(Line(Position.start()), 1, task)

    def perft(self, setup: Line, depth: int, task: Task) -> int:
        """Return the number of leaf nodes."""
        from ...generator.counting import Stopped, perft
        from ...generator.kernels.control import Control

        control = Control()
        task.attach(control)
        try:
            return perft(setup.position, depth, kernel=self._kernel, backend=self._backend, control=control)
        except Stopped:
            return 0

    def divide(self, setup: Line, depth: int, task: Task) -> Divide:
        """Return the leaf nodes below each root move."""
        from ...generator.counting import Stopped, divide
        from ...generator.kernels.control import Control

        control = Control()
        task.attach(control)
        try:
            counts = divide(
                setup.position,
                depth,
                kernel=self._kernel,
                backend=self._backend,
                control=control,
                found=lambda move, count: task.found(move.uci(chess960=True), count),
            )
        except Stopped:
            return Divide.of(())
        return Divide.of((move.uci(chess960=True), count) for move, count in counts.items())
