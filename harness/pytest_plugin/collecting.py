"""The hooks that are there where an engine is given: suites are collected, and the engine is started and closed."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from ...errors import UsageError, did_you_mean
from ...suites.bundled import BUNDLED, SYSTEMATIC, bundled_path
from ..model.capabilities import CapabilityUse, sentence_of
from .settings import Settings
from .suites import BundledSuite, PositionItem, SuiteFile
from .tester import TESTER, Tester, as_usage_errors

ENDINGS = (".epd", ".perft")
"""Names of suites end with one of these."""
USE = "perft_check_use"
"""The name under which a process of pytest-xdist says what the engine was asked."""


class Collecting:
    """Collects the suites of a session, and has their engine ready."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        """Look at what the command line names. Raises UsageError."""
        self._settings = settings
        self._is_worker = hasattr(config, "workerinput")
        self._tester = config.stash[TESTER] = Tester(settings)
        self._others = CapabilityUse()
        """What the processes to which the tests were handed out have asked."""
        config.add_cleanup(self._tester.close)
        with as_usage_errors():
            self._bundled = {name: _find_bundled(name) for name in settings.suites}
            if settings.is_in_command and not self._is_worker:
                self._tester.check_names()

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a file that is named like a suite."""
        if file_path.suffix.lower() not in ENDINGS:
            return None
        return SuiteFile.from_parent(parent, path=file_path, tester=self._tester)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the bundled suites, before items are chosen."""
        for name, path in self._bundled.items():
            suite = BundledSuite.from_parent(session, name=name, nodeid=name, path=path, tester=self._tester)
            items.extend(session.genitems(suite))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Start the engine before the first test. Raises UsageError if that fails.

        A session that hands its tests to processes of its own tries it for them.
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
        """Report the line of the suite as the place of a skipped position."""
        report = yield
        if isinstance(item, PositionItem) and report.skipped and isinstance(report.longrepr, tuple):
            path, line, _ = item.reportinfo()
            report.longrepr = str(path), (line or 0) + 1, report.longrepr[2]
        return report

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let a process that has run tests for another one say what the engine was asked."""
        if self._is_worker:
            output: dict[str, Any] = getattr(session.config, "workeroutput")  # noqa: B009 - pytest-xdist sets it
            output[USE] = self._tester.use.as_plain()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take in what such a process has asked; one that has died has not said it."""
        plain = getattr(node, "workeroutput", {}).get(USE)
        if plain is not None:
            self._others = self._others.join(CapabilityUse.of_plain(plain))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the engine was not asked for, if it was asked anything."""
        use = self._others.join(self._tester.use)
        if use.asked:
            from ..checking.running.runner import ADVICE

            if told := sentence_of(use.list_untried(ADVICE)):
                terminalreporter.write_line(f"perft-check, not tried: {told}")


def _find_bundled(name: str) -> Path:
    """Return the file of a bundled suite. Raises UsageError."""
    known = (*BUNDLED, *SYSTEMATIC)
    if name not in known:
        hint = did_you_mean(name, known)
        raise UsageError(f"--perft-suite {name!r} is no bundled suite: {hint}; a file is an argument without option")
    return bundled_path(name)


def _asks(item: pytest.Item) -> bool:
    """Return True if an item asks the engine."""
    return isinstance(item, PositionItem) or "perft_engine" in getattr(item, "fixturenames", ())
