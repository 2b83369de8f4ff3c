"""Shared libraries with the C interface of `perft_check.h`, loaded in separate processes, which may crash or hang.

Single questions are lines of JSON. Blocks of positions are passed through shared memory to a compiled loop.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import fen_of, setup_without_moves
from ....generator.types.moves import GenType
from ....platforms.memory import SharedFile
from ...coverage.counters import LibraryCoverage
from ...coverage.model import BlockCoverage, CoverageTally
from ...model.capabilities import Capability, MissingCapabilities
from ..base import Divide, EngineCrash, EngineError, EngineRejection, EngineTimeout, UnparseableOutput
from ..block_stream import CollectedBlock, OpenedStream
from ..call import EngineCall
from ..child_processes import python_command
from ..engine import REPEATED, WRITTEN, Engine
from ..predicates import BY_NAME, HOW_TO_OFFER, KEY, PredicateAnswers, PredicateQuestions
from ..root_moves import as_king_takes_rook, divide_of_pairs
from ..spec import EngineSpec
from ..stdio.output import printable
from ..stdio.process import Process, ProcessLimits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ....generator.sampling.position_batch import PositionBatch
    from ..library.blocks import SharedBlock

CHILD = "perft_check.harness.engines.library.child"
MOST_FAILURES, PART = 2, 512
"""After `MOST_FAILURES` crashes within `PART` positions, the rest of these are reported as doubtful, because each crash
requires a new process. After as many hangs, the rest of the block is reported as doubtful, because each hang takes the
full time limit.
"""
DEEPEST = 1_000
"""A depth greater than any in a question."""
COVERAGE_SECONDS = 10.0
"""Time limit for reading the counters, a few thousand bytes."""
CASTLING = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")


class LibraryEngine(Engine):
    """A library that is loaded at the first question and reloaded after a failure."""

    setups = WRITTEN | REPEATED
    counts_totals_apart = True
    can_pipeline = True
    may_have_keys = may_have_predicates = True
    has_counters = True

    def __init__(self, spec: str, path: str, limits: ProcessLimits | None = None) -> None:
        self.spec = EngineSpec(spec)
        self.name = self.spec.name
        self.path = os.path.abspath(path)  # a name without a slash is looked up in the system's folders
        self._limits = limits or ProcessLimits()
        self._process: Process | None = None
        self._memory: SharedFile | None = None
        self._block: SharedBlock | None = None
        self._has_loop = False
        """Whether the process has loaded the loop that asks about blocks."""
        self.offers: tuple[str, ...] = ("perft",)
        """Names of the exported functions, without prefix. Complete after `start`."""
        self._supports_chess960 = False
        self.castles_to_rook = False
        """Whether the library writes castling in standard chess as king takes rook, which `ask` then expects."""
        self._coverage: LibraryCoverage | None = None
        """The source of the branch counters, if coverage is measured."""
        self._tally: CoverageTally | None = None
        """The tally of branches reached, or None before the first block."""
        self.block_coverage: BlockCoverage | None = None
        """The branches reached by the answers of the last block."""
        self.failed: list[int] = []
        """Indices of the positions of the last block at which the library crashed or hung."""

    @property
    def chess960(self) -> bool:
        """Whether the library declares support for Chess960. Available after `start`."""
        return self._supports_chess960

    @property
    def files(self) -> tuple[str, ...]:
        """The path of the library."""
        return (self.path,)

    def pipeline_kernels(self) -> tuple[Callable[..., object], ...]:
        """Return the compiled loop that calls the library."""
        from ..kernels.libraries import ask_library

        return (ask_library,)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield titles and texts that describe how the library is called and what it exports."""
        yield "runs", "as a C library, in a separate process"
        yield "functions", ", ".join(f"perft_check_{name}" for name in self.offers if name not in BY_NAME)

    @property
    def no_chess960(self) -> str:
        """A clause that states how the library declares that it does not support Chess960."""
        return "perft_check_chess960 returns 0" if "chess960" in self.offers else "it exports no perft_check_chess960"

    def measure_coverage(self) -> LibraryCoverage:
        """Enable branch counters in the library's process, and return their source."""
        self._coverage = LibraryCoverage(self.path, self._ask_for_coverage)
        return self._coverage

    def _ask_for_coverage(self, what: str) -> dict[str, Any]:
        try:
            return self._ask({"ask": what}, EngineCall(COVERAGE_SECONDS))
        except EngineError:
            return {}

    def start(self, call: EngineCall) -> None:
        """Load the library, and determine how it writes castling. Raises UsageError if it cannot be loaded."""
        self._ready(call)
        if "divide" in self.offers:
            with suppress(EngineError):  # the first question will report it, with a position
                answer = self._ask({"ask": "divide", "fen": CASTLING.fen(), "depth": 1}, call.step())
                self.castles_to_rook = "e1h1" in dict(answer.get("divide", ()))

    @property
    def gentypes(self) -> tuple[GenType, ...]:
        """The GenTypes that the library may be able to list. Available after `start`."""
        return tuple(GenType) if "moves" in self.offers else ()

    @property
    def lacks(self) -> MissingCapabilities:
        """The capabilities for which the library exports no function."""
        functions = {
            Capability.MOVES: "fen_after",
            Capability.FEN: "fen_after",
            Capability.GENTYPES: "moves",
            Capability.KEYS: KEY,
        }
        lacks = {one: f"export perft_check_{name}" for one, name in functions.items() if name not in self.offers}
        if not self._predicates:
            lacks[Capability.PREDICATES] = f"export perft_check_is_check and others; {HOW_TO_OFFER}"
        return lacks

    @property
    def _predicates(self) -> dict[str, str]:
        """The exported predicates, except the key, and the names of their functions."""
        return {name: f"perft_check_{name}" for name in self.offers if name in BY_NAME and name != KEY}

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the total, which is 1 at depth 0."""
        if depth == 0:
            return 1
        answer = self._ask({"ask": "perft", "fen": fen_of(setup_without_moves(game)), "depth": depth}, call)
        return int(answer.get("total", 0))

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide, or only the total if the library lists no root moves."""
        if "divide" not in self.offers:
            moves = self.moves(game, GenType.LEGAL, call) if depth == 1 else None
            if moves is None:
                return Divide.of_total(self.perft(game, depth, call))
            return Divide.of((move, 1) for move in moves)
        answer = self._ask({"ask": "divide", "fen": fen_of(setup_without_moves(game)), "depth": depth}, call)
        pairs = answer.get("divide", ())
        return divide_of_pairs(game.position, ((move, int(count)) for move, count in pairs))

    def moves(self, game: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, with castling as king takes rook, or None if the library cannot list them."""
        if "moves" not in self.offers:
            return None
        moves = self._ask({"ask": "moves", "fen": fen_of(setup_without_moves(game)), "kind": int(gentype)}, call).get(
            "moves"
        )
        return None if moves is None else [as_king_takes_rook(game.position, move) for move in moves]

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return the FEN after the moves of a game, or None if the library cannot play moves."""
        if "fen_after" not in self.offers:
            return None
        question = {"ask": "fen", "fen": fen_of(game), "moves": " ".join(game.uci_moves())}
        return str(self._ask(question, call).get("fen", ""))

    def find_predicates(self, call: EngineCall) -> Mapping[str, str]:
        """Return the exported predicates and the names of their functions."""
        return self._predicates | ({KEY: f"perft_check_{KEY}"} if KEY in self.offers else {})

    def ask_predicates(self, game: Game, questions: PredicateQuestions, call: EngineCall) -> PredicateAnswers:
        """Return the answers of predicates in the position after the moves of a game."""
        played = {"fen": fen_of(game), "moves": " ".join(game.uci_moves())}
        answers = self._ask({"ask": "predicates", **played, "names": {**questions}}, call)
        return dict(answers.get("answers", {}))

    def key(self, game: Game, call: EngineCall, undone: str = "") -> str | None:
        """Return the hash key after the moves of a game, or None if none is exported or a move is to be taken back."""
        if undone or KEY not in self.offers:
            return None
        key = self._ask({"ask": "key", "fen": fen_of(game), "moves": " ".join(game.uci_moves())}, call).get("key")
        return None if key is None else str(key)

    def keys(self, fens: Sequence[str], call: EngineCall, *, chess960: bool) -> list[str | None] | None:
        """Return the hash keys of many positions, or None if none is exported."""
        return self._ask({"ask": "keys", "fens": [*fens]}, call).get("keys") if KEY in self.offers else None

    def ask(self, questions: PositionBatch, call: EngineCall) -> NDArray[np.int64]:
        """Return the sorted indices of positions in a block whose answers are unexpected.

        At depth 1, root moves are compared if the library lists them, otherwise totals. Positions at which the process
        crashes or hangs are included, and the rest of the block is retried in a new process with a new time limit.
        """
        import numpy as np

        if self._block is None:
            self._block = self._new_block(call)
        block, count = self._block, len(questions.text_ends)
        tally = self._begin_tally(has_trees=bool((questions.depths > 1).any()))
        size = block.write(questions, np.zeros(0, np.uint8) if tally is None else tally.memory)
        doubts: list[int] = []
        failures: Counter[int] = Counter()
        first, self.failed = 0, []
        while first < count and not call.stopped:
            block.begin(first)
            try:
                self._load_loop(call)
                self._ask({"ask": "block", "bytes": size, "measured": tally is not None}, call.step())
                doubts, first = doubts + block.doubts, count
            except EngineError as error:
                failed = max(first, block.under_way)
                doubts, first = [*doubts, *block.doubts, failed], failed + 1
                self.failed.append(failed)
                end = count if isinstance(error, EngineTimeout) else min((failed // PART + 1) * PART, count)
                failures[end] += 1
                if failures[end] == MOST_FAILURES:
                    doubts, first = [*doubts, *range(first, end)], end
        if tally is not None:
            tally.memory[:] = block.tally
            self.block_coverage = tally.collect(count)
        return np.unique(np.array(doubts, np.int64))

    def _begin_tally(self, *, has_trees: bool) -> CoverageTally | None:
        """Return the coverage tally for the next block, or None if coverage is not measured."""
        if self._coverage is None or "coverage_take" not in self.offers:
            return None
        if self._tally is None:
            self._tally = CoverageTally(len(self._coverage.addresses()))
        self._tally.begin(has_trees=has_trees)
        return self._tally

    def open_pipeline(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Load the library in another process for pipelining, including Chess960."""
        other = LibraryEngine(self.spec, self.path, self._limits)
        if self._coverage is not None:
            other.measure_coverage()
        other.start(call)
        to_rook = {False: other.castles_to_rook, True: True}
        return OpenedStream(LibraryStream(other, call.seconds), to_rook, self.min_depth, DEEPEST)

    def close(self) -> None:
        """Terminate the process and its descendants, and release the shared memory."""
        self._discard()
        self._block = None
        memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()

    def _new_block(self, call: EngineCall) -> SharedBlock:
        from ..library.blocks import SharedBlock

        self._ready(call)
        assert self._memory is not None, "shared with the process"
        return SharedBlock(self._memory.descriptor)

    def _load_loop(self, call: EngineCall) -> None:
        """Make the process load the compiled loop, without a time limit, because this does not involve the library."""
        self._ready(call)
        if not self._has_loop:
            unlimited = EngineCall()
            call.on_stop(unlimited.stop)
            self._ask({"ask": "loop"}, unlimited)
            self._has_loop = True

    def _ask(self, question: dict[str, Any], call: EngineCall) -> dict[str, Any]:
        """Return the answer to a question, or an empty dict if the call was stopped. Raises EngineError.

        After a failure the process is discarded, because its answers can no longer be trusted.
        """
        try:
            process = self._ready(call)
            process.send([json.dumps(question)], call)
            answer = process.read_object(call) or {}
            if "wrong" in answer:
                raise UnparseableOutput(f"{self.name} {printable(str(answer['wrong']))}")
        except EngineError:
            self._discard()
            raise
        if "rejects" in answer:
            why = printable(str(answer["rejects"]))
            raise EngineRejection(f"{self.name} refuses the position" + f": {why}" * bool(why))
        return answer

    def _ready(self, call: EngineCall) -> Process:
        if self._process is None or not self._process.is_ready():
            self._discard()
            self._process = self._start_process(call)
        call.on_stop(self._process.interrupt)
        self._process.begin_question()
        return self._process

    def _start_process(self, call: EngineCall) -> Process:
        """Start a process that loads the library. Raises EngineError, UsageError."""
        if self._memory is None:
            self._memory = SharedFile()
        command = python_command(CHILD, self.path, self._memory.word)
        process = Process(self.name, command, self._limits, self._memory.inherited)
        call.on_stop(process.interrupt)
        try:
            greeting = process.read_object(call.step()) or {}
        except EngineCrash as crash:
            process.kill()
            raise EngineCrash(f"{crash}, while it was loaded") from None
        if "refuses" in greeting:
            process.kill()
            raise UsageError(f"engine {self.spec!r}: {printable(greeting['refuses'])}", self.spec)
        self._has_loop = False
        self.offers = tuple(greeting.get("offers", self.offers))
        self._supports_chess960 = bool(greeting.get("chess960", self._supports_chess960))
        return process

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()


class LibraryStream:
    """The `BlockStream` of a library."""

    def __init__(self, engine: LibraryEngine, seconds: float | None) -> None:
        """Store an engine for exclusive use, and the time limit for a block in seconds."""
        self._engine, self._seconds = engine, seconds
        self._waiting: deque[PositionBatch] = deque()
        self._call = EngineCall()

    def start(self, call: EngineCall) -> None:
        """Load or reload the library. Raises EngineError."""
        self._engine.close()
        self._waiting.clear()
        self._engine.start(call)

    def submit(self, sampled: PositionBatch) -> None:
        """Add a block to the queue."""
        self._waiting.append(sampled)

    def collect(self) -> CollectedBlock:
        """Ask about the oldest submitted block, and return its result."""
        if not self._waiting:
            raise ValueError("no block has been submitted")
        sampled, self._call = self._waiting.popleft(), EngineCall(self._seconds)
        doubtful = self._engine.ask(sampled, self._call)
        trouble: EngineError | None = EngineTimeout("the library was stopped") if self._call.stopped else None
        answered = 0 if trouble else len(sampled)
        coverage, failed = self._engine.block_coverage, tuple(self._engine.failed)
        return CollectedBlock(sampled, doubtful, answered, trouble=trouble, coverage=coverage, failed=failed)

    @property
    def under_way(self) -> int:
        """Number of blocks that were submitted but not collected."""
        return len(self._waiting)

    def interrupt(self) -> None:
        """Terminate the process from another thread."""
        self._call.stop()

    def close(self) -> None:
        """Terminate the process."""
        self._engine.close()
