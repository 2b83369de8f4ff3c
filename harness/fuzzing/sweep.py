"""A batch of the sweep: its questions are put to the examiner, or as many as possible ahead of the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...generator.drawing.experience import Learned
from ...generator.events import Event, event_bits
from ...generator.position import Position
from ...generator.reachability.labels import label_of
from ..model.results.verdict import Verdict
from .batch import MOST_TIMEOUTS, BatchResult
from .course.model import Pairs, PairsMet
from .examining import Examiner
from .model import SWEEP, Hit
from .plan import FuzzPlan, Share
from .questions import SweepQuestion


class SweepBatch:
    """Examines the questions of a batch, each as deep as it asks for; `run` fills `result`."""

    def __init__(
        self,
        plan: FuzzPlan,
        share: Share,
        examiner: Examiner,
        tell: Callable[[list[Hit]], None],
        result: BatchResult | None = None,
    ) -> None:
        """`tell` is called after each question, with the hits that are the first of their signature.

        `result` is that of the other questions of the batch, where these are some of them.
        """
        self._plan, self._share, self._examiner, self._tell = plan, share, examiner, tell
        self.result = BatchResult(share.number) if result is None else result
        self._pairs_met = PairsMet()
        self._timeouts = 0

    def run(self) -> None:
        """Ask all questions. Raises Interrupted, with the results so far in `result`."""
        for question in self._share.questions:
            if self._is_over:
                return
            self._examine(question)

    @property
    def pairs_met(self) -> Pairs:
        """The pairs of events met so far."""
        return self._pairs_met.pairs

    def collect_learned(self) -> Sequence[Learned]:
        """Return nothing: nothing is drawn."""
        return ()

    @property
    def _is_over(self) -> bool:
        return self.result.is_cut_short or (self._plan.fail_fast and bool(self.result.first))

    def _examine(self, question: SweepQuestion) -> None:
        """Put one question to the checks. Those of our own generator look as deep as they do elsewhere."""
        depth = max(question.depth, self._plan.depth) if self._examiner.looks_inside else question.depth
        found = self._examiner.examine(question.line, depth, is_exact=True)
        position = question.line.position
        self.result.strategies[SWEEP] += 1
        self.result.events.update(self.note_met(position))
        example = self._share.first + self.result.examples
        hits = [Hit(discrepancy, SWEEP, example, depth) for discrepancy in found]
        self._tell([hit for hit in hits if self.result.note(hit)])
        self._timeouts += any(discrepancy.verdict is Verdict.TIMEOUT for discrepancy in found)
        self.result.is_cut_short |= self._timeouts >= MOST_TIMEOUTS

    def note_met(self, position: Position) -> list[int]:
        """Note what a position is and which pairs of events it meets; return the events."""
        bits = event_bits(position)
        events = [event.value for event in Event if bits >> event & 1]
        self.result.labels[label_of(position).value] += 1
        self._pairs_met.add(events)
        return events
