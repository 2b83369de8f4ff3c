"""How kernels run in this process: in the fastest mode until an error occurs in it, then in the next one.

Compiling quickly and calling machine code by its address use private parts of Numba, which any version of it may
change. Nothing but speed depends on them.
"""

from __future__ import annotations

import os
from enum import Enum
from importlib.metadata import PackageNotFoundError, version

from .folders import log

LIBRARIES = ("numba", "llvmlite", "numpy")
"""The libraries that make machine code."""


class ExecutionMode(Enum):
    """How kernels run, the fastest mode first; the value describes the mode."""

    QUICK = "compiled once, and kept"
    PLAIN = "compiled in every run, which takes longer"
    PYTHON = "plain Python, some thousand times slower"


class KernelError(TypeError):
    """An error in a kernel itself, which every mode would have."""


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
    """Run kernels in a slower mode from now on, because of an error."""
    # Several threads may fail in it: the first one gives the reason.
    if mode not in _left:
        _left.add(mode)
        what = next(iter(str(error).splitlines()), "")[:200]
        _reasons.append(f"{type(error).__name__}: {what}{_cure(error)}")


def _cure(error: Exception) -> str:
    """Return the end of a sentence about an error: what the user can do, if that is known."""
    if isinstance(error, ModuleNotFoundError) and error.name in LIBRARIES:
        return "; pip install numba"
    if isinstance(error, OSError | ImportError) and "llvmlite" in str(error):
        return "; pip install --force-reinstall numba llvmlite"
    return ""


def report_mode() -> None:
    """Log in one line how kernels run now, and why no faster, if that has changed."""
    if _reasons:
        log.warning("perft-check: kernels are %s, because of %s (%s)", current_mode().value, _reasons[-1], versions())
        _reasons.clear()


def versions(*names: str) -> str:
    """Return the installed versions of libraries, by default of all: "numba 0.62.1, llvmlite 0.45.1, numpy 2.3.5"."""
    return ", ".join(f"{name} {_version(name)}" for name in names or LIBRARIES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is missing"
