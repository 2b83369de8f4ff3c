"""Whether an answer holds together: its root moves, its total, and what a count can be."""

from __future__ import annotations

from dataclasses import replace

from ....generator.position import Position
from ...explaining import explain_move
from ...model.results.finding import Cause, Finding, WrongMove
from ..base import Divide, EngineListsExtraMoves, ImpossibleCount, UnparseableOutput, contradiction
from ..root_moves import WINGS, as_king_takes_rook, divide_of_pairs
from .transcript import Transcript

MOST_COUNT = 2**64 - 1
"""No count has more than 64 bits."""


def check_possible(name: str, heard: Transcript) -> None:
    """Raise ImpossibleCount if an answer has a number that no count can be."""
    for count in (heard.total or 0, *(count for _, count in heard.pairs)):
        raise_impossible(name, count)


def raise_impossible(name: str, count: int) -> None:
    """Raise ImpossibleCount if a number is too large, or too small, for a count."""
    if not 0 <= count <= MOST_COUNT:
        shown = f"{count:,}" if abs(count) < 10**30 else f"a number of {len(str(abs(count)))} digits"
        why = "more than 64 bits" if count > 0 else "less than 0"
        raise ImpossibleCount(f"{name} answers {shown}, which is not possible as a count: it is {why}")


def check_sum(name: str, position: Position, heard: Transcript, depth: int = 1) -> None:
    """Check the root moves of an answer against its total; if they are understood in part, the total alone counts.

    Raises UnparseableOutput if the answer contradicts itself, and EngineListsExtraMoves if it lists moves that are not
    legal and not in its total.
    """
    if not heard.pairs:
        return
    total, added = heard.total, sum(count for _, count in heard.pairs)
    if heard.has_total and total is not None and added != total:
        extra = _extra_moves(position, heard)
        if extra and added - sum(extra.values()) == total:
            raise _listed_beside(name, position, extra, depth)
        is_only_castling = all(text in WINGS for text, _ in heard.pairs)
        if not is_only_castling and not heard.lines_of(total - added):
            raise contradiction(name, total, heard.divide(), heard.gap(position, total - added))
        heard.is_partial = True
    elif not heard.has_total and (gap := heard.gap(position, None)):
        raise UnparseableOutput(f"{name} is not understood: {gap}")


def divide_of(position: Position, heard: Transcript) -> Divide:
    """Return the root moves of an answer, castling as king takes rook; its total if they are not all understood."""
    told = (
        Divide.of_total(heard.total or 0) if heard.is_partial else divide_of_pairs(position, heard.pairs, heard.total)
    )
    return replace(told, remark=heard.remark) if heard.remark else told


def _extra_moves(position: Position, heard: Transcript) -> dict[str, int]:
    """Return the moves of an answer that are not legal, with their counts."""
    legal = {move.uci(chess960=True) for move in position.legal_moves}
    listed = ((as_king_takes_rook(position, text), count) for text, count in heard.pairs)
    return {text: count for text, count in listed if text not in legal}


def _listed_beside(name: str, position: Position, extra: dict[str, int], depth: int) -> EngineListsExtraMoves:
    """Return the error for moves that are listed and are not legal, though the total leaves them out."""
    wrong = []
    for text in extra:
        why = explain_move(position, text)
        wrong.append(WrongMove(text, None, "extra", why.rule.value, why.rule.title, why.sentence, why.squares))
    finding = Finding(
        cause=Cause.MOVES, fen=position.fen(), chess960=position.chess960, wrong=tuple(wrong), depth=depth
    )
    listed = ", ".join(f"{text}: {count:,}" for text, count in extra.items())
    return EngineListsExtraMoves(f"{name} lists {listed}, which its total leaves out: {wrong[0].sentence}", finding)
