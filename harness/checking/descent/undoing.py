"""A wrong undo shows in the moves after it: find the move that is not taken back rightly, and what it leaves behind.

An engine makes and unmakes the moves of a divide one after the other. From the first count that is
wrong in its order, the position is not what it was, though nothing is wrong with that move itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ....generator.counting.leaves import perft
from ....generator.position import Position
from ....generator.types.moves import Move
from ...engines.base import Divide
from ...explaining.states.undo import Leftover, leftovers
from ...model.results.events import WrongMove
from ..comparing import explain_wrong_move

LEAST = 2
"""So many wrong counts have to be accounted for: one may be by chance."""
MOST_TOLD = 4
"""So many other moves are told that leave the same behind."""


def explain_wrong_undo(position: Position, depth: int, got: Divide, right: Divide) -> WrongMove | None:
    """Return the move that accounts for the wrong counts of a divide by what it leaves behind; None where none does.

    Of several the one is returned that accounts for most counts, and of these the last before the
    first wrong one. All counts from there on have to fit, up to a move that may do the same again. An
    engine that sorts its root moves does not tell in which order it plays them, so moves after it are
    tried as well, but must account for all that is wrong.
    """
    known = {move.uci(chess960=True): move for move in position.legal_moves}
    order = [known[text] for text in got.counts if text in known]
    first = next((place for place, move in enumerate(order) if _differs(move, got, right)), None)
    if first is None:
        return None
    differing = [move for move in order if _differs(move, got, right)]
    fits: list[tuple[int, Move, Leftover]] = []
    for move, leftover in _leftovers(position, reversed(order[:first])):
        before = _account_for_counts(leftover, depth, order[order.index(move) + 1 : first], right)
        window = _account_for_counts(leftover, depth, _until_the_next(position, order, first, leftover), got)
        told = _account_for_counts(leftover, depth, differing, got).count(True)
        if False not in (*before, *window) and told >= LEAST:
            fits.append((told, move, leftover))
    if not fits:
        for move, leftover in _leftovers(position, order):
            accounted = _account_for_counts(leftover, depth, differing, got)
            if False not in accounted and accounted.count(True) > LEAST:
                fits.append((accounted.count(True), move, leftover))
    if not fits:
        return None
    _, move, leftover = max(fits, key=lambda fit: fit[0])
    found = explain_wrong_move(position, move.uci(chess960=True), "undo", leftover.why)
    others = [position.san(one) for _, one, left in fits if one != move and left.position == leftover.position]
    if not others:
        return found
    return replace(found, sentence=f"{found.sentence} It may also be an earlier move: {', '.join(others[:MOST_TOLD])}.")


def _until_the_next(position: Position, order: Sequence[Move], first: int, leftover: Leftover) -> Sequence[Move]:
    """Return the moves from the first wrong count on, up to one that may leave the like behind once more."""
    for place in range(first, len(order)):
        if any(one.why.rule is leftover.why.rule for one in leftovers(position, order[place])):
            return order[first : place + 1]
    return order[first:]


def _leftovers(position: Position, moves: Iterator[Move] | Sequence[Move]) -> Iterator[tuple[Move, Leftover]]:
    for move in moves:
        for leftover in leftovers(position, move):
            yield move, leftover


def _account_for_counts(leftover: Leftover, depth: int, moves: Sequence[Move], counted: Divide) -> list[bool | None]:
    """Tell of each move whether the count below it is what is left behind makes it.

    None for a move that is not legal there any more: nobody knows what playing it leads to.
    """
    legal = set(leftover.position.legal_moves)
    return [
        perft(leftover.position.play_unchecked(move), depth - 1) == counted.counts.get(move.uci(chess960=True))
        if move in legal
        else None
        for move in moves
    ]


def _differs(move: Move, got: Divide, right: Divide) -> bool:
    text = move.uci(chess960=True)
    return got.counts[text] != right.counts.get(text)
