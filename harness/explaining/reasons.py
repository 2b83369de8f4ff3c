"""Explain which rule a move breaks, why it is legal, or whether it belongs to the list of a GenType."""

from __future__ import annotations

from ...generator import validation
from ...generator.kernels import geometry
from ...generator.position import Position
from ...generator.types.moves import GenType
from ...generator.types.pieces import PieceType, without
from ...generator.types.squares import name_of, squares_in
from .attempt import AttemptedMove, read, same_square
from .castling_conditions import Castling, broken_castling, castling_of
from .movement import SLIDERS, broken_movement, broken_pawn_move, broken_promotion
from .rules import NAMES, Explanation, Rule, because, join_words, sentence_case, the
from .safety import pin_of, unsafe


def broken_rule(position: Position, uci: str) -> Explanation | None:
    """Return the most fundamental rule that a move breaks, or None if it is legal.

    The movement of pieces is checked first, then promotion, then the safety of the king.
    """
    attempt = read(position, uci)
    if isinstance(attempt, Explanation):
        return attempt
    castling = castling_of(attempt)
    if castling is not None:
        return broken_promotion(attempt) or broken_castling(castling)
    if attempt.origin == attempt.target:
        return same_square(uci)
    broken = broken_pawn_move(attempt) if attempt.kind is PieceType.PAWN else broken_movement(attempt)
    return broken or broken_promotion(attempt) or unsafe(attempt)


def reason_for(position: Position, uci: str) -> Explanation:
    """Return why a legal move is legal. The rarest feature is named because engines overlook it most often."""
    attempt = read(position, uci)
    assert isinstance(attempt, AttemptedMove), "a legal move is a move"
    castling = castling_of(attempt)
    if castling is not None and castling.rook is not None:
        return _castling(castling, castling.rook)
    if attempt.victim is not None:
        return _en_passant(attempt, attempt.victim)
    if attempt.kind is PieceType.KING:
        return _king_step(attempt)
    # If the promotion to a queen is missing as well, the caller explains that promotion instead.
    if attempt.promotion not in (None, PieceType.QUEEN):
        return _promotion(attempt, attempt.promotion)
    if position.checkers:
        return _answer(attempt, squares_in(position.checkers)[0])
    pinner = attempt.pinner()
    if pinner is not None:
        return _along_pin(attempt, pinner)
    if attempt.promotion is not None:
        return _promotion(attempt, attempt.promotion)
    return _ordinary(attempt)


def _castling(castling: Castling, rook: int) -> Explanation:
    position, color, king, king_to = castling.position, castling.color, castling.king, castling.king_to
    may = f"{color.word} may castle {castling.side}"
    way = [king, *squares_in(castling.king_path), king_to]
    only_rook = [square for square in squares_in(1 << rook | castling.rook_path(rook)) if square not in way]
    for square in only_rook:
        attackers = squares_in(validation.attackers_of(position.pieces, square, color.other))
        if attackers:
            attacker = the(position, attackers[0])
            text = f"{may}: {attacker} attacks {name_of(square)}, but only the king's way must be safe."
            return because(Rule.CASTLING_ROOK_PASSES_ATTACK, text, square, *attackers)
    if king == king_to:
        text = f"{may}: the king stays on {name_of(king)} while the rook on {name_of(rook)} goes to "
        return because(Rule.CASTLING_CHESS960_KING_STAYS, f"{text}{name_of(castling.rook_to)}.", castling.rook_to)
    if rook == castling.rook_to:
        text = f"{may}: the rook stays on {name_of(rook)} while the king on {name_of(king)} goes to {name_of(king_to)}."
        return because(Rule.CASTLING_CHESS960_ROOK_STAYS, text, king_to)
    if rook == king_to or king == castling.rook_to:
        text = (
            f"{may}: the king on {name_of(king)} goes to {name_of(king_to)} and the rook on {name_of(rook)} to "
            f"{name_of(castling.rook_to)}, and neither stands in the other's way."
        )
        return because(Rule.CASTLING_CHESS960_OVERLAP, text, king_to, castling.rook_to)
    names = join_words([name_of(square) for square in sorted(set(way), key=lambda square: abs(square - king))], "or")
    text = f"{may}: it has the right to, nothing stands in the way, and the king is not attacked on {names}."
    return because(Rule.CASTLING, text, king_to, castling.rook_to)


