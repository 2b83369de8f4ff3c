"""A desk: the engines of one thread, and how they are asked about cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...engines.ahead import NotAhead, asks_ahead
from ...engines.asker import Caller
from ...model.capabilities import CapabilityUse
from ...model.results.events import CaseResult
from .ahead import NOTHING, Ahead, AsksCases, OneByOne, Together, counts_together, pays
from .engines import Engines
from .parts import Part
from .plan import Asking


class Desk:
    """Checks cases, as many at once as the engine is asked about together."""

    def __init__(self, asking: Asking, tell: Callable[[str], None]) -> None:
        """Open the engines. Raises UsageError.

        `tell` is called with a line that says what the user waits for, or should know.
        """
        self._asking, self._tell = asking, tell
        self.caller = Caller()
        """Carries out the questions, one at a time."""
        self._engines = Engines(asking, self.caller, tell)
        self._ahead: AsksCases = OneByOne()

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self._engines.names

    @property
    def nodes(self) -> int:
        """Leaf nodes of the count under way."""
        return self.caller.task.nodes if self._engines.checker.is_counting else 0

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self._engines.use

    @property
    def most(self) -> int:
        """How many cases it takes at once."""
        return self._ahead.most

    def start(self) -> None:
        """Start the engines. Raises EngineError, Interrupted."""
        self._engines.start()
        self._ahead = self._opened_ahead()

    def close(self) -> None:
        """Close the engines."""
        self._ahead.close()
        self._engines.close()

    def begin(self, parts: Sequence[Part]) -> None:
        """Ask about parts of cases ahead, if the engine can be asked so. Raises Interrupted."""
        self._ahead.begin([part.case for part in parts if not part.case.setup])

    def ahead(self, parts: Sequence[Part]) -> Iterator[Ahead]:
        """Yield what is known ahead of each part, in the order in which `begin` was called. Raises Interrupted."""
        answers = self._ahead.answers([part.case for part in parts if not part.case.setup])
        return (NOTHING if part.case.setup else next(answers) for part in parts)

    def result(self, part: Part, ahead: Ahead) -> CaseResult:
        """Check a part of which something is known ahead. Raises Interrupted."""
        return self._engines.checker.check(part.case, part.suite, part.before, ahead)

    def _opened_ahead(self) -> AsksCases:
        """Return how the engine, which has been started, is asked ahead. Raises Interrupted."""
        engine = self._engines.engine
        if not pays(self._asking):
            return OneByOne()
        if counts_together(engine):
            return Together(engine)
        kind = engine.engine
        if not asks_ahead(kind):
            return OneByOne()
        from .streamed import Streamed

        try:
            chess960 = self._asking.has_chess960 and engine.no_chess960 is None
            return Streamed(engine, kind, chess960, self._engines.checker.note, self._tell)
        except NotAhead as reason:
            self._tell(f"{engine.name} is asked one question at a time: {reason}")
            return OneByOne()
