"""Our own generators as engines: `own` lists moves, `own:turbo` and `own:two-plies` count them; techniques do both."""

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
from ..engine import InProcess, read_back
from ..spec import KERNELS

if TYPE_CHECKING:
    from ....generator.counting.counter import Kernel
    from ....generator.counting.table import Table
    from ....generator.kernels.machine.memory import Control
    from ....generator.kernels.machine.preparing import KernelForm
    from ....generator.techniques.technique import TechniqueName
    from ....generator.types.moves import Move

SPEEDS = {"own": 3e8, "own:turbo": 1e9, "own:two-plies": 3e9}
"""About how many leaf nodes a second each counts with one thread."""
USUAL_MOVES, MOST_GUESSED = 30.0, 20
"""Moves of a usual position, by which a tree is guessed that no kernel may have counted, to so many plies."""


def compile_notice(forms: Iterable[KernelForm]) -> str | None:
    """Return a line that says what these kernels wait for at their first use on a machine, if they have to wait."""
    from ....generator.kernels.machine.execution_mode import ExecutionMode, current_mode
    from ....generator.kernels.machine.preparing import missing_of, usual_seconds

    if current_mode() is ExecutionMode.PYTHON:
        return "the generator runs as plain Python (NUMBA_DISABLE_JIT is set): expect it to be slow"
    missing = missing_of(forms)
    if not missing:
        return None
    kernels = f"{len(missing)} kernels" if len(missing) > 1 else "a kernel"
    return f"compiling {kernels} for this machine, once: about {usual_seconds(missing):.0f} s"


def kernel_notice(name: str) -> str | None:
    """Return a line that says what one of `KERNELS` waits for before it can count, if it has to wait."""
    return OwnEngine(name).notice()


def quickest(depth: int) -> str:
    """Return which of `KERNELS` counts a usual tree in the least time, with the time that it takes to be compiled."""
    from ....generator.counting.counter import Counter
    from ....generator.kernels.machine.preparing import missing_of, usual_seconds

    leaves = USUAL_MOVES ** min(depth, MOST_GUESSED)
    seconds = {
        name: usual_seconds(missing_of(Counter(kernel, None).forms(large=False))) + leaves / SPEEDS[name]
        for name, kernel in KERNELS.items()
    }
    return min(seconds, key=seconds.__getitem__)


class KernelEngine(InProcess, ABC):
    """A generator of ours behind the engine protocol; who lists the root moves and who counts is left open."""

    uses_kernels = True

    def __init__(self, name: str) -> None:
        """Take the name that reports show."""
        self.name = name

    @abstractmethod
    def kernels(self, position: Position | None = None, depth: int = 0) -> list[KernelForm]:
        """Return the kernels that a count below a position needs, or without one all that many questions need."""

    @abstractmethod
    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves. Raises EngineRejection."""

    @abstractmethod
    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises EngineRejection, and Stopped where `control` has stopped it."""

    def notice(self) -> str | None:
        """Say so when this machine has to compile the kernels first."""
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
        """Return the leaf nodes below each root move. Raises EngineRejection."""
        from ....generator.counting.counter import Stopped

        position = read_back(game).position
        self.legal_moves(position)
        call.restart()  # at its first use the kernel for that is compiled
        pairs: list[tuple[str, int]] = []
        with suppress(Stopped):
            for move, count in self.counts_below(position, depth, _control_of(call)):
                pairs.append((move.uci(chess960=True), count))
                call.found(*pairs[-1])
        return Divide.of(pairs)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield the number of leaf nodes below each legal move. Raises as `count` does."""
        for move in self.legal_moves(position):
            yield move, self.count(position.play_unchecked(move), depth - 1, control)


def _control_of(call: EngineCall) -> Control:
    from ....generator.kernels.machine.memory import Control

    control = Control()
    call.attach(control)
    return control


@dataclass(frozen=True)
class KernelOptions:
    """What a large count of our kernels may use."""

    threads: int = 1
    hash_bytes: int | None = None
    """Memory of the table, if there is one."""

    def table(self) -> Table | None:
        """Return a new table, if there is one. Raises UsageError if the machine has no room for it."""
        from ....generator.counting.table import Table

        return None if self.hash_bytes is None else Table(self.hash_bytes)


ALONE = KernelOptions()


class _Count(TypedDict):
    """Who makes a count, and with what."""

    kernel: Kernel
    threads: int
    table: Table | None


class OwnEngine(KernelEngine):
    """One of our kernels for standard chess and Chess960."""

    is_kernel = True

    def __init__(self, name: str, resources: KernelOptions = ALONE) -> None:
        """Choose a kernel by the engine's name, and what a count may use.

        Raises UsageError if the machine has no room for the table.
        """
        self._count: _Count = {"kernel": KERNELS[name], "threads": resources.threads, "table": resources.table()}
        super().__init__(name)

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[KernelForm]:
        """Return the kernels that a count below a position needs, or all that counts, divides and lists need."""
        from ....generator.counting.counter import COUNTING_MANY, Counter
        from ....generator.kernels.generate import generate
        from ....generator.kernels.machine.preparing import forms_of
        from ....generator.kernels.play import board_after
        from ....generator.kernels.tables import tables

        kernel, threads = self._count["kernel"], self._count["threads"]
        counter = Counter(kernel, None, table=self._count["table"])
        if position is not None:
            return counter.forms(large=counter.is_worth_cutting(position.board, depth, threads))
        many = forms_of([type(tables())], COUNTING_MANY[kernel], generate, board_after)
        return [*counter.forms(large=threads > 1 or counter.table is not None), *many]

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves."""
        return position.legal_moves

    def count(self, position: Position, depth: int, control: Control) -> int:
        """Return the number of leaf nodes. Raises Stopped."""
        from ....generator.counting.perft import perft

        return perft(position, depth, control=control, **self._count)

    def counts_below(self, position: Position, depth: int, control: Control) -> Iterator[tuple[Move, int]]:
        """Yield the number of leaf nodes below each legal move, which the threads share."""
        from ....generator.counting.perft import root_counts

        return root_counts(position, depth, control=control, **self._count)


class TechniqueEngine(KernelEngine):
    """One technique, behind the engine protocol. Raises EngineRejection for Chess960 where it is unknown."""

    no_chess960 = "it knows castling of standard chess only"

    def __init__(self, technique: TechniqueName) -> None:
        """Choose a technique by its name in the registry."""
        self._technique = technique
        super().__init__(f"own:{technique}")

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[KernelForm]:
        """Return the kernels that list its moves, and count by them."""
        from ....generator.techniques.registry import forms_by

        return forms_by(self._technique)

    @property
    def chess960(self) -> bool:  # type: ignore[override]
        """Whether it knows castling of Chess960."""
        from ....generator.techniques.registry import ENTRIES

        return ENTRIES[self._technique].technique.chess960

    def legal_moves(self, position: Position) -> Sequence[Move]:
        """Return the legal moves as the technique finds them, in its order."""
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
    """Have what a technique says about Chess960 be a refusal of the engine."""
    from ....generator.techniques.registry import NoChess960

    try:
        yield
    except NoChess960 as refusal:
        raise EngineRejection(str(refusal)) from None
