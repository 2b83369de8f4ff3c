"""Moves as engines write them, read as UCI text: as in games (`Nf3`, `exd8=Q+`), with hyphens, figurines, in words.

What does not depend on the position is read by `bare_move`, the rest by `as_uci`. A text that fits no legal move comes
back as it is if nothing in it names the square that the piece leaves: it is an extra move of the engine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import PieceType
from ...generator.types.squares import name_of, squares_in

UCI_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_FIGURINES = str.maketrans(
    "\N{WHITE CHESS KING}\N{WHITE CHESS QUEEN}\N{WHITE CHESS ROOK}\N{WHITE CHESS BISHOP}\N{WHITE CHESS KNIGHT}"
    "\N{WHITE CHESS PAWN}\N{BLACK CHESS KING}\N{BLACK CHESS QUEEN}\N{BLACK CHESS ROOK}\N{BLACK CHESS BISHOP}"
    "\N{BLACK CHESS KNIGHT}\N{BLACK CHESS PAWN}\N{MULTIPLICATION SIGN}\N{EN DASH}\N{NON-BREAKING HYPHEN}"
    "\N{MINUS SIGN}",
    "KQRBNPKQRBNPx---",
    "\ufe0e\ufe0f",
)
_CASTLING = re.compile(r"(?:[0-9]+\.+)?(?:([Oo0])-\1(-\1)?|OO(O)?)[+#!?]*")
_WRITTEN = re.compile(
    r"(?:[0-9]+\.+)?(?P<piece>[KQRBNP])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<target>[a-h][1-8])"
    r"(?:[=/]?\(?(?P<promotion>[KQRBNPkqrbnp])\)?)?(?:e\.?p\.?)?[+#!?]*"
)
"""A move as in games; the whole square that the piece leaves may be there, as in UCI."""
_LIKE_A_MOVE = re.compile(r"[a-z][0-9]{1,2}[a-z][0-9]{1,2}[a-z]?")
"""Text of the form of UCI that names squares which no board has, such as a2h0, or a promotion that there is not."""
_TARGET = re.compile(r"^[KQRBNP]?[a-h]?[1-8]?(?=[a-h][1-8])")
"""What stands before the target of a move as in games."""
_KINDS = {kind.letter.upper(): kind for kind in PieceType}
LONGEST = 16
"""Characters of a move, however it is written."""


def bare_move(text: str) -> str | None:
    """Return a move text as UCI (`Nb1xc3` is b1c3, `0-0` is O-O), a move as in games without marks (`exd8=Q+` is
    exd8q), or None for a text that is no move.
    """
    if UCI_MOVE.fullmatch(text):
        return text
    text = text[: LONGEST + 1].translate(_FIGURINES)
    if len(text) > LONGEST:
        return None
    if (castling := _CASTLING.fullmatch(text)) is not None:
        return "O-O-O" if castling[2] or castling[3] else "O-O"
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return text if _LIKE_A_MOVE.fullmatch(text) else None
    promotion = (match["promotion"] or "").lower()
    file, rank, target = match["file"] or "", match["rank"] or "", match["target"]
    piece = (match["piece"] or "").replace("P", "")
    return f"{'' if file and rank else piece}{file}{rank}{target}{promotion}"


def legal_moves_of(position: Position, text: str) -> list[Move]:
    """Return the legal moves that a move as in games fits, read by `bare_move`; none for UCI text and for castling."""
    match = _WRITTEN.fullmatch(text)
    if match is None or (match["file"] and match["rank"]):
        return []
    own = position.pieces[position.turn][_KINDS[match["piece"] or "P"]]
    return [
        move
        for move in position.legal_moves
        if move.kind is not MoveKind.CASTLING
        and name_of(move.target) == match["target"]
        and own >> move.origin & 1
        and match["file"] in (None, name_of(move.origin)[0])
        and match["rank"] in (None, name_of(move.origin)[1])
        and match["promotion"] in (None, move.promotion.letter if move.promotion is not None else None)
    ]


def as_uci(position: Position, text: str) -> str:
    """Return a move text as UCI if it is a move, legal or not, whose origin it names, or the only legal move it fits.

    Castling in words and any other text come back as `bare_move` reads them, or as they are.
    """
    bare = bare_move(text)
    if bare is None:
        return text
    if UCI_MOVE.fullmatch(bare) or bare.startswith("O"):
        return bare
    found = legal_moves_of(position, bare)
    if len(found) == 1:
        return found[0].uci()
    origins = _origins(position, bare)
    return f"{name_of(origins[0])}{_TARGET.sub('', bare)}" if not found and len(origins) == 1 else bare


def _origins(position: Position, text: str) -> list[int]:
    """Return the squares of the pieces that an illegal move as in games may move."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return []
    file = match["file"] or (None if match["piece"] else match["target"][0])
    own = position.pieces[position.turn][_KINDS[match["piece"] or "P"]]
    return [
        square
        for square in squares_in(own)
        if file in (None, name_of(square)[0]) and match["rank"] in (None, name_of(square)[1])
    ]


def fits_several(position: Position, texts: Iterable[str]) -> bool:
    """Return True if any text is a move as in games that fits several legal moves."""
    written = (bare_move(text) for text in texts if not UCI_MOVE.fullmatch(text))
    return any(len(legal_moves_of(position, bare)) > 1 for bare in written if bare is not None)
