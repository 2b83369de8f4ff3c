"""perft-check's generators as engines: the counting kernels, and the techniques of move generation."""

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
    from ....generator.counting.counter import Kernel
    from ....generator.counting.table import Table
    from ....generator.kernels.machine.memory import Control
    from ....generator.kernels.machine.preparing import Specialization
    from ....generator.techniques.technique import TechniqueName
    from ....generator.types.moves import Move

SPEEDS = {"own": 3e8, "own:turbo": 1e9, "own:two-plies": 3e9}
"""Approximate leaf nodes per second of each kernel with one thread."""
USUAL_MOVES, MOST_GUESSED = 30.0, 20
"""Moves of a typical position, and the most plies, for estimating the size of a tree."""


def compile_notice(forms: Iterable[Specialization]) -> str | None:
    """Return a line that says how long it takes to compile these kernels, or None if they are compiled."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode, current_mode
    from ....generator.kernels.machine.preparing import compile_seconds, uncompiled

    if current_mode() is ExecutionMode.PYTHON:
        return "the generator runs as plain Python (NUMBA_DISABLE_JIT is set): expect it to be slow"
    missing = uncompiled(forms)
    if not missing:
        return None
    kernels = f"{len(missing)} kernels" if len(missing) > 1 else "a kernel"
    return f"compiling {kernels} for this machine, once: about {compile_seconds(missing):.0f} s"


def quickest(depth: int) -> str:
    """Return which of `KERNELS` counts a typical tree in the least time, including the time to compile it."""
    from ....generator.counting.counter import Counter
    from ....generator.kernels.machine.preparing import compile_seconds, uncompiled

    leaves = USUAL_MOVES ** min(depth, MOST_GUESSED)
    seconds = {
        name: compile_seconds(uncompiled(Counter(kernel, None).specializations(large=False))) + leaves / SPEEDS[name]
        for name, kernel in KERNELS.items()
    }
    return min(seconds, key=seconds.__getitem__)


class KernelEngine(InProcessEngine, ABC):
    """Base class of perft-check's generators. Subclasses list root moves and count leaf nodes."""

    uses_kernels = True

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels that counting to `depth` below a position needs, or that many questions need."""

    @abstractmethod
    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves. Raises EngineRejection."""

    @abstractmethod
    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises EngineRejection, and Stopped if `control` has stopped it."""

    def notice(self) -> str | None:
        """Return a line that says how long it takes to compile the kernels, or None if they are compiled."""
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
        call.restart()  # the kernel that lists moves may have been compiled just now
        pairs: list[tuple[str, int]] = []
        with suppress(Stopped):
            for move, count in self.counts_below(position, depth, _control_of(call)):
                pairs.append((move.uci(chess960=True), count))
                call.found(*pairs[-1])
        return Divide.of(pairs)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield each legal move with the number of leaf nodes below it. Raises what `count` raises."""
        for move in self.legal_moves(position):
            yield move, self.count(position.play_unchecked(move), depth - 1, control)


def _control_of(call: EngineCall) -> Control:
    from ....generator.kernels.machine.memory import Control

    control = Control()
    call.attach(control)
    return control


@dataclass(frozen=True)
class KernelOptions:
    """Threads and memory for large counts of perft-check's kernels."""

    threads: int = 1
    hash_bytes: int | None = None
    """Size of the hash table; None for a count without one."""

    def table(self) -> Table | None:
        """Return a new hash table, or None. Raises UsageError if there is not enough memory."""
        from ....generator.counting.table import Table

        return None if self.hash_bytes is None else Table(self.hash_bytes)


ALONE = KernelOptions()


class _Count(TypedDict):
    """Arguments of the functions that count."""

    kernel: Kernel
    threads: int
    table: Table | None


class OwnEngine(KernelEngine):
    """One of the counting kernels, for standard chess and Chess960."""

    is_kernel = True

    def __init__(self, name: str, resources: KernelOptions = ALONE) -> None:
        """Select the kernel by the engine's name. Raises UsageError if there is not enough memory for the table."""
        self._count: _Count = {"kernel": KERNELS[name], "threads": resources.threads, "table": resources.table()}
        super().__init__(name)

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels that counting to `depth` below a position needs, or that all types of questions need."""
        from ....generator.counting.counter import COUNTING_MANY, Counter
        from ....generator.kernels.generate import generate
        from ....generator.kernels.machine.preparing import specializations_of
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
        """Return an iterator over the legal moves with the leaf nodes below each, which all threads count together."""
        from ....generator.counting.perft import root_counts

        return root_counts(position, depth, control=control, **self._count)


class TechniqueEngine(KernelEngine):
    """A technique of move generation. Raises EngineRejection for Chess960 if the technique does not support it."""

    no_chess960 = "it knows castling of standard chess only"

    def __init__(self, technique: TechniqueName) -> None:
        self._technique = technique
        super().__init__(f"own:{technique}")

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels that list moves and count with the technique."""
        from ....generator.techniques.registry import specializations_by

        return specializations_by(self._technique)

    @property
    def chess960(self) -> bool:  # type: ignore[override]
        """Whether the technique supports Chess960."""
        from ....generator.techniques.registry import ENTRIES

        return ENTRIES[self._technique].technique.chess960

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves in the order in which the technique finds them."""
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
