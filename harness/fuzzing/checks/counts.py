"""Do both kernels, with all slider tables, count what python-chess counts?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ....generator.counting import Kernel, perft
from ....generator.kernels.tables import Backend, available_backends
from ....generator.line import Line
from ...descent import descend
from ...engines.base import Divide
from ...engines.own import OwnEngine
from ...engines.python_chess import PythonChessEngine, count_leaves
from ...task import Task
from ..model import Fault
from ..questions import Questions
from .base import Probe, faults_in

FEW_LEAVES = 400
"""Positions with at most so many leaves at depth 2 are counted at depth 3, too."""
KERNELS: dict[Kernel, str] = {"list": "own", "turbo": "own:turbo"}


class Counts:
    """Compares perft 2, and perft 3 of sparse positions; a difference is followed down to the wrong move."""

    names = ("counts",)

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._truth = PythonChessEngine()

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults. Raises Stop."""
        if probe.depth == 1:
            return
        leaves = count_leaves(probe.board, 2, Task())
        yield from self._compare(probe, 2, leaves)
        for depth in range(3, max(4 if leaves <= FEW_LEAVES else 3, probe.depth + 1)):
            yield from self._compare(probe, depth, count_leaves(probe.board, depth, Task()))

    def _compare(self, probe: Probe, depth: int, expected: int) -> Iterator[Fault]:
        for kernel in KERNELS:
            for backend in available_backends():
                if perft(probe.position, depth, kernel=kernel, backend=backend) != expected:
                    yield from self._faults(probe, depth, kernel, backend)

    def _faults(self, probe: Probe, depth: int, kernel: Kernel, backend: Backend) -> Iterator[Fault]:
        engine = OwnEngine(KERNELS[kernel], backend)
        finding = descend(
            probe.line,
            depth,
            partial(self._divide, engine),
            partial(self._divide, self._truth),
            lambda line: line.position.fen(),
        )
        if finding is not None:
            note = "; ".join(filter(None, [finding.note, f"{kernel} kernel, {backend} tables"]))
            yield from faults_in(self.names[0], finding.noting(finding.cause, note), probe.place)

    def _divide(self, engine: OwnEngine | PythonChessEngine, line: Line, depth: int) -> Divide:
        return self._questions.ask(partial(engine.divide, line, depth))
