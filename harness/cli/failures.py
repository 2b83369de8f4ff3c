"""Files written when something fails: tracebacks of internal errors, and reports that could not be written elsewhere.

A traceback is preceded by versions and facts about the machine, which `--version` and `doctor` also print.
"""

from __future__ import annotations

import os
import platform
import shlex
import time
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import gettempdir

from platformdirs import user_state_path

from ... import __version__
from ...atomic import write_atomically
from ...generator.kernels.machine.execution_mode import versions
from ...generator.kernels.machine.target import host_cpu_name, target_has_pext
from ..machine import threads

LIBRARIES = ("numba", "llvmlite", "numpy", "chess", "hypothesis", "typer", "rich")


def facts_for_reports() -> Iterator[tuple[str, str]]:
    """Yield the name and value of each fact that a bug report needs, such as versions and the CPU.

    The facts identify neither the user nor their folders. Numba is not imported.
    """
    yield "perft-check", __version__
    yield "python", platform.python_version()
    yield "libraries", versions(*LIBRARIES)
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    yield "system", ", ".join(filter(None, (system, " ".join(platform.libc_ver()).strip())))
    yield "cpu", f"{host_cpu_name()}, {threads()}"
    yield "sliders", "pext (also here: magic)" if target_has_pext() else "magic"


def write_fallback_file(stem: str, ending: str, pieces: Iterable[bytes]) -> Path:
    """Write a new file that only the user can read, and return its path. Raises OSError if no folder is writable."""
    name = f"perft-check-{stem}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}{ending}"
    data = b"".join(pieces)
    try:
        folder = user_state_path("perft-check")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _write(folder / name, data)
    except OSError:
        return _write(Path(gettempdir(), name), data)


def _write(file: Path, data: bytes) -> Path:
    write_atomically(file, data, mode=0o600)
    return file


def internal_error_message(fault: BaseException, arguments: Sequence[str]) -> str:
    """Write a traceback to a file, and return a one-line message that names the error and the file."""
    what = f"sorry, this is a bug in perft-check ({_last_line(fault)})"
    try:
        document = _document(fault, arguments).encode(errors="backslashreplace")
        return f"{what}: please report it with the file {write_fallback_file('error', '.txt', [document])}"
    except OSError as error:
        return f"{what}: please report it; the traceback could not be written ({error.strerror})"


def _last_line(fault: BaseException) -> str:
    lines = "".join(traceback.format_exception_only(_origin(fault))).strip().splitlines()
    return " ".join(lines[-1].split())[:200]


def _origin(fault: BaseException) -> BaseException:
    while fault.__cause__ is not None and not str(fault):
        fault = fault.__cause__
    return fault


def _document(fault: BaseException, arguments: Sequence[str]) -> str:
    facts = [*facts_for_reports(), ("command", shlex.join(["perft-check", *arguments]))]
    lines = [f"{name}: {value}" for name, value in facts]
    return "\n".join([*lines, "", *traceback.format_exception(_origin(fault))])
