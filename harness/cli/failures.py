"""What is left where something fails: a report that cannot be written where it belongs, and our own tracebacks.

Both go to a file of their own. The versions of all that takes part are told with a fault, and by `perft-check doctor`.
"""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from platformdirs import user_state_path

from ... import __version__
from ...atomic import write_atomically

LIBRARIES = ("numba", "llvmlite", "numpy", "chess", "hypothesis", "typer", "rich")


def versions() -> Iterator[tuple[str, str]]:
    """Yield names and versions."""
    yield "perft-check", __version__
    yield "python", f"{platform.python_version()} at {sys.executable}"
    yield "libraries", ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def write_spare(stem: str, ending: str, pieces: Iterable[bytes]) -> Path:
    """Write a new file that only the user can read, and return its path. Raises OSError where there is no place."""
    name = f"perft-check-{stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{ending}"
    data = b"".join(pieces)
    *others, last = _folders()
    for folder in others:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _write(folder / name, data)
        except OSError:
            continue
    return _write(last / name, data)


def _write(file: Path, data: bytes) -> Path:
    write_atomically(file, data, mode=0o600)
    return file


def _folders() -> Iterator[Path]:
    yield user_state_path("perft-check")
    yield Path(tempfile.gettempdir())


def apology(fault: BaseException, arguments: Sequence[str]) -> str:
    """Return the line that tells of a fault of ours, and of the file that has its traceback."""
    what = f"sorry, this is a fault of perft-check itself ({_last_line(fault)})"
    try:
        document = _document(fault, arguments).encode(errors="backslashreplace")
        return f"{what}: please report it with the file {write_spare('error', '.txt', [document])}"
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
