"""Find and explain the wrong moves of an engine's list under a convention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....generator.position import Position
from ....generator.types.moves import GenType
from ...engines.root_moves import castlings_by_king_target
from ...explaining import Rule, explain_duplicate, explain_move, explain_stage
from ...model.conventions import LEGAL, QUIETS, Convention
from ...model.results.finding import WrongMove
from ..comparing import explain_wrong_move, pseudo_legal_moves
from .correct import MoveCategory, category_of, checks_by, compare_lists, correct_list, is_open

UNSAFE = frozenset(
    {
        Rule.PINNED,
        Rule.KING_ATTACKED,
        Rule.KING_ALONG_CHECK_LINE,
        Rule.KING_NEXT_TO_KING,
        Rule.KING_TAKES_PROTECTED,
        Rule.CHECK_NOT_ANSWERED,
        Rule.DOUBLE_CHECK,
        Rule.EN_PASSANT_UNCOVERS_RANK,
        Rule.EN_PASSANT_UNCOVERS_LINE,
        Rule.EN_PASSANT_PINNED,
        Rule.EN_PASSANT_IGNORES_CHECK,
        Rule.CASTLING_IN_CHECK,
        Rule.CASTLING_THROUGH_CHECK,
        Rule.CASTLING_INTO_CHECK,
        Rule.CASTLING_UNCOVERS_KING,
    }
)
"""The rules broken by moves that merely leave the king attacked or move it across attacked squares."""
NO_CHECK = "No check"


def differences(
    position: Position, gentype: GenType, got: Sequence[str], convention: Convention
) -> list[tuple[str, str]]:
    """Return the moves that are "extra", "missing" or "duplicate" in a list, with castling as king takes rook.

    The notation of castling in Chess960 is not compared here, but only for root moves.
    """
    if position.chess960:
        got = _with_castlings(position, got)
    found = compare_lists(got, correct_list(position, gentype, convention))
    if not is_open(position, gentype, convention):
        return list(found)
    return [one for one in found if not (one[1] == "extra" and _is_optional(position, gentype, one[0], convention))]


def wrong_moves(position: Position, gentype: GenType, got: Sequence[str], convention: Convention) -> list[WrongMove]:
    """Return the wrong moves of a list, with the rule behind each."""
    return [
        _explain_wrong(position, gentype, text, kind, convention)
        for text, kind in differences(position, gentype, got, convention)
    ]


def _with_castlings(position: Position, got: Sequence[str]) -> list[str]:
    """Return a Chess960 list in which castling written as the king's target becomes king takes rook."""
    listed = list(got)
    for target, castling in castlings_by_king_target(position).items():
        steps = int(target in _legal(position))
        if castling not in listed and listed.count(target) > steps:
            listed.remove(target)
            listed.append(castling)
    return listed


def _is_optional(position: Position, gentype: GenType, text: str, convention: Convention) -> bool:
    """Return True if an illegal move is allowed in a pseudo-legal list because it merely leaves the king unsafe."""
    if text in _legal(position) or explain_move(position, text).rule not in UNSAFE:
        return False
    home = category_of(position, text).home(convention)
    if gentype in (GenType.CAPTURES, GenType.QUIETS):
        return home == gentype.name.lower()
    return gentype is not GenType.QUIET_CHECKS or home == QUIETS


def _explain_wrong(position: Position, gentype: GenType, text: str, kind: str, convention: Convention) -> WrongMove:
    if kind == "duplicate":
        return explain_wrong_move(position, text, kind, explain_duplicate(position, text))
    broken = explain_move(position, text)  # or why it is legal
    is_illegal = kind == "extra" and text not in _legal(position)
    if gentype is GenType.LEGAL or (is_illegal and (convention.legality == LEGAL or broken.rule not in UNSAFE)):
        return explain_wrong_move(position, text, kind, broken)
    return _explain_wrong_list(position, gentype, text, kind)


def _explain_wrong_list(position: Position, gentype: GenType, text: str, kind: str) -> WrongMove:
    """Return a wrong move for a move in the wrong list or in none; its rule names the list and the category."""
    why = explain_stage(position, text, gentype, kind == "missing", _reason(position, gentype, text, kind))
    slug, what = _describe(position, gentype, text)
    name = gentype.name.lower().replace("_", "-")
    return replace(
        explain_wrong_move(position, text, kind, why), rule=f"{name}-{slug}", title=f"{what} in {gentype.name}"
    )


def _describe(position: Position, gentype: GenType, text: str) -> tuple[str, str]:
    """Return the category of a move, as a short name and as a heading."""
    category = category_of(position, text)
    if gentype is GenType.QUIET_CHECKS and category is MoveCategory.QUIET:
        check = _type_of_check(position, text)
        return check.lower().replace(" ", "-"), check
    if gentype is GenType.EVASIONS and text in _legal(position):
        rule = explain_move(position, text).rule
        return rule.value, rule.title
    return category.slug, category.value


def _reason(position: Position, gentype: GenType, text: str, kind: str) -> str:
    """Return the reason why a move that gives check is not a quiet check, or "" if its category is reason enough."""
    plain = category_of(position, text) in (MoveCategory.QUIET, MoveCategory.CASTLING)
    if gentype is not GenType.QUIET_CHECKS or kind == "missing" or not plain:
        return ""
    return (
        "" if _type_of_check(position, text) == NO_CHECK else "it gives check in a way that the convention leaves out"
    )


def _type_of_check(position: Position, text: str) -> str:
    """Return the type of check that a move gives, as a heading."""
    move = next((one for one in pseudo_legal_moves(position) if one.uci(chess960=True) == text), None)
    direct, any_check = (False, False) if move is None else checks_by(position, move)
    return "Direct check" if direct else "Discovered check" if any_check else NO_CHECK


def _legal(position: Position) -> frozenset[str]:
    return frozenset(move.uci(chess960=True) for move in position.legal_moves)
