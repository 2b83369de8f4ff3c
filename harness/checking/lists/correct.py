"""Derive the correct list of a GenType under a convention from perft-check's generator, and compare lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from ....generator import validation
from ....generator.movelist import MoveList
from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ....generator.types.pieces import PieceType
from ....generator.types.squares import square_of
from ...model.conventions import ASKED, CAPTURES, KNIGHTS, LEGAL, LISTED, NONE, PSEUDO_LEGAL, QUIETS, Convention
from ..comparing import pseudo_legal_moves

_ALWAYS = frozenset({GenType.LEGAL})
_IN_CHECK = _ALWAYS | {GenType.EVASIONS}
_STAGES = frozenset({GenType.CAPTURES, GenType.QUIETS, GenType.NON_EVASIONS})
_OUT_OF_CHECK = _ALWAYS | _STAGES | {GenType.QUIET_CHECKS}


class MoveCategory(Enum):
    """Categories of moves, which conventions assign to lists; values are headings."""

    CAPTURE = "Capture"
    QUIET = "Move that captures nothing"
    EN_PASSANT = "En passant"
    CASTLING = "Castling"
    QUEEN_PUSH = "Promotion to a queen by push"
    QUEEN_CAPTURE = "Promotion to a queen by capture"
    UNDERPROMOTION_PUSH = "Underpromotion by push"
    UNDERPROMOTION_CAPTURE = "Underpromotion by capture"

    @property
    def slug(self) -> str:
        """A stable short name, such as "en-passant"."""
        return self.name.lower().replace("_", "-")

    def home(self, convention: Convention) -> str:
        """Return the list that contains moves of this category: "captures", "quiets" or "neither"."""
        if self is MoveCategory.CAPTURE:
            return CAPTURES
        return QUIETS if self is MoveCategory.QUIET else str(getattr(convention, self.name.lower()))


PROMOTIONS = frozenset(
    {
        MoveCategory.QUEEN_PUSH,
        MoveCategory.QUEEN_CAPTURE,
        MoveCategory.UNDERPROMOTION_PUSH,
        MoveCategory.UNDERPROMOTION_CAPTURE,
    }
)


def category_of(position: Position, text: str) -> MoveCategory:
    """Return the category of a move, legal or not, with castling as king takes rook (e1h1)."""
    origin, target = square_of(text[0:2]), square_of(text[2:4])
    own = position.pieces[position.turn]
    takes = validation.occupied_by(position.pieces, position.turn.other) >> target & 1
    if text[4:]:
        if text[4:] == PieceType.QUEEN.letter:
            return MoveCategory.QUEEN_CAPTURE if takes else MoveCategory.QUEEN_PUSH
        return MoveCategory.UNDERPROMOTION_CAPTURE if takes else MoveCategory.UNDERPROMOTION_PUSH
    if own[PieceType.KING] >> origin & own[PieceType.ROOK] >> target & 1:
        return MoveCategory.CASTLING
    if not takes and own[PieceType.PAWN] >> origin & 1 and (origin - target) % 8:
        return MoveCategory.EN_PASSANT
    return MoveCategory.CAPTURE if takes else MoveCategory.QUIET


def askable(position: Position, convention: Convention) -> frozenset[GenType]:
    """Return the GenTypes that may be requested from a generator in a position."""
    if not position.in_check:
        return _OUT_OF_CHECK
    return _IN_CHECK | _STAGES if convention.in_check == ASKED else _IN_CHECK


def is_open(position: Position, gentype: GenType, convention: Convention) -> bool:
    """Return True if moves that leave the king in check are optional in a list."""
    if gentype is GenType.LEGAL or convention.legality == LEGAL:
        return False
    return convention.legality != PSEUDO_LEGAL or (position.in_check and gentype in _STAGES)


def correct_list(position: Position, gentype: GenType, convention: Convention) -> list[str]:
    """Return the moves of a GenType as UCI text, with castling as king takes rook.

    If moves that leave the king in check are optional, the list omits them. It has no duplicates.
    """
    moves = _candidates(position, gentype, convention)
    belongs = _belongs(position, gentype, convention)
    return [text for move in moves if belongs(text := move.uci(chess960=True), move)]


def checks_by(position: Position, move: Move) -> tuple[bool, bool]:
    """Return whether the moved piece itself gives check, and whether the move gives check at all."""
    checkers = position.play_unchecked(move).checkers
    return bool(checkers >> move.landing & 1), bool(checkers)


def _candidates(position: Position, gentype: GenType, convention: Convention) -> Iterable[Move]:
    """Return the moves from which a list is selected."""
    legal = position.legal_moves
    if gentype is GenType.LEGAL or convention.legality == LEGAL or is_open(position, gentype, convention):
        return legal
    return pseudo_legal_moves(position)


def _belongs(position: Position, gentype: GenType, convention: Convention) -> Callable[[str, Move], bool]:
    if gentype is GenType.QUIET_CHECKS:
        default = frozenset(MoveList(position, gentype).moves)
        return lambda text, move: _is_quiet_check(position, text, move, default, convention)
    if gentype in (GenType.LEGAL, GenType.EVASIONS):
        return lambda text, move: True
    homes = {GenType.CAPTURES: {CAPTURES}, GenType.QUIETS: {QUIETS}}.get(gentype, {CAPTURES, QUIETS})
    return lambda text, move: category_of(position, text).home(convention) in homes


def _is_quiet_check(
    position: Position, text: str, move: Move, default: frozenset[Move], convention: Convention
) -> bool:
    category = category_of(position, text)
    if category in PROMOTIONS:
        return _is_quiet_promotion(position, move, category, convention)
    if category is MoveCategory.CASTLING:
        return move in default and convention.castling_checks == LISTED and category.home(convention) == QUIETS
    if category is MoveCategory.EN_PASSANT:
        return category.home(convention) == QUIETS and checks_by(position, move)[1]
    return move in default and (convention.discovered_checks == LISTED or checks_by(position, move)[0])


def _is_quiet_promotion(position: Position, move: Move, category: MoveCategory, convention: Convention) -> bool:
    if category.home(convention) != QUIETS or convention.promotion_checks == NONE:
        return False
    direct, any_check = checks_by(position, move)
    return direct and move.promotion is PieceType.KNIGHT if convention.promotion_checks == KNIGHTS else any_check


def compare_lists(got: Iterable[str], expected: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the moves that are "extra", "missing" or "duplicate" in a list, sorted."""
    listed, correct = Counter(got), Counter(expected)
    for move in sorted(listed.keys() | correct.keys()) if listed != correct else ():
        if not correct[move]:
            yield move, "extra"
        elif not listed[move]:
            yield move, "missing"
        elif listed[move] > correct[move]:
            yield move, "duplicate"
