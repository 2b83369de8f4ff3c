"""The one protocol behind which every engine stands: what it is asked, what it answers, how it can fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ...errors import Complaint
from ...generator.line import Line
from ...generator.position import Position
from ...generator.setup import IMAGES, Setup, SetupOption, fen_of
from ..model.capabilities import NOT_APPLICABLE, Capability, Lacks
from ..model.results.verdict import Verdict
from .call import EngineCall

if TYPE_CHECKING:
    from ..model.results.finding import Finding


WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGES}
)
"""What any engine can be sent that takes a FEN."""
REPEATED = frozenset({SetupOption.TWICE, SetupOption.AFTER_ANOTHER})
"""What has a meaning for an engine that goes on living from question to question."""
OF_UCI = frozenset({SetupOption.START_BY_NAME, SetupOption.NEW_GAME})
"""What UCI has a command for."""


class EngineError(Complaint):
    """An engine gave no answer; the message says why, `verdict` of which kind the failure is."""

    verdict = Verdict.CRASH
    of_reference = False
    """Whether it is a reference that failed, so that the engine under test cannot be judged."""

    def __init__(self, message: str, finding: Finding | None = None) -> None:
        """Take the message, and what is wrong where the engine shows that itself."""
        super().__init__(message)
        self.finding = finding


class EngineCrash(EngineError):
    """The engine died."""


class EngineRejection(EngineError):
    """The engine refused the position."""

    verdict = Verdict.REJECTED


class CountsAnotherPosition(EngineRejection):
    """The engine has not taken a position, has reported no error, and counts the one before it."""


class EngineUndoesWrongly(EngineError):
    """The engine's position is another one after it has made and taken back a move; `finding` says how."""

    verdict = Verdict.MISMATCH


class EngineTimeout(EngineError):
    """The engine gave no answer in time."""

    verdict = Verdict.TIMEOUT


class EngineListsExtraMoves(EngineError):
    """The engine lists moves that are not legal, and leaves them out of its total; `finding` says which."""

    verdict = Verdict.MISMATCH


def overdue(name: str, complaint: str, seconds: float) -> EngineTimeout:
    """Return what to raise about an engine that has not answered, or done something else, in time."""
    return EngineTimeout(f"{name} {complaint} within {seconds:.3g} second{'s' * (seconds != 1)}")


class UnparseableOutput(EngineError):
    """The engine answered something that is no count, or too much of it."""

    verdict = Verdict.UNPARSEABLE


class NotUnderstood(UnparseableOutput):
    """The engine is not given the position, or its answers are not understood, so that its moves are not judged."""

    is_usage = True


class ImpossibleCount(UnparseableOutput):
    """The engine has answered a number that no count can be."""


class EngineContradiction(UnparseableOutput):
    """The engine's root moves do not add up to its total."""

    def __init__(self, message: str, total: int = 0) -> None:
        super().__init__(message)
        self.total = total


class EngineFlood(UnparseableOutput):
    """The engine wrote more than any answer has."""


@dataclass(frozen=True)
class Divide:
    """The count below each root move, moves as UCI text with castling as king takes rook (e1h1)."""

    counts: dict[str, int]
    """The moves, in the engine's order; a move that came more than once has its first count."""
    repeated: dict[str, int]
    """How many times too many a move came."""
    total: int
    """The sum over all root moves, repeated ones included."""
    is_total_only: bool = False
    """Whether the engine has told the total alone: its root moves are unknown, and not none."""
    remark: str = field(default="", compare=False)
    """A line of the answer in which the engine complains, as it may stand in a message."""

    @classmethod
    def of_total(cls, total: int) -> Divide:
        """Return the answer of an engine that prints no root moves."""
        return cls({}, {}, total, is_total_only=True)

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, int]]) -> Divide:
        """Return the divide of root moves as they came."""
        listed = list(pairs)
        times = Counter(move for move, _ in listed)
        counts: dict[str, int] = {}
        for move, count in listed:
            counts.setdefault(move, count)
        repeated = {move: number - 1 for move, number in times.items() if number > 1}
        return cls(counts, repeated, sum(count for _, count in listed))


