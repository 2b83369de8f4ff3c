"""The command `position`: from its words to a position, or to one line that says why there is none."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UsageError
from ...generator.notation.fen import START_FEN
from ...generator.position import Position
from ...generator.validation import FenError


def position_of(words: Sequence[str], chess960: bool) -> Position:
    """Return the position of the words behind `position`. Raises UsageError.

    Without `chess960` a position is one of Chess960 where its castling rights need it.
    """
    end = words.index("moves") if "moves" in words else len(words)
    position = _base(words[:end], chess960)
    for number, text in enumerate(words[end + 1 :], 1):
        position = _played(position, text, number)
    return position


def _base(words: Sequence[str], chess960: bool) -> Position:
    match words:
        case ["startpos"]:
            fen = START_FEN
        case ["fen", *fields]:
            fen = " ".join(fields)
        case _:
            raise UsageError("invalid position: it is 'startpos' or 'fen FEN', and then may have 'moves MOVE ...'")
    try:
        return Position.from_fen(fen, chess960 or None)
    except FenError as error:
        raise UsageError(f"invalid FEN: {error}") from None


def _played(position: Position, text: str, number: int) -> Position:
    """Return the position after a move. The piece of a promotion may be an upper-case letter."""
    try:
        return position.play_unchecked(position.parse_uci(text[:4] + text[4:].lower()))
    except ValueError as error:
        raise UsageError(f"illegal move {number}: {error}") from None
