"""The engines of a plan, started together: the one under test, its references, and who explains a mismatch."""

from __future__ import annotations

from collections.abc import Callable

from ...engines.asker import Asker, Caller
from ...model.capabilities import CapabilityUse
from .checker import Checker
from .plan import Asking


class Engines:
    """Opens the engines of a plan; `checker` asks them."""

    def __init__(self, asking: Asking, caller: Caller, tell: Callable[[str], None]) -> None:
        """Open the engines, whose questions `caller` carries out. Raises UsageError.

        `tell` is called with a line that says what the user waits for, or should know.
        """
        self._asking, self._caller, self._tell = asking, caller, tell
        self.engine = Asker(asking.engine(), caller, asking.limit, insists_on_chess960=asking.insists_on_chess960)
        """The engine under test."""
        self._references = [Asker(opener(), caller, asking.limit, is_reference=True) for opener in asking.references]
        self._arbiter: Asker | None = None
        arbiter = None if asking.arbiter is None else self._started_arbiter
        self.checker = Checker(self.engine, self._references, arbiter, asking.explain, tell)

    @property
    def names(self) -> tuple[str, tuple[str, ...]]:
        """The names of engine and references."""
        return self.engine.name, tuple(reference.name for reference in self._references)

    @property
    def use(self) -> CapabilityUse:
        """What the engine under test has been asked."""
        return self.engine.use

    def start(self) -> None:
        """Start engine and references. Raises EngineError, Interrupted."""
        for asker in (self.engine, *self._references):
            self._start(asker)

    def close(self) -> None:
        """Close all engines."""
        for asker in (self.engine, *self._references, *([self._arbiter] if self._arbiter else [])):
            asker.engine.close()

    def _start(self, asker: Asker) -> None:
        if (line := asker.engine.notice()) is not None:
            self._tell(line)
        asker.start()
        if (line := asker.insisting_notice) is not None:
            self._tell(line)
        if (line := asker.remark()) is not None:
            self._tell(line)
        if self._asking.has_chess960 and (why := asker.no_chess960) is not None:
            skipped = "such cases are skipped; --chess960 asks about them nevertheless"
            then = "it is no reference for such cases" if asker.is_reference else skipped
            self._tell(f"{asker.name} cannot be asked about Chess960: {why}; {then}")

    def _started_arbiter(self) -> Asker:
        """Return the engine that explains mismatches, opened and started at the first of them."""
        assert self._asking.arbiter is not None, "asked for only where there is one"
        if self._arbiter is None:
            self._arbiter = Asker(self._asking.arbiter(self.engine.engine), self._caller, self.engine.limit)
            self._start(self._arbiter)
        return self._arbiter
