"""Running again whenever the engine or a suite changes, what failed last time first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from ...errors import UsageError
from ..engines.base import EngineError
from ..engines.files import files_of
from ..engines.registry import open_engine
from ..model.results.events import RunFinished
from ..model.results.verdict import ExitCode
from ..model.shutdown import Interrupt
from .output import console

First = frozenset[tuple[str, str]]
QUIET_MS = 300
"""If nothing has changed for so long, what writes the file is done."""
MOST_MS = 5_000
"""A look at files that never come to rest."""


class FileState(NamedTuple):
    """By what we tell that a file has changed."""

    inode: int
    size: int
    changed_ns: int


class _StopEvent:
    """An interrupt, as watchfiles asks for it."""

    def __init__(self, interrupt: Interrupt) -> None:
        self._interrupt = interrupt

    def is_set(self) -> bool:
        return self._interrupt.requested


def watch(
    engine: str,
    suites: Iterable[str],
    run: Callable[[First], tuple[RunFinished, ExitCode]],
    interrupt: Interrupt,
) -> ExitCode:
    """Run, and run again after each change, until an interrupt; return the exit status of the last run.

    `run` is given the cases to begin with. Raises UsageError where there is nothing to watch, and what the first run
    raises: what a later one raises is printed, because an engine that is being written to cannot be started.
    """
    files = _files_to_watch(engine, suites)
    before = states(files)
    finished, status = run(frozenset())
    first = failed_cases(finished)
    while not interrupt.requested and _has_changed(files, before, interrupt):
        before = states(files)
        try:
            finished, status = run(first)
            first = failed_cases(finished)
        except (UsageError, EngineError) as error:
            console.err().print(f"perft-check: {error.with_advice}", soft_wrap=True)
            status = ExitCode.USAGE if isinstance(error, UsageError) else ExitCode.ENGINE_FAILED
    return status


def failed_cases(finished: RunFinished) -> First:
    """Return the cases that have failed in a run."""
    return frozenset((one.suite, one.name) for one in finished.failures)


def states(files: Iterable[Path]) -> Mapping[Path, FileState | None]:
    """Return the state of each file; None of one that is not there."""
    return {path: _state(path) for path in files}


def _state(path: Path) -> FileState | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return FileState(found.st_ino, found.st_size, found.st_mtime_ns)


def _files_to_watch(engine: str, suites: Iterable[str]) -> tuple[Path, ...]:
    """Return the files of the engine, and those suites that are files. Raises UsageError."""
    if find_spec("watchfiles") is None:
        raise UsageError("--watch waits with watchfiles, which is not here: pip install watchfiles")
    with closing(open_engine(engine)) as opened:
        files = files_of(opened)
    if not files:
        raise UsageError(f"--watch: {engine} has no file that could change: give a program, as ./my-engine", engine)
    return (*files, *(path for path in map(Path, (engine, *suites)) if path.is_file() and path not in files))


def _has_changed(files: tuple[Path, ...], before: Mapping[Path, FileState | None], interrupt: Interrupt) -> bool:
    """Wait until a file is another than before, and all are there; return False at an interrupt."""
    from watchfiles import watch as changes

    console.err().print(f"watching {', '.join(map(str, files))}: Ctrl-C ends", style="dim", soft_wrap=True)
    folders = dict.fromkeys(path.resolve().parent for path in files)
    for _ in changes(
        *folders,
        watch_filter=None,
        stop_event=_StopEvent(interrupt),
        step=QUIET_MS,
        debounce=MOST_MS,
        rust_timeout=MOST_MS,  # a change before the watch began is seen then
        yield_on_timeout=True,
        recursive=False,
        raise_interrupt=False,
    ):
        now = states(files)
        if None not in now.values() and now != before:
            return True
    return False
