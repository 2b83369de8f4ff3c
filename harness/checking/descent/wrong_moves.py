"""Find the wrong moves of a list, and the rule behind each."""

from __future__ import annotations

from dataclasses import replace

from ....generator.position import Position
from ....generator.types.moves import Move
from ...engines.base import Divide
from ...engines.root_moves import castlings_by_king_target
from ...explaining import Rule, explain_duplicate, explain_move, explain_notation, is_legal
from ...model.results.finding import WrongMove
from ..comparing import differing_moves, explain_wrong_move
from .shared_mistakes import with_correct_letters, wrong_letters

_TIMES = {1: "once", 2: "twice"}


def wrong_moves(position: Position, got: Divide, expected: Divide) -> list[WrongMove]:
    """Return the moves that only one divide contains, or contains more than once, with the rule behind each.

    A promotion without its letter (e7e8) is one wrong move, which replaces the promotions that it stands for. The same
    applies to castling in Chess960 that is written as the king's target.
    """
    letters = wrong_letters(position, got, expected)
    got = with_correct_letters(got, expected)
    moves = differing_moves(got, expected)
    bare = _bare_promotions(got, expected) | _bare_promotions(expected, got)
    replaced = {promotion for promotions in bare.values() for promotion in promotions}
    wrong = [] if letters is None else [letters]
    for one, other in ((got, expected), (expected, got)):
        targets = _king_targets(position, one, other)
        replaced |= {text for pair in targets.items() for text in pair}
        wrong += [_explain_target(position, *pair, is_correct=one is expected) for pair in targets.items()]
    for text in moves:
        if text in replaced:
            continue
        if text not in expected.counts:
            why, is_correct = explain_move(position, text), is_legal(position, text)
            wrong.append(explain_wrong_move(position, text, "extra", why, is_correct))
        elif text not in got.counts:
            missing = [other for other in moves if other not in got.counts]
            why, is_correct = explain_move(position, _move_to_explain(text, missing)), not is_legal(position, text)
            wrong.append(explain_wrong_move(position, text, "missing", why, is_correct))
        elif got.repeated.get(text, 0) != expected.repeated.get(text, 0):
            is_correct = got.repeated.get(text, 0) < expected.repeated.get(text, 0)
            wrong.append(explain_wrong_move(position, text, "duplicate", explain_duplicate(position, text), is_correct))
    return [_with_replaced_promotions(one, bare, got, expected) for one in wrong]


def only_notation_is_wrong(wrong: list[WrongMove]) -> bool:
    """Return True if nothing but the notation of castling or promotions is wrong."""
    rules = {
        Rule.PROMOTION_PIECE_MISSING.value,
        Rule.PROMOTION_LETTERS.value,
        Rule.CASTLING_BY_KING_TARGET.value,
    }
    return bool(wrong) and all(move.rule in rules for move in wrong)


def move_to_follow(position: Position, got: Divide, expected: Divide) -> Move | None:
    """Return the first legal move that both divides contain equally often but with different counts, or None."""
    got = with_correct_letters(got, expected)
    differing = [
        text
        for text in differing_moves(got, expected)
        if text in got.counts and text in expected.counts and got.repeated.get(text) == expected.repeated.get(text)
    ]
    known = {move.uci(chess960=True): move for move in position.legal_moves}
    return next((known[text] for text in differing if text in known), None)


def _king_targets(position: Position, one: Divide, other: Divide) -> dict[str, str]:
    """Map Chess960 castling moves that only the divide `one` writes as the king's target to the correct notation.

    If the king can also step to that square, the text is in both divides, but more often in `one`.
    """
    if not position.chess960 or one.is_total_only or other.is_total_only:
        return {}
    return {
        target: castling
        for target, castling in castlings_by_king_target(position).items()
        if (target in one.counts and target not in other.counts)
        or (castling not in one.counts and one.repeated.get(target, 0) > other.repeated.get(target, 0))
    }


def _explain_target(position: Position, target: str, castling: str, *, is_correct: bool) -> WrongMove:
    """Return castling as a wrong move, as a list writes it; `is_correct` means that it is the reference's list."""
    wrong = explain_wrong_move(position, castling, "notation", explain_notation(position, castling), is_correct)
    return replace(wrong, uci=target)


def _bare_promotions(one: Divide, other: Divide) -> dict[str, list[str]]:
    """Map moves of one divide that lack their promotion letter to the promotions in the other divide."""
    if one.is_total_only or other.is_total_only:
        return {}
    found: dict[str, list[str]] = {}
    for text in other.counts:
        if len(text) == 5 and text not in one.counts and text[:4] in one.counts and text[:4] not in other.counts:
            found.setdefault(text[:4], []).append(text)
    return found


def _with_replaced_promotions(move: WrongMove, bare: dict[str, list[str]], got: Divide, expected: Divide) -> WrongMove:
    """Return a move, with a sentence that names the promotions it stands for if it lacks its letter."""
    promotions = bare.get(move.uci)
    if promotions is None:
        return move
    times = 1 + (got if move.uci in got.counts else expected).repeated.get(move.uci, 0)
    stands = f"It stands there {_TIMES.get(times, f'{times} times')}, for {', '.join(promotions)}."
    return replace(move, sentence=f"{move.sentence} {stands}")


def _move_to_explain(text: str, missing: list[str]) -> str:
    """Return the move to explain: a missing underpromotion has the same reason as a missing promotion to a queen."""
    queen = text[:4] + "q"
    return queen if len(text) == 5 and queen in missing else text
