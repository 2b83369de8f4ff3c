"""The file that keeps a run, beside its corpus: locked, read and checked at the beginning, then written again."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from ....atomic import write_atomically
from ....errors import UsageError, shorten
from ..plan import FuzzPlan
from .document import Fields, Foreign, read, settings_of, write_state
from .state import FuzzState, beginning

ENDING = ".resume"
LOCK_SECONDS = 10.0
"""How long the processes of a run that was killed may take to end."""
LARGEST = 256 << 20
"""Bytes of a file that are read; a run keeps a few megabytes at most."""
_LONGEST_VALUE = 80
"""Characters of a setting in a message."""


def place_beside(corpus: Path) -> Path:
    """Return the file that keeps the runs of a corpus."""
    real = Path(os.path.realpath(corpus))
    return real.with_name(real.name + ENDING)


class Keeping:
    """The file of a run that is under way."""

    def __init__(self, path: Path, plan: FuzzPlan, before: FuzzState) -> None:
        self.path, self.before = path, before
        self._settings = settings_of(plan)

    def write(self, state: FuzzState) -> None:
        """Replace what is kept. Raises UsageError; what was there then stays."""
        try:
            write_atomically(self.path, write_state(state, self._settings))
        except OSError as error:
            raise UsageError(f"cannot write {self.path}: {error.strerror}") from None


@contextmanager
def keep_beside(corpus: Path, plan: FuzzPlan, seed: int | None) -> Iterator[Keeping]:
    """Yield the file of a run, which nobody else can go on from as long as the block lasts.

    `seed` is the one that the user has given. Raises UsageError where another run has the file, and where it cannot
    be read or written or is of other settings.
    """
    path = place_beside(corpus)
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=LOCK_SECONDS)
    try:
        os.stat(path.parent)  # else the library would make the folder
        lock.acquire()
    except Timeout:
        raise UsageError(
            f"--resume: another run goes on from {path}: wait until it ends, or give another --corpus"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot lock {path}: {error.strerror}") from None
    try:
        keeping = Keeping(path, plan, _before(path, plan, seed))
        keeping.write(keeping.before)
        yield keeping
    finally:
        lock.release()


def _before(path: Path, plan: FuzzPlan, seed: int | None) -> FuzzState:
    """Return what is kept, or the beginning of a run where there is nothing."""
    data = _bytes(path)
    if data is None:
        return beginning(plan)
    try:
        state, settings = read(data)
    except Foreign as objection:
        raise UsageError(
            f"--resume: {path} {objection}; move it away to begin anew, or give another --corpus"
        ) from None
    given = {**settings_of(plan), "seed": state.seed if seed is None else seed}
    _check_same(path, {**settings, "seed": state.seed}, given)
    return state


def _bytes(path: Path) -> bytes | None:
    """Return what a file has, None where there is none."""
    try:
        if path.exists() and (not path.is_file() or path.stat().st_size > LARGEST):
            raise UsageError(f"--resume: {path} keeps no run: give another --corpus")
        return path.read_bytes() if path.exists() else None
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _check_same(path: Path, before: Fields, given: Fields) -> None:
    """Check that a run goes on with the settings that it had. Raises UsageError."""
    for name, value in given.items():
        if before.get(name) != value:
            theirs, ours = (shorten(ascii(one), _LONGEST_VALUE) for one in (before.get(name), value))
            raise UsageError(
                f"--resume: {path} is of a run with {name} {theirs}, not {ours}: "
                "give the settings of that run, or another --corpus"
            )
