"""How an engine's position after a legal move differs from the true one: the errors of its make-move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from ....generator.position import Position
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import Kind
from ....generator.types.squares import name_of
from ..rules import Explanation, Rule, because, the
from .placement import Board, explain_placement, explain_rights, read_board

_RIGHT = re.compile("[KQkqA-Ha-h]")
_EN_PASSANT = re.compile("-|[a-h][1-8]")


@dataclass(frozen=True)
class Fen:
    """The fields of a FEN as written; only the board has been read."""

    board: Board
    side: str
    castling: str
    en_passant: str
    counters: tuple[str, ...]


def explain_state(position: Position, uci: str, expected_fen: str, engine_fen: str) -> tuple[Explanation, ...]:
    """Explain each difference between the true FEN after a legal move and an engine's.

    Explanations come in the order of the fields; castling rights have one for each side and reason.
    Every custom of writing the en passant square is accepted (always, only if a pawn may take
    pseudo-legally, only if legally), as are a FEN without counters and every way to write rights.
    """
    expected, got = _read(expected_fen), _read(engine_fen)
    for whose, fen in (("true", expected), ("engine's", got)):
        if isinstance(fen, str):
            return (because(Rule.UNREADABLE_FEN, f"The {whose} position after {uci[:20]!r} cannot be read: {fen}."),)
    assert isinstance(expected, Fen)
    assert isinstance(got, Fen)
    played = _Played(position, _legal(position, uci))
    if played.move is not None and _is_before(position, got):
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
    """A position, the move played in it if that was legal, and the position after it."""

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


def _read(text: str) -> Fen | str:
    """Return the fields of a FEN, or what makes it unreadable."""
    parts = text.split()
    if len(parts) < 4:
        return f"a FEN has six fields, or four without the counters, not {len(parts)}"
    board = read_board(parts[0])
    if isinstance(board, str):
        return board
    if parts[1] not in ("w", "b"):
        return f"the side to move is {parts[1][:20]!r} instead of 'w' or 'b'"
    return Fen(board, parts[1], parts[2], parts[3], tuple(parts[4:6]))


def _is_before(position: Position, got: Fen) -> bool:
    before = _read(position.fen())
    return isinstance(before, Fen) and (got.board, got.side) == (before.board, before.side)


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
        if piece is not None and piece[1] is Kind.PAWN:
            reason = ": a pawn move starts it anew"
        elif played.position.is_capture(played.move):
            reason = ": a capture starts it anew"
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
