"""The check of predicates, such as `is_check` and `is_legal(move)`, of libraries and Python objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import chess

from ....generator.game import Game
from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Color, PieceType
from ...engines.asking.session import EngineSession
from ...engines.predicates import ASKED_ABOUT_ALL_MOVES, KEY, Answer
from ...explaining import explain_move
from ...model.results.finding import Cause, finding_after
from ..model import Discrepancy, Signature
from .base import Probe, discrepancies_in

FROM_SQUARES = [
    [chess.square_name(origin) + chess.square_name(target) for target in range(64) if target != origin]
    for origin in range(64)
]
"""The moves from each square to all others as UCI text."""
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
MOST_SHUTTLES = 2
"""Number of lines of moves back and forth that are played from a position."""
MOST_TRIED = 6
"""Number of moves of each side that are tried for such a line."""
ALMOST_FIFTY = 97
"""The halfmove clock of the position before a line that reaches the fifty-move rule."""
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
        if not offered or not _agree(probe.game) or not self._counts(probe.game):
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
        for played in (game, *lines(game.position)) if names else ():
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
        allowed = legal if name == "is_legal" else legal | _pseudo_legal(position)
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


def board_after(game: Game) -> chess.Board:
    """Return python-chess's board after the moves of a game."""
    board = chess.Board(game.base.fen(castling="shredder"), chess960=True)
    for move in game.moves:
        board.push_uci(move.uci(chess960=True))
    board.chess960 = game.base.chess960
    return board


def encodings(position: Position) -> list[str]:
    """Return all moves as UCI text: each origin, target and, for the pieces of the side to move, promotion."""
    own = chess.Board(position.fen(castling="shredder"), chess960=True).occupied_co[position.turn is Color.WHITE]
    texts: list[str] = []
    for origin in range(64):
        plain = FROM_SQUARES[origin]
        texts += [text + letter for text in plain for letter in ("", *"qrbn")] if own >> origin & 1 else plain
    return texts


def _pseudo_legal(position: Position) -> set[str]:
    """Return the moves that are pseudo-legal by any definition, with castling in both notations."""
    board = chess.Board(position.fen(castling="shredder"), chess960=True)
    moves = {board.uci(move) for move in board.pseudo_legal_moves}
    king = board.king(board.turn)
    if king is not None:
        for rook in chess.SquareSet(board.clean_castling_rights() & board.occupied_co[board.turn]):
            landing = chess.square(6 if rook > king else 2, chess.square_rank(king))
            moves |= {chess.square_name(king) + chess.square_name(target) for target in (rook, landing)}
    return moves


def _agree(game: Game) -> bool:
    """Return True if python-chess and perft-check's generator list the same moves, so that they can be references."""
    board = chess.Board(game.position.fen(castling="shredder"), chess960=True)
    return {board.uci(move) for move in board.legal_moves} == {move.uci(True) for move in game.position.legal_moves}


def lines(position: Position) -> Iterator[Game]:
    """Yield games that repeat a position, and that reach or reset the fifty-move rule."""
    plain = replace(position, en_passant=None)
    late = replace(plain, halfmove=ALMOST_FIFTY, fullmove=max(position.fullmove, ALMOST_FIFTY))
    for number, shuttle in enumerate(shuttles(plain)):
        yield from (Game(plain, shuttle.moves * times) for times in (1, 2))
        yield Game(plain, (shuttle.moves * 2)[:6])
        if number == 0:
            yield from (Game(late, shuttle.moves[:plies]) for plies in (2, 3))
            yield from (Game(late, (*shuttle.moves[:2], move)) for move in _resetting(late, shuttle))


def _resetting(late: Position, shuttle: Game) -> list[Move]:
    """Return a move of a pawn and a capture after the first two moves of a line, if there are any."""
    position = Game(late, shuttle.moves[:2]).position
    kinds: dict[bool, Move] = {}
    for move in position.legal_moves:
        if position.is_capture(move) or _piece(position, move) is PieceType.PAWN:
            kinds.setdefault(position.is_capture(move), move)
    return list(kinds.values())


