"""Shared libraries with the C interface of `perft_check.h`, each in a process of its own, which may crash or hang.

One position is asked about by a line of JSON. Blocks of positions go through shared memory to a compiled loop.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import by_fen, fen_of
from ....generator.types.moves import GenType
from ....platforms.memory import SharedFile
from ...coverage.counters import LibraryCoverage
from ...coverage.model import BlockCoverage, CoverageTally
from ...model.capabilities import Capability, Lacks
from ..base import Divide, EngineCrash, EngineError, EngineRejection, EngineTimeout, UnparseableOutput
from ..block_stream import CollectedBlock, OpenedStream
from ..call import EngineCall
from ..engine import REPEATED, WRITTEN, Engine
from ..our_processes import python_command
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
"""After so many failures among so many positions the rest of these is doubted: each one costs a new process. After as
many hangs the rest of the block is: each of them costs the time limit.
"""
DEEPEST = 1_000
"""A depth beyond all that anybody counts."""
COVERAGE_SECONDS = 10.0
"""How long the process may take to tell its counters, which is a copy of some thousand bytes."""
CASTLING = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")


class LibraryEngine(Engine):
    """One library, loaded at the first question and again after a failure."""

    setups = WRITTEN | REPEATED
    counts_totals_apart = True
    can_be_asked_ahead = True
    has_counters = True

    def __init__(self, spec: str, path: str, limits: ProcessLimits | None = None) -> None:
        """Take the SPEC, and the path of the library."""
        self.spec = EngineSpec(spec)
        self.name = self.spec.name
        self.path = os.path.abspath(path)  # without a slash, it would be looked for in the folders of the system
        self._limits = limits or ProcessLimits()
        self._process: Process | None = None
        self._memory: SharedFile | None = None
        self._block: SharedBlock | None = None
        self._has_loop = False
        """Whether the process has loaded what asks about blocks."""
        self.offers: tuple[str, ...] = ("perft",)
        """The functions of the library, without their prefix; complete once it has been started."""
        self._knows_chess960 = False
        self.castles_to_rook = False
        """Whether castling in standard chess is written as king takes rook, as `ask` expects it then."""
        self._coverage: LibraryCoverage | None = None
        """What reads its counters, if they are to be read."""
        self._tally: CoverageTally | None = None
        """What blocks have reached, once one was asked."""
        self.block_coverage: BlockCoverage | None = None
        """What the answers about the latest block have reached."""
        self.failed: list[int] = []
        """The positions of the latest block at which the library has crashed or hung."""

    @property
    def chess960(self) -> bool:
        """Whether it may be asked about Chess960; known once it has been started."""
        return self._knows_chess960

    @property
    def files(self) -> tuple[str, ...]:
        """The path of the library."""
        return (self.path,)

    def kernels_ahead(self) -> tuple[Callable[..., object], ...]:
        """Return the loop that calls the library."""
        from ..kernels.libraries import ask_library

        return (ask_library,)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield which functions it exports."""
        yield "runs", "as a C library, in a separate process"
        yield "functions", ", ".join(f"perft_check_{name}" for name in self.offers)

    @property
    def no_chess960(self) -> str:
        """Why it declares no Chess960."""
        return "perft_check_chess960 returns 0" if "chess960" in self.offers else "it exports no perft_check_chess960"

    def measure_coverage(self) -> LibraryCoverage:
        """Have its counters read; return what reads them."""
        self._coverage = LibraryCoverage(self.path, self._ask_for_coverage)
        return self._coverage

    def _ask_for_coverage(self, what: str) -> dict[str, Any]:
        try:
            return self._ask({"ask": what}, EngineCall(COVERAGE_SECONDS))
        except EngineError:
            return {}

    def start(self, call: EngineCall) -> None:
        """Load the library, and find out how it writes castling. Raises UsageError if it cannot be loaded."""
        self._ready(call)
        if "divide" in self.offers:
            with suppress(EngineError):  # the first question will show it, with its position
                answer = self._ask({"ask": "divide", "fen": CASTLING.fen(), "depth": 1}, call.step())
                self.castles_to_rook = "e1h1" in dict(answer.get("divide", ()))

    @property
    def listed(self) -> tuple[GenType, ...]:
        """The GenTypes that it may be asked for; known once it has been started."""
        return tuple(GenType) if "moves" in self.offers else ()

    @property
    def lacks(self) -> Lacks:
        """What it cannot be asked, as far as functions are missing that would answer it."""
        functions = {
            Capability.MOVES: "fen_after",
            Capability.FEN: "fen_after",
            Capability.GENTYPES: "moves",
        }
        return {one: f"export perft_check_{name}" for one, name in functions.items() if name not in self.offers}

    def perft(self, setup: Game, depth: int, call: EngineCall) -> int:
        """Return the total; 1 at depth 0."""
        if depth == 0:
            return 1
        answer = self._ask({"ask": "perft", "fen": fen_of(by_fen(setup)), "depth": depth}, call)
        return int(answer.get("total", 0))

    def divide(self, setup: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide, or the total where the library lists no root moves."""
        if "divide" not in self.offers:
            moves = self.moves(setup, GenType.LEGAL, call) if depth == 1 else None
            if moves is None:
                return Divide.of_total(self.perft(setup, depth, call))
            return Divide.of((move, 1) for move in moves)
        answer = self._ask({"ask": "divide", "fen": fen_of(by_fen(setup)), "depth": depth}, call)
        pairs = answer.get("divide", ())
        return divide_of_pairs(setup.position, ((move, int(count)) for move, count in pairs))

    def moves(self, setup: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, castling as king takes rook; None if the library does not offer it."""
        if "moves" not in self.offers:
            return None
        moves = self._ask({"ask": "moves", "fen": fen_of(by_fen(setup)), "kind": int(gentype)}, call).get("moves")
        return None if moves is None else [as_king_takes_rook(setup.position, move) for move in moves]

    def fen(self, setup: Game, call: EngineCall) -> str | None:
        """Return the FEN of the library after the moves of a line, if it plays moves."""
        if "fen_after" not in self.offers:
            return None
        question = {"ask": "fen", "fen": fen_of(setup), "moves": " ".join(setup.uci_moves())}
        return str(self._ask(question, call).get("fen", ""))

    def ask(self, questions: PositionBatch, call: EngineCall) -> NDArray[np.int64]:
        """Return the positions of a block whose answers are not as expected, in ascending order.

        At depth 1 root moves are compared where the library lists them, else totals. A position at which the process
        ends or hangs is among them; the others of its block are asked in a new process, with the time limit again.
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
        """Return what the next block is to note its coverage in; None if it is not measured."""
        if self._coverage is None or "coverage_take" not in self.offers:
            return None
        if self._tally is None:
            self._tally = CoverageTally(len(self._coverage.addresses()))
        self._tally.begin(has_trees=has_trees)
        return self._tally

    def forget_coverage(self) -> None:
        """Let what was reached until now be new once more."""
        if self._tally is not None:
            self._tally.forget()

    def ahead(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Return the library in another process, to be asked about blocks of positions, of Chess960 as well."""
        other = LibraryEngine(self.spec, self.path, self._limits)
        if self._coverage is not None:
            other.measure_coverage()
        other.start(call)
        to_rook = {False: other.castles_to_rook, True: True}
        return OpenedStream(LibraryStream(other, call.seconds), to_rook, self.min_depth, DEEPEST)

    def close(self) -> None:
        """End the process and whatever it has started, and give the shared memory back."""
        self._discard()
        self._block = None
        memory, self._memory = self._memory, None
        if memory is not None:
            memory.close()

    def _new_block(self, call: EngineCall) -> SharedBlock:
        from ..library.blocks import SharedBlock

        self._ready(call)
        assert self._memory is not None, "the process has it, too"
        return SharedBlock(self._memory.descriptor)

    def _load_loop(self, call: EngineCall) -> None:
        """Let the process load the compiled loop, which is none of the library's time and has no limit."""
        self._ready(call)
        if not self._has_loop:
            unlimited = EngineCall()
            call.on_stop(unlimited.stop)
            self._ask({"ask": "loop"}, unlimited)
            self._has_loop = True

    def _ask(self, question: dict[str, Any], call: EngineCall) -> dict[str, Any]:
        """Return the answer to one question, an empty one where the call is stopped. Raises EngineError.

        After a failure the next question gets a new process: nobody knows what this one would say next.
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
        """Return a new process that has loaded the library. Raises EngineError, UsageError."""
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
        self._knows_chess960 = bool(greeting.get("chess960", self._knows_chess960))
        return process

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()


class LibraryStream:
    """A library in a process of its own; see `ahead.BlockStream`. A block may take so many seconds."""

    def __init__(self, engine: LibraryEngine, seconds: float | None) -> None:
        """Take an engine that is asked only here, and the time limit of a block in seconds."""
        self._engine, self._seconds = engine, seconds
        self._waiting: deque[PositionBatch] = deque()
        self._call = EngineCall()

    def start(self, call: EngineCall) -> None:
        """Load the library, or load it again. Raises EngineError."""
        self._engine.close()
        self._waiting.clear()
        self._engine.start(call)

    def submit(self, sampled: PositionBatch) -> None:
        """Have a block wait for its turn."""
        self._waiting.append(sampled)

    def collect(self) -> CollectedBlock:
        """Ask about the block that was submitted first, and return what has become of it."""
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
        """How many blocks have been submitted and not been collected."""
        return len(self._waiting)

    def forget_coverage(self) -> bool:
        """Let what was reached until now be new once more."""
        self._engine.forget_coverage()
        return True

    def interrupt(self) -> None:
        """End the process from another thread."""
        self._call.stop()

    def close(self) -> None:
        """End the process."""
        self._engine.close()
