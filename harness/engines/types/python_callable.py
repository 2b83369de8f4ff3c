"""Python callables as engines, in separate processes, which may crash or hang.

    f(fen) -> moves                         the legal moves; perft-check walks the tree
    f(fen, gentype) -> moves | None         the moves of a GenType, or None if they cannot be listed
    f(fen, depth) -> int | dict | list      the count, or the count below each root move
    f(fen, depth, moves) -> the same        `moves` are UCI moves to play from the FEN
    class with legal_moves, push and pop    a board, constructed from a FEN; perft-check walks the tree

`stdio.perft_check_boards` lists alternative method names. A list of pairs may contain a move twice, unlike a dict.
Every callable may have an attribute `by_gentype`, a function that is called as `f(fen, gentype)` or, if the callable is
a class, as `f(board, gentype)`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ....errors import UsageError
from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import fen_of, setup_without_moves
from ....generator.types.moves import GenType
from ...coverage.counters import PythonCoverage
from ...explaining.undo import explain_undo
from ...model.capabilities import NOT_APPLICABLE, Capability, MissingCapabilities
from ...model.results.finding import Cause, Finding, WrongMove
from ..base import (
    CannotPipeline,
    Divide,
    EngineCrash,
    EngineError,
    EngineRejection,
    EngineUndoesWrongly,
    NotUnderstood,
    UnparseableOutput,
)
from ..block_stream import OpenedStream
from ..call import EngineCall
from ..engine import REPEATED, WRITTEN, Engine
from ..predicates import HOW_TO_OFFER, KEY, PREDICATES, PredicateAnswers, PredicateQuestions
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
"""The format of questions in a pipeline, and that of the last line of an answer."""


class PythonCallableEngine(Engine):
    """A callable whose process is started at the first question and restarted after a failure."""

    no_chess960 = "its attribute chess960 is False"
    setups = WRITTEN | REPEATED
    is_slow = True
    can_pipeline = True
    may_have_keys = may_have_predicates = True
    has_counters = True

    def __init__(self, spec: str, python: str, target: str, limits: ProcessLimits | None = None) -> None:
        self.spec = EngineSpec(spec)
        self.name = self.spec.name
        # Only this process has the current folder on its module search path.
        self._command = [python, str(CHILD), target, str(Path.cwd())]
        self._limits = limits or ProcessLimits()
        self._process: Process | None = None
        self._coverage: PythonCoverage | None = None
        """The source of the branch counters, if coverage is measured."""
        self._takes = "depth"
        """The callable's last parameter: "position", "depth" or "moves"."""
        self._offers: frozenset[str] = frozenset()
        """Other capabilities: "boards", "undo", "fen", "lists"."""
        self._supports_chess960: bool | None = None
        self._predicates: dict[str, str] | None = None
        """The usual names of the predicates that were found, or None before they are looked for."""
        self._finder: Process | None = None
        """The process that has looked for them; a new one has to do so again."""
        self._makes_moves = True

    @property
    def chess960(self) -> bool | None:
        """The attribute `chess960` of the callable or its module, or None if there is none. Available after `start`."""
        return self._supports_chess960

    @property
    def plays_moves(self) -> bool:
        """Whether the callable accepts moves to play."""
        return self._takes == "moves"

    @property
    def gentypes(self) -> tuple[GenType, ...]:
        """The GenTypes that the callable may be able to list. Available after `start`."""
        return tuple(GenType) if "lists" in self._offers else ()

    @property
    def lacks(self) -> MissingCapabilities:
        """The capabilities that this type of callable lacks."""
        lacks = {}
        if self._takes == "position":
            lacks[Capability.COUNTS] = "give push, or divide(fen, depth)"
            lacks[Capability.UNDO] = "give push and pop, or divide(fen, depth)"
        elif "boards" in self._offers and "undo" not in self._offers:
            lacks[Capability.UNDO] = NOT_APPLICABLE  # each move is made on a copy of the board
        if self._takes != "moves":
            lacks[Capability.MOVES] = "give push, or divide(fen, depth, moves)"
        if "fen" not in self._offers:
            lacks[Capability.FEN] = "a class with push and fen"
        if "lists" not in self._offers:
            lacks[Capability.GENTYPES] = "give by_gentype(fen, gentype)"
        if self._predicates is not None:
            if KEY not in self._predicates:
                lacks[Capability.KEYS] = f"give zobrist_hash; {HOW_TO_OFFER}"
            if not self._predicates.keys() - {KEY}:
                lacks[Capability.PREDICATES] = f"give is_check, is_legal or others; {HOW_TO_OFFER}"
        return lacks

    @property
    def files(self) -> tuple[str, ...]:
        """Possible files of the module in the current folder."""
        _, _, target, folder = self._command
        module = Path(folder, *target.partition(":")[0].split("."))
        return str(module.with_suffix(".py")), str(module / "__init__.py")

    @property
    def command(self) -> list[str]:
        """The command of the process."""
        return self._command

    def measure_coverage(self) -> PythonCoverage:
        """Enable branch counters, which are added to modules on import, and return their source."""
        self._coverage = PythonCoverage()
        self._limits = self._limits.with_variable(self._coverage.variable)
        return self._coverage

    def start(self, call: EngineCall) -> None:
        """Import the callable, and ask it about three easy positions.

        Raises:
            UsageError: If it does not exist or has no known signature.
            NotUnderstood: If no answer has a known format.
            EngineCrash: If it fails in the same way in all three positions.
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
                self.close()  # keeps these questions out of histories
                break
        is_unread = all(one.startswith(" fails: returned ") for one in failures)
        if len(failures) == len(easy) and (is_unread or len({re.sub("[0-9].*", "", one) for one in failures}) == 1):
            _, fails, why = failures[0].partition(" fails: ")
            everywhere = f" fails in every position: {why}" if fails else f"{failures[0]}, in every position"
            what = f"{self.name}{everywhere}"
            raise NotUnderstood(what) if is_unread else EngineCrash(what)

    def perft(self, game: Game, depth: int, call: EngineCall) -> int:
        """Return the total, which is 1 at depth 0."""
        if depth == 0:
            return 1
        if self._takes == "position":
            game = setup_without_moves(game)
            return self._leaves(game, self._lists([game], call)[0], depth, call)
        answer = self._ask(game, depth, call)
        total = answer.get("total")
        total = sum(count for _, count in answer["divide"]) if total is None else int(total)
        raise_impossible(self.name, total)
        return total

    def divide(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the divide, or only the total if the callable returns no root moves."""
        if self._takes == "position":
            return self._divide_by_walk(setup_without_moves(game), depth, call)
        answer = self._ask(game, depth, call)
        if "divide" not in answer:
            raise_impossible(self.name, int(answer["total"]))
            return Divide.of_total(int(answer["total"]))
        for _, count in answer["divide"]:
            raise_impossible(self.name, int(count))
        return _divide(game.position, answer["divide"])

    def moves(self, game: Game, gentype: GenType, call: EngineCall) -> list[str] | None:
        """Return the moves of a GenType, with castling as king takes rook, or None if the callable cannot list them."""
        if "lists" not in self._offers:
            return None
        moves = self._ask(game.without_moves(), 1, call, gentype=gentype.name.lower())["moves"]
        return None if moves is None else [as_king_takes_rook(game.position, move) for move in moves]

    def fen(self, game: Game, call: EngineCall) -> str | None:
        """Return a board's FEN after the moves of a game, or None if there are no boards or they have no FEN."""
        return str(self._ask(game, 1, call, prints=True).get("fen", "")) if "fen" in self._offers else None

    def find_predicates(self, call: EngineCall) -> Mapping[str, str]:
        """Return the predicates of the callable or its boards, and their usual names."""
        if self._predicates is None or self._ready(call) is not self._finder:
            table = {one.name: [one.form.name, one.usual] for one in PREDICATES}
            answer = self._send({"find": table}, call)
            if call.stopped:
                return {}
            self._predicates, self._makes_moves = dict(answer["found"]), bool(answer["makes_moves"])
            self._finder = self._process
        return self._predicates

    @property
    def takes_any_move(self) -> bool:
        """Whether moves can be made from UCI text."""
        return self._makes_moves

    def ask_predicates(self, game: Game, questions: PredicateQuestions, call: EngineCall) -> PredicateAnswers:
        """Return the answers of predicates in the position after the moves of a game."""
        return self._ask_predicates(game, questions, call)

    def key(self, game: Game, call: EngineCall, undone: str = "") -> str | None:
        """Return the hash key of a board or of the result of a function, or None if there is none."""
        if KEY not in self.find_predicates(call) or (undone and "undo" not in self._offers):
            return None
        keys = self._ask_predicates(game, {KEY: None}, call, undone).get(KEY, [None])
        return None if keys[0] is None else str(keys[0])

    def keys(self, fens: Sequence[str], call: EngineCall, *, chess960: bool) -> list[str | None] | None:
        """Return the hash keys of many positions, or None if there are none."""
        name = self.find_predicates(call).get(KEY)
        return None if name is None else self._send({"keys": name, "fens": [*fens]}, call).get("keys")

    def _ask_predicates(
        self, game: Game, questions: PredicateQuestions, call: EngineCall, undone: str = ""
    ) -> PredicateAnswers:
        found = self.find_predicates(call)
        asked = {found[name]: texts for name, texts in questions.items()}
        after = fen_of(setup_without_moves(game))
        question = {"fen": fen_of(game), "moves": game.uci_moves(), "fen_after": after, "undone": undone, "ask": asked}
        answers = self._send(question, call).get("answers", {})
        return {name: answers[found[name]] for name in questions if found[name] in answers}

    def _send(self, question: dict[str, Any], call: EngineCall) -> dict[str, Any]:
        """Return the answer to a question about predicates, or an empty dict if the call was stopped."""
        try:
            process = self._ready(call)
            process.send([json.dumps(question)], call)
            answer = process.read_object(call)
            return {} if answer is None else self._checked(answer)
        except EngineError:
            self.close()
            raise

    def open_pipeline(self, call: EngineCall, *, chess960: bool = False) -> OpenedStream:
        """Start another process of the callable for pipelining.

        Call this after `start`. Raises CannotPipeline.
        """
        from ..stdio.stream.block import NEVER
        from ..stdio.stream.opening import open_ahead

        try:
            lists = not self.divide(Game(Position.start()), 1, call).is_total_only
        except EngineError as error:
            raise CannotPipeline(f"it fails a trial: {error}") from None
        descriptor = Descriptor(self.name, tuple(self._command), CASE, quit=None, total_format=TOTAL, uci=False)
        understood = ProbedDialect(descriptor, prints_divide=lists, plays_moves=False)
        max_depth = 1 if self._takes == "position" else NEVER
        # Each process has its own counters.
        counters = None if self._coverage is None else PythonCoverage()
        limits = self._limits
        return open_ahead(self.name, understood, limits, call, max_depth, chess960=chess960, counters=counters)

    def close(self) -> None:
        """Terminate the process and its descendants."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()

    def _divide_by_walk(self, game: Game, depth: int, call: EngineCall) -> Divide:
        """Return the count below each listed move, or 1 if the move is illegal and thus cannot be played."""
        position, moves = game.position, self._lists([game], call)[0]
        children: list[Game | None] = _children(position, moves) if depth > 1 else [None] * len(moves)
        pairs = []
        for move, child, replies in zip(moves, children, self._lists(children, call), strict=True):
            below = 1 if child is None else self._leaves(child, replies, depth - 1, call)
            pairs.append((move, below))
            call.found(as_king_takes_rook(position, move), below)
            if call.stopped:
                break
        return _divide(position, pairs)

    def _leaves(self, game: Game, moves: Sequence[str], depth: int, call: EngineCall) -> int:
        if depth == 1:
            call.add(len(moves))
            return len(moves)
        if call.stopped:
            return 0
        children = _children(game.position, moves)
        below = zip(children, self._lists(children, call), strict=True)
        return sum(1 if child is None else self._leaves(child, replies, depth - 1, call) for child, replies in below)

    def _lists(self, games: Sequence[Game | None], call: EngineCall) -> list[list[str]]:
        """Return the moves in each position. The list is empty for None, and after the call was stopped.

        All questions are sent before the first answer is read, so that perft-check and the process can run in parallel.
        """
        asked = [game for game in games if game is not None]
        answers = iter([] if call.stopped else self._ask_all(asked, 1, call))
        return [[] if game is None else list(next(answers, {"moves": ()})["moves"]) for game in games]

    def _ask(self, game: Game, depth: int, call: EngineCall, **more: object) -> dict[str, Any]:
        """Return the answer to a question. Raises EngineError; the next question then starts a new process."""
        return self._ask_all([game], depth, call, **more)[0]

    def _ask_all(self, games: Sequence[Game], depth: int, call: EngineCall, **more: object) -> list[dict[str, Any]]:
        """Send all questions, and return their answers.

        Raises EngineError on the first failure.
        """
        asked = [game if self._takes == "moves" else setup_without_moves(game) for game in games]
        questions = ({"fen": fen_of(game), "depth": depth, "moves": game.uci_moves(), **more} for game in asked)
        try:
            process = self._ready(call)
            process.send([json.dumps(question) for question in questions], call)
            return [self._answer(game, process, call) for game in asked]
        except EngineError:
            self.close()
            raise

    def _answer(self, game: Game, process: Process, call: EngineCall) -> dict[str, Any]:
        answer = process.read_object(call)
        if answer is None:
            return {"total": 0, "divide": [], "moves": []}
        self._checked(answer)
        if "undone" in answer:
            text, before, after, moves, *listed = map(str, answer["undone"])
            raise self._undoes_wrongly(Game.from_uci(game.base, moves).position, text, before, after, *listed)
        return answer

    def _checked(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer unchanged. Raises EngineRejection or EngineCrash if it reports a failure."""
        if "rejects" in answer:
            raise EngineRejection(f"{self.name} refuses the position: {printable(answer['rejects'])}")
        if "fails" in answer:
            raise EngineCrash(f"{self.name} fails: {printable(answer['fails'])}")
        return answer

    def _undoes_wrongly(
        self, position: Position, text: str, before: str, after: str, gone: str = "", new: str = ""
    ) -> EngineError:
        """Return the exception for a board that changed when a move was pushed and popped.

        `gone` and `new` are the moves that were listed only before, and only after.
        """
        try:
            move = position.parse_uci(as_king_takes_rook(position, text))
        except ValueError:
            return UnparseableOutput(f"{self.name} lists {text}, and does not undo it: {printable(after)}")
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
        return EngineUndoesWrongly(f"{self.name} does not undo {wrong.uci} correctly: {why.sentence}", finding)

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
            self._supports_chess960 = greeting.get("chess960", self._supports_chess960)
        call.on_stop(self._process.interrupt)
        self._process.begin_question()
        return self._process


def _children(position: Position, moves: Sequence[str]) -> list[Game | None]:
    return [_after(position, move) for move in moves]


def _after(position: Position, move: str) -> Game | None:
    try:
        return Game(position.play(position.parse_uci(as_king_takes_rook(position, move))))
    except ValueError:
        return None


def _divide(position: Position, pairs: list[Any]) -> Divide:
    return divide_of_pairs(position, ((move, int(count)) for move, count in pairs))
