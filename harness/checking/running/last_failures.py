"""The positions that failed in earlier runs, for `--lf`.

They are stored in the user's state folder, in one file per engine, keyed by the paths of the suites. A position is
removed only when a run finds it correct, so that partial or interrupted runs lose nothing. An engine is identified by
its SPEC and the paths of its files, so that rebuilding it does not change its identity.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from ....atomic import write_atomically
from ....suites.bundled import ALL_BUNDLED, bundled_path
from ....suites.case import Suite
from ...engines.files import files_of
from ...model.results.events import RunFinished
from ...model.results.verdict import Verdict

MOST_NAMES = 100_000
"""Maximum number of names to store for a suite."""


class LastFailures:
    """The stored failures of an engine, by suite. Raises UsageError if there is no such engine."""

    def __init__(self, engine: str) -> None:
        """Read the stored failures of the engine with this SPEC. An unreadable file is treated as empty."""
        words = [engine, *(str(path.resolve()) for path in files_of(engine))]
        digest = hashlib.sha256("\0".join(words).encode(errors="surrogateescape")).hexdigest()[:16]
        self._engine, self._path = engine, user_state_path("perft-check") / "failures" / f"{digest}.json"
        self._suites = self._read()

    def names(self, path: Path) -> frozenset[str]:
        """Return the names of the suite's positions that failed when last checked."""
        return frozenset(self._suites.get(_key(path), ()))

    def keep(self, finished: RunFinished, paths: Mapping[str, Path]) -> None:
        """Store the failures of a run; `paths` maps the names of its suites to their paths.

        If the folder is not writable, nothing is stored; the run does not fail for this reason.
        """
        before = {(name, one) for name, path in paths.items() for one in self.names(path)}
        failed = {(one.suite, one.name) for one in (*finished.failures, *finished.not_reproduced)}
        correct = {
            (one.suite, one.name)
            for one in (finished.results if before else ())  # there may be a million results
            if one.verdict is Verdict.AGREE
        }
        now = (before - correct) | failed
        if now == before:
            return
        for suite, path in paths.items():
            if path.is_file():
                self._suites[_key(path)] = sorted(name for of, name in now if of == suite)[:MOST_NAMES]
        document = {"engine": self._engine, "suites": {path: names for path, names in self._suites.items() if names}}
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._path, json.dumps(document, indent=1).encode(), mode=0o600)

    def _read(self) -> dict[str, list[str]]:
        try:
            document: Any = json.loads(self._path.read_bytes())
            return {path: [*map(str, names)] for path, names in document["suites"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}


def only_failed(suite: Suite, names: frozenset[str]) -> Suite:
    """Return a suite that contains only the positions with these names."""
    return suite.within_limits(is_wanted=lambda case: case.name in names)


def _key(path: Path) -> str:
    """Return the key of a suite: its path or, if it is bundled, its name, which is independent of the installation."""
    is_bundled = path.stem in ALL_BUNDLED and path == bundled_path(path.stem)
    return path.stem if is_bundled else str(path.resolve())
