"""Python callables as engines, each in a process of its own, so that it may crash or hang.

    f(fen) -> moves                         the legal moves; we walk the tree
    f(fen, gentype) -> moves | None         the moves of a GenType, None if it is not offered
    f(fen, depth) -> int | dict | list      the count, or the count below each root move
    f(fen, depth, moves) -> the same        `moves` are UCI moves to play from the FEN
    class with legal_moves, push and pop    built from a FEN, as boards of python-chess are; it walks its own tree

`stdio.perft_check_boards` knows other names of these methods. A list of pairs instead of a dict may show a move twice.
A callable of any form may have an attribute `by_gentype`, which is called as `f(fen, gentype)` is, and by a class with
the object built from the FEN instead of the FEN.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import by_fen, fen_of
from ....generator.types.moves import GenType
from ...coverage.counters import PythonCoverage
from ...explaining.undo import explain_undo
from ...model.capabilities import NOT_APPLICABLE, Capability, MissingCapabilities
from ...model.results.finding import Cause, Finding, WrongMove
from ..base import (
    Divide,
    EngineCrash,
    EngineError,
    EngineRejection,
    EngineUndoesWrongly,
    NotAhead,
    NotUnderstood,
    UnparseableOutput,
)
from ..block_stream import OpenedStream
from ..call import EngineCall
from ..engine import REPEATED, WRITTEN, Engine
from ..root_moves import as_king_takes_rook, divide_of_pairs
from ..spec import EngineSpec
from ..stdio.consistency import raise_impossible
from ..stdio.descriptor import Descriptor
from ..stdio.output import printable
from ..stdio.probing import ProbedDialect
from ..stdio.process import Process, ProcessLimits
from ..stdio.sentinels import SENTINELS

CHILD = Path(__file__).parents[1] / "stdio" / "python_child.py"
CASE, TOTAL = "{depth} {fen}", "Nodes searched: N"
"""How the process is asked many questions ahead, and how it ends an answer."""


class PythonCallableEngine(Engine):
    """One callable, started at the first question and again after a failure."""

    no_chess960 = "its attribute chess960 is False"
    setups = WRITTEN | REPEATED
    is_slow = True
    can_be_asked_ahead = True
    has_counters = True

    def __init__(self, spec: str, python: str, target: str, limits: ProcessLimits | None = None) -> None:
        """Take the SPEC, the Python to run, and `module:callable`."""
        self.spec = EngineSpec(spec)
        self.name = self.spec.name
        # Only this child finds modules in the current folder.
        self._command = [python, str(CHILD), target, str(Path.cwd())]
        self._limits = limits or ProcessLimits()
        self._process: Process | None = None
        self._coverage: PythonCoverage | None = None
        """What reads its counters, if they are to be read."""
        self._takes = "depth"
        """What the callable takes: "position", "depth", or "moves" as well."""
        self._offers: frozenset[str] = frozenset()
        """What else it offers: "boards", "undo", "fen", "lists"."""
        self._knows_chess960: bool | None = None
        self._reading = ""
        """What of its answers is taken for what, where they have more than moves and counts, once it has answered."""

    @property
    def chess960(self) -> bool | None:
        """Whether it, or its module, declares Chess960 by an attribute of that name; known once it has been started."""
        return self._knows_chess960

    @property
    def plays_moves(self) -> bool:
        """Whether the callable takes moves to play."""
        return self._takes == "moves"

    @property
    def listed(self) -> tuple[GenType, ...]:
        """The GenTypes that it may be asked for; known once it has been started."""
        return tuple(GenType) if "lists" in self._offers else ()

    @property
    def lacks(self) -> MissingCapabilities:
        """What it cannot be asked, by the form that it has."""
        lacks = {}
        if self._takes == "position":
            lacks[Capability.COUNTS] = "give push, or divide(fen, depth)"
            lacks[Capability.UNDO] = "give push and pop, or divide(fen, depth)"
        elif "boards" in self._offers and "undo" not in self._offers:
            lacks[Capability.UNDO] = NOT_APPLICABLE  # each move is made on a board of its own
        if self._takes != "moves":
            lacks[Capability.MOVES] = "give push, or divide(fen, depth, moves)"
        if "fen" not in self._offers:
            lacks[Capability.FEN] = "a class with push and fen"
        if "lists" not in self._offers:
            lacks[Capability.GENTYPES] = "give by_gentype(fen, gentype)"
        return lacks

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield where it is called, and what of its answers is taken for what."""
        yield from super().facts()
        if self._reading:
            yield "what it returns", self._reading

    @property
    def files(self) -> tuple[str, ...]:
        """Where the module may be, if it is in the current folder."""
        _, _, target, folder = self._command
        module = Path(folder, *target.partition(":")[0].split("."))
        return str(module.with_suffix(".py")), str(module / "__init__.py")

    @property
    def command(self) -> list[str]:
        """The command that is run."""
        return self._command

    def measure_coverage(self) -> PythonCoverage:
        """Have counters put into its modules when they are imported; return what reads them."""
        self._coverage = PythonCoverage()
        self._limits = self._limits.with_variable(self._coverage.variable)
        return self._coverage

    def start(self, call: EngineCall) -> None:
        """Import the callable. Raises UsageError if it is not there, or cannot be called as we call it.

        Raises NotUnderstood if its answers about three easy positions are of no known form, and EngineCrash if it fails
        in all three in the same way.
        """
        self._ready(call)
        failures, easy = [], (Position.start().fen(), *SENTINELS)
        for fen in easy:
            try:
                self.perft(Game(Position.from_fen(fen)), 1, call.step())
            except EngineCrash as error:
                failures.append(str(error).removeprefix(self.name))
            except EngineError:
                break
            else:
                self.close()  # what it was asked here belongs to no history
                break
        is_unread = all(one.startswith(" fails: returned ") for one in failures)
        if len(failures) == len(easy) and (is_unread or len({re.sub("[0-9].*", "", one) for one in failures}) == 1):
            what = f"{self.name}{failures[0]}; and so in every position that it was asked about"
            raise NotUnderstood(what) if is_unread else EngineCrash(what)

    def perft(self, setup: Game, depth: int, call: EngineCall) -> int:
        """Return the total; 1 at depth 0."""
        if depth == 0:
            return 1
        if self._takes == "position":
            setup = by_fen(setup)
            return self._leaves(setup, self._lists([setup], call)[0], depth, call)
        answer = self._ask(setup, depth, call)
        total = answer.get("total")
        total = sum(count for _, count in answer["divide"]) if total is None else int(total)
        raise_impossible(self.name, total)
        return total

    def divide(self, setup: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide, or the total where the callable returns nothing else."""
        if self._takes == "position":
            return self._divide_by_walk(by_fen(setup), depth, call)
        answer = self._ask(setup, depth, call)
        if "divide" not in answer:
            raise_impossible(self.name, int(answer["total"]))
            return Divide.of_total(int(answer["total"]))
        for _, count in answer["divide"]:
            raise_impossible(self.name, int(count))
        return _divide(setup.position, answer["divide"])

    def moves(self, setup: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, castling as king takes rook; None if the callable does not offer it."""
        if "lists" not in self._offers:
            return None
        moves = self._ask(setup.afresh(), 1, call, gentype=gentype.name.lower())["moves"]
        return None if moves is None else [as_king_takes_rook(setup.position, move) for move in moves]

    def fen(self, setup: Game, call: EngineCall) -> str | None:
        """Return the FEN that a board prints; None if there are no boards, or they print none."""
        return str(self._ask(setup, 1, call, prints=True).get("fen", "")) if "fen" in self._offers else None

    def ahead(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Return another process of the callable, to be asked many questions before it answers. Raises NotAhead.

        One answer may take as long as the call. With `chess960` there will be questions about Chess960. Call this once
        the engine has been started.
        """
        from ..stdio.stream.block import NEVER
        from ..stdio.stream.opening import open_ahead

        try:
            lists = not self.divide(Game(Position.start()), 1, call).is_total_only
        except EngineError as error:
            raise NotAhead(f"it fails a trial: {error}") from None
        descriptor = Descriptor(self.name, tuple(self._command), CASE, quit=None, total_format=TOTAL, uci=False)
        understood = ProbedDialect(descriptor, prints_divide=lists, plays_moves=False)
        max_depth = 1 if self._takes == "position" else NEVER
        # Another process has other counters than this one.
        counters = None if self._coverage is None else PythonCoverage()
        limits = self._limits
        return open_ahead(self.name, understood, limits, call, max_depth, chess960=chess960, counters=counters)

    def close(self) -> None:
        """End the process and whatever it has started."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _divide_by_walk(self, setup: Game, depth: int, call: EngineCall) -> Divide:
        """Return the count below each listed move. A move that we cannot play has one leaf, itself."""
        position, moves = setup.position, self._lists([setup], call)[0]
        children: list[Game | None] = _children(position, moves) if depth > 1 else [None] * len(moves)
        pairs = []
        for move, child, replies in zip(moves, children, self._lists(children, call), strict=True):
            below = 1 if child is None else self._leaves(child, replies, depth - 1, call)
            pairs.append((move, below))
            call.found(as_king_takes_rook(position, move), below)
            if call.stopped:
                break
        return _divide(position, pairs)

    def _leaves(self, setup: Game, moves: Sequence[str], depth: int, call: EngineCall) -> int:
        """Return the count below a position, whose moves are known."""
        if depth == 1:
            call.add(len(moves))
            return len(moves)
        if call.stopped:
            return 0
        children = _children(setup.position, moves)
        below = zip(children, self._lists(children, call), strict=True)
        return sum(1 if child is None else self._leaves(child, replies, depth - 1, call) for child, replies in below)

    def _lists(self, setups: Sequence[Game | None], call: EngineCall) -> list[list[str]]:
        """Return the moves of each position, none if there is no position, or once the call is stopped.

        All are asked for before the first is read: so the callable lists the next while we play the last.
        """
        asked = [setup for setup in setups if setup is not None]
        answers = iter([] if call.stopped else self._ask_all(asked, 1, call))
        return [[] if setup is None else list(next(answers, {"moves": ()})["moves"]) for setup in setups]

    def _ask(self, setup: Game, depth: int, call: EngineCall, **more: object) -> dict[str, Any]:
        """Return the answer to one question. Raises EngineError; after one, the next question gets a new process."""
        return self._ask_all([setup], depth, call, **more)[0]

    def _ask_all(self, setups: Sequence[Game], depth: int, call: EngineCall, **more: object) -> list[dict[str, Any]]:
        """Return the answers to as many questions, all of which are asked before the first is answered.

        Raises EngineError for the first that fails.
        """
        lines = [setup if self._takes == "moves" else by_fen(setup) for setup in setups]
        questions = ({"fen": fen_of(game), "depth": depth, "moves": game.uci_moves(), **more} for game in lines)
        try:
            process = self._ready(call)
            process.send([json.dumps(question) for question in questions], call)
            return [self._answer(game, process, call) for game in lines]
        except EngineError:
            self.close()
            raise

    def _answer(self, game: Game, process: Process, call: EngineCall) -> dict[str, Any]:
        answer = process.read_object(call)
        if answer is None:
            return {"total": 0, "divide": [], "moves": []}
        if "rejects" in answer:
            raise EngineRejection(f"{self.name} refuses the position: {printable(answer['rejects'])}")
        if "fails" in answer:
            raise EngineCrash(f"{self.name} fails: {printable(answer['fails'])}")
        self._reading = printable(answer.get("reading", self._reading))
        if "undone" in answer:
            text, before, after, moves, *listed = map(str, answer["undone"])
            raise self._undoes_wrongly(Game.from_uci(game.base, moves).position, text, before, after, *listed)
        return answer

    def _undoes_wrongly(
        self, position: Position, text: str, before: str, after: str, gone: str = "", new: str = ""
    ) -> EngineError:
        """Return what to raise about a board that is another one after a move was pushed and popped."""
        try:
            move = position.parse_uci(as_king_takes_rook(position, text))
        except ValueError:
            return UnparseableOutput(f"{self.name} lists {text}, and does not take it back: {printable(after)}")
        why = explain_undo(position, move, before, after, gone.split(), new.split())
        wrong = WrongMove(
            uci=move.uci(position.chess960),
            san=position.san(move),
            kind="undo",
            rule=why.rule.value,
            title=why.rule.title,
            sentence=why.sentence,
            squares=why.squares,
        )
        finding = Finding(cause=Cause.UNDO, fen=position.fen(), chess960=position.chess960, wrong=(wrong,), depth=2)
        return EngineUndoesWrongly(f"{self.name} does not take {wrong.uci} back as it should: {why.sentence}", finding)

    def _ready(self, call: EngineCall) -> Process:
        if self._process is None or not self._process.is_ready():
            self.close()
            self._process = Process(self.name, self._command, self._limits)
            call.on_stop(self._process.interrupt)
            greeting = self._process.read_object(call.step()) or {}
            if "refuses" in greeting:
                raise UsageError(f"engine {self.spec!r}: {printable(greeting['refuses'])}", self.spec)
            self._takes = greeting.get("takes", self._takes)
            self._offers = frozenset(greeting.get("offers", self._offers))
            self._knows_chess960 = greeting.get("chess960", self._knows_chess960)
        call.on_stop(self._process.interrupt)
        self._process.begin_question()
        return self._process


def _children(position: Position, moves: Sequence[str]) -> list[Game | None]:
    """Return the position after each move, None after one that is not legal."""
    return [_after(position, move) for move in moves]


def _after(position: Position, move: str) -> Game | None:
    try:
        return Game(position.play(position.parse_uci(as_king_takes_rook(position, move))))
    except ValueError:
        return None


def _divide(position: Position, pairs: list[Any]) -> Divide:
    return divide_of_pairs(position, ((move, int(count)) for move, count in pairs))