def shuttles(position: Position) -> Iterator[Game]:
    """Yield games of four moves after which all pieces stand as before, first one that ends a castling right."""
    found: dict[bool, Game] = {}
    for move in sorted(_quiet(position), key=lambda one: not position.castling >> one.origin & 1)[:MOST_TRIED]:
        after = position.play_unchecked(move)
        for reply in _quiet(after)[:MOST_TRIED]:
            game = Game(position)
            for one in (move, reply, _back(move), _back(reply)):
                if one not in game.position.legal_moves:
                    break
                game = game.after(one)
            ends_right = after.castling != position.castling
            if len(game.moves) == 4 and ends_right not in found:
                found[ends_right] = game
                break
    yield from [found[kind] for kind in (True, False) if kind in found][:MOST_SHUTTLES]


def _quiet(position: Position) -> list[Move]:
    """Return the legal moves of pieces, not pawns, that neither capture nor castle."""
    return [
        move
        for move in position.legal_moves
        if move.kind is MoveKind.NORMAL
        and not position.is_capture(move)
        and _piece(position, move) is not PieceType.PAWN
    ]


def _piece(position: Position, move: Move) -> PieceType | None:
    piece = position.piece_at(move.origin)
    return None if piece is None else piece[1]


def _back(move: Move) -> Move:
    return Move.make(move.target, move.origin)


def is_insufficient(board: chess.Board) -> bool | None:
    """Return whether no side can mate, or None if usual definitions differ."""
    if board.pawns | board.rooks | board.queens:
        return False
    for color in chess.COLORS:
        own = board.occupied_co[color]
        bishops = board.bishops & own
        has_both = bishops & chess.BB_DARK_SQUARES and bishops & chess.BB_LIGHT_SQUARES
        if has_both or (bishops and board.knights & own):
            return False
    return True if chess.popcount(board.occupied) <= 3 else None


def repetitions(board: chess.Board) -> tuple[int, int]:
    """Return how often the position has occurred, by a strict and by a lenient definition of en passant.

    The strict definition compares en passant squares that no pawn can use, too.
    """
    past, strict, lenient = board.copy(), 0, 0
    here, used = _identity(board), board.has_legal_en_passant()
    while True:
        is_alike = _identity(past) == here
        lenient += is_alike and past.has_legal_en_passant() == used
        strict += is_alike and past.ep_square == board.ep_square
        if not past.move_stack:
            return strict, lenient
        past.pop()


def _identity(board: chess.Board) -> tuple[str, chess.Color, chess.Bitboard]:
    return board.board_fen(), board.turn, board.clean_castling_rights()


def _occurs(least: int, most: int) -> Callable[[chess.Board], bool | None]:
    """Return a reference that is True from `most` occurrences on, False below `least`, and None between them."""

    def reference(board: chess.Board) -> bool | None:
        found = {None if least <= number < most else number >= most for number in repetitions(board)}
        return found.pop() if len(found) == 1 else None

    return reference


def is_fifty(board: chess.Board) -> bool | None:
    """Return whether the fifty-move rule applies, or None if the game is over."""
    return board.halfmove_clock >= 100 if any(board.legal_moves) else None


OF_POSITIONS: dict[str, Callable[[chess.Board], bool | None]] = {
    "is_check": chess.Board.is_check,
    "is_checkmate": chess.Board.is_checkmate,
    "is_stalemate": chess.Board.is_stalemate,
    "is_insufficient_material": is_insufficient,
    "is_twofold_repetition": _occurs(2, 2),
    "is_threefold_repetition": _occurs(3, 3),
    "is_repetition": _occurs(2, 3),
    "is_fifty_moves": is_fifty,
}
"""The correct answers of the predicates of positions. None means that correct implementations differ."""
DEFINITIONS = {
    "is_check": "the king of the side to move is attacked",
    "is_checkmate": "the side to move is in check and has no legal move",
    "is_stalemate": "the side to move is not in check and has no legal move",
    "is_insufficient_material": "no side has the material to mate",
    "is_twofold_repetition": "the position occurs for the second time",
    "is_threefold_repetition": "the position occurs for the third time",
    "is_repetition": "the position has occurred before",
    "is_fifty_moves": "fifty moves were played without a capture or a move of a pawn",
}


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
        piece = _piece(position, move)
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
