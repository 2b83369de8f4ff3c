"""Hooks that collect suites and start the engine. They are registered only if an engine is given.

Each position of a suite is a test item.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ...errors import UsageError, did_you_mean, shorten
from ...suites.bundled import BUNDLED, SYSTEMATIC, bundled_path
from ...suites.case import Case, Suite, SuiteError
from ...suites.loader import has_counts, load_suite
from ..engines.opening import check_spec
from ..model.results.events import CaseResult
from ..model.results.verdict import Verdict
from .settings import Settings
from .tester import TESTER, Tester, as_failures, as_usage_errors

LONGEST = 200
"""Maximum length of a test name in characters. pytest stores it in the environment, which engines inherit."""
_SEPARATORS = re.compile(":{2,}")
"""The separator between a file and a name in pytest's node IDs."""


def names_of(cases: Sequence[Case]) -> list[str]:
    """Return a distinct name for each case of a suite, with a line number or index appended to duplicates."""
    names = [shorten(_SEPARATORS.sub(":", case.name), LONGEST) for case in cases]
    for suffixes in ([line_number_of(case) for case in cases], range(1, len(cases) + 1)):
        times = Counter(names)
        names = [name if times[name] == 1 else f"{name}:{one}" for name, one in zip(names, suffixes, strict=True)]
    return names


def line_number_of(case: Case) -> int:
    """Return the line number of a case in its file."""
    return int(case.source.rpartition(":")[2])


class NotReproducedWarning(pytest.PytestWarning):
    """Warning about a failure that could not be reproduced."""


class PositionItem(pytest.Item):
    """A position of a suite, with all its counts."""

    def __init__(self, *, case: Case, suite: str, tester: Tester, **options: Any) -> None:
        super().__init__(**options)
        self._case, self._suite, self._tester = case, suite, tester
        self._headline = ""

    def setup(self) -> None:
        """Start the engine unless it is running."""
        with as_failures():
            self._tester.start()

    def runtest(self) -> None:
        """Check the counts, and fail, skip or warn accordingly."""
        result = self._tester.check(self._case, self._suite)
        if result.verdict is Verdict.SKIPPED:
            pytest.skip(result.message)
        if result.verdict is Verdict.NOT_REPRODUCED:
            self._warn(result)
        elif result.verdict is not Verdict.AGREE:
            self._fail(result)

    def _warn(self, result: CaseResult) -> None:
        """Warn about a failure that could not be reproduced. If warnings are errors, fail the test."""
        try:
            self.warn(NotReproducedWarning(text_of(result, self._tester.spec)))
        except NotReproducedWarning:
            self._fail(result)

    def _fail(self, result: CaseResult) -> None:
        self._headline = headline(result)
        pytest.fail(text_of(result, self._tester.spec), pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return pytest's representation of the failure, with the suite's line as its location."""
        shown = super().repr_failure(excinfo, style)
        location = getattr(shown, "reprcrash", None)
        if self._headline and location is not None:
            location.path, location.lineno = str(self.path), line_number_of(self._case)
            location.message = self._headline
        return shown

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, the zero-based line number, and the name."""
        return self.path, line_number_of(self._case) - 1, self.name


class SuiteFile(pytest.File):
    """A suite in a file."""

    def __init__(self, *, tester: Tester, **options: Any) -> None:
        super().__init__(**options)
        self._tester = tester

    def collect(self) -> Iterable[PositionItem]:
        """Return an item for each position. Raises CollectError with a one-line message.

        A file without any counts is not a suite and is ignored, unless the command line names it.
        """
        try:
            if not self.session.isinitpath(self.path) and not has_counts(self.path):
                return []
            suite = load_suite(self.path)
        except SuiteError as error:
            raise self.CollectError(str(error)) from None
        cases = tuple(replace(case, source=f"{self.nodeid}:{line_number_of(case)}") for case in suite)
        return list(_items(self, replace(suite, cases=cases), self._tester))


class BundledSuite(pytest.Collector):
    """A suite that comes with perft-check."""

    def __init__(self, *, tester: Tester, **options: Any) -> None:
        super().__init__(**options)
        self._tester = tester

    def collect(self) -> Iterable[PositionItem]:
        """Return an item for each position."""
        return list(_items(self, load_suite(self.path), self._tester))


def _items(parent: pytest.Collector, suite: Suite, tester: Tester) -> Iterator[PositionItem]:
    """Yield the items of a suite, without counts beyond the limits. Limits do not affect the names of items."""
    settings = tester.settings
    for name, whole in zip(names_of(suite.cases), suite.cases, strict=True):
        case = whole.to_depth(settings.max_depth, settings.max_nodes)
        if case.counts:
            yield PositionItem.from_parent(parent, name=name, case=case, suite=suite.name, tester=tester)


LONGEST_HEADLINE = 200


def text_of(result: CaseResult, engine: str) -> str:
    """Return what `perft-check run` prints about a failure of `engine`, without colors."""
    from ...reports.failure import render_failure
    from ...reports.layout import plain

    return plain(render_failure(result, engine))


def headline(result: CaseResult) -> str:
    """Return a one-line description of a failure, with the broken rule if it is known."""
    if result.finding is not None:
        return result.finding.headline_with_move
    message = " ".join(f"{result.verdict.value}: {result.message}".split())
    return shorten(message, LONGEST_HEADLINE)


ENDINGS = (".epd", ".perft")
"""Extensions of suites."""


class Collecting:
    """Hooks that collect the suites of a session and start their engine."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        """Check the engine and suites on the command line. Raises UsageError."""
        self._settings = settings
        self._is_worker = hasattr(config, "workerinput")
        self._tester = config.stash[TESTER] = Tester(settings)
        config.add_cleanup(self._tester.close)
        with as_usage_errors():
            self._bundled = {name: _find_bundled(name) for name in settings.suites}
            if settings.is_in_command and not self._is_worker:
                check_spec(self._tester.spec)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a file that has the extension of a suite."""
        if file_path.suffix.lower() not in ENDINGS:
            return None
        return SuiteFile.from_parent(parent, path=file_path, tester=self._tester)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the bundled suites before items are selected."""
        for name, path in self._bundled.items():
            suite = BundledSuite.from_parent(session, name=name, nodeid=name, path=path, tester=self._tester)
            items.extend(session.genitems(suite))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Start the engine before the first test. Raises UsageError if that fails.

        With pytest-xdist, the controller starts the engine once as a check, so that a failure is reported only once.
        """
        distributes = session.config.pluginmanager.has_plugin("dsession")
        needs_engine = self._settings.is_in_command if distributes else any(map(_asks, session.items))
        if self._is_worker or not needs_engine or session.config.getoption("collectonly"):
            return
        with as_usage_errors():
            self._tester.start()
        if distributes:
            self._tester.close()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Report the suite's line as the location of a skipped position."""
        report = yield
        if isinstance(item, PositionItem) and report.skipped and isinstance(report.longrepr, tuple):
            path, line, _ = item.reportinfo()
            report.longrepr = str(path), (line or 0) + 1, report.longrepr[2]
        return report


def _find_bundled(name: str) -> Path:
    """Return the path of a bundled suite. Raises UsageError."""
    known = (*BUNDLED, *SYSTEMATIC)
    if name not in known:
        hint = did_you_mean(name, known)
        raise UsageError(f"--perft-suite {name!r} is not a bundled suite: {hint}; pass a file without an option")
    return bundled_path(name)


def _asks(item: pytest.Item) -> bool:
    """Return True if a test uses the engine."""
    return isinstance(item, PositionItem) or "perft_engine" in getattr(item, "fixturenames", ())
