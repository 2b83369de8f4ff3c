"""The reductions of a run: which hit is reduced next, and the best reduction of each signature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model import Hit, Signature
from .messages import HitReduced, ReduceHit

SMALL = 7
"""A reduction to so many pieces, in a position that looks reachable, is good enough; else the next hit is reduced."""


class Reductions:
    """The hits of each signature, the best to reduce first, and what has become of them."""

    def __init__(self, hits: Mapping[Signature, list[Hit]], first: Mapping[Signature, Hit]) -> None:
        """Take the hits of each signature to be reduced, the simplest first, and the first one that was found.

        The first one has its history.
        """
        self._hits = hits
        self._left = {
            signature: list(dict.fromkeys([*found, first[signature]])) for signature, found in sorted(hits.items())
        }
        self._queue = list(self._left)
        self._best: dict[Signature, HitReduced] = {}
        self._settled: set[Signature] = set()

    @property
    def are_waiting(self) -> bool:
        """Whether there are hits to be given out."""
        return bool(self._queue)

    def next(self) -> ReduceHit | None:
        """Return the next hit to be reduced, or None if there is none."""
        return ReduceHit(self._left[self._queue.pop(0)].pop(0)) if self._queue else None

    def add(self, reduced: HitReduced) -> HitReduced | None:
        """Keep a reduction; return the best one of its signature, or None if another hit has to be reduced first."""
        signature = reduced.hit.discrepancy.signature
        best = min(self._best.get(signature, reduced), reduced, key=_size)
        self._best[signature] = best
        found = best.discrepancy
        is_good = best.comes_again and found.pieces <= SMALL and found.implausibility == 0
        if self._left[signature] and not is_good:
            self._queue.insert(0, signature)
            return None
        self._settled.add(signature)
        return best

    def give_up(self) -> None:
        """Give out no more hits."""
        self._queue.clear()

    def best_of_unsettled(self, depth: int) -> Iterator[HitReduced]:
        """Yield the best of each signature that is not settled, or else its simplest hit as it was found at `depth`."""
        for signature, hits in self._hits.items():
            if signature not in self._settled:
                yield self._best.get(signature) or HitReduced.as_found(hits[0], max(depth, hits[0].depth))


def _size(reduced: HitReduced) -> tuple[bool, int, bool, int, int, str]:
    """Return the key of the best.

    It comes again, in a position that looks reachable, by its line alone; one that does not has its history.
    """
    line, has_history = reduced.discrepancy.line, bool(reduced.discrepancy.history)
    return (
        not reduced.comes_again,
        reduced.discrepancy.implausibility,
        has_history is reduced.comes_again,
        len(line.moves),
        reduced.discrepancy.pieces,
        str(line),
    )
