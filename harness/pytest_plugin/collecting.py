"""The hooks that are there where an engine is given: suites are collected, and the engine is started and closed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...errors import UsageError, did_you_mean
from ...suites.bundled import BUNDLED, bundled_path
from .complaints import as_usage_errors
from .options import Settings
from .suites import BundledSuite, PositionItem, SuiteFile
from .tester import TESTER, Tester

ENDINGS = (".epd", ".perft")
"""Names of suites end with one of these."""


class Collecting:
    """Collects the suites of a session, and has their engine ready."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        """Look at what the command line names. Raises UsageError."""
        self._settings = settings
        self._is_worker = hasattr(config, "workerinput")
        self._tester = config.stash[TESTER] = Tester(settings)
        config.add_cleanup(self._tester.close)
        with as_usage_errors():
            self._bundled = {name: _bundled(name) for name in settings.suites}
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
        """Start the engine before the first test. Raises UsageError where that fails.

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


def _bundled(name: str) -> Path:
    """Return the file of a bundled suite. Raises UsageError."""
    if name not in BUNDLED:
        hint = did_you_mean(name, BUNDLED)
        raise UsageError(f"--perft-suite {name!r} is no bundled suite: {hint}; a file is an argument without option")
    return bundled_path(name)


def _asks(item: pytest.Item) -> bool:
    """Tell whether an item asks the engine."""
    return isinstance(item, PositionItem) or "perft_engine" in getattr(item, "fixturenames", ())
