"""The base class of all engines: what they are asked, what they answer, and defaults for what is true of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import IMAGES, PositionSetup, SetupOption, fen_of
from ...generator.types.moves import GenType
from ..model.capabilities import NOT_APPLICABLE, Capability, Lacks
from .base import Divide, NotAhead
from .call import EngineCall
from .spec import EngineSpec
from .uci_options import NoOptions, UciOption

if TYPE_CHECKING:
    from ...generator.kernels.machine.preparing import KernelForm
    from ..coverage.model import CoverageSource
    from .block_stream import OpenedStream
    from .stdio.descriptor import Descriptor
    from .stdio.lines import AnswerPatterns

WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGES}
)
"""What any engine can be sent that takes a FEN."""
REPEATED = frozenset({SetupOption.TWICE, SetupOption.AFTER_ANOTHER})
"""What has a meaning for an engine that goes on living from question to question."""
OF_UCI = frozenset({SetupOption.START_BY_NAME, SetupOption.NEW_GAME})
"""What UCI has a command for."""


class Engine(ABC):
    """A move generator under test, or a reference that it is compared with.

    A subclass overrides the defaults that do not hold for it. Calls come from one thread at a time. A long call checks
    `call.stopped` now and then and returns early, with any result, once it is set (an engine in this process checks
    `call.should_end`); it keeps `call.nodes` up to date if it can.
    """

    spec: EngineSpec
    """What the user wrote, such as "uci:./build/mine": it identifies the engine in results and command lines."""
    name: str
    """The name that messages show: the one that was given to the engine, or that of its program."""

    is_own = False
    """Whether it is one of our own kernels, whose faults another generator has to explain."""
    is_slow = False
    """Whether it counts too slowly to be asked for large counts."""
    uses_kernels = False
    """Whether our kernels count for it, so that they may have to be compiled first."""
    is_in_process = False
    """Whether it runs in this process, so that it cannot be restarted."""
    starts_for_each_question = False
    """Whether each question starts a process, which takes longer than most answers."""
    counts_totals_apart = False
    """Whether a total is asked for in another way than a divide, so that one may be right and the other wrong."""
    has_taken_position = True
    """Whether its start has shown that it uses the position that it is given; a function uses it, or fails."""
    can_be_asked_ahead = False
    """Whether engines of this type can be asked many questions before the first answer."""
    has_counters = False
    """Whether the code of engines of this type may have counters of its branches."""

    @property
    def min_depth(self) -> int:
        """The least depth that the engine may be asked to count."""
        return 1

    @property
    def chess960(self) -> bool | None:
        """Whether the engine declares that it knows Chess960, None if it does not say; known once it is started."""
        return None

    @property
    def no_chess960(self) -> str:
        """Where it declares that it knows no Chess960, a clause that says how."""
        return ""

    @property
    def plays_moves(self) -> bool:
        """Whether it plays the moves of a line itself; else it is sent the FEN after them."""
        return False

    @property
    def lacks(self) -> Lacks:
        """What it cannot be asked, with what would change that; known once it has been started."""
        return {}

    @property
    def setups(self) -> frozenset[SetupOption]:
        """The options by which it can be brought to a position; known once it has been started."""
        return WRITTEN

    @property
    def leaves_out_final_moves(self) -> bool:
        """Whether it prints no root moves with a count of 0; known once it has been started."""
        return False

    @property
    def listed(self) -> tuple[GenType, ...] | None:
        """The GenTypes that it may be asked for, once it has been started; None if it is known to list none."""
        return None

    @property
    def convention(self) -> Mapping[str, str]:
        """What it says of the convention of its lists, values by the names of `model.conventions.SETTINGS`."""
        return {}

    @property
    def launch(self) -> tuple[str, ...]:
        """The words of its command if it is a program, with placeholders if each question starts it; else ()."""
        return ()

    @property
    def adopted_patterns(self) -> AnswerPatterns | None:
        """The patterns that read its answers if no known form does; they are found when it is started."""
        return None

    @property
    def descriptor(self) -> Descriptor | None:
        """How it is asked and understood, if that can be saved as a descriptor; complete once it has been started."""
        return None

    @property
    def files(self) -> tuple[str, ...]:
        """The words of its command, or paths, that may be files which it is made of."""
        return self.launch

    def with_options(self, spec: EngineSpec, options: Sequence[UciOption]) -> Engine:
        """Return the engine with options, by its SPEC with them. Raises UsageError if it takes none."""
        raise NoOptions(f"{self.spec} takes no options: they are for UCI engines, uci:COMMAND, a path or FILE.json")

    def notice(self) -> str | None:
        """Return a line that says what `start` is going to wait for, if it takes long, else None."""
        return None

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[KernelForm]:
        """Return the kernels that it counts with, for a count below a position or for many questions."""
        return []

    def kernels_ahead(self) -> tuple[Callable[..., object], ...]:
        """Return the kernels that put questions to it if it is asked ahead."""
        return ()

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield how it is asked and how its answers are read, as titles with texts; call this once it is started."""
        yield "runs", "in this process" if self.is_in_process else "in a separate process"

    def options(self) -> Iterator[tuple[str, str]]:
        """Yield the names of the options that it offers, each with a text that describes it."""
        yield from ()

    @abstractmethod
    def start(self, call: EngineCall) -> None:
        """Get ready to answer: load, compile, start the process. Called once, or again after `close`.

        Raises EngineError.
        """

    @abstractmethod
    def perft(self, setup: Game, depth: int, call: EngineCall) -> int:
        """Return the number of leaf nodes. Raises EngineError."""

    @abstractmethod
    def divide(self, setup: Game, depth: int, call: EngineCall) -> Divide:
        """Return the leaf nodes below each root move, or their total only, `depth` at least 1. Raises EngineError."""

    def fen(self, setup: Game, call: EngineCall) -> str | None:
        """Return the FEN that the engine itself prints of the position, or None if it prints none."""
        return None

    def moves(self, setup: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, castling as king takes rook; None if they are not offered.

        Raises EngineError.
        """
        return None

    def find_misread_line(self, setup: Game, depth: int, count: int, call: EngineCall) -> str:
        """Ask a new process; return the line with the correct count if something else is read, "" if there is none."""
        return ""

    def ahead(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Return another process of the engine, to be asked many questions before it answers. Raises NotAhead.

        One answer may take as long as the call. With `chess960` there will be questions about Chess960. Call this once
        the engine has been started.
        """
        raise NotAhead("engines of this type answer one question at a time")

    def measure_coverage(self) -> CoverageSource:
        """Have the counters of its processes read; return what reads them. Call this before it is started."""
        raise NotImplementedError(f"{self.name} has no counters")

    def close(self) -> None:  # noqa: B027 - many hold nothing
        """Free what the engine holds; a further question starts it again."""


class InProcess(Engine):
    """Base of the engines that live in this process."""

    is_in_process = True
    min_depth = 0
    chess960 = True
    plays_moves = True
    setups = WRITTEN | REPEATED
    lacks: Mapping[Capability, str] = {Capability.GENTYPES: NOT_APPLICABLE}
    _spec: EngineSpec | None = None

    @property
    def spec(self) -> EngineSpec:
        """What identifies the engine: its name, unless it has been given another one."""
        return EngineSpec(self.name) if self._spec is None else self._spec

    @spec.setter
    def spec(self, spec: EngineSpec) -> None:
        self._spec = spec

    def fen(self, setup: Game, call: EngineCall) -> str | None:
        """Return the FEN of the position."""
        return setup.position.fen()


def read_back(game: Game) -> Game:
    """Return a line whose base is parsed from the FEN that engines are sent, if that FEN is written in another way."""
    if not isinstance(game, PositionSetup):
        return game
    return Game(Position.from_fen(fen_of(game), game.base.chess960), game.moves)
