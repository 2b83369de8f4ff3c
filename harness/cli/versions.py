"""The versions of perft-check, Python and the libraries that are installed."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from ... import __version__

LIBRARIES = ("numba", "llvmlite", "numpy", "chess", "hypothesis", "click", "rich")


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
