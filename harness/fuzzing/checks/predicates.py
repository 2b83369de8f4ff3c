"""The check of predicates, such as `is_check` and `is_legal(move)`, of libraries and Python objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import PieceType
from ...engines.asking.session import EngineSession
from ...engines.predicates import ASKED_ABOUT_ALL_MOVES, KEY, Answer
from ...explaining import explain_move
from ...model.results.finding import Cause, finding_after
from ..model import Discrepancy, Signature
from .base import Probe, discrepancies_in
from .predicate_references import (
    DEFINITIONS,
    OF_POSITIONS,
    board_after,
    encodings,
    games_from,
    generators_agree,
    moving_piece,
    pseudo_legal_moves,
)

EASY_PROMOTION, EASY_MATE = "7k/P7/8/8/8/8/8/K7 w - - 0 1", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
"""Positions that show conventions: whether a promotion needs its letter, and whether check signs are written."""
TELLING = (
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/p7/P7/8 b - - 0 1",
    "8/8/8/8/8/6k1/5q2/7K w - - 0 1",
    "8/8/8/8/p7/P5k1/5q2/7K w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1",
    "4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "4k3/8/8/8/8/8/5PPP/4r1K1 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
    "4k1b1/8/8/8/8/8/8/4K3 b - - 0 1",
    "4k3/8/8/8/8/8/8/3BKN2 w - - 0 1",
    "4k3/p7/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
)
"""Positions that are compared together with the first probes: stalemate, mate, mate in one move, and few pieces."""
MOST_NAMED = 3
"""Maximum number of moves that a finding names for one fault."""


class Predicates:
    """Compares the predicates that an engine offers with python-chess, in positions where its moves are correct."""

    name = "predicates"

    def __init__(self, engine: EngineSession) -> None:
        self._engine = engine
        self._conventions: Conventions | None = None
        self._probes = 0

    def __call__(self, probe: Probe) -> Iterator[Discrepancy]:
        """Yield the discrepancies. Raises EngineError."""
        names = self._engine.find_predicates()
        offered = [name for name in names if name != KEY]
        if not offered or not generators_agree(probe.game) or not self._counts(probe.game):
            return
        if self._conventions is None:
            self._conventions = Conventions.of(self._engine, offered)
        # The first probe belongs to the start of a worker, which does not report what it finds.
        telling = TELLING[max(0, self._probes - 1) : self._probes]
        games = [probe.game, *(Game(Position.from_fen(fen)) for fen in telling)]
        self._probes += 1
        found: dict[Signature, Discrepancy] = {}
        for game in games:
            for part in (self._compare_positions(game, offered), self._compare_moves(game, offered)):
                for discrepancy in part:
                    found.setdefault(discrepancy.signature, discrepancy)
        yield from found.values()

    def _counts(self, game: Game) -> bool:
        """Return True if the engine counts the legal moves; otherwise, other checks report which are wrong."""
        return self._engine.min_depth > 1 or self._engine.perft(game, 1) == len(game.position.legal_moves)

    def _compare_positions(self, game: Game, offered: Sequence[str]) -> Iterator[Discrepancy]:
        """Compare the predicates of the position, also after moves back and forth and near the fifty-move rule."""
        names = [name for name in offered if name in OF_POSITIONS]
        for played in (game, *games_from(game.position)) if names else ():
            board = board_after(played)
            answers = self._engine.ask_predicates(played, dict.fromkeys(names))
            for name, (got, *_) in answers.items():
                expected = OF_POSITIONS[name](board)
                if expected is not None and got is not None and got != expected:
                    why = DEFINITIONS[name]
                    yield from self._fault(
                        played, f"{self._called(name)} returns {got}, but it is {expected} that {why}"
                    )

    def _compare_moves(self, game: Game, offered: Sequence[str]) -> Iterator[Discrepancy]:
        """Compare the predicates of moves."""
        position = game.position
        legal = [move.uci(game.base.chess960) for move in position.legal_moves]
        if not legal:
            return
        every = encodings(position) if self._engine.engine.takes_any_move else legal
        asked = {name: legal for name in ("gives_check", "san") if name in offered}
        asked |= {name: every for name in ASKED_ABOUT_ALL_MOVES if name in offered}
        answers = self._engine.ask_predicates(game, asked) if asked else {}
        if "gives_check" in answers:
            yield from self._compare_checks(game, dict(zip(legal, answers["gives_check"], strict=False)))
        for name in (name for name in ASKED_ABOUT_ALL_MOVES if name in answers):
            yield from self._compare_legality(game, name, set(legal), dict(zip(every, answers[name], strict=False)))
        written = {move.uci(game.base.chess960): position.san(move) for move in position.legal_moves}
        if "san" in answers:
            written = {}
            yield from self._compare_san(game, dict(zip(legal, answers["san"], strict=False)), written)
        if "parse_san" in offered and written:
            yield from self._compare_parsing(game, written)

    def _compare_checks(self, game: Game, got: dict[str, Answer]) -> Iterator[Discrepancy]:
        board = board_after(game)
        for text, answer in got.items():
            expected = board.gives_check(board.parse_uci(text))
            if answer is not expected:
                kind = _type_of_check(board, board.parse_uci(text))
                yield from self._fault(game, f"{self._called('gives_check')} {_returned(answer)} for {kind}; {text}")

    def _compare_legality(
        self, game: Game, name: str, legal: set[str], got: dict[str, Answer]
    ) -> Iterator[Discrepancy]:
        """Compare `is_legal`, or `is_pseudo_legal` for moves about which all definitions agree."""
        assert self._conventions is not None
        position = game.position
        allowed = legal if name == "is_legal" else legal | pseudo_legal_moves(position)
        open_ones = allowed | self._conventions.variants_of(position, allowed)
        wrong: dict[str, list[str]] = {}
        for text, answer in got.items():
            if text in legal:
                if answer is not True:
                    wrong.setdefault(f"{_returned(answer)} for a legal move: {_kind_of(position, text)}", []).append(
                        text
                    )
            elif answer is True and text not in open_ones:
                why = _reason(position, text)
                wrong.setdefault(f"returns True for an illegal move: {why}", []).append(text)
        for what, moves in sorted(wrong.items()):
            named = ", ".join(moves[:MOST_NAMED]) + f" and {len(moves) - MOST_NAMED} more" * (len(moves) > MOST_NAMED)
            yield from self._fault(game, f"{self._called(name)} {what}; {named}")

    def _compare_san(self, game: Game, got: dict[str, Answer], correct: dict[str, str]) -> Iterator[Discrepancy]:
        """Compare the notation of each legal move, and add correct texts to `correct`."""
        position = game.position
        for text, answer in got.items():
            move = position.parse_uci(text)
            if not isinstance(answer, str):
                yield from self._fault(game, f"{self._called('san')} {_returned(answer)} for a legal move; {text}")
            elif (what := self._wrong_san(position, move, answer)) is not None:
                texts = f"it writes {text} as {answer}, not {position.san(move)}"
                yield from self._fault(game, f"{self._called('san')} {what}; {texts}")
            else:
                correct[text] = answer

    def _compare_parsing(self, game: Game, written: dict[str, str]) -> Iterator[Discrepancy]:
        """Compare the moves that an engine reads from algebraic notation, by its own `san` or as in PGN."""
        read = self._engine.ask_predicates(game, {"parse_san": [*written.values()]}).get("parse_san", ())
        for (text, san), moved in zip(written.items(), read, strict=False):
            if not _is_same_move(game.position, text, moved):
                kind = _kind_of(game.position, text)
                what = f"{self._called('parse_san')} does not return the move that it is given: {kind}"
                yield from self._fault(game, f"{what}; {san} is {text}, and it returns {moved}")

    def _wrong_san(self, position: Position, move: Move, text: str) -> str | None:
        """Return a clause that says what is wrong with a move in algebraic notation, or None if it is correct."""
        assert self._conventions is not None
        correct, bare = position.san(move), text.rstrip("+#!?").replace("0", "O")
        if bare != correct.rstrip("+#"):
            try:
                meant = position.parse_san(bare)
            except ValueError:
                kind = _kind_of(position, move.uci(position.chess960))
                return f"writes a text that does not name one legal move: {kind}"
            if meant != move:
                return "writes the text of another move"
        sign, expected = text.rstrip("!?")[len(text.rstrip("+#!?")) :], correct[len(correct.rstrip("+#")) :]
        if sign and not expected:
            return "writes a check sign for a move that gives no check"
        if "#" in sign and expected != "#":
            return "writes the sign of mate for a move that is not mate"
        if expected and not sign and self._conventions.writes_signs:
            return "writes no check sign for a move that gives check"
        if expected == "#" and "#" not in sign and self._conventions.writes_mate:
            return "writes no sign of mate for a move that is mate"
        return None

    def _called(self, name: str) -> str:
        """Return the name by which the engine calls a predicate."""
        return self._engine.find_predicates()[name]

    def _fault(self, game: Game, note: str) -> Iterator[Discrepancy]:
        yield from discrepancies_in(self.name, finding_after(game, Cause.PREDICATE, note), game)


@dataclass(frozen=True)
class Conventions:
    """What the engine answers where correct implementations differ, found by easy questions."""

    ignores_letters: bool
    """Whether a move that is no promotion may have a promotion letter."""
    needs_letters: bool
    """Whether a promotion without a letter is not a move."""
    writes_signs: bool
    """Whether algebraic notation has check signs."""
    writes_mate: bool
    """Whether mate has its own sign."""

    @classmethod
    def of(cls, engine: EngineSession, offered: Sequence[str]) -> Conventions:
        """Return the conventions of an engine. Raises EngineError."""

        def ask(name: str, fen: str, text: str) -> Answer:
            if name not in offered or (name in ASKED_ABOUT_ALL_MOVES and not engine.engine.takes_any_move):
                return None
            return next(iter(engine.ask_predicates(Game(Position.from_fen(fen)), {name: [text]}).get(name, ())), None)

        legality = next((name for name in ASKED_ABOUT_ALL_MOVES if name in offered), "is_legal")
        mate = str(ask("san", EASY_MATE, "a1a8"))
        return cls(
            ask(legality, chess.STARTING_FEN, "e2e4q") is True,
            ask(legality, EASY_PROMOTION, "a7a8") is not True,
            mate.endswith(("+", "#")),
            mate.endswith("#"),
        )

    def variants_of(self, position: Position, moves: set[str]) -> set[str]:
        """Return other encodings of moves that an engine may accept: other castling notation and promotion letters."""
        found = {move.uci(not position.chess960) for move in position.legal_moves if move.kind is MoveKind.CASTLING}
        if self.ignores_letters:
            found |= {text + letter for text in moves if len(text) == 4 for letter in "qrbn"}
        if not self.needs_letters:
            found |= {text[:4] for text in moves}
        return found


def _returned(answer: Answer) -> str:
    return "gives no answer" if answer is None else f"returns {answer}"


def _reason(position: Position, text: str) -> str:
    """Return the rule that an illegal encoding breaks, as a title."""
    if len(text) == 5 and _piece_of(position, text) is not PieceType.PAWN:
        return "a promotion of another piece than a pawn"
    if len(text) == 5 and text[3] not in "18":
        return "a promotion before the last rank"
    return explain_move(position, text).rule.title


def _piece_of(position: Position, text: str) -> PieceType | None:
    piece = position.piece_at(chess.parse_square(text[:2]))
    return None if piece is None else piece[1]


def _kind_of(position: Position, text: str) -> str:
    """Return the type of a legal move in words."""
    move = position.parse_uci(text)
    if move.kind is MoveKind.NORMAL:
        piece = moving_piece(position, move)
        name = "piece" if piece is None else piece.name.lower()
        return f"a {name} that captures" if position.is_capture(move) else f"a {name} that moves"
    return {MoveKind.CASTLING: "castling", MoveKind.EN_PASSANT: "en passant"}.get(move.kind, "a promotion")


def _type_of_check(board: chess.Board, move: chess.Move) -> str:
    """Return the type of a check that a legal move gives, in words."""
    after = board.copy(stack=False)
    after.push(move)
    if not after.is_check():
        return "a move that gives no check"
    if board.is_castling(move):
        return "castling that gives check"
    direct = bool(after.checkers() & chess.BB_SQUARES[move.to_square])
    special = "en passant" if board.is_en_passant(move) else "a promotion" if move.promotion else "a move"
    if len(after.checkers()) > 1:
        return f"{special} that gives double check"
    return f"{special} that gives {'direct' if direct else 'discovered'} check"


def _is_same_move(position: Position, text: str, moved: Answer) -> bool:
    """Return True if the engine has read the legal move `text`, with castling in either notation."""
    move = position.parse_uci(text)
    return moved in (move.uci(True), move.uci(False))
