"""Ask an engine ahead that answers through a pipe: the questions of many cases go out before the first is answered.

Another process of it is asked. Where its answer is not the expected one, the first process is asked as ever. If that
one is right, nothing is hidden: the checker asks a new process for all that was asked before, one by one, and if need
be once more ahead.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from ....generator.line import Line
from ....suites.case import Case
from ...asking.ahead import AheadClient, AskedAnew
from ...asking.client import EngineClient
from ...asking.retry import AskedQuestion
from ...engines.base import EngineError
from ...engines.capabilities import AsksAhead
from .ahead import NOTHING, Ahead, Doubt
from .parts import SMALL

if TYPE_CHECKING:
    from ....generator.drawing.drawn import Drawn

FEWEST, MOST, BLOCKS = 16, 2_048, 4
"""Cases that are asked about at once, and the blocks that they make: one is looked at while others are answered."""
LONGEST_SECONDS = 0.5
"""So long may the questions take that go out at once: a run that is stopped loses them."""
MOST_TROUBLES = 2
"""After so many failures of the process that is asked ahead, the engine is asked one by one."""
MOST_REMEMBERED = 64
"""Blocks that are asked again to see whether a doubt comes again."""


@dataclass(frozen=True)
class _Block:
    """Cases of one variant, and what is asked about them."""

    cases: Sequence[Case]
    questions: Sequence[tuple[int, AskedQuestion]]
    """With the place of the case."""
    drawn: Drawn | None
    """None where there is nothing to ask."""
    process: int
    """Which process was asked."""
    since: float
    """When it was."""


class Streamed:
    """Asks an engine ahead of its answers, about the more cases at once the faster it answers."""

    def __init__(
        self,
        engine: EngineClient,
        kind: AsksAhead,
        chess960: bool,
        note: Callable[[AskedQuestion], None],
        tell: Callable[[str], None],
    ) -> None:
        """Start the process, which may be asked about Chess960 if `chess960`.

        `note` is called with what it has answered, `tell` with what the user should know. Raises NotAhead, Interrupted.
        """
        self._engine, self._chess960, self._note, self._tell = engine, chess960, note, tell
        self._client = AheadClient(kind, engine.runner, engine.limit.of(10**SMALL), chess960=chess960)
        self.most = FEWEST
        self._troubles = 0
        self._is_usable, self._is_fit = True, True
        self._process = 0
        """How many processes have been started anew."""
        self._doubted = -1
        """The one of which a doubt was looked into last."""
        self._answered = 0.0
        """When the last block was answered."""
        self._submitted: deque[list[_Block]] = deque()
        """The blocks of the cases that were asked about, and whose answers were not taken yet."""
        self._asked: deque[Drawn] = deque(maxlen=MOST_REMEMBERED)
        """The latest blocks that were answered."""

    def begin(self, cases: Sequence[Case]) -> None:
        """Ask about cases. Raises Interrupted."""
        blocks: list[_Block] = []
        if len(cases) > 1 and self._is_ready():
            blocks = [self._block(part) for part in _parts(cases, max(1, self.most // BLOCKS))]
        for block in blocks:
            if block.drawn is not None:
                self._client.submit(block.drawn)
        self._submitted.append(blocks)

    def answers(self, cases: Sequence[Case]) -> Iterator[Ahead]:
        """Yield what is known of each case. Raises Interrupted."""
        # Not when the first answer arrives: a block whose cases all need a setup of their own has no answer.
        return self._answers(self._submitted.popleft(), len(cases))

    def _answers(self, blocks: Sequence[_Block], cases: int) -> Iterator[Ahead]:
        if not blocks:
            yield from [NOTHING] * cases
            return
        began = time.monotonic()
        for block in blocks:
            yield from self._take_answers(block)
        self._keep_pace(cases, time.monotonic() - began)

    def close(self) -> None:
        """End the process."""
        self._client.close()

    def _is_ready(self) -> bool:
        """Tell whether the engine may be asked; start its process anew where it was not asked to the end."""
        if not self._is_usable:
            return False
        if not self._is_fit:
            try:
                self._start()
            except EngineError as error:
                self._stop(str(error))
        return self._is_usable

    def _start(self) -> None:
        self._client.restart()
        self._is_fit = True
        self._process += 1

    def _keep_pace(self, cases: int, seconds: float) -> None:
        """Ask about fewer cases at once where they have taken long, and about more where they have not.

        An engine for which a few take long gains nothing by being asked ahead.
        """
        if seconds > LONGEST_SECONDS and self.most == FEWEST:
            self._is_usable = False
            self.close()
        elif seconds > LONGEST_SECONDS:
            self.most = max(FEWEST, self.most // 2)
        elif cases == self.most and seconds < LONGEST_SECONDS / 2:
            self.most = min(MOST, self.most * 2)

    def _block(self, cases: Sequence[Case]) -> _Block:
        """Return what can be asked about cases of one variant."""
        chess960, nothing = cases[0].position.chess960, _Block(cases, [], None, self._process, 0)
        if chess960 and not self._chess960:
            return nothing
        from ....generator.drawing.known import known_block
        from ....generator.fens import remember_fens

        remember_fens([case.position for case in cases])
        least, most = max(1, self._client.min_depth), self._client.max_depth
        questions = [
            (place, AskedQuestion(Line(case.position), depth, nodes))
            for place, case in enumerate(cases)
            for depth, nodes in case.counts
            if least <= depth <= most and self._engine.may_count(depth) and nodes < 10**SMALL
        ]
        if not questions:
            return nothing
        drawn = known_block(
            [question.line.base for _, question in questions],
            [question.depth for _, question in questions],
            chess960=chess960,
            castles_to_rook=self._client.castles_to_rook(chess960),
        )
        return _Block(cases, questions, drawn, self._process, time.monotonic())

    def _take_answers(self, block: _Block) -> list[Ahead]:
        """Wait for the answers to a block, and return what is known of its cases."""
        is_under_way = self._is_usable and block.process == self._process and self._client.under_way
        if block.drawn is None or not is_under_way:
            return [NOTHING] * len(block.cases)
        collected = self._client.collect()
        # The engine answers while the block before is looked at.
        began, self._answered = max(block.since, self._answered), time.monotonic()
        pace = (self._answered - began) / max(1, int(block.drawn.totals.sum()))
        seconds: list[dict[int, float]] = [{} for _ in block.cases]
        doubts: list[dict[int, Doubt]] = [{} for _ in block.cases]
        doubtful, last = set(collected.doubtful.tolist()), collected.answered
        if collected.trouble is not None:
            last = min(last + 1, len(block.questions))
            doubtful.add(last - 1)  # where all have answers it failed right behind
        before = tuple(self._asked)
        totals = block.drawn.totals.tolist()
        for index, (place, question) in enumerate(block.questions[:last]):
            self._note(question)
            if index in doubtful:
                blocks = *before, block.drawn.part(0, index + 1)
                trouble = collected.trouble if index == last - 1 else None
                is_first, fails_ahead = partial(self._is_first, block.process), partial(self._fails_ahead, blocks)
                doubts[place][question.depth] = Doubt(is_first, fails_ahead, trouble)
            elif totals[index] == question.expected:
                seconds[place][question.depth] = question.expected * pace
        self._asked.append(block.drawn)
        self._is_fit &= not doubtful
        if collected.trouble is not None:
            self._give_up_after(collected.trouble)
        return list(map(Ahead, seconds, doubts))

    def _give_up_after(self, trouble: EngineError) -> None:
        """Forget what is under way, and ask no more after many failures."""
        self._troubles += 1
        self._client.withdraw()
        if self._troubles >= MOST_TROUBLES:
            self._stop(str(trouble))

    def _stop(self, reason: str) -> None:
        self._is_usable = False
        self.close()
        self._tell(f"{self._engine.name} is asked one question at a time from now on: {reason}")

    def _is_first(self, process: int) -> bool:
        """Tell whether no doubt about the answers of a process was looked into before."""
        is_first, self._doubted = process != self._doubted, process
        return is_first

    def _fails_ahead(self, blocks: Sequence[Drawn]) -> bool:
        """Tell whether a doubt about the last position of all comes again in a new process that is asked ahead.

        Then that is why. The engine is asked one by one from now on: what shows only ahead is reported once.
        """
        if not self._is_usable:
            return True
        self._asked.clear()
        try:
            anew = self._client.ask_anew(blocks)
        except EngineError:
            anew = AskedAnew(True, None)
        others = "sent many questions at once, it gives other answers"
        self._stop(others if anew.trouble is None else str(anew.trouble))
        return anew.is_last_doubtful or anew.trouble is not None


def _parts(cases: Sequence[Case], most: int) -> Iterator[Sequence[Case]]:
    """Yield the cases in order, in parts of one variant."""
    for _, some in groupby(cases, key=lambda case: case.position.chess960):
        part = list(some)
        yield from (part[first : first + most] for first in range(0, len(part), most))
