"""`perft-check doctor`: what this machine offers, and which engines are here."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from rich.table import Table

from ... import __version__
from .. import console
from ..engines.registry import find_program
from ..verdict import ExitCode

LIBRARIES = ("numba", "llvmlite", "numpy", "chess", "hypothesis", "typer", "rich")
PROGRAMS = ("stockfish", "ethereal-chess", "gnuchess", "fairy-stockfish", "crafty", "toga2")
"""Engines that Debian packages and that can count."""


def main() -> ExitCode:
    """Print the table and return the exit status."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for name, value in findings():
        table.add_row(name, value)
    console.out().print(table)
    return ExitCode.AGREE


def findings() -> Iterator[tuple[str, str]]:
    """Yield what there is to say, as name and value."""
    yield "perft-check", __version__
    yield "python", f"{platform.python_version()} at {sys.executable}"
    yield "libraries", ", ".join(f"{name} {_version(name)}" for name in LIBRARIES)
    yield from _kernels()
    for name in PROGRAMS:
        path = find_program(name)
        yield name, f"{path}  use -e uci:{name}" if path else "not here"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _kernels() -> Iterator[tuple[str, str]]:
    from llvmlite import binding

    from ...generator.kernels import jit
    from ...generator.kernels.tables import BACKENDS, default_backend

    yield "cpu", f"{binding.get_host_cpu_name()}, {_threads()}"
    yield "kernels", "compiled by Numba" if jit.jit_enabled() else "plain Python: NUMBA_DISABLE_JIT is set"
    available = [name for name in BACKENDS if name != "pext" or jit.target_has_pext()]
    others = [name for name in available if name != default_backend()]
    yield "sliders", f"{default_backend()}" + (f" (also here: {', '.join(others)})" if others else "")
    folder = jit.cache_folder()
    if folder is None:
        yield "kernel cache", f"none: {jit.cache_root()} cannot be written, so every run compiles anew"
    else:
        state = "compiled" if jit.is_cached() else "empty: the first run compiles, some 10 seconds"
        yield "kernel cache", f"{folder} ({state})"


def _threads() -> str:
    import os

    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return f"{usable} thread{'s' if usable != 1 else ''}"
