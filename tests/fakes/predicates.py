"""A python-chess board with a hash key and one fault in its predicates or its key, or none."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from typing import Any

import chess

CORRECT = chess.Board
"""The class whose methods give the correct answers."""


@cache
def word(*parts: Hashable) -> int:
    """Return the random word of one feature of a position."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


class Board(chess.Board):
    """A board whose key is updated by each move, by the features that change."""

    def __init__(self, fen: str = chess.STARTING_FEN, chess960: bool = False) -> None:
        super().__init__(fen, chess960=chess960)
        self.key, self.keys = self.whole(), list[int]()

    def features(self) -> Iterator[tuple[Hashable, ...]]:
        """Yield what the key is made of."""
        for square, piece in self.piece_map().items():
            yield ("piece", square, piece.color, piece.piece_type)
        yield ("turn", self.turn)
        for square in chess.SquareSet(self.castling_rights):
            yield ("right", square)
        if self.has_legal_en_passant():
            yield ("en passant", self.ep_square)

    def whole(self) -> int:
        """Return the key of the position, made from all its features."""
        key = 0
        for feature in self.features():
            key ^= word(*feature)
        return key

    def left(self, move: chess.Move) -> int:
        """Return what remains wrongly in the key after a move."""
        return 0

    def push(self, move: chess.Move) -> None:
        """Play a move, and update the key."""
        self.keys.append(self.key)
        before, left = set(self.features()), self.left(move)
        super().push(move)
        for feature in before ^ set(self.features()):
            self.key ^= word(*feature)
        self.key ^= left

    def pop(self) -> chess.Move:
        """Take a move back, and restore the key."""
        move = super().pop()
        self.key = self.keys.pop()
        return move


def _is_slider_check(board: chess.Board) -> bool:
    king = board.king(board.turn)
    sliders = board.bishops | board.rooks | board.queens | board.pawns
    return king is not None and bool(board.attackers_mask(not board.turn, king) & sliders)


def _gives_direct_check(board: chess.Board, move: chess.Move) -> bool:
    """Return True if the moved piece, or castling, gives check; discovered checks are forgotten."""
    if board.is_castling(move):
        return CORRECT.gives_check(board, move)
    after = chess.Board(board.fen(), chess960=board.chess960)
    after.push(move)
    king = after.king(after.turn)
    return king is not None and bool(after.attackers_mask(not after.turn, king) & chess.BB_SQUARES[move.to_square])


def _count_repetitions(board: chess.Board, least: int, identity: Callable[[chess.Board], Hashable]) -> bool:
    past, here, found = board.copy(), identity(board), 1
    while past.move_stack:
        chess.Board.pop(past)
        found += identity(past) == here
    return found >= least


def _without_rights(board: chess.Board) -> Hashable:
    return board.board_fen(), board.turn


def _ambiguous(board: chess.Board, move: chess.Move) -> str:
    """Return the notation without the file or rank that tells two pieces apart."""
    text = CORRECT.san(board, move)
    target = chess.square_name(move.to_square)
    return text if text[0] not in "NRQB" or "x" in text else text[0] + target + text.rpartition(target)[2]


def _moves_knight_of_enemy(board: chess.Board, move: chess.Move) -> bool:
    knights = board.occupied_co[not board.turn] & board.knights
    return bool(knights & chess.BB_SQUARES[move.from_square] and _attacks(board, move))


def _attacks(board: chess.Board, move: chess.Move) -> bool:
    return bool(board.attacks_mask(move.from_square) & chess.BB_SQUARES[move.to_square])


def _steps_twice(board: chess.Board, move: chess.Move) -> bool:
    is_pawn = board.piece_type_at(move.from_square) == chess.PAWN
    return is_pawn and abs(move.from_square - move.to_square) == 16


def _castles_with_right(board: chess.Board, move: chess.Move) -> bool:
    is_king = board.piece_type_at(move.from_square) == chess.KING and board.color_at(move.from_square) == board.turn
    rights = board.castling_rights & chess.BB_RANKS[chess.square_rank(move.from_square)]
    return is_king and bool(rights) and abs(move.from_square - move.to_square) == 2 and move.promotion is None


def _without_knight_promotion(board: chess.Board, move: chess.Move) -> chess.Move:
    is_knight = board.piece_type_at(move.from_square) == chess.KNIGHT
    return chess.Move(move.from_square, move.to_square) if is_knight else move


def _to_queen(move: chess.Move) -> chess.Move:
    return chess.Move(move.from_square, move.to_square, chess.QUEEN) if move.promotion else move


