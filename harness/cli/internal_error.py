"""A fault of ours: one line that apologizes, and a file with what is needed to mend it."""

from __future__ import annotations

import os
import platform
import shlex
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from platformdirs import user_state_path

from ...atomic import write_atomically
from .versions import versions


def apology(fault: BaseException, arguments: Sequence[str]) -> str:
    """Return the line that tells of a fault of ours, and of the file that has its traceback."""
    what = f"sorry, this is a fault of perft-check itself ({_last_line(fault)})"
    try:
        return f"{what}: please report it with the file {_written(_document(fault, arguments))}"
    except OSError as error:
        return f"{what}: no file with its traceback could be written ({error.strerror})"


def _last_line(fault: BaseException) -> str:
    """Return the name and the message of the exception where it all began."""
    lines = "".join(traceback.format_exception_only(_origin(fault))).strip().splitlines()
    return " ".join(lines[-1].split())[:200]


def _origin(fault: BaseException) -> BaseException:
    while fault.__cause__ is not None and not str(fault):
        fault = fault.__cause__
    return fault


def _document(fault: BaseException, arguments: Sequence[str]) -> str:
    facts = [*versions(), ("system", platform.platform()), ("command", shlex.join(["perft-check", *arguments]))]
    lines = [f"{name}: {value}" for name, value in facts]
    return "\n".join([*lines, "", *traceback.format_exception(_origin(fault))])


def _written(text: str) -> Path:
    """Write a new file that only the user can read, and return its path. Raises OSError where there is no place."""
    name = f"perft-check-error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    *others, last = _folders()
    for folder in others:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _write(folder / name, text)
        except OSError:
            continue
    return _write(last / name, text)


def _write(file: Path, text: str) -> Path:
    write_atomically(file, text.encode(errors="backslashreplace"), mode=0o600)
    return file


def _folders() -> Iterator[Path]:
    yield user_state_path("perft-check")
    yield Path(tempfile.gettempdir())
