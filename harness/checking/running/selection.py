"""The selection of suites and counts for a run."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ....errors import UsageError, concerning
from ....suites.bundled import DEFAULT, QUICK, SETUPS, SYSTEMATIC, bundled_path, display_path, find_suite
from ....suites.case import Case, Suite
from ....suites.loader import load_suite
from ...engines.engine import Engine
from ...engines.opening import open_session
from ...engines.spec import EngineSpec
from ...model.capabilities import Capability, MissingCapabilities


@dataclass(frozen=True)
class Selection:
    """The suites and counts that an engine is checked with."""

    engine: EngineSpec
    suites: Sequence[str] = ()
    quick: bool = False
    max_depth: int | None = None
    max_nodes: int | None = None
    pattern: str | None = None
    """A regular expression that is matched against names and FENs."""
    chess960: bool | None = None

    @property
    def is_default(self) -> bool:
        """Whether perft-check chooses the suites."""
        return not self.suites and not self.quick

    @property
    def left_out(self) -> MissingCapabilities:
        """The capabilities that the default suites skip for an engine that starts a process for each question."""
        if not self.is_default or not open_session(self.engine).engine.starts_for_each_question:
            return {}
        return {Capability.SYSTEMATIC: " ".join(f"-s {name}" for name in SYSTEMATIC)}

    def load(self, notify: Callable[[str], None] = lambda _notice: None) -> tuple[Suite, ...]:
        """Return the suites, without the counts and positions that the limits and the filter exclude.

        `notify` is called with notices of the suite readers. Raises UsageError, SuiteError.
        """
        selected: list[Suite] = []
        for path, spec in {_find(spec): spec for spec in self._specs()}.items():
            wanted = self._matcher(open_session(self.engine).engine if path == bundled_path(SETUPS) else None)
            with concerning(spec):
                suite = load_suite(path).within_limits(is_wanted=wanted)
            if suite.notice:
                notify(suite.notice)
            if self.is_default:
                most = sys.maxsize if self.max_nodes is None else self.max_nodes
                suite = _without_repeats(suite.up_to(min(most, DEFAULT[spec])), selected)
            suite = suite.within_limits(self.max_depth, self.max_nodes)
            is_taken = suite.name in {one.name for one in selected}
            selected.append(replace(suite, name=display_path(path) if is_taken else suite.name))
        return tuple(suite for suite in selected if suite.cases)

    def _specs(self) -> Sequence[str]:
        """Return the names or paths of the suites. Raises UsageError."""
        if not self.is_default:
            return self.suites or QUICK
        left_out = SYSTEMATIC if self.left_out else ()
        return [name for name in DEFAULT if name not in left_out]

    def _matcher(self, engine: Engine | None) -> Callable[[Case], bool] | None:
        """Return a function that selects cases, or None for all.

        If `engine` is given, select only cases whose setup it supports. Raises UsageError.
        """
        pattern, chess960 = self.pattern, self.chess960
        try:
            matching = None if pattern is None else re.compile(pattern, re.IGNORECASE)
        except re.error as error:
            raise UsageError(f"--filter {pattern!r} is not a valid regular expression: {error}", pattern) from None
        if pattern is None and chess960 is None and engine is None:
            return None

        def is_wanted(case: Case) -> bool:
            if chess960 is not None and case.position.chess960 is not chess960:
                return False
            if engine is not None and not case.setup <= engine.setups:
                return False
            return matching is None or bool(matching.search(case.name) or matching.search(case.position.fen()))

        return is_wanted


def _without_repeats(suite: Suite, earlier: Iterable[Suite]) -> Suite:
    """Return a suite without the counts of earlier cases. Cases with moves or a setup keep all counts."""
    asked = {(case.position, count) for one in earlier for case in one if not case.setup for count in case.counts}
    cases = []
    for case in suite:
        if not case.moves and not case.setup:
            counts = tuple(count for count in case.counts if (case.position, count) not in asked)
            asked.update((case.position, count) for count in counts)
            case = replace(case, counts=counts)
        cases.append(case)
    return replace(suite, cases=tuple(case for case in cases if case.counts))


def _find(spec: str) -> Path:
    """Return the file of a suite. Raises SuiteError with a message that names `spec`."""
    with concerning(spec):
        return find_suite(spec)
