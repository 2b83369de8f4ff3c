"""Explain differences between an engine's position after a legal move and the correct one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import Color, PieceType, piece_of
from ...generator.types.squares import FILES, name_of, pushed_pawn, squares_in
from .rules import NAMES, Explanation, Rule, because, join_words, name_at, sentence_case, side_name, the

Board = dict[int, tuple[Color, PieceType]]
"""The pieces by square. The position may be impossible."""


def read_board(text: str) -> Board | str:
    """Return the board in the first field of a FEN, or the reason why the field is unreadable."""
    rows = text.split("/")
    if len(rows) != 8:
        return f"the board has {len(rows)} ranks instead of 8"
    board: Board = {}
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
                continue
            if letter not in "pnbrqkPNBRQK" or file > 7:
                break
            board[rank * 8 + file] = piece_of(letter)
            file += 1
        else:
            if file == 8:
                continue
        return f"rank {rank + 1} is {row[:20]!r}, which does not describe eight squares"
    return board


def explain_placement(position: Position, move: Move | None, expected: Board, got: Board) -> Explanation | None:
    """Explain the most informative square on which two boards differ; all of these squares are listed."""
    wrong = {square for square in range(64) if expected.get(square) != got.get(square)}
    if not wrong:
        return None
    others = sorted(wrong)
    for square, text in _squares_of_move(position, move) if move is not None else ():
        if square in wrong and square in expected:
            return because(
                Rule.PLACEMENT, sentence_case(f"{text}, but {_describe_square(got, square)}."), square, *others
            )
        if square in wrong and got[square] == position.piece_at(square):
            return because(Rule.PLACEMENT, sentence_case(f"{text}."), square, *others)
    return because(Rule.PLACEMENT, _describe_untouched(position, move, others[0], expected, got), *others)


def _squares_of_move(position: Position, move: Move) -> Iterator[tuple[int, str]]:
    """Yield the squares that a move changes, most informative first, each with a sentence about it."""
    origin, target = move.origin, move.target
    mover = name_at(position, origin)
    left = f"the {mover} that moved to {name_of(target)} is still on {name_of(origin)}, too"
    if move.kind is MoveKind.CASTLING:
        rook_to = move.rook_landing
        yield move.landing, f"after castling the king should stand on {name_of(move.landing)}"
        yield rook_to, f"after castling the rook should stand on {name_of(rook_to)}"
        yield target, f"the rook that castled is still on {name_of(target)}, too"
        yield origin, f"the king that castled is still on {name_of(origin)}, too"
    elif move.kind is MoveKind.EN_PASSANT:
        victim = pushed_pawn(target)
        yield victim, f"the pawn on {name_of(victim)}, taken en passant, is still there"
        yield target, f"the pawn that took en passant should stand on {name_of(target)}"
        yield origin, left
    elif move.promotion is not None:
        yield target, f"the pawn should become a {NAMES[move.promotion]} on {name_of(target)}"
        yield origin, f"the pawn that promoted is still on {name_of(origin)}, too"
    else:
        yield target, f"the {mover} should stand on {name_of(target)}"
        yield origin, left


def _describe_untouched(position: Position, move: Move | None, square: int, expected: Board, got: Board) -> str:
    """Return a sentence about a square that the move does not touch."""
    name = name_of(square)
    if square not in expected:
        return f"There should be nothing on {name}, but {_describe_square(got, square)}."
    color, kind = expected[square]
    if square in got:
        return f"{color.word}'s {NAMES[kind]} should stand on {name}, but {_describe_square(got, square)}."
    vanished = f"{color.word}'s {NAMES[kind]} on {name} has vanished"
    if move is not None and move.target == position.en_passant and abs(square - move.target) == 8:
        mover = the(position, move.origin)
        return f"{vanished}, but {mover} does not take en passant by going to {name_of(move.target)}."
    return f"{vanished}, though the move does not touch it."


def _describe_square(board: Board, square: int) -> str:
    if square not in board:
        return "nothing is there"
    color, kind = board[square]
    return f"{color.word}'s {NAMES[kind]} is there"


class CastlingRight(NamedTuple):
    """A side's right to castle king-side or queen-side."""

    color: Color
    king_side: bool


class WrongRight(NamedTuple):
    """The rule that is broken if a castling right is incorrectly kept or lost, and the reason."""

    rule: Rule
    color: Color
    reason: str


def explain_rights(
    position: Position, move: Move | None, expected: tuple[Board, str], got: tuple[Board, str]
) -> list[Explanation]:
    """Explain the castling rights in which two FENs differ, each given as its board and castling field.

    If both rights of a side are incorrect for the same reason, they share an explanation.
    """
    right, wrong = _read_rights(position, *expected), _read_rights(position, *got)
    found: dict[WrongRight, list[CastlingRight]] = {}
    for key in (CastlingRight(color, king_side) for color in Color for king_side in (True, False)):
        wrong_right = _wrong_right(position, move, key, right, wrong)
        if wrong_right is not None:
            found.setdefault(wrong_right, []).append(key)
    return [_explain_right(position, wrong_right, keys) for wrong_right, keys in found.items()]