def _en_passant(attempt: AttemptedMove, victim: int) -> Explanation:
    position, king = attempt.position, attempt.king
    taken = the(position, victim)
    checkers = squares_in(position.checkers)
    if victim in checkers:
        text = f"{taken} gives check to the king on {name_of(king)}, but {attempt.moving} may take it en passant."
        return because(Rule.EN_PASSANT_TAKES_CHECKER, sentence_case(text), victim, king)
    if checkers:
        blocked = the(position, checkers[0])
        text = f"{attempt.moving} may take en passant, for on {attempt.to} it blocks the check of {blocked}."
        return because(Rule.EN_PASSANT_BLOCKS_CHECK, sentence_case(text), checkers[0], king)
    pinner = attempt.pinner()
    if pinner is not None:
        text = f"{pin_of(attempt, pinner)}, but stays on that line by taking en passant on {attempt.to}."
        return because(Rule.EN_PASSANT_ALONG_PIN, text, pinner, king)
    opened = squares_in(validation.attackers_of(without(position.pieces, 1 << victim), king, attempt.turn.other))
    if opened:
        text = (
            f"{taken}, taken en passant, shields the king on {name_of(king)} from {the(position, opened[0])}, "
            f"but the capturing pawn does so, too, on {attempt.to}."
        )
        return because(Rule.EN_PASSANT_CLOSES_LINE, sentence_case(text), victim, opened[0], king)
    text = f"{taken} has just moved two squares, so {attempt.moving} may take it en passant."
    return because(Rule.EN_PASSANT, sentence_case(text), victim)


def _king_step(attempt: AttemptedMove) -> Explanation:
    position = attempt.position
    checkers = squares_in(position.checkers)
    if attempt.is_capture:
        check = ", which gives check and is not protected" if attempt.target in checkers else ", which is not protected"
        text = f"{attempt.moving} may take {the(position, attempt.target)}{check}."
        return because(Rule.KING_TAKES_UNPROTECTED, sentence_case(text))
    check = ""
    if checkers:
        check = f" in answer to the check of {join_words([the(position, square) for square in checkers])}"
    text = f"{attempt.moving} may go to {attempt.to}{check}: no enemy piece attacks that square."
    return because(Rule.KING_STEP, sentence_case(text), *checkers)


def _answer(attempt: AttemptedMove, checker: int) -> Explanation:
    position = attempt.position
    giver, king = the(position, checker), f"the king on {name_of(attempt.king)}"
    if attempt.promotion is not None:
        how = "taking it" if attempt.target == checker else f"moving in between on {attempt.to}"
        text = f"{giver} gives check to {king}, which {attempt.moving} may answer by {how} and promoting."
        return because(Rule.PROMOTION_ANSWERS_CHECK, sentence_case(text), checker, attempt.king)
    if attempt.target == checker:
        text = f"{attempt.moving} may take {giver}, which gives check to {king}."
        return because(Rule.TAKES_CHECKER, sentence_case(text), checker, attempt.king)
    text = f"{attempt.moving} may go to {attempt.to}, where it blocks the check that {giver} gives to {king}."
    return because(Rule.BLOCKS_CHECK, sentence_case(text), checker, attempt.king)


def _along_pin(attempt: AttemptedMove, pinner: int) -> Explanation:
    effect = "may take it" if attempt.target == pinner else f"stays on that line by going to {attempt.to}"
    return because(Rule.PINNED_ALONG_LINE, f"{pin_of(attempt, pinner)}, but {effect}.", pinner, attempt.king)


