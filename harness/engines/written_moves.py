"""Convert moves from the notations of engines to UCI: algebraic notation (`Nf3`, `exd8=Q+`), hyphens, figurines.

`bare_move` performs the part that does not depend on the position, and `as_uci` the rest. A move without origin square
that matches no legal move is kept unchanged, as an extra move.
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
"""A move in algebraic notation, possibly with the full origin square as in UCI."""
_LIKE_A_MOVE = re.compile(r"[a-z][0-9]{1,2}[a-z][0-9]{1,2}[a-z]?")
"""Text that looks like UCI but has a nonexistent square, such as a2h0, or an impossible promotion."""
_TARGET = re.compile(r"^[KQRBNP]?[a-h]?[1-8]?(?=[a-h][1-8])")
"""The part before the target square of a move in algebraic notation."""
_KINDS = {kind.letter.upper(): kind for kind in PieceType}
LONGEST = 16
"""Maximum length of a move in any notation."""


def bare_move(text: str) -> str | None:
    """Return a move in a canonical form, or None if the text is not a move.

    That is UCI if the origin is given (`Nb1xc3` becomes b1c3), O-O or O-O-O for castling, and otherwise algebraic
    notation without marks (`exd8=Q+` becomes exd8q).
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
    """Return the legal moves that match a result of `bare_move` in algebraic notation, or [] for UCI and castling."""
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
    """Return a move, legal or not, in UCI notation if its origin is given or can be inferred.

    Otherwise the result of `bare_move` is returned, or the text itself if it is not a move.
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
    """Return the possible origin squares of an illegal move in algebraic notation."""
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
    """Return True if any text is a move in algebraic notation that matches several legal moves."""
    written = (bare_move(text) for text in texts if not UCI_MOVE.fullmatch(text))
    return any(len(legal_moves_of(position, bare)) > 1 for bare in written if bare is not None)
