"""Ask ahead: the small counts of many cases at once, where the engine takes many positions together.

Only a count that is the expected one is known ahead. Any other is asked for again when it is the case's turn, and
judged and explained as if it had never been asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ....suites.case import Case
from ...asking.client import EngineClient
from ...asking.retry import AskedQuestion
from ...engines.base import EngineError
from ...engines.capabilities import NotAhead, asks_ahead, may_count_many
from .plan import EngineSetup

FEW, MOST = 2_000, 128
"""Cases of a run for which it does not pay to load what counts many at once; and cases of a call."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A count that the engine has not answered as expected."""

    is_first: Callable[[], bool]
    """Tells whether no doubt about the process that was asked was looked into before: others may follow from it."""
    fails_ahead: Callable[[], bool]
    """Tells whether it is so again in a new process that is asked in the same way."""
    trouble: EngineError | None = None
    """What the engine failed with, if it did."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is known of the counts of a case before its turn."""

    seconds: Mapping[int, float] = field(default_factory=dict)
    """The depths at which the engine has counted what is expected, and the seconds that it took for each."""
    doubts: Mapping[int, Doubt] = field(default_factory=dict)
    """The depths at which it has not."""


NOTHING = Ahead()


class AsksCases(Protocol):
    """How the engine is asked ahead."""

    most: int
    """How many cases it takes at once."""

    def begin(self, cases: Sequence[Case]) -> None:
        """Ask about cases, if that keeps nobody waiting. Raises Interrupted."""

    def answers(self, cases: Sequence[Case]) -> Iterator[Ahead]:
        """Yield what is known of each case, in the order in which `begin` was called. Raises Interrupted."""

    def close(self) -> None:
        """Free what it holds."""


class OneByOne:
    """Asks nothing ahead."""

    most = 1

    def begin(self, cases: Sequence[Case]) -> None:
        """There is nothing to ask."""

    def answers(self, cases: Sequence[Case]) -> Iterator[Ahead]:
        """Yield nothing for each case."""
        return iter([NOTHING] * len(cases))

    def close(self) -> None:
        """Nothing to free."""


class Together(OneByOne):
    """Asks an engine that counts many positions in one call."""

    most = MOST

    def __init__(self, engine: EngineClient) -> None:
        """Take the engine, which has been started and may be asked for everything."""
        self._engine = engine

    def answers(self, cases: Sequence[Case]) -> Iterator[Ahead]:
        """Yield what the engine answers for each case; nothing where it fails. Raises Interrupted.

        What it took is divided by the nodes. The FENs of the positions are written as well.
        """
        if len(cases) <= 1:
            return super().answers(cases)
        from ....generator.fens import remember_fens  # the engine has loaded the compiler

        positions = [case.position for case in cases]
        depths = [[depth for depth, _ in case.counts] for case in cases]
        nodes = sum(nodes for case in cases for _, nodes in case.counts)
        began = time.perf_counter()
        try:
            answers = self._engine.expecting(nodes).perft_each(positions, depths)
        except EngineError:
            answers = None
        if answers is None:
            return super().answers(cases)
        remember_fens(positions)
        pace = (time.perf_counter() - began) / max(1, nodes)
        return (
            Ahead(
                {depth: nodes * pace for (depth, nodes), got in zip(case.counts, counts, strict=True) if got == nodes}
            )
            for case, counts in zip(cases, answers, strict=True)
        )


def may_ask_ahead(setup: EngineSetup) -> bool:
    """Tell whether it pays to ask ahead: there are many cases, of which references have nothing to say."""
    return setup.cases > FEW and not (setup.references or setup.is_careful)


def open_ahead(
    engine: EngineClient, note: Callable[[AskedQuestion], None], tell: Callable[[str], None], *, chess960: bool
) -> AsksCases:
    """Return how an engine, which has been started, is asked ahead, about Chess960 as well if `chess960`.

    `note` is called with what it has answered, `tell` with what the user should know. Raises Interrupted.
    """
    kind = engine.engine
    if kind.chess960 is True and engine.min_depth <= 1 and may_count_many(kind):
        return Together(engine)
    if not asks_ahead(kind):
        return OneByOne()
    from .streamed import Streamed

    try:
        return Streamed(engine, kind, chess960, note, tell)
    except NotAhead as reason:
        tell(f"{engine.name} is asked one question at a time: {reason}")
        return OneByOne()
