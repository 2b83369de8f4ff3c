"""The right list of a GenType by a convention, out of the lists of our own generator."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ....generator.movelist import MoveList
from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ....generator.types.pieces import Kind
from ...model.conventions import ASKED, CAPTURES, KNIGHTS, LEGAL, LISTED, NONE, PSEUDO_LEGAL, QUIETS, Convention
from .natures import PROMOTIONS, Nature, nature_of

_ALWAYS = frozenset({GenType.LEGAL})
_IN_CHECK = _ALWAYS | {GenType.EVASIONS}
_STAGES = frozenset({GenType.CAPTURES, GenType.QUIETS, GenType.NON_EVASIONS})
_OUT_OF_CHECK = _ALWAYS | _STAGES | {GenType.QUIET_CHECKS}


def askable(position: Position, convention: Convention) -> frozenset[GenType]:
    """Return the GenTypes whose lists a generator may be asked for."""
    if not position.in_check:
        return _OUT_OF_CHECK
    return _IN_CHECK | _STAGES if convention.in_check == ASKED else _IN_CHECK


def is_open(position: Position, gentype: GenType, convention: Convention) -> bool:
    """Tell whether moves that leave the king in check may be in a list or not."""
    if gentype is GenType.LEGAL or convention.legality == LEGAL:
        return False
    return convention.legality != PSEUDO_LEGAL or (position.in_check and gentype in _STAGES)


def right_list(position: Position, gentype: GenType, convention: Convention) -> list[str]:
    """Return the moves of a GenType that may be asked for, as UCI text with castling as king takes rook.

    Where a list is open, these are the legal ones. The moves of a list are all different.
    """
    moves = _pool(position, gentype, convention)
    belongs = _belongs(position, gentype, convention)
    return [text for move in moves if belongs(text := move.uci(chess960=True), move)]


def checks_by(position: Position, move: Move) -> tuple[bool, bool]:
    """Tell whether a move gives check with the piece that moves, and whether it gives any."""
    checkers = position.play_unchecked(move).checkers
    return bool(checkers >> move.landing & 1), bool(checkers)


def _pool(position: Position, gentype: GenType, convention: Convention) -> Iterable[Move]:
    """Return the moves among which those of a list are."""
    legal = position.legal_moves
    if gentype is GenType.LEGAL or convention.legality == LEGAL or is_open(position, gentype, convention):
        return legal
    return MoveList(position, GenType.EVASIONS if position.in_check else GenType.NON_EVASIONS).moves


def _belongs(position: Position, gentype: GenType, convention: Convention) -> Callable[[str, Move], bool]:
    if gentype is GenType.QUIET_CHECKS:
        ours = frozenset(MoveList(position, gentype).moves)
        return lambda text, move: _is_quiet_check(position, text, move, ours, convention)
    if gentype in (GenType.LEGAL, GenType.EVASIONS):
        return lambda text, move: True
    homes = {GenType.CAPTURES: {CAPTURES}, GenType.QUIETS: {QUIETS}}.get(gentype, {CAPTURES, QUIETS})
    return lambda text, move: nature_of(position, text).home(convention) in homes


def _is_quiet_check(position: Position, text: str, move: Move, ours: frozenset[Move], convention: Convention) -> bool:
    nature = nature_of(position, text)
    if nature in PROMOTIONS:
        return _is_quiet_promotion(position, move, nature, convention)
    if nature is Nature.CASTLING:
        return move in ours and convention.castling_checks == LISTED and nature.home(convention) == QUIETS
    if nature is Nature.EN_PASSANT:
        return nature.home(convention) == QUIETS and checks_by(position, move)[1]
    return move in ours and (convention.discovered_checks == LISTED or checks_by(position, move)[0])


def _is_quiet_promotion(position: Position, move: Move, nature: Nature, convention: Convention) -> bool:
    if nature.home(convention) != QUIETS or convention.promotion_checks == NONE:
        return False
    direct, any_check = checks_by(position, move)
    return direct and move.promotion is Kind.KNIGHT if convention.promotion_checks == KNIGHTS else any_check
