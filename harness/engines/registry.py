"""From what the user writes after --engine to an engine."""

from __future__ import annotations

import difflib
import shlex
import shutil
from pathlib import Path

from ..errors import UsageError
from .base import Engine
from .own import KERNELS, OwnEngine
from .python_chess import PythonChessEngine

SPECS = (*KERNELS, "python-chess", "uci:COMMAND")
"""What an engine may be called; a path to a program is short for uci:PATH."""

_DEBIAN_GAMES = "/usr/games"
"""Where Debian installs engines, which is often not on the PATH."""


def open_engine(spec: str) -> Engine:
    """Return the engine that `spec` names. Raises UsageError with one line that says what is wrong."""
    if spec in KERNELS:
        return OwnEngine(spec)
    if spec == "python-chess":
        return PythonChessEngine()
    if spec.startswith("uci:"):
        return _open_uci(spec, spec.removeprefix("uci:"))
    if "/" in spec and Path(spec).exists():
        return _open_uci(spec, shlex.quote(spec))
    close = difflib.get_close_matches(spec, [*KERNELS, "python-chess"], n=1, cutoff=0.6)
    hint = f"did you mean {close[0]!r}?" if close else f"use {', '.join(SPECS)}, or the path of a UCI engine"
    raise UsageError(f"no engine named {spec!r}: {hint}")


def find_program(name: str) -> str | None:
    """Return the path of a program on the PATH or among Debian's games, or None."""
    return shutil.which(name) or shutil.which(name, path=_DEBIAN_GAMES)


def _open_uci(spec: str, command: str) -> Engine:
    from .uci import UciEngine

    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"engine {spec!r}: {error} in the command") from None
    if not words:
        raise UsageError(f"engine {spec!r}: the command is empty; write uci:PROGRAM, with its arguments if any")
    program = find_program(words[0])
    if program is None:
        raise UsageError(f"engine {spec!r}: no program {words[0]!r} is here, or it may not be executed")
    return UciEngine(spec, [program, *words[1:]])
