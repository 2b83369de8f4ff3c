"""The positions that failed in earlier runs, for `--lf` and `--ff`.

They are kept in the state folder of the user, in one file for each engine, by the paths of the suites. A
position stays there until a run finds it right, so that a run of a part, or one that was stopped, forgets nothing. An
engine that is built anew is the same engine: its SPEC and the paths of its files name it.
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
"""Names that are kept of a suite."""


class LastFailures:
    """The failures of an engine, by the path of a suite. Raises UsageError where there is no such engine."""

    def __init__(self, engine: str) -> None:
        """Read what is known of an engine, by its SPEC; a file that cannot be read knows nothing."""
        words = [engine, *(str(path.resolve()) for path in files_of(engine))]
        digest = hashlib.sha256("\0".join(words).encode(errors="surrogateescape")).hexdigest()[:16]
        self._engine, self._path = engine, user_state_path("perft-check") / "failures" / f"{digest}.json"
        self._suites = self._read()

    def names(self, path: Path) -> frozenset[str]:
        """Return the names of the positions of a suite that failed when they were last checked."""
        return frozenset(self._suites.get(_key(path), ()))

    def keep(self, finished: RunFinished, paths: Mapping[str, Path]) -> None:
        """Note what a run has found; `paths` are those of its suites by their names.

        A folder that cannot be written to is no reason to let a run fail.
        """
        before = {(name, one) for name, path in paths.items() for one in self.names(path)}
        failed = {(one.suite, one.name) for one in (*finished.failures, *finished.not_reproduced)}
        right = {
            (one.suite, one.name)
            for one in (finished.results if before else ())  # there may be a million
            if one.verdict is Verdict.AGREE
        }
        now = (before - right) | failed
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
    """Return a suite with those of its positions alone that have these names."""
    return suite.within_limits(is_wanted=lambda case: case.name in names)


def _key(path: Path) -> str:
    """Return how a suite is kept: a bundled one by its name, whichever installation has it."""
    is_bundled = path.stem in ALL_BUNDLED and path == bundled_path(path.stem)
    return path.stem if is_bundled else str(path.resolve())
