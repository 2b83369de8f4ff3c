"""Suites as pytest collects them, with an item for each position: its name, its line, and its failure as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ...errors import shorten
from ...suites.case import Case, Suite, SuiteError
from ...suites.loader import has_counts, load_suite
from ..model.results.events import CaseResult
from ..model.results.verdict import Verdict
from .tester import Tester, as_failures

LONGEST = 200
"""Characters of a name. Engines inherit it: pytest keeps it in the environment while a test runs."""
_SEPARATORS = re.compile(":{2,}")
"""What stands between a file and a name in pytest."""


def names_of(cases: Sequence[Case]) -> list[str]:
    """Return a name for each case of a suite: its own, with its line and number behind it if it is not the only one."""
    names = [shorten(_SEPARATORS.sub(":", case.name), LONGEST) for case in cases]
    for behind in ([line_of(case) for case in cases], range(1, len(cases) + 1)):
        times = Counter(names)
        names = [name if times[name] == 1 else f"{name}:{more}" for name, more in zip(names, behind, strict=True)]
    return names


def line_of(case: Case) -> int:
    """Return the line of the file on which a case stands."""
    return int(case.source.rpartition(":")[2])


class NotReproducedWarning(pytest.PytestWarning):
    """A failure that did not come again when the engine was asked anew."""


class PositionItem(pytest.Item):
    """A position of a suite, with all its counts."""

    def __init__(self, *, case: Case, suite: str, tester: Tester, **options: Any) -> None:
        super().__init__(**options)
        self._case, self._suite, self._tester = case, suite, tester
        self._headline = ""

    def setup(self) -> None:
        """Have the engine ready."""
        with as_failures():
            self._tester.start()

    def runtest(self) -> None:
        """Check the counts. Raises what pytest takes for a failure or for a skipped test."""
        result = self._tester.check(self._case, self._suite)
        if result.verdict is Verdict.SKIPPED:
            skipped = pytest.skip.Exception(result.message)
            skipped._use_item_location = True  # else pytest says that we have skipped it here
            raise skipped
        if result.verdict is Verdict.NOT_REPRODUCED and not self._tester.settings.fail_not_reproduced:
            self._tell_of(result)
        elif result.verdict is not Verdict.AGREE:
            self._fail(result)

    def _tell_of(self, result: CaseResult) -> None:
        """Warn of what did not come again; it is a failure where warnings are errors."""
        try:
            self.warn(NotReproducedWarning(text_of(result, self._tester.specs[0])))
        except NotReproducedWarning:
            self._fail(result)

    def _fail(self, result: CaseResult) -> None:
        self._headline = headline(result)
        pytest.fail(text_of(result, self._tester.specs[0]), pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return the failure as pytest prints it, with the line of the suite as its place."""
        shown = super().repr_failure(excinfo, style)
        place = getattr(shown, "reprcrash", None)
        if self._headline and place is not None:
            place.path, place.lineno, place.message = str(self.path), line_of(self._case), self._headline
        return shown

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the line counted from 0, and the name."""
        return self.path, line_of(self._case) - 1, self.name


class SuiteFile(pytest.File):
    """A suite in a file of the user."""

    def __init__(self, *, tester: Tester, **options: Any) -> None:
        super().__init__(**options)
        self._tester = tester

    def collect(self) -> Iterable[PositionItem]:
        """Yield an item for each position. Raises CollectError, with one line that says what is wrong.

        A file without any count is something else than a suite, and has no items unless the command line names it.
        """
        try:
            if not self.session.isinitpath(self.path) and not has_counts(self.path):
                return []
            suite = load_suite(self.path)
        except SuiteError as error:
            raise self.CollectError(str(error)) from None
        cases = tuple(replace(case, source=f"{self.nodeid}:{line_of(case)}") for case in suite)
        return list(_items(self, replace(suite, cases=cases), self._tester))


class BundledSuite(pytest.Collector):
    """A suite that comes with perft-check."""

    def __init__(self, *, tester: Tester, **options: Any) -> None:
        super().__init__(**options)
        self._tester = tester

    def collect(self) -> Iterable[PositionItem]:
        """Yield an item for each position."""
        return list(_items(self, load_suite(self.path), self._tester))


def _items(parent: pytest.Collector, suite: Suite, tester: Tester) -> Iterator[PositionItem]:
    """Yield the items of a suite, without the counts beyond the limits. Their names do not depend on the limits."""
    settings = tester.settings
    for name, whole in zip(names_of(suite.cases), suite.cases, strict=True):
        case = whole.to_depth(settings.max_depth, settings.max_nodes)
        if case.counts:
            yield PositionItem.from_parent(parent, name=name, case=case, suite=suite.name, tester=tester)


LONGEST_HEADLINE = 200


def text_of(result: CaseResult, engine: str) -> str:
    """Return what a run prints about a position that `engine` gets wrong, without colors."""
    from ...reports.failure import render_failure
    from ...reports.layout import plain

    return plain(render_failure(result, engine))


def headline(result: CaseResult) -> str:
    """Return what is wrong in one line: the broken rule where it is known."""
    if result.finding is not None:
        return result.finding.headline_with_move
    message = " ".join(f"{result.verdict.value}: {result.message}".split())
    return shorten(message, LONGEST_HEADLINE)
