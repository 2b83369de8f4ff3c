"""The first batch of a run that goes on: what the runs before have found is examined again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....generator.drawing.experience import Learned
from ...asking.histories import read_row
from ..batch import BatchResult
from ..course.meeting import Pairs, none_met
from ..examining import Examiner
from ..model import Hit
from ..plan import Share
from .state import KeptFind

NAME = "found before"
"""The name that reports show in place of a strategy."""


class AgainBatch:
    """Examines finds again; `run` fills `result`. They do not count as positions of the run."""

    def __init__(
        self,
        share: Share,
        finds: Sequence[KeptFind],
        examiner: Examiner,
        tell: Callable[[list[Hit]], None],
        gone: Callable[[KeptFind], None],
    ) -> None:
        """`tell` is called with the hits that are the first of their signature, `gone` with what is right now."""
        self._share, self._finds, self._examiner, self._tell, self._gone = share, finds, examiner, tell, gone
        self.result = BatchResult(share.number)

    def run(self) -> None:
        """Examine all. Raises Interrupted, with the results so far in `result`."""
        for find in self._finds:
            found = self._examiner.examine(read_row(find.line), find.depth)
            hits = [Hit(discrepancy, NAME, self._share.first, find.depth) for discrepancy in found]
            self._tell([hit for hit in hits if self.result.note(hit)])
            if not found:
                self._gone(find)

    @property
    def pairs_met(self) -> Pairs:
        """No pair of events: the positions do not count."""
        return none_met()

    def collect_learned(self) -> Sequence[Learned]:
        """Return nothing: nothing is drawn."""
        return ()