class Engine(Protocol):
    """A move generator under test, or a reference that it is compared with.

    Calls come from one thread at a time. A long call looks at `call.stopped` now and then and
    returns early, with any result, once it is set (an engine in this process looks at
    `call.should_end`); it keeps `call.nodes` up to date if it can.
    """

    spec: str
    """What the user wrote, such as "uci:./build/mine": it identifies the engine in results and command lines."""
    name: str
    """The name that messages show: the one that was given to the engine, or that of its program."""

    @property
    def min_depth(self) -> int:
        """The least depth that the engine may be asked to count."""

    @property
    def chess960(self) -> bool | None:
        """Whether the engine declares that it knows Chess960, None where it does not say; known once it is started."""

    @property
    def no_chess960(self) -> str:
        """Where it declares that it knows no Chess960, a clause that says how."""

    @property
    def plays_moves(self) -> bool:
        """Whether it plays the moves of a line itself; else it is sent the FEN after them."""

    @property
    def lacks(self) -> Lacks:
        """What it cannot be asked, with what would change that; known once it has been started."""

    @property
    def setups(self) -> frozenset[SetupOption]:
        """The options by which it can be brought to a position; known once it has been started."""

    @property
    def is_own(self) -> bool:
        """Whether it is one of our own kernels, whose faults another generator has to explain."""

    @property
    def is_slow(self) -> bool:
        """Whether it counts too slowly to be asked for large counts."""

    def notice(self) -> str | None:
        """Return a line that says what `start` is going to wait for, if it takes long, else None."""

    def start(self, call: EngineCall) -> None:
        """Get ready to answer: load, compile, start the process. Called once, or again after `close`.

        Raises EngineError.
        """

    def perft(self, setup: Line, depth: int, call: EngineCall) -> int:
        """Return the number of leaf nodes. Raises EngineError."""

    def divide(self, setup: Line, depth: int, call: EngineCall) -> Divide:
        """Return the leaf nodes below each root move, or their total only, `depth` at least 1. Raises EngineError."""

    def fen(self, setup: Line, call: EngineCall) -> str | None:
        """Return the FEN that the engine itself prints of the position, or None where it prints none."""

    def close(self) -> None:
        """Free what the engine holds; a further question starts it again."""


def contradiction(name: str, total: int, divide: Divide, gap: str = "") -> EngineContradiction:
    """Return what to raise about an engine whose root moves do not add up to its total; `gap` says what is missing."""
    sums = f"its total is {total:,}, its divide adds up to {divide.total:,}"
    times = {divide.repeated.get(move, 0) + 1 for move in divide.counts}
    again = f"each root move comes {times.pop()} times" if divide.repeated and len(times) == 1 else ""
    return EngineContradiction("; ".join(filter(None, [f"{name} contradicts itself: {sums}", again, gap])), total)


class EngineBase:
    """Base of the engines of all kinds: what holds unless a kind says otherwise."""

    name: str
    is_own = False
    is_slow = False

    def notice(self) -> str | None:
        """There is nothing to wait for."""
        return None


class InProcess(EngineBase):
    """Base of the engines that live in this process."""

    _spec: str | None = None
    min_depth = 0
    chess960 = True
    no_chess960 = ""
    plays_moves = True
    setups = WRITTEN | REPEATED
    lacks: Mapping[Capability, str] = {Capability.GENTYPES: NOT_APPLICABLE}

    @property
    def spec(self) -> str:
        """What identifies the engine: its name, unless it has been given another one."""
        return self.name if self._spec is None else self._spec

    @spec.setter
    def spec(self, spec: str) -> None:
        self._spec = spec

    def fen(self, setup: Line, call: EngineCall) -> str | None:
        """Return the FEN of the position."""
        return setup.position.fen()

    def close(self) -> None:
        """Nothing to free."""


def read_back(line: Line) -> Line:
    """Return a line whose base is read from the FEN that engines are sent, where that is written in another way."""
    if not isinstance(line, Setup):
        return line
    return Line(Position.from_fen(fen_of(line), line.base.chess960), line.moves)
