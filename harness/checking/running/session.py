"""The engines of one thread, opened and started together, and how they are asked about cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...asking.client import CallRunner, EngineClient
from ...engines.capabilities import NotAhead, asks_ahead
from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult
from .ahead import NOTHING, Ahead, AsksCases, OneByOne, Together, counts_together, pays
from .checker import Checker
from .parts import CasePart
from .plan import EngineSetup


class EngineSession:
    """Checks cases, as many at once as the engine under test is asked about together."""

    def __init__(self, setup: EngineSetup, tell: Callable[[str], None], caller: CallRunner | None = None) -> None:
        """Open the engine under test and its references. Raises UsageError.

        `tell` is called with a line that says what the user waits for, or should know. `caller` carries out the
        questions, by default in the thread that asks.
        """
        self._setup, self._tell = setup, tell
        self.caller = caller or CallRunner()
        """Carries out the questions, one at a time."""
        self.engine = EngineClient(
            setup.engine(), self.caller, setup.limit, insists_on_chess960=setup.insists_on_chess960
        )
        """The engine under test."""
        self._references = [
            EngineClient(opener(), self.caller, setup.limit, is_reference=True) for opener in setup.references
        ]
        self._arbiter: EngineClient | None = None
        """What explains mismatches, once there is one."""
        arbiter = None if setup.arbiter is None else self._started_arbiter
        self.checker = Checker(self.engine, self._references, arbiter, setup.explain, tell)
        self._ahead: AsksCases = OneByOne()

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self.engine.name, tuple(reference.name for reference in self._references)

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self.caller.task.nodes if self.checker.is_counting else 0

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self.engine.use

    @property
    def most(self) -> int:
        """How many cases are checked at once."""
        return self._ahead.most

    def start(self) -> None:
        """Start the engines. Raises EngineError, Interrupted."""
        for asker in (self.engine, *self._references):
            self._start(asker)
        self._ahead = self._opened_ahead()

    def close(self) -> None:
        """Close the engines."""
        self._ahead.close()
        for asker in (self.engine, *self._references, *([self._arbiter] if self._arbiter else [])):
            asker.engine.close()

    def begin(self, parts: Sequence[CasePart]) -> None:
        """Ask about parts of cases ahead, if the engine can be asked so. Raises Interrupted."""
        self._ahead.begin([part.case for part in parts if not part.case.setup])

    def ahead(self, parts: Sequence[CasePart]) -> Iterator[Ahead]:
        """Yield what is known ahead of each part, in the order in which `begin` was called. Raises Interrupted."""
        answers = self._ahead.answers([part.case for part in parts if not part.case.setup])
        return (NOTHING if part.case.setup else next(answers) for part in parts)

    def result(self, part: CasePart, ahead: Ahead) -> CaseResult:
        """Check a part of which something is known ahead. Raises Interrupted."""
        return self.checker.check(part.case, part.suite, part.before, ahead)

    def _start(self, asker: EngineClient) -> None:
        if (line := asker.engine.notice()) is not None:
            self._tell(line)
        asker.start()
        if (line := asker.insisting_notice) is not None:
            self._tell(line)
        if (line := asker.remark()) is not None:
            self._tell(line)
        if self._setup.has_chess960 and (why := asker.no_chess960) is not None:
            skipped = "such cases are skipped; --chess960 asks about them nevertheless"
            then = "it is no reference for such cases" if asker.is_reference else skipped
            self._tell(f"{asker.name} cannot be asked about Chess960: {why}; {then}")

    def _started_arbiter(self) -> EngineClient:
        """Return the engine that explains mismatches, opened and started at the first of them."""
        assert self._setup.arbiter is not None, "asked for only where there is one"
        if self._arbiter is None:
            self._arbiter = EngineClient(self._setup.arbiter(self.engine.engine), self.caller, self.engine.limit)
            self._start(self._arbiter)
        return self._arbiter

    def _opened_ahead(self) -> AsksCases:
        """Return how the engine, which has been started, is asked ahead. Raises Interrupted."""
        kind = self.engine.engine
        if not pays(self._setup):
            return OneByOne()
        if counts_together(self.engine):
            return Together(self.engine)
        if not asks_ahead(kind):
            return OneByOne()
        from .streamed import Streamed

        try:
            chess960 = self._setup.has_chess960 and self.engine.no_chess960 is None
            return Streamed(self.engine, kind, chess960, self.checker.note, self._tell)
        except NotAhead as reason:
            self._tell(f"{self.engine.name} is asked one question at a time: {reason}")
            return OneByOne()
