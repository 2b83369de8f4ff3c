"""Castling: king and rook at home, one piece that attacks a square that matters, or takes a right away."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from ...generator.events import Event
from ...generator.reachability.attacks import between, leaps
from ...generator.types.pieces import Color, PieceType
from ..scene import A_FILE, ALL_BUT_KING, OFFICERS, RANKS, THEM, US, PiecePlacement, Template, bits

_HOME = 4


class Wing(NamedTuple):
    """The squares of White's castling to one side; for Black they are eight ranks up."""

    rook: int
    king_to: int
    rook_to: int

    def of(self, color: Color) -> Wing:
        """Return the squares of one side's castling."""
        return Wing(*(square + 8 * color.back_rank for square in self))


KINGSIDE, QUEENSIDE = Wing(7, 6, 5), Wing(0, 2, 3)
_WINGS = (KINGSIDE, QUEENSIDE)


def put_home(scene: PiecePlacement, color: Color, wings: tuple[Wing, ...] = _WINGS, right: bool = True) -> Wing:
    """Put a king and one rook on their squares of standard chess, with the right to castle; return the wing."""
    wing = scene.choose(wings).of(color)
    scene.may_mirror = False
    scene.place(color, PieceType.KING, _HOME + 8 * color.back_rank)
    scene.place(color, PieceType.ROOK, wing.rook)
    if right:
        scene.castling |= 1 << wing.rook
    return wing


def _clear(scene: PiecePlacement, wings: tuple[Wing, ...] = _WINGS) -> Wing:
    """Put our king and rook, with nothing between them."""
    wing = put_home(scene, US, wings)
    scene.keep_between(_HOME, wing.rook)
    return wing


def _gives_check(scene: PiecePlacement) -> None:
    wing = _clear(scene)
    king = scene.put(THEM, PieceType.KING, scene.reach(wing.rook_to, (0, 1)))
    scene.keep_between(king, wing.rook_to)


def _king_was_blocker(scene: PiecePlacement) -> None:
    """Their king stands beyond ours on the first rank, where the rook will check it."""
    wing = _clear(scene)
    king = scene.put(THEM, PieceType.KING, scene.reach(_HOME, (1 if wing.rook < _HOME else -1, 0)))
    scene.keep_between(king, _HOME)


def _rook_or_its_path_attacked(scene: PiecePlacement, wings: tuple[Wing, ...], rook: bool) -> None:
    wing = _clear(scene, wings)
    target = wing.rook if rook else 1
    scene.put_attacker(THEM, target, (scene.choose(OFFICERS),), spare=bits((_HOME, wing.king_to, wing.rook_to)))


def _b_file_occupied(scene: PiecePlacement) -> None:
    """Only the square beside the queen's rook is occupied, over which the king does not pass."""
    put_home(scene, US, (QUEENSIDE,))
    scene.keep(2, 3)
    if scene.flag():
        scene.put(US, scene.choose(OFFICERS), 1 << 1)
    else:
        scene.put(THEM, scene.choose((PieceType.KNIGHT, PieceType.BISHOP)), 1 << 1)


def _attack(scene: PiecePlacement, which: str, kinds: tuple[PieceType, ...] = ALL_BUT_KING) -> None:
    """Exactly one of the king's three squares is attacked: its own, the one passed or the one it lands on."""
    wing = _clear(scene)
    squares = {"start": _HOME, "path": wing.rook_to, "end": wing.king_to}
    target = squares.pop(which)
    kind = scene.choose(kinds)
    spare = bits(squares.values()) if kind is not PieceType.KING else 1 << _HOME
    scene.put_attacker(THEM, target, (kind,), among=~RANKS[0], spare=spare, check=which == "start")


def _take(scene: PiecePlacement, kinds: tuple[PieceType, ...]) -> None:
    """A piece of White's attacks a rook of Black's that still may castle."""
    wing = put_home(scene, THEM)
    kind = scene.choose(kinds)
    if kind is PieceType.KING:
        scene.put(US, kind, leaps(US, kind, wing.rook))
    else:
        scene.put_attacker(US, wing.rook, (kind,))
    scene.put_last_mover()


