"""Explain why a move leaves its own king unsafe: pins, checks, and attacked squares."""

from __future__ import annotations

from ...generator import validation
from ...generator.kernels import geometry
from ...generator.position import Position
from ...generator.types.pieces import PieceType, without
from ...generator.types.squares import name_of, squares_in
from .attempt import AttemptedMove
from .rules import Explanation, Rule, because, join_words, name_at, sentence_case, the


def unsafe(attempt: AttemptedMove) -> Explanation | None:
    """Return why a pseudo-legal move leaves its king attacked; castling is explained in `castling_conditions`."""
    attackers = attempt.king_attackers_after()
    if not attackers:
        return None
    if attempt.kind is PieceType.KING:
        return _bad_king_step(attempt, squares_in(attackers))
    if attempt.position.checkers.bit_count() > 1:
        return _double_check(attempt)
    unanswered = squares_in(attackers & attempt.position.checkers)
    if attempt.victim is not None:
        return _bad_en_passant(attempt, attempt.victim, unanswered, squares_in(attackers))
    return _check_stands(attempt, unanswered[0]) if unanswered else _explain_pin(attempt, squares_in(attackers)[0])


def _bad_king_step(attempt: AttemptedMove, attackers: list[int]) -> Explanation:
    position, target = attempt.position, attempt.target
    other_king = position.king(attempt.turn.other)
    if other_king in attackers:
        what = f"take {the(position, target)}" if attempt.is_capture else f"go to {attempt.to}"
        text = f"{attempt.moving} cannot {what}, next to {the(position, other_king)}."
        return because(Rule.KING_NEXT_TO_KING, sentence_case(text), other_king)
    if attempt.is_capture:
        text = f"{attempt.moving} cannot take {the(position, target)}, which {_attacker(attempt, attackers)} protects."
        return because(Rule.KING_TAKES_PROTECTED, sentence_case(text), *attackers)
    # The checking slider attacks this square only because the king no longer stands in between.
    if not validation.attackers_of(position.pieces, target, attempt.turn.other):
        checker = the(position, attackers[0])
        text = (
            f"{attempt.moving} cannot step back to {attempt.to}: it stays on the line of {checker}, which gives check."
        )
        return because(Rule.KING_ALONG_CHECK_LINE, sentence_case(text), *attackers)
    text = f"{attempt.moving} cannot go to {attempt.to}, which {_attacker(attempt, attackers)} attacks."
    return because(Rule.KING_ATTACKED, sentence_case(text), *attackers)


def _attacker(attempt: AttemptedMove, attackers: list[int]) -> str:
    """Name an attacker that is not pinned, or else a pinned one, with the remark that it still attacks."""
    position = attempt.position
    free = [square for square in attackers if not is_pinned(position, square)]
    return the(position, free[0]) if free else f"{the(position, attackers[0])}, though pinned,"


def is_pinned(position: Position, square: int) -> bool:
    """Return True if an opponent's piece is pinned to its king."""
    king = position.king(position.turn.other)
    lifted = without(position.pieces, 1 << square)
    return square != king and bool(validation.attackers_of(lifted, king, position.turn))


def _double_check(attempt: AttemptedMove) -> Explanation:
    checkers = squares_in(attempt.position.checkers)
    givers = join_words([the(attempt.position, square) for square in checkers])
    text = (
        f"{givers} give check together, which only a move of the king on {name_of(attempt.king)} can answer, "
        f"not one of {attempt.moving}."
    )
    return because(Rule.DOUBLE_CHECK, sentence_case(text), *checkers, attempt.king)


def _check_stands(attempt: AttemptedMove, checker: int) -> Explanation:
    position, king = attempt.position, attempt.king
    can_block = geometry.between(checker, king) != 0 and name_at(position, checker) != "knight"
    effect = "neither takes nor blocks" if can_block else "does not take"
    text = (
        f"The king on {name_of(king)} is in check from {the(position, checker)}, "
        f"which {attempt.moving} {effect} by going to {attempt.to}"
    )
    if attempt.target == position.en_passant and abs(checker - attempt.target) == 8:
        text += ": only a pawn that moves diagonally captures en passant"
    return because(Rule.CHECK_NOT_ANSWERED, f"{text}.", checker, king)


def _explain_pin(attempt: AttemptedMove, pinner: int) -> Explanation:
    text = f"{pin_of(attempt, pinner)}, and leaves that line by going to {attempt.to}."
    return because(Rule.PINNED, text, pinner, attempt.king)


def pin_of(attempt: AttemptedMove, pinner: int) -> str:
    """Return the beginning of a sentence that names the piece that pins the moving piece."""
    text = f"{attempt.moving} is pinned against the king on {name_of(attempt.king)} by {the(attempt.position, pinner)}"
    return sentence_case(text)


def _bad_en_passant(attempt: AttemptedMove, victim: int, unanswered: list[int], attackers: list[int]) -> Explanation:
    position, king = attempt.position, attempt.king
    taken = the(position, victim)
    if unanswered:
        text = (
            f"The king on {name_of(king)} is in check from {the(position, unanswered[0])}, "
            f"which taking {taken} en passant does not answer."
        )
        return because(Rule.EN_PASSANT_IGNORES_CHECK, text, unanswered[0], king)
    lines = {attacker: geometry.between(attacker, king) for attacker in attackers}
    for attacker, line in lines.items():
        if line >> attempt.origin & 1 and not line >> victim & 1:
            text = f"{pin_of(attempt, attacker)}, and leaves that line by taking en passant on {attempt.to}."
            return because(Rule.EN_PASSANT_PINNED, text, attacker, king)
    attacker, line = next(iter(lines.items()))
    slider = the(position, attacker)
    if line >> attempt.origin & 1:
        text = (
            f"Taking en passant on {attempt.to} removes both {attempt.moving} and {taken} from rank "
            f"{victim // 8 + 1}, where {slider} then attacks the king on {name_of(king)}."
        )
        return because(Rule.EN_PASSANT_UNCOVERS_RANK, text, victim, attacker, king)
    text = f"{taken}, taken en passant on {attempt.to}, shields the king on {name_of(king)} from {slider}."
    return because(Rule.EN_PASSANT_UNCOVERS_LINE, sentence_case(text), victim, attacker, king)
