"""A fault of ours: one line that apologizes, and a file with what is needed to mend it."""

from __future__ import annotations

import platform
import shlex
import traceback
from collections.abc import Sequence

from .spare_files import write_spare
from .versions import versions


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