def _rook_takes_rook(scene: PiecePlacement) -> None:
    """Two rooks that may castle face each other along the edge."""
    wing = put_home(scene, US)
    put_home(scene, THEM, (wing,))
    scene.keep_between(wing.rook, wing.rook + 56)
    scene.put_last_mover()


def _foreign_rook(scene: PiecePlacement) -> None:
    """A rook of Black's in the corner beside White's king at home, sometimes with something between them."""
    wing = scene.choose(_WINGS)
    scene.may_mirror = False
    scene.place(US, PieceType.KING, _HOME)
    scene.place(THEM, PieceType.ROOK, wing.rook)
    if scene.flag():
        scene.put(scene.choose((US, THEM)), PieceType.KNIGHT, between(_HOME, wing.rook))


def _other_rook_on_file(scene: PiecePlacement) -> None:
    """A second rook on the file of one that still may castle."""
    wing = put_home(scene, US)
    scene.put(US, PieceType.ROOK, A_FILE << wing.rook)


def _other_rook_taken(scene: PiecePlacement) -> None:
    """A second rook between their king and the one that still may castle can be taken."""
    wing = put_home(scene, THEM)
    rook = scene.put(THEM, PieceType.ROOK, between(_HOME + 56, wing.rook))
    scene.put_attacker(US, rook, (scene.choose(OFFICERS),))


def _looks_like_castling(scene: PiecePlacement) -> None:
    """A rook or queen on the king's square can move as if it were a king that castles."""
    scene.may_mirror = False
    piece = scene.put(US, scene.choose((PieceType.ROOK, PieceType.QUEEN)), 1 << _HOME)
    target = scene.choose(_WINGS).king_to
    scene.keep(target)
    scene.keep_between(piece, target)


TEMPLATES: dict[Event, Template] = {
    Event.CA_OO: partial(_clear, wings=(KINGSIDE,)),
    Event.CA_OOO: partial(_clear, wings=(QUEENSIDE,)),
    Event.CA_GIVES_CHECK: _gives_check,
    Event.CA_CHECK_KING_WAS_BLOCKER: _king_was_blocker,
    Event.CA_OOO_B_ATTACKED_LEGAL: partial(_rook_or_its_path_attacked, wings=(QUEENSIDE,), rook=False),
    Event.CA_ROOK_ATTACKED_LEGAL: partial(_rook_or_its_path_attacked, wings=_WINGS, rook=True),
    Event.CA_OOO_B_OCC_ONLY_PREVENTS: _b_file_occupied,
    Event.CA_PREV_INCHECK_ONLY: partial(_attack, which="start"),
    Event.CA_PREV_PATH_ONLY: partial(_attack, which="path"),
    Event.CA_PREV_DEST_ONLY: partial(_attack, which="end"),
    Event.CA_PREV_PATH_BY_PAWN: partial(_attack, which="path", kinds=(PieceType.PAWN,)),
    Event.CA_PREV_PATH_BY_KING: partial(_attack, which="path", kinds=(PieceType.KING,)),
    Event.CA_LOST_BY_KING_CAPTURE: partial(_take, kinds=(PieceType.KING,)),
    Event.CA_LOST_BY_PIECE_CAPTURE: partial(_take, kinds=OFFICERS),
    Event.CA_LOST_ROOKxROOK_BOTH: _rook_takes_rook,
    Event.CA_LOST_BY_KING_MOVE: partial(put_home, color=US),
    Event.CA_LOST_BY_ROOK_MOVE: partial(put_home, color=US),
    Event.CA_OWN_ROOK_ON_CORNER_NO_RIGHT: partial(put_home, color=US, right=False),
    Event.CA_FOREIGN_ROOK_ON_CORNER_NO_RIGHT: _foreign_rook,
    Event.CA_KEPT_OTHER_ROOK_MOVES: _other_rook_on_file,
    Event.CA_KEPT_OTHER_ROOK_TAKEN: _other_rook_taken,
    Event.CA_UCI_LOOKALIKE: _looks_like_castling,
}
