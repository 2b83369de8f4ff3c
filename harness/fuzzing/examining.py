"""Examine one place: every check that applies, and what they find."""

from __future__ import annotations

from collections.abc import Sequence

from ...generator.line import Line
from ...generator.position import Position
from ..engines.asker import Asker, Caller
from ..engines.base import EngineError
from .checks.base import Check, Probe
from .model import Fault


class Examiner:
    """The checks of a run, and the engines that they ask."""

    def __init__(self, checks: Sequence[Check], engines: Sequence[Asker], caller: Caller) -> None:
        self._checks, self._engines, self.caller = tuple(checks), tuple(engines), caller

    @property
    def checks(self) -> tuple[str, ...]:
        """The names of the faults that can be seen."""
        return tuple(dict.fromkeys(name for check in self._checks for name in check.names))

    def start(self) -> None:
        """Get the engines ready, and see that each answers at all. Raises EngineError, Interrupted."""
        start = Line(Position.start())
        for engine in self._engines:
            engine.start()
            engine.divide(start, max(1, engine.min_depth))

    def notices(self) -> list[str]:
        """Return what starting is going to wait for."""
        return [line for asker in self._engines if (line := asker.engine.notice()) is not None]

    def examine(self, line: Line, depth: int, only: str | None = None) -> list[Fault]:
        """Return what is wrong, one fault of each signature. An engine that fails is a fault like any other.

        `only` asks just the checks that can see a fault of that name. Raises Interrupted.
        """
        found: dict[tuple[str, ...], Fault] = {}
        probe = Probe(line, depth)
        for check in self._checks:
            if only is not None and only not in check.names:
                continue
            self.caller.check()
            try:
                for fault in check(probe):
                    found.setdefault(fault.signature, fault)
            except EngineError as failure:
                fault = Fault(check.names[0], failure.verdict, probe.place, None, str(failure), failure.of_reference)
                found.setdefault(fault.signature, fault)
                break  # the other checks would ask the same engine
        return list(found.values())

    def close(self) -> None:
        """Close the engines."""
        for asker in self._engines:
            asker.engine.close()