def _wrong_right(
    position: Position,
    move: Move | None,
    key: CastlingRight,
    right: dict[CastlingRight, int | None],
    wrong: dict[CastlingRight, int | None],
) -> WrongRight | None:
    if key in wrong and key not in right:
        return WrongRight(Rule.CASTLING_RIGHT_KEPT, key.color, _why_gone(position, move, key))
    if key not in right:
        return None
    if key not in wrong:
        return WrongRight(Rule.CASTLING_RIGHT_LOST, key.color, "the move touches neither the king nor the rook")
    rook, other = right[key], wrong[key]
    if rook is not None and other is not None and rook != other:
        return WrongRight(Rule.CASTLING_RIGHT_LOST, key.color, f"it belongs to {_rook(rook)}, not to {_rook(other)}")
    return None


def _why_gone(position: Position, move: Move | None, key: CastlingRight) -> str:
    rook = _rook_before(position, key)
    if rook is None:
        return "it was not there before the move"
    if move is None:
        return "the move ends it"
    if move.origin == position.king(key.color):
        return "the king has castled" if move.kind is MoveKind.CASTLING else "the king has moved"
    if move.origin == rook:
        return f"{_rook(rook)} has moved"
    return f"{_rook(rook)} was captured"


def _rook(square: int) -> str:
    return f"the rook on {name_of(square)}"


def _explain_right(position: Position, wrong: WrongRight, keys: list[CastlingRight]) -> Explanation:
    sides = join_words([side_name(key.king_side) for key in keys])
    should = "should be gone" if wrong.rule is Rule.CASTLING_RIGHT_KEPT else "should still be there"
    rooks = [rook for key in keys if (rook := _rook_before(position, key)) is not None]
    text = f"{wrong.color.word}'s right to castle {sides} {should}: {wrong.reason}."
    return because(wrong.rule, text, position.king(wrong.color), *rooks)


def _rook_before(position: Position, key: CastlingRight) -> int | None:
    """Return the square of the rook to which a castling right belonged before the move."""
    king = position.king(key.color)
    for rook in squares_in(position.castling):
        if rook // 8 == key.color.back_rank and (rook > king) is key.king_side:
            return rook
    return None


def _read_rights(position: Position, board: Board, text: str) -> dict[CastlingRight, int | None]:
    """Map the rights in a castling field to the squares of their rooks, or to None if there is no such rook.

    Letters that do not denote a right are ignored.
    """
    rights: dict[CastlingRight, int | None] = {}
    for letter in text:
        color = Color.WHITE if letter.isupper() else Color.BLACK
        king, side = position.king(color), letter.lower()
        if side in ("k", "q"):
            key = CastlingRight(color, side == "k")
            rights[key] = _outermost(board, king, key)
        elif side in FILES:
            square = color.back_rank * 8 + FILES.index(side)
            rights[CastlingRight(color, square > king)] = square
    return rights


def _outermost(board: Board, king: int, key: CastlingRight) -> int | None:
    rank = range(key.color.back_rank * 8, key.color.back_rank * 8 + 8)
    rooks = [square for square in rank if board.get(square) == (key.color, PieceType.ROOK)]
    found = [square for square in rooks if (square > king) is key.king_side]
    return (max(found) if key.king_side else min(found)) if found else None


_RIGHT = re.compile("[KQkqA-Ha-h]")
_EN_PASSANT = re.compile("-|[a-h][1-8]")


@dataclass(frozen=True)
class Fen:
    """The fields of a FEN as text; only the board is parsed."""

    board: Board
    side: str
    castling: str
    en_passant: str
    counters: tuple[str, ...]


def explain_state(position: Position, uci: str, expected_fen: str, engine_fen: str) -> tuple[Explanation, ...]:
    """Explain each difference between the correct FEN after a legal move and an engine's FEN.

    The explanations are in the order of the fields, with one for each side and reason in the case of castling rights.
    All conventions for the en passant square are accepted (always, only if a pseudo-legal capture exists, only if a
    legal one exists). FENs without counters and all notations for castling rights are accepted as well.
    """
    expected, got = _read_fen(expected_fen), _read_fen(engine_fen)
    for whose, fen in (("true", expected), ("engine's", got)):
        if isinstance(fen, str):
            return (because(Rule.UNREADABLE_FEN, f"The {whose} position after {uci[:20]!r} cannot be read: {fen}."),)
    assert isinstance(expected, Fen)
    assert isinstance(got, Fen)
    played = _Played(position, _legal(position, uci))
    before = _read_fen(position.fen())
    is_before = isinstance(before, Fen) and (got.board, got.side) == (before.board, before.side)
    if played.move is not None and is_before:
        return (because(Rule.MOVE_NOT_PLAYED, f"The position is still the one before {uci}, which was not played."),)
    found = [
        explain_placement(position, played.move, expected.board, got.board),
        _side(expected, got),
        *_castling(played, expected, got),
        _unreadable_en_passant(got) or _en_passant(played, expected, got),
        _unreadable_clock("halfmove clock", got.counters[:1]) or _halfmove(played, expected, got),
        _unreadable_clock("move number", got.counters[1:]) or _move_number(expected, got),
    ]
    return tuple(explanation for explanation in found if explanation is not None)


