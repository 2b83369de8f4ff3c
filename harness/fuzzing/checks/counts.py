"""Do our kernels count the same as python-chess, with all slider tables?"""

from __future__ import annotations

from collections.abc import Iterator

from ....generator.counting.counter import Kernel
from ....generator.counting.perft import perft
from ....generator.kernels.tables import Backend, available_backends
from ....generator.line import Line
from ....generator.position import Position
from ...asking.client import CallRunner, EngineClient
from ...checking.descent.deducing import suspects
from ...checking.descent.descending import descend
from ...engines.call import EngineCall
from ...engines.kinds.own import KERNELS, OwnEngine
from ...engines.kinds.python_chess import PythonChessEngine, count_leaves
from ...model.results.finding import Cause, Finding
from ..model import Discrepancy
from .base import Probe, discrepancies_in, line_of

FEW_LEAVES = 400
"""Positions with at most this many leaf nodes at depth 2 are counted at depth 3, too."""


class Counts:
    """Compares perft 2, and perft 3 of sparse positions; a difference is followed down to the wrong move."""

    names = ("counts",)

    def __init__(self, caller: CallRunner) -> None:
        self._caller = caller
        self._truth = EngineClient(PythonChessEngine(), caller)

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises Interrupted."""
        if probe.depth == 1:
            return
        leaves = count_leaves(probe.board, 2, EngineCall())
        yield from self._compare(probe, 2, leaves)
        for depth in range(3, max(4 if leaves <= FEW_LEAVES else 3, probe.depth + 1)):
            yield from self._compare(probe, depth, count_leaves(probe.board, depth, EngineCall()))

    def _compare(self, probe: Probe, depth: int, expected: int) -> Iterator[Discrepancy]:
        for name, kernel in KERNELS.items():
            for backend in available_backends():
                if perft(probe.position, depth, kernel=kernel, backend=backend) != expected:
                    yield from self._discrepancies(probe, depth, OwnEngine(name, backend), kernel, backend)

    def _discrepancies(
        self, probe: Probe, depth: int, engine: OwnEngine, kernel: Kernel, backend: Backend
    ) -> Iterator[Discrepancy]:
        finding = descend(probe.line, depth, EngineClient(engine, self._caller), self._truth)
        if finding is None or not (finding.wrong or finding.state):
            finding = self._locate(probe, depth, kernel, backend)
        note = "; ".join(filter(None, [finding.note, f"{kernel} kernel, {backend} tables"]))
        line = line_of(finding, probe.line)
        yield from discrepancies_in(self.names[0], finding.noting(finding.cause, note), line)

    def _locate(self, probe: Probe, depth: int, kernel: Kernel, backend: Backend) -> Finding:
        """Return the position that a kernel without move lists counts wrongly, and the moves that may explain it."""

        def surplus(position: Position, plies: int) -> int:
            board = Probe(Line(position), plies).board
            return perft(position, plies, kernel=kernel, backend=backend) - count_leaves(board, plies, EngineCall())

        position, here = probe.position, depth
        while here > 1:
            here -= 1
            children = (position.play_unchecked(move) for move in position.legal_moves)
            wrong = next((child for child in children if surplus(child, here)), None)
            if wrong is None:
                text = "each child is counted right, but not the position"
                return Finding(cause=Cause.VANISHED, fen=position.fen(), chess960=position.chess960, note=text)
            position = wrong
        excess = surplus(position, 1)
        many = f"{abs(excess)} {'more' if excess > 0 else 'fewer'} than there are"
        note = f"the kernel lists no moves, but counts {many}"
        moves = suspects(position, excess)
        if moves:
            note += "; what would account for it is named"
        return Finding(cause=Cause.COUNT, fen=position.fen(), chess960=position.chess960, wrong=moves, note=note)
