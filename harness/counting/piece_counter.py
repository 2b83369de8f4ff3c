"""Count pieces in this process, with perft-check's kernels or any other engine."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from operator import mul
from typing import Protocol

import numpy as np

from ... import __version__
from ...generator.counting.counter import Counter, Kernel, Stopped
from ...generator.counting.perft import perft
from ...generator.counting.plies import Ply
from ...generator.counting.records import Records, ply_of, records_in
from ...generator.game import Game
from ...generator.kernels.machine.folders import source_digest
from ...generator.kernels.machine.memory import Control
from ...generator.position import Position
from ..engines.asking.session import EngineSession, TimeLimit
from ..engines.base import EngineError
from ..engines.files import build_of
from ..engines.opening import open_session
from ..engines.spec import EngineSpec
from ..engines.types.own import KernelOptions
from ..shutdown import Interrupted
from .model import CountedPiece, Delivery, Order, ResultOrigin, positions_in

MIN_SPEED = 10_000.0
"""Leaf nodes per second that an engine must reach: one second per 10,000 nodes is added to the timeout."""
COUNTED_PLIES, LEAST_GROWTH, MOST_NODES = 3, 30.0, 1e12
"""For `likely_nodes`: the plies to count, the minimum growth factor per additional ply, and the largest result."""


class PieceCounter(Protocol):
    """Counts the leaf nodes below the positions of a piece. Threads may share a counter."""

    digest: str
    """A digest of the engine's files, computed when it was opened."""

    def ready(self) -> None:
        """Do whatever is necessary before this thread can count. Raises Interrupted, EngineError."""

    def nodes(self, order: Order, records: Records) -> int:
        """Return the number of leaf nodes below positions, summed over all games. Raises Interrupted, EngineError."""

    def stop(self) -> None:
        """Stop all current and future counts."""

    def close(self) -> None:
        """Release all resources."""


def open_counter(engine: str, resources: KernelOptions, timeout: float) -> PieceCounter:
    """Return a counter for an engine. Raises UsageError, EngineError."""
    kernel = EngineSpec(engine).kernel
    return _Engine(engine, TimeLimit(timeout, MIN_SPEED)) if kernel is None else _Kernel(kernel, resources)


def likely_nodes(position: Position, depth: int) -> int:
    """Return the number of leaf nodes below a position; for deep counts, an estimate that is usually too high."""
    plies = min(depth, COUNTED_PLIES)
    before, nodes = perft(position, plies - 1), perft(position, plies)
    growth = max(LEAST_GROWTH, 1.5 * nodes / max(1, before))
    return int(min(MOST_NODES, nodes * growth ** (depth - plies)))


def carry_out(counter: PieceCounter, order: Order, worker: str) -> Delivery:
    """Execute an order and return its outcome. Raises Interrupted."""
    try:
        counter.ready()
        began = time.perf_counter()
        nodes = counter.nodes(order, records_in(order.piece.records))
        counted = CountedPiece(order.piece.number, nodes, round(time.perf_counter() - began, 6))
    except EngineError as error:
        return Delivery(failure=str(error))
    return Delivery((ResultOrigin(worker, __version__, counter.digest), counted))


def get_ready(kernel: Kernel, resources: KernelOptions) -> None:
    """Load or compile one of perft-check's kernels before the first order arrives."""
    _Kernel(kernel, resources).ready()


class _Kernel:
    """A counter that uses one of perft-check's kernels."""

    def __init__(self, kernel: Kernel, resources: KernelOptions) -> None:
        self.digest = source_digest()
        self._counter = Counter(kernel, None, Control(), resources.table())
        self._lock, self._is_ready = threading.Lock(), False

    def ready(self) -> None:
        with self._lock:  # one thread compiles while the others wait
            if not self._is_ready:
                self._below(Ply.of(Position.start().board, 3))
                self._is_ready = True

    def nodes(self, order: Order, records: Records) -> int:
        ply = ply_of(records, order.depth)
        try:
            return self._below(ply)
        except Stopped:
            raise Interrupted from None

    def _below(self, ply: Ply) -> int:
        if self._counter.table is not None:
            return self._counter.count_ply(ply)
        counts = self._counter.count_each(ply.boards, np.full(len(ply), ply.depth, dtype=np.uint64))
        return sum(map(mul, counts, ply.games.tolist()))

    def stop(self) -> None:
        self._counter.control.stop()

    def close(self) -> None:
        pass


class _Engine:
    """A counter that uses any other engine, with a separate process for each thread."""

    def __init__(self, engine: str, limit: TimeLimit) -> None:
        self.digest = build_of(engine)  # reports an invalid SPEC immediately
        self._spec, self._limit = engine, limit
        self._of_thread = threading.local()
        self._askers: list[EngineSession] = []
        self._is_stopped = False

    def ready(self) -> None:
        self._asker()

    def nodes(self, order: Order, records: Records) -> int:
        positions = positions_in(records, order.is_black, order.chess960)
        session = self._asker()
        return sum(
            games * session.expecting(likely_nodes(position, order.depth)).perft(Game(position), order.depth)
            for position, games in zip(positions, records[:, 3].tolist(), strict=True)
        )

    def _asker(self) -> EngineSession:
        if self._is_stopped:
            raise Interrupted
        session: EngineSession | None = getattr(self._of_thread, "session", None)
        if session is None:
            session = open_session(self._spec, limit=self._limit)
            self._askers.append(session)
            session.start()
            self._of_thread.session = session
        return session

    def stop(self) -> None:
        self._is_stopped = True
        for session in self._askers:
            session.runner.stop()

    def close(self) -> None:
        for session in self._askers:
            with suppress(EngineError):
                session.close()
