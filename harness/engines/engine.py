"""The base class of all engines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import IMAGE_OPTIONS, PositionSetup, SetupOption, fen_of
from ...generator.types.moves import GenType
from ..model.capabilities import NOT_APPLICABLE, Capability, MissingCapabilities
from .base import CannotPipeline, Divide
from .call import EngineCall
from .predicates import PredicateAnswers, PredicateQuestions
from .spec import EngineSpec
from .uci_options import NoOptions, UciOption

if TYPE_CHECKING:
    from ...generator.kernels.machine.jit import Specialization
    from ..coverage.model import CoverageSource
    from .block_stream import OpenedStream
    from .stdio.descriptor import Descriptor
    from .stdio.displays import SearchAnswer
    from .stdio.lines import AnswerPatterns

WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGE_OPTIONS}
)
"""Setup options supported by every engine that accepts FENs."""
REPEATED = frozenset({SetupOption.TWICE, SetupOption.AFTER_ANOTHER})
"""Setup options for engines that keep state between questions."""
OF_UCI = frozenset({SetupOption.START_BY_NAME, SetupOption.NEW_GAME})
"""Setup options that need a UCI command."""


class Engine(ABC):
    """A move generator under test, or a reference to compare it with.

    Subclasses override attributes whose defaults do not apply to them. An engine is called from one thread at a time. A
    long call checks `call.stopped` regularly (or `call.should_end` if the engine runs in this process) and, once it is
    true, returns early with any result. If possible, it also updates `call.nodes`.
    """

    spec: EngineSpec
    """The text with which the user specified the engine, such as "uci:./build/mine". It identifies the engine in
    reports and commands."""
    name: str
    """The name shown in messages."""

    is_kernel = False
    """Whether the engine is one of perft-check's counting kernels, which must be compared with another reference."""
    is_slow = False
    """Whether the engine is too slow for large counts."""
    uses_kernels = False
    """Whether the engine uses perft-check's kernels, which may have to be compiled first."""
    is_in_process = False
    """Whether the engine runs in this process and therefore cannot be restarted."""
    starts_for_each_question = False
    """Whether a process is started for each question, which takes longer than most answers."""
    counts_totals_apart = False
    """Whether totals and divides are computed by different code and may thus disagree."""
    has_taken_position = True
    """Whether `start` has verified that the engine uses the given position. Functions either use it or fail."""
    can_pipeline = False
    """Whether engines of this type can be sent many questions before the first answer."""
    has_search = False
    """Whether engines of this type may be asked to search a position."""
    may_have_keys = False
    """Whether engines of this type may return hash keys of positions."""
    may_have_predicates = False
    """Whether engines of this type may have predicates, such as `is_check`."""
    has_counters = False
    """Whether engines of this type may have branch counters for coverage."""

    @property
    def offers_search(self) -> bool:
        """Whether the engine offers an option that only searches use. Available after `start`."""
        return False

    @property
    def min_depth(self) -> int:
        """The smallest depth that the engine supports."""
        return 1

    @property
    def chess960(self) -> bool | None:
        """Whether the engine declares support for Chess960, or None if it declares nothing. Available after `start`."""
        return None

    @property
    def no_chess960(self) -> str:
        """A clause that states how the engine declares that it does not support Chess960."""
        return ""

    @property
    def plays_moves(self) -> bool:
        """Whether the engine can play moves. If not, it is sent the FEN after the moves."""
        return False

    @property
    def lacks(self) -> MissingCapabilities:
        """The capabilities that the engine lacks, with advice on how to add each. Available after `start`."""
        return {}

    @property
    def setups(self) -> frozenset[SetupOption]:
        """The setup options that the engine supports. Available after `start`."""
        return WRITTEN

    @property
    def leaves_out_final_moves(self) -> bool:
        """Whether the engine omits root moves whose count is 0. Available after `start`."""
        return False

    @property
    def gentypes(self) -> tuple[GenType, ...] | None:
        """The GenTypes that the engine may be able to list, or None if it lists none. Available after `start`."""
        return None

    @property
    def convention(self) -> Mapping[str, str]:
        """The declared conventions of the engine's move lists, by the names in `CONVENTION_SETTINGS`."""
        return {}

    @property
    def launch(self) -> tuple[str, ...]:
        """The words of the program's command, possibly with placeholders, or () if the engine is not a program."""
        return ()

    @property
    def adopted_patterns(self) -> AnswerPatterns | None:
        """The patterns that `start` has learned for answers in no known format."""
        return None

    @property
    def descriptor(self) -> Descriptor | None:
        """The descriptor that specifies how to ask the engine and read its answers, if any. Complete after `start`."""
        return None

    @property
    def files(self) -> tuple[str, ...]:
        """Strings that may be paths of the engine's files, such as the words of its command."""
        return self.launch

    def with_options(self, spec: EngineSpec, options: Sequence[UciOption]) -> Engine:
        """Return the engine with these options set, and with the new `spec`. Raises UsageError for an unknown
        option.
        """
        raise NoOptions(f"{self.spec} takes no options: they are for UCI engines, uci:COMMAND, a path or FILE.json")

    def notice(self) -> str | None:
        """Return a line that explains why `start` will take long, or None if it will not."""
        return None

    def kernels(self, position: Position | None = None, depth: int = 0) -> list[Specialization]:
        """Return the kernels needed to count a position to `depth`, or for many questions if no position is given."""
        return []

    def pipeline_kernels(self) -> tuple[Callable[..., object], ...]:
        """Return the kernels that implement pipelining for this engine."""
        return ()

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield titles and texts about how the engine is asked and how its answers are read. Call after `start`."""
        yield "runs", "in this process" if self.is_in_process else "in a separate process"

    def options(self) -> Iterator[tuple[str, str]]:
        """Yield the names and descriptions of the options that the engine offers."""
        yield from ()

    @abstractmethod
    def start(self, call: EngineCall) -> None:
        """Load, compile or start the engine. Called once, and again after `close`.

        Raises EngineError.
        """

    @abstractmethod
    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the number of leaf nodes. Raises EngineError."""

    @abstractmethod
    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the number of leaf nodes below each root move, or only the total.

        `depth` is at least 1. Raises EngineError.
        """

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return the FEN that the engine prints for the position, or None if it prints none."""
        return None

    def key(self, setup: Game, call: EngineCall, undone: str = "") -> str | None:
        """Return the hash key of the position in hexadecimal, or None if the engine has none.

        `undone` is a move that the engine plays and takes back first. If it cannot, the result is None.
        """
        return None

    key_interval: ClassVar[int] = 1
    """Of this many positions of a block, `fuzz` compares the key of one with other keys."""

    def keys(self, fens: Sequence[str], call: EngineCall, *, chess960: bool) -> list[str | None] | None:
        """Return the hash keys of many positions of one variant, or None if the engine has none.

        The list is shorter if the call was stopped. Raises EngineError.
        """
        return None

    def find_predicates(self, call: EngineCall) -> Mapping[str, str]:
        """Return the predicates that the engine has, and the names by which they are called."""
        return {}

    @property
    def takes_any_move(self) -> bool:
        """Whether predicates accept moves that the engine does not list. Known after `find_predicates`."""
        return True

    def ask_predicates(self, game: Game, questions: PredicateQuestions, call: EngineCall) -> PredicateAnswers:
        """Return the answers of predicates in the position after the moves of a game. Raises EngineError."""
        return {}

    def search(self, setup: Game, limit: str, call: EngineCall, only: Sequence[str] = ()) -> SearchAnswer | None:
        """Return the moves that the engine prints during a search, or None if it cannot search.

        `limit` is the text after `go`, such as "depth 2". `only` restricts the search to these root moves, given in the
        engine's notation. Raises EngineError.
        """
        return None

    def recount(self, depth: int, call: EngineCall) -> int | None:
        """Return the number of leaf nodes of the last searched position without setting it up again.

        Return None if the engine does not support this. Raises EngineError.
        """
        return None

    def moves(self, game: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, with castling as king takes rook, or None if the engine cannot list them.

        Raises EngineError.
        """
        return None

    def output(self, game: Game, depth: int, call: EngineCall, *, with_errors: bool = False) -> list[str]:
        """Ask a new process, and return the lines that it prints to stdout and, if `with_errors`, to stderr.

        Return [] if the engine is not a program.
        """
        return []

    def find_misread_line(self, game: Game, depth: int, count: int, call: EngineCall) -> str:
        """Ask a new process. If another number than the correct count was parsed, return the line with the count.

        Return "" if there is no such line.
        """
        return ""

    def open_pipeline(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Start another process of the engine for pipelining.

        Call this after `start`. The time limit of `call` applies to each answer. If `chess960` is true, there may be
        Chess960 positions.

        Raises CannotPipeline.
        """
        raise CannotPipeline("engines of this type answer one question at a time")

    def measure_coverage(self) -> CoverageSource:
        """Enable branch counters in the engine's processes, and return their source. Call before `start`."""
        raise NotImplementedError(f"{self.name} has no counters")

    def close(self) -> None:  # noqa: B027 - many engines hold no resources
        """Release the engine's processes and memory. The next question restarts it."""


class InProcessEngine(Engine):
    """Base class of engines that run in this process."""

    is_in_process = True
    min_depth = 0
    chess960 = True
    plays_moves = True
    setups = WRITTEN | REPEATED
    lacks: Mapping[Capability, str] = {Capability.GENTYPES: NOT_APPLICABLE}
    _spec: EngineSpec | None = None

    @property
    def spec(self) -> EngineSpec:
        """The SPEC of the engine, by default its name."""
        return EngineSpec(self.name) if self._spec is None else self._spec

    @spec.setter
    def spec(self, spec: EngineSpec) -> None:
        self._spec = spec

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return the FEN of the position."""
        return game.position.fen()


def read_back(game: Game) -> Game:
    """Return the game with its base position read back from the FEN, if setup options may change that FEN."""
    if not isinstance(game, PositionSetup):
        return game
    return Game(Position.from_fen(fen_of(game), game.base.chess960), game.moves)