@dataclass(frozen=True)
class _Played:
    """A position, the move played in it if it was legal, and the resulting position."""

    position: Position
    move: Move | None

    @cached_property
    def child(self) -> Position | None:
        return None if self.move is None else self.position.play_unchecked(self.move)


def _legal(position: Position, uci: str) -> Move | None:
    try:
        return position.parse_uci(uci)
    except ValueError:
        return None


def _read_fen(text: str) -> Fen | str:
    """Return the fields of a FEN, or the reason why it is unreadable."""
    parts = text.split()
    if len(parts) < 4:
        return f"a FEN has six fields, or four without the counters, not {len(parts)}"
    board = read_board(parts[0])
    if isinstance(board, str):
        return board
    if parts[1] not in ("w", "b"):
        return f"the side to move is {parts[1][:20]!r} instead of 'w' or 'b'"
    return Fen(board, parts[1], parts[2], parts[3], tuple(parts[4:6]))


def _side(expected: Fen, got: Fen) -> Explanation | None:
    if expected.side == got.side:
        return None
    mover, other = ("Black", "White") if expected.side == "w" else ("White", "Black")
    return because(Rule.SIDE_TO_MOVE, f"{mover} has moved, so it should be {other}'s turn.")


def _castling(played: _Played, expected: Fen, got: Fen) -> list[Explanation]:
    unknown = next((letter for letter in got.castling if not _RIGHT.fullmatch(letter)), None)
    if unknown is not None and got.castling != "-":
        text = f"The castling field of the FEN is {got.castling[:20]!r}, in which {unknown!r} stands for no right."
        return [because(Rule.UNREADABLE_CASTLING, text)]
    return explain_rights(played.position, played.move, (expected.board, expected.castling), (got.board, got.castling))


def _unreadable_en_passant(got: Fen) -> Explanation | None:
    if _EN_PASSANT.fullmatch(got.en_passant):
        return None
    text = f"The en passant field of the FEN is {got.en_passant[:20]!r}, which is neither a square nor '-'."
    return because(Rule.UNREADABLE_EN_PASSANT, text)


def _unreadable_clock(name: str, field: tuple[str, ...]) -> Explanation | None:
    if not field or field[0].isdecimal():
        return None
    return because(Rule.UNREADABLE_CLOCKS, f"The {name} of the FEN is {field[0][:20]!r}, which is no number.")


def _en_passant(played: _Played, expected: Fen, got: Fen) -> Explanation | None:
    child = played.child
    if child is None:
        true, optional = expected.en_passant, False
    else:
        true = "-" if child.en_passant is None else name_of(child.en_passant)
        optional = child.legal_en_passant is None
    if got.en_passant == true or (optional and got.en_passant == "-"):
        return None
    return because(Rule.EN_PASSANT_SQUARE, f"{_wrong_square(played, true, got.en_passant)}.")


def _wrong_square(played: _Played, true: str, written: str) -> str:
    shown = written[:20]
    move, child = played.move, played.child
    if true == "-":
        before = played.position.en_passant
        if before is not None and written == name_of(before):
            return f"The en passant square {written} should be gone, for it lasts only one move"
        return f"There should be no en passant square {shown}, for no pawn has moved two squares"
    if move is None or child is None:
        return f"The en passant square should be {true}, not {shown}"
    step = f"The pawn's double step from {name_of(move.origin)} to {name_of(move.target)}"
    if written != "-":
        return f"{step} passes {true}, which should be the en passant square, not {shown}"
    taker = next(reply.origin for reply in child.legal_moves if reply.kind is MoveKind.EN_PASSANT)
    return f"{step} should make {true} the en passant square, where {the(child, taker)} may take"


def _halfmove(played: _Played, expected: Fen, got: Fen) -> Explanation | None:
    if not expected.counters or not got.counters or _same_number(expected.counters[0], got.counters[0]):
        return None
    reason = ""
    if played.move is not None:
        piece = played.position.piece_at(played.move.origin)
        if piece is not None and piece[1] is PieceType.PAWN:
            reason = ": a pawn move resets it"
        elif played.position.is_capture(played.move):
            reason = ": a capture resets it"
        else:
            reason = ": it counts every move that is neither a capture nor by a pawn"
    text = f"The halfmove clock should be {expected.counters[0]}, not {got.counters[0][:20]}{reason}."
    return because(Rule.HALFMOVE_CLOCK, text)


def _move_number(expected: Fen, got: Fen) -> Explanation | None:
    if len(expected.counters) < 2 or len(got.counters) < 2 or _same_number(expected.counters[1], got.counters[1]):
        return None
    reason = "it grows after each move of Black" if expected.side == "w" else "it grows only after Black has moved"
    text = f"The move number should be {expected.counters[1]}, not {got.counters[1][:20]}: {reason}."
    return because(Rule.MOVE_NUMBER, text)


def _same_number(first: str, second: str) -> bool:
    return first == second or (first.isdecimal() and second.isdecimal() and int(first) == int(second))
