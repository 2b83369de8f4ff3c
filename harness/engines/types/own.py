"""perft-check's generators as engines: counting kernels, and move generation techniques."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from ....generator.game import Game
from ....generator.position import Position
from ..base import Divide, EngineRejection
from ..call import EngineCall
from ..engine import InProcessEngine, read_back
from ..spec import KERNELS

if TYPE_CHECKING:
    from ....generator.counting.counter import Kernel, Table
    from ....generator.kernels.machine.jit import Specialization
    from ....generator.kernels.machine.memory import Control
    from ....generator.techniques.technique import TechniqueName
    from ....generator.types.moves import Move

SPEEDS = {"own": 3e8, "own:turbo": 1e9, "own:two-plies": 3e9}
"""The approximate single-threaded speed of each kernel, in leaf nodes per second."""
USUAL_MOVES, MOST_GUESSED = 30.0, 20
"""Number of moves in a typical position, and maximum number of plies, for estimating tree sizes."""


def compile_notice(forms: Iterable[Specialization]) -> str | None:
    """Return a line that says how long compiling these kernels takes, or None if they are already compiled."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode, current_mode
    from ....generator.kernels.machine.jit import compile_seconds, uncompiled

    if current_mode() is ExecutionMode.PYTHON:
        return "the generator runs as plain Python (NUMBA_DISABLE_JIT is set): expect it to be slow"
    missing = uncompiled(forms)
    if not missing:
        return None
    kernels = f"{len(missing)} kernels" if len(missing) > 1 else "a kernel"
    return f"compiling {kernels} for this machine (only once, about {max(1, round(compile_seconds(missing)))} s)"


def quickest(depth: int) -> str:
    """Return the key of `KERNELS` that counts a typical tree fastest, including compilation time."""
    from ....generator.counting.counter import Counter
    from ....generator.kernels.machine.jit import compile_seconds, uncompiled

    leaves = USUAL_MOVES ** min(depth, MOST_GUESSED)
    seconds = {
        name: compile_seconds(uncompiled(Counter(kernel, None).specializations(large=False))) + leaves / SPEEDS[name]
        for name, kernel in KERNELS.items()
    }
    return min(seconds, key=seconds.__getitem__)


class KernelEngine(InProcessEngine, ABC):
    """Base class of perft-check's generators. Subclasses list legal moves and count leaf nodes."""

    uses_kernels = True

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels needed to count a position to `depth`, or for many questions if no position is given."""

    @abstractmethod
    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves. Raises EngineRejection."""

    @abstractmethod
    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises EngineRejection, or Stopped if `control` stopped the count."""

    def notice(self) -> str | None:
        """Return a line that says how long compiling the kernels takes, or None if they are already compiled."""
        return compile_notice(self.kernels())

    def start(self, call: EngineCall) -> None:
        """Load the kernels from the cache, or compile them."""
        for form in self.kernels(Position.start(), 1):
            form.get_ready()
        self.perft(Game(Position.start()), 1, call)

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the number of leaf nodes. Raises EngineRejection."""
        from ....generator.counting.counter import Stopped

        try:
            return self.count(read_back(game).position, depth, _control_of(call))
        except Stopped:
            return 0

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the number of leaf nodes below each root move. Raises EngineRejection."""
        from ....generator.counting.counter import Stopped

        position = read_back(game).position
        self.legal_moves(position)
        call.restart()  # listing the moves may have required compiling a kernel
        pairs: list[tuple[str, int]] = []
        with suppress(Stopped):
            for move, count in self.counts_below(position, depth, _control_of(call)):
                pairs.append((move.uci(chess960=True), count))
                call.found(*pairs[-1])
        return Divide.of(pairs)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield each legal move with the number of leaf nodes below it. Raises the same exceptions as `count`."""
        for move in self.legal_moves(position):
            yield move, self.count(position.play_unchecked(move), depth - 1, control)


def _control_of(call: EngineCall) -> Control:
    from ....generator.kernels.machine.memory import Control

    control = Control()
    call.attach(control)
    return control


@dataclass(frozen=True)
class KernelOptions:
    """Threads and memory for large counts by perft-check's kernels."""

    threads: int = 1
    hash_bytes: int | None = None
    """Size of the hash table in bytes, or None for no hash table."""

    def table(self) -> Table | None:
        """Return a new hash table, or None for no hash table. Raises UsageError if there is not enough memory."""
        from ....generator.counting.counter import Table

        return None if self.hash_bytes is None else Table(self.hash_bytes)


ALONE = KernelOptions()


class _Count(TypedDict):
    """Arguments of the counting functions."""

    kernel: Kernel
    threads: int
    table: Table | None


class OwnEngine(KernelEngine):
    """One of the counting kernels, for standard chess and Chess960."""

    is_kernel = True

    def __init__(self, name: str, resources: KernelOptions = ALONE) -> None:
        """Select the kernel by name. Raises UsageError if there is not enough memory for the hash table."""
        self._count: _Count = {"kernel": KERNELS[name], "threads": resources.threads, "table": resources.table()}
        super().__init__(name)

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels needed to count a position to `depth`, or for all questions if no position is given."""
        from ....generator.counting.counter import COUNTING_MANY, Counter
        from ....generator.kernels.generate import generate
        from ....generator.kernels.machine.jit import specializations_of
        from ....generator.kernels.play import board_after
        from ....generator.kernels.tables import tables

        kernel, threads = self._count["kernel"], self._count["threads"]
        counter = Counter(kernel, None, table=self._count["table"])
        if position is not None:
            return counter.specializations(large=counter.is_worth_cutting(position.board, depth, threads))
        many = specializations_of([type(tables())], COUNTING_MANY[kernel], generate, board_after)
        return [*counter.specializations(large=threads > 1 or counter.table is not None), *many]

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves."""
        return position.legal_moves

    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises Stopped."""
        from ....generator.counting.perft import perft

        return perft(position, depth, control=control, **self._count)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield each legal move with the number of leaf nodes below it, counted in parallel by all threads."""
        from ....generator.counting.perft import root_counts

        return root_counts(position, depth, control=control, **self._count)


class TechniqueEngine(KernelEngine):
    """A move generation technique. Raises EngineRejection for Chess960 if the technique does not support it."""

    no_chess960 = "it knows castling of standard chess only"

    def __init__(self, technique: TechniqueName) -> None:
        self._technique = technique
        super().__init__(f"own:{technique}")

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels of the technique."""
        from ....generator.techniques.registry import specializations_by

        return specializations_by(self._technique)

    @property
    def chess960(self) -> bool:  # type: ignore[override]
        """Whether the technique supports Chess960."""
        from ....generator.techniques.registry import ENTRIES

        return ENTRIES[self._technique].technique.chess960

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves in the order in which the technique generates them."""
        from ....generator.techniques.registry import legal_moves

        with _refusing_chess960():
            return legal_moves(self._technique, position)

    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises Stopped."""
        from ....generator.techniques.registry import count_by

        with _refusing_chess960():
            return count_by(self._technique, position, depth, control)


@contextmanager
def _refusing_chess960() -> Iterator[None]:
    from ....generator.techniques.registry import NoChess960

    try:
        yield
    except NoChess960 as refusal:
        raise EngineRejection(str(refusal)) from None
