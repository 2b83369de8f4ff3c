"""Consistency checks of answers: root moves, totals, and the range of counts."""

from __future__ import annotations

from dataclasses import replace

from ....generator.position import Position
from ...explaining import explain_move
from ...model.results.finding import Cause, Finding, WrongMove
from ..base import Divide, EngineListsExtraMoves, ImpossibleCount, UnparseableOutput, contradiction
from ..root_moves import WINGS, as_king_takes_rook, divide_of_pairs
from .transcript import Transcript

MOST_COUNT = 2**64 - 1
"""The largest possible count: counts have at most 64 bits."""


def check_possible(name: str, answer: Transcript) -> None:
    """Raise ImpossibleCount if an answer contains a number that cannot be a count."""
    for count in (answer.total or 0, *(count for _, count in answer.pairs)):
        raise_impossible(name, count)


def raise_impossible(name: str, count: int) -> None:
    """Raise ImpossibleCount if a number is negative or has more than 64 bits."""
    if not 0 <= count <= MOST_COUNT:
        shown = f"{count:,}" if abs(count) < 10**30 else f"a number of {len(str(abs(count)))} digits"
        why = "does not fit in 64 bits" if count > 0 else "is negative"
        raise ImpossibleCount(f"{name} answers {shown}, which cannot be a count: it {why}")


def check_sum(name: str, position: Position, answer: Transcript, depth: int = 1) -> None:
    """Check that the root moves of an answer add up to its total.

    Sets `answer.is_partial` if some root moves could not be parsed. Raises UnparseableOutput if the answer contradicts
    itself, or EngineListsExtraMoves if it lists illegal moves that its total does not include.
    """
    if not answer.pairs:
        return
    total, added = answer.total, sum(count for _, count in answer.pairs)
    if answer.has_total and total is not None and added != total:
        extra = _extra_moves(position, answer)
        if extra and added - sum(extra.values()) == total:
            raise _lists_extra(name, position, extra, depth)
        is_only_castling = all(text in WINGS for text, _ in answer.pairs)
        if not is_only_castling and not answer.lines_of(total - added):
            raise contradiction(name, total, answer.divide(), answer.gap(position, total - added))
        answer.is_partial = True
    elif not answer.has_total and (gap := answer.gap(position, None)):
        raise UnparseableOutput(f"{name} is not understood: {gap}")


def divide_of(position: Position, answer: Transcript) -> Divide:
    """Return the divide in an answer, with castling as king takes rook, or only its total if it is partial."""
    divide = (
        Divide.of_total(answer.total or 0)
        if answer.is_partial
        else divide_of_pairs(position, answer.pairs, answer.total)
    )
    return replace(divide, remark=answer.remark) if answer.remark else divide


def _extra_moves(position: Position, answer: Transcript) -> dict[str, int]:
    legal = {move.uci(chess960=True) for move in position.legal_moves}
    listed = ((as_king_takes_rook(position, text), count) for text, count in answer.pairs)
    return {text: count for text, count in listed if text not in legal}


def _lists_extra(name: str, position: Position, extra: dict[str, int], depth: int) -> EngineListsExtraMoves:
    """Return the exception for illegal moves that are listed but not included in the total."""
    wrong = []
    for text in extra:
        why = explain_move(position, text)
        wrong.append(WrongMove(text, None, "extra", why.rule.value, why.rule.title, why.sentence, why.squares))
    finding = Finding(
        cause=Cause.MOVES, fen=position.fen(), chess960=position.chess960, wrong=tuple(wrong), depth=depth
    )
    listed = ", ".join(f"{text}: {count:,}" for text, count in extra.items())
    return EngineListsExtraMoves(
        f"{name} lists {listed}, which its total does not include: {wrong[0].sentence}", finding
    )
