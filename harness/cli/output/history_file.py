"""`--history FILE`: a run is kept in a file that was checked before it began."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

from ....errors import UsageError
from ...engines.registry import open_engine
from ...history.store import HISTORY, keep, origin_of
from ...model.results.events import RunFinished
from ...model.results.verdict import ExitCode
from ..settings.run import MEASURED, RunSettings
from . import console


class History:
    """The file in which a run is kept. Raises UsageError, before the run, where that is impossible."""

    def __init__(self, path: str, settings: RunSettings) -> None:
        self._path = Path(path)
        HISTORY.prepare(self._path)
        with closing(open_engine(settings.tested)) as engine:
            self._origin = origin_of(settings.tested, engine, measured_settings(settings))

    def keep(self, finished: RunFinished) -> ExitCode:
        """Keep a run and return its exit status. A history that cannot be written does not hide how the run ended."""
        try:
            keep(self._path, self._origin, finished)
        except UsageError as error:
            console.err().print(f"perft-check: {error}", soft_wrap=True)
            return ExitCode.USAGE if finished.exit_code is ExitCode.AGREE else finished.exit_code
        return finished.exit_code


def measured_settings(settings: RunSettings) -> Mapping[str, Any]:
    """Return what the user has set that changes what is compared, or how fast, by the names of the settings."""
    values = {one.name: getattr(settings, one.name) for one in fields(settings) if one.name in MEASURED}
    given = {name: value for name, value in values.items() if value != getattr(RunSettings, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
