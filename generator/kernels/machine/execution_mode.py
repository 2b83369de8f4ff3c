"""The execution mode of kernels in this process: the fastest mode in which no error has occurred.

The fastest mode uses private names of Numba to compile and call machine code. Any version of Numba may change them. The
other modes are slower but do not need these names.
"""

from __future__ import annotations

import os
from enum import Enum
from importlib.metadata import PackageNotFoundError, version

from .folders import log

LIBRARIES = ("numba", "llvmlite", "numpy")
"""The libraries that affect the machine code."""


class ExecutionMode(Enum):
    """Execution modes, fastest first; their values are descriptions."""

    QUICK = "compiled once, and kept"
    PLAIN = "compiled in every run, which takes longer"
    PYTHON = "plain Python, some thousand times slower"


class KernelError(TypeError):
    """An error in the kernel itself, which would occur in every mode."""


_left = (
    set(ExecutionMode) - {ExecutionMode.PYTHON}
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    else set[ExecutionMode]()
)
_reasons: list[str] = []


def current_mode() -> ExecutionMode:
    """Return the fastest mode that has not failed."""
    return next(mode for mode in ExecutionMode if mode not in _left)


def leave_mode(mode: ExecutionMode, error: Exception) -> None:
    """Switch to a slower mode because of an error."""
    # If several threads fail in this mode, the first error is kept as the reason.
    if mode not in _left:
        _left.add(mode)
        what = next(iter(str(error).splitlines()), "")[:200]
        _reasons.append(f"{type(error).__name__}: {what}{_cure(error)}")


def _cure(error: Exception) -> str:
    """Return what the user can do about an error, as the end of a sentence, or "" if that is unknown."""
    if isinstance(error, ModuleNotFoundError) and error.name in LIBRARIES:
        return "; pip install numba"
    if isinstance(error, OSError | ImportError) and "llvmlite" in str(error):
        return "; pip install --force-reinstall numba llvmlite"
    return ""


def report_mode() -> None:
    """Log the execution mode and its reason if the mode has changed since the last call."""
    if _reasons:
        log.warning("perft-check: kernels are %s, because of %s (%s)", current_mode().value, _reasons[-1], versions())
        _reasons.clear()


def versions(*names: str) -> str:
    """Return the versions of libraries, by default of all: "numba 0.62.1, llvmlite 0.45.1, numpy 2.3.5"."""
    return ", ".join(f"{name} {_version(name)}" for name in names or LIBRARIES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is missing"
