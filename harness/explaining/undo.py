"""Positions that result if a move is made or taken back incorrectly, and explanations of these errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...generator.position import Position
from ...generator.types.moves import Move, MoveKind
from ...generator.types.pieces import Color, Pieces, PieceType, with_piece, without
from ...generator.types.squares import name_of, pushed_pawn, squares_in
from .rules import NAMES, Explanation, Rule, because, join_words, side_name, the

_PROMOTIONS = (PieceType.QUEEN, PieceType.ROOK, PieceType.BISHOP, PieceType.KNIGHT)


def misplays(position: Position, move: Move) -> Iterator[Position]:
    """Yield incorrect but playable positions that an engine may reach by making a legal move incorrectly."""
    child = position.play_unchecked(move)
    for wrong in (
        *_wrong_rights(position, child),
        *_wrong_en_passant(position, move, child),
        *_wrong_pieces(move, child),
        replace(child, turn=position.turn, en_passant=None),  # the side to move has not changed
        replace(
            child, pieces=position.pieces, castling=position.castling, en_passant=None
        ),  # only the side to move has changed
    ):
        try:
            yield Position.from_fen(wrong.fen(), wrong.chess960)
        except ValueError:  # the game cannot continue from it
            continue


def _wrong_rights(position: Position, child: Position) -> Iterator[Position]:
    """Yield positions that keep a castling right that the move ends, or lack rights that should remain."""
    for rook in squares_in(position.castling & ~child.castling):
        yield replace(child, castling=child.castling | 1 << rook)
    for color in Color:
        rights = child.castling & 0xFF << 8 * color.back_rank
        if rights:
            yield replace(child, castling=child.castling & ~rights)
        for rook in squares_in(rights) if rights & (rights - 1) else ():
            yield replace(child, castling=child.castling & ~(1 << rook))


def _wrong_en_passant(position: Position, move: Move, child: Position) -> Iterator[Position]:
    if child.en_passant is not None:
        yield replace(child, en_passant=None)
    elif position.en_passant is not None:
        yield replace(child, en_passant=position.en_passant)
    if move.kind is MoveKind.EN_PASSANT:
        victim = pushed_pawn(move.target)
        yield replace(child, pieces=with_piece(child.pieces, child.turn, PieceType.PAWN, victim))


def _wrong_pieces(move: Move, child: Position) -> Iterator[Position]:
    mover = child.turn.other
    if move.kind is MoveKind.CASTLING:
        rookless = without(child.pieces, 1 << move.rook_landing)
        yield replace(child, pieces=with_piece(rookless, mover, PieceType.ROOK, move.target))
        return
    if move.promotion is not None:
        lifted = without(child.pieces, 1 << move.target)
        for kind in _PROMOTIONS:
            if kind is not move.promotion:
                yield replace(child, pieces=with_piece(lifted, mover, kind, move.target))
    piece = child.piece_at(move.target)
    if piece is not None and piece[1] is not PieceType.KING:
        yield replace(child, pieces=with_piece(child.pieces, mover, piece[1], move.origin))


FEN_FIELDS = ("placement", "side to move", "castling field", "en passant square", "halfmove clock", "move number")


@dataclass(frozen=True)
class FailedUndo:
    """A position that results if a move is taken back incorrectly, and the explanation."""

    position: Position
    why: Explanation


def failed_undos(position: Position, move: Move) -> Iterator[FailedUndo]:
    """Yield playable positions that may result if a legal move is taken back incorrectly."""
    for changed, why in (*_without_rights(position, move), *_without_restored_pieces(position, move)):
        try:
            playable = Position.from_fen(changed.fen(), changed.chess960)
        except ValueError:  # for example if the rook of a castling right is missing
            continue
        yield FailedUndo(playable, why)


def explain_undo(
    position: Position, move: Move, before: str, after: str, gone: Sequence[str] = (), new: Sequence[str] = ()
) -> Explanation:
    """Explain how a position has changed after a legal move was made and taken back.

    `before` and `after` are the engine's FENs, or both empty if it prints none. In that case the explanation uses the
    moves that are listed only before (`gone`) or only after (`new`).
    """
    if not after:
        return because(Rule.UNDO_POSITION, f"{_undo_clause(position, move)}, {_other_moves(gone, new)}.")
    for leftover in failed_undos(position, move):
        if leftover.position.fen().split()[:3] == after.split()[:3]:
            return leftover.why
    fields = zip(FEN_FIELDS, before.split(), after.split(), strict=False)
    changed = [f"the {name} is {now} instead of {then}" for name, then, now in fields if now != then]
    shown = join_words(changed) if changed else f"the position is {after} instead of {before}"
    rule = Rule.UNDO_CASTLING_RIGHT if _only_rights_are_gone(before, after) else Rule.UNDO_POSITION
    return because(rule, f"{_undo_clause(position, move)}, {shown}.")


MOST_NAMED = 4
"""Maximum number of moves to name if lists differ."""


def _other_moves(gone: Sequence[str], new: Sequence[str]) -> str:
    """Describe the moves that are listed only before, or only after, the move was made and taken back."""
    clauses = []
    for moves, text in ((gone, "not listed any more"), (new, "listed and {was} not before")):
        if moves:
            shown = [*moves[:MOST_NAMED], *[f"{len(moves) - MOST_NAMED} more"] * (len(moves) > MOST_NAMED)]
            verb, was = ("is", "was") if len(moves) == 1 else ("are", "were")
            clauses.append(f"{join_words(shown)} {verb} {text.format(was=was)}")
    return ", and ".join(clauses) or "moves are listed another number of times than before"


def _only_rights_are_gone(before: str, after: str) -> bool:
    """Return True if two FENs differ only in castling rights, and the second FEN has fewer of them."""
    (*pieces, then, _), (*same, now, _) = before.split()[:4], after.split()[:4]
    return pieces == same and set(now) - {"-"} < set(then)


def _without_rights(position: Position, move: Move) -> Iterator[tuple[Position, Explanation]]:
    """Yield positions in which castling rights that the move ends are not restored."""
    lost = position.castling & ~position.play_unchecked(move).castling
    for rooks in (lost, *(1 << rook for rook in squares_in(lost) if lost & (lost - 1))):
        if rooks:
            yield replace(position, castling=position.castling & ~rooks), _right_is_gone(position, move, rooks)


def _right_is_gone(position: Position, move: Move, rooks: int) -> Explanation:
    squares = squares_in(rooks)
    color = next(color for color in Color if squares[0] // 8 == color.back_rank)
    sides = join_words([side_name(rook > position.king(color)) for rook in squares])
    text = f"{_undo_clause(position, move)}, {color.word}'s right to castle {sides} does not come back."
    return because(Rule.UNDO_CASTLING_RIGHT, text, position.king(color), *squares)


def _without_restored_pieces(position: Position, move: Move) -> Iterator[tuple[Position, Explanation]]:
    """Yield positions in which a piece is not restored.

    Ordinary moves are omitted, because an engine that does not take them back would count hardly anything correctly.
    """
    if move.kind is MoveKind.CASTLING:
        yield _castling_rook_stays(position, move)
        return
    if position.is_capture(move):
        yield from _lose_captured(position, move)
    if move.promotion is not None:
        yield _promoted_piece_stays(position, move, move.promotion)


def _castling_rook_stays(position: Position, move: Move) -> tuple[Position, Explanation]:
    rook_to = move.rook_landing
    pieces = with_piece(without(position.pieces, 1 << move.target), position.turn, PieceType.ROOK, rook_to)
    home = name_of(move.target)
    text = f"{_undo_clause(position, move)}, the rook stays on {name_of(rook_to)}, and does not go back to {home}."
    return _replace_pieces(position, pieces, 1 << move.target), because(
        Rule.UNDO_CASTLING_ROOK, text, rook_to, move.target
    )


def _lose_captured(position: Position, move: Move) -> Iterator[tuple[Position, Explanation]]:
    is_en_passant = move.kind is MoveKind.EN_PASSANT
    victim = pushed_pawn(move.target) if is_en_passant else move.target
    start, taken = _undo_clause(position, move), the(position, victim)
    gone = without(position.pieces, 1 << victim)
    yield (
        _replace_pieces(position, gone, 1 << victim),
        because(Rule.UNDO_CAPTURE, f"{start}, {taken} does not come back.", victim),
    )
    if is_en_passant:
        text = f"{start}, {taken} comes back on {name_of(move.target)}."
        pieces = with_piece(gone, position.turn.other, PieceType.PAWN, move.target)
        yield _replace_pieces(position, pieces, 1 << victim), because(Rule.UNDO_CAPTURE, text, victim, move.target)


def _promoted_piece_stays(position: Position, move: Move, promotion: PieceType) -> tuple[Position, Explanation]:
    pieces = with_piece(without(position.pieces, 1 << move.origin), position.turn, promotion, move.origin)
    stands = f"a {NAMES[promotion]} stands on {name_of(move.origin)} instead of the pawn"
    text = f"{_undo_clause(position, move)}, {stands}."
    return _replace_pieces(position, pieces, 0), because(Rule.UNDO_PROMOTION, text, move.origin)


def _replace_pieces(position: Position, pieces: Pieces, touched: int) -> Position:
    """Return the position with other pieces, and without the castling rights of rooks that are no longer there."""
    passed = position.en_passant
    kept = None if passed is None or touched >> pushed_pawn(passed) & 1 else passed
    return replace(position, pieces=pieces, castling=position.castling & ~touched, en_passant=kept)


def _undo_clause(position: Position, move: Move) -> str:
    return f"Once {position.san(move)} is taken back"