def _promotion(attempt: AttemptedMove, promotion: PieceType) -> Explanation:
    if promotion is not PieceType.QUEEN:
        text = f"{attempt.moving} may become a {NAMES[promotion]} on {attempt.to}, too, not only a queen."
        return because(Rule.PROMOTION_PIECE_MISSING, sentence_case(text))
    if attempt.is_capture:
        text = f"{attempt.moving} may take {the(attempt.position, attempt.target)} and promote."
        return because(Rule.PROMOTION_CAPTURE, sentence_case(text))
    text = f"{attempt.moving} may move to {attempt.to} and promote."
    return because(Rule.PROMOTION_PUSH, sentence_case(text))


def _ordinary(attempt: AttemptedMove) -> Explanation:
    if attempt.kind is PieceType.PAWN and attempt.ranks == 2:
        passed = (attempt.origin + attempt.target) // 2
        way = f"{name_of(passed)} and {attempt.to}"
        text = f"{attempt.moving} may move two squares from where it started, for {way} are empty."
        return because(Rule.DOUBLE_PUSH, sentence_case(text), passed)
    if attempt.is_capture:
        return because(
            Rule.PLAIN_MOVE, sentence_case(f"{attempt.moving} may take {the(attempt.position, attempt.target)}.")
        )
    free = attempt.kind in SLIDERS and geometry.between(attempt.origin, attempt.target) != 0
    why = "nothing stands in its way" if free else "that square is empty"
    return because(Rule.PLAIN_MOVE, sentence_case(f"{attempt.moving} may go to {attempt.to}: {why}."))


def name_move(position: Position, uci: str) -> str:
    """Return a move, legal or not, as the subject of a sentence."""
    attempt = read(position, uci)
    if isinstance(attempt, Explanation):
        return f"the text {uci[:20]!r}"
    castling = castling_of(attempt)
    if castling is not None:
        return f"{castling.color.word}'s castling {castling.side}"
    if attempt.victim is not None:
        return f"the capture of {the(position, attempt.victim)} en passant by {attempt.moving}"
    move = f"the move of {attempt.moving} to {attempt.to}"
    if attempt.is_capture:
        move = f"the capture of {the(position, attempt.target)} by {attempt.moving}"
    return move if attempt.promotion is None else f"{move} with promotion to a {NAMES[attempt.promotion]}"


def explain_stage(position: Position, uci: str, gentype: GenType, belongs: bool, reason: str = "") -> Explanation:
    """Explain why a move belongs to a GenType or does not; `reason` replaces the usual explanation if given.

    The lists are pseudo-legal: they contain moves that leave the king attacked, but none that breaks another rule.
    """
    broken = broken_rule(position, uci)
    attempt = read(position, uci)
    if isinstance(attempt, Explanation):
        return attempt
    if broken is not None and (castling_of(attempt) is not None or unsafe(attempt) is None):
        return broken
    verb = "belongs to" if belongs else "is not one of"
    text = f"{name_move(position, uci)} {verb} {gentype.name}: {reason or _reason(attempt, gentype, belongs)}."
    return because(Rule.STAGE, sentence_case(text))


def _reason(attempt: AttemptedMove, gentype: GenType, belongs: bool) -> str:
    if gentype is GenType.EVASIONS:
        answers = "it takes the king off the line of check, or stops the check"
        return answers if belongs else "it leaves the check as it is"
    if gentype is GenType.QUIET_CHECKS:
        if belongs:
            return "it is quiet and gives check"
        takes = attempt.is_capture or attempt.victim is not None
        return _nature(attempt) if takes or attempt.promotion is not None else "it gives no check"
    return _nature(attempt)


def _nature(attempt: AttemptedMove) -> str:
    if attempt.promotion is not None:
        return f"it promotes to a {NAMES[attempt.promotion]}"
    if castling_of(attempt) is not None:
        return "castling captures nothing"
    return "it captures a piece" if attempt.is_capture or attempt.victim is not None else "it captures nothing"