Methods = dict[str, Callable[..., Any]]
PREDICATES: dict[str, Methods] = {
    "check-by-knight-forgotten": {"is_check": _is_slider_check},
    "mate-without-check": {"is_checkmate": lambda board: not any(board.legal_moves)},
    "stalemate-in-check": {"is_stalemate": lambda board: not any(board.legal_moves)},
    "stalemate-of-lone-king-only": {
        "is_stalemate": lambda board: CORRECT.is_stalemate(board) and chess.popcount(board.occupied_co[board.turn]) == 1
    },
    "three-pieces-are-insufficient": {"is_insufficient_material": lambda board: chess.popcount(board.occupied) <= 3},
    "knight-is-sufficient": {
        "is_insufficient_material": lambda board: CORRECT.is_insufficient_material(board) and not board.knights
    },
    "repetition-ignores-rights": {
        "is_repetition": lambda board, count=3: _count_repetitions(board, count, _without_rights)
    },
    "repetition-without-first-position": {
        "is_repetition": lambda board, count=3: CORRECT.is_repetition(board, count + 1)
    },
    "fifty-moves-are-fifty-plies": {"is_fifty_moves": lambda board: board.halfmove_clock >= 50},
    "fifty-moves-one-late": {"is_fifty_moves": lambda board: board.halfmove_clock > 100},
    "discovered-check-forgotten": {"gives_check": _gives_direct_check},
    "castling-check-forgotten": {
        "gives_check": lambda board, move: not board.is_castling(move) and CORRECT.gives_check(board, move)
    },
    "pinned-en-passant-is-legal": {
        "is_legal": lambda board, move: (
            CORRECT.is_legal(board, move)
            or (board.is_pseudo_legal(move) and board.is_en_passant(move) and not board.is_check())
        )
    },
    "knight-need-not-answer-check": {
        "is_legal": lambda board, move: (
            CORRECT.is_legal(board, move)
            or (board.is_pseudo_legal(move) and board.is_check() and bool(board.knights >> move.from_square & 1))
        )
    },
    "castling-is-always-legal": {
        "is_legal": lambda board, move: CORRECT.is_legal(board, move) or _castles_with_right(board, move)
    },
    "knight-may-promote": {
        "is_legal": lambda board, move: CORRECT.is_legal(board, _without_knight_promotion(board, move))
    },
    "enemy-knight-is-pseudo-legal": {
        "is_pseudo_legal": lambda board, move: (
            CORRECT.is_pseudo_legal(board, move) or _moves_knight_of_enemy(board, move)
        )
    },
    "double-step-is-not-pseudo-legal": {
        "is_pseudo_legal": lambda board, move: CORRECT.is_pseudo_legal(board, move) and not _steps_twice(board, move)
    },
    "ambiguous-san": {"san": _ambiguous},
    "san-without-mate-by-black": {
        "san": lambda board, move: CORRECT.san(board, move).replace("#", "#" if board.turn else "+")
    },
    "san-of-promotion-to-queen": {"san": lambda board, move: CORRECT.san(board, _to_queen(move))},
    "parse-san-prefers-queen": {
        "parse_san": lambda board, text: CORRECT.parse_san(board, text.rstrip("+#").replace("=N", "=Q"))
    },
}
"""Faults of predicates, with the methods that replace those of a correct board."""


def _features(change: Callable[[tuple[Any, ...]], tuple[Hashable, ...] | None]) -> Methods:
    """Return the method of a board whose key has changed features, without those that become None."""

    def features(board: Board) -> Iterator[tuple[Hashable, ...]]:
        yield from filter(None, map(change, Board.features(board)))

    return {"features": features}


def _pieces(change: Callable[[int, bool, int], tuple[Hashable, ...] | None]) -> Methods:
    """Return the method of a board whose key has changed features of pieces."""
    return _features(lambda one: change(*one[1:]) if one[0] == "piece" else one)


def _left(choose: Callable[[chess.Board, chess.Move], object]) -> Methods:
    """Return the method of a board that leaves a word in the key after the moves that are chosen."""
    return {"left": lambda board, move: word("left", move.to_square) if choose(board, move) else 0}


def _pop_without_key(board: Board) -> chess.Move:
    board.keys.pop()
    return CORRECT.pop(board)


def _takes_rook_with_right(board: chess.Board, move: chess.Move) -> bool:
    return bool(chess.BB_SQUARES[move.to_square] & board.castling_rights) and board.is_capture(move)


def _with_any_en_passant(board: Board) -> Iterator[tuple[Hashable, ...]]:
    yield from (one for one in Board.features(board) if one[0] != "en passant")
    if board.ep_square is not None:
        yield "en passant", board.ep_square


KEYS: dict[str, Methods] = {
    "no-king": _pieces(lambda square, color, kind: None if kind == chess.KING else (square, color, kind)),
    "colors-alike": _pieces(lambda square, _color, kind: (square, kind)),
    "rook-is-queen": _pieces(lambda square, color, kind: (square, color, 4 if kind == chess.QUEEN else kind)),
    "squares-by-rank": _pieces(lambda square, color, kind: (square // 8, color, kind)),
    "no-turn": _features(lambda one: None if one[0] == "turn" else one),
    "no-rights": _features(lambda one: None if one[0] == "right" else one),
    "one-word-for-rights": _features(lambda one: ("right",) if one[0] == "right" else one),
    "no-en-passant": _features(lambda one: None if one[0] == "en passant" else one),
    "en-passant-victim-stays": _left(lambda board, move: board.is_en_passant(move)),
    "captured-piece-stays": _left(lambda board, move: board.is_capture(move) and not board.is_en_passant(move)),
    "promoted-pawn-stays": _left(lambda _board, move: move.promotion),
    "castled-rook-stays": _left(lambda board, move: board.is_castling(move)),
    "right-of-captured-rook-stays": _left(_takes_rook_with_right),
    "key-not-taken-back": {"pop": _pop_without_key},
}
"""Faults of keys, with the methods that replace those of a correct board."""
HABITS: dict[str, Methods] = {"none": {}, "useless-en-passant": {"features": _with_any_en_passant}}
"""Boards without faults; the key of one includes each en passant square."""


def board_with(name: str) -> type[Board]:
    """Return the class with the fault or habit of this name."""
    return type("Board", (Board,), {**PREDICATES, **KEYS, **HABITS}[name])
