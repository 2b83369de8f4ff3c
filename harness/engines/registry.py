"""From what the user writes after --engine to an engine."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ...errors import UsageError, concerning, did_you_mean
from ...generator.techniques.names import TechniqueName
from .base import Engine
from .kinds.own import ALONE, KERNELS, KernelOptions, OwnEngine
from .kinds.python_chess import PythonChessEngine
from .stdio.process import ProcessLimits

TECHNIQUES = tuple(name.value for name in TechniqueName if name is not TechniqueName.TURBO)
"""What may follow "own:", besides the counting kernels."""
OWN = (*KERNELS, *(f"own:{name}" for name in TECHNIQUES))
SPECS = (
    *KERNELS,
    "own:TECHNIQUE",
    "python-chess",
    "uci:COMMAND",
    "cmd:COMMAND",
    "script:COMMAND",
    "python:MODULE:CALLABLE",
    "lib:PATH",
    "zoo:FAULT",
    "FILE.json",
)
"""What an engine may be called; a path to a program is short for uci:PATH."""

REFERENCE, REFERENCE_OF_OURS = "own:turbo", "python-chess"
"""What an engine is compared with where nobody says otherwise, and what our own kernels are compared with."""

PLUGINS = "perft_check.engines"
"""Entry points that open an engine: the name is the prefix, the object is called with what follows it."""

_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_FOREIGN = re.compile(rf"python\[(?P<python>[^]]+)\]:(?P<target>{_CALLABLE.pattern})")

_DEBIAN_GAMES = "/usr/games"
"""Where Debian installs engines, which is often not on the PATH."""


def references_of(engine: str, against: Sequence[str]) -> tuple[str, ...]:
    """Return the references, each once. Raises UsageError where the engine is held against itself."""
    if engine in against:
        raise UsageError(f"{engine} is held against itself: give another reference with -a", engine)
    return tuple(dict.fromkeys(against))


def open_engine(spec: str, limits: ProcessLimits | None = None, means: KernelOptions = ALONE) -> Engine:
    """Return the engine that `spec` names; `means` are for those that are our kernels.

    Each engine has a table of its own: engines that are compared must not read each other's counts. Raises UsageError
    with one line that says what is wrong.
    """
    with concerning(spec):
        return _open(spec, limits, means)


def _open(spec: str, limits: ProcessLimits | None, means: KernelOptions) -> Engine:
    if not spec.strip():
        raise UsageError(f"engine {spec!r}: the name is empty; was a variable not set?")
    prefix, colon, rest = spec.partition(":")
    if spec in KERNELS:
        return OwnEngine(spec, means=means)
    if spec in NAMED:
        return NAMED[spec](spec)
    if colon and prefix in OPENERS:
        return OPENERS[prefix](spec, rest, limits)
    if colon and (opener := _plugged_in(prefix)) is not None:
        return opener(rest)
    if spec.endswith(".json"):
        return _open_descriptor(spec, limits)
    if spec.startswith("python["):
        return _open_foreign_callable(spec, limits)
    if "/" in spec or (spec and find_program(spec) is not None):
        return _open_uci(spec, shlex.quote(spec), limits)
    # "stokfish" means no technique of ours.
    known = OWN if spec.startswith("own") else (*KERNELS, "python-chess")
    hint = _other_form(spec) or did_you_mean(spec, known, f"use {', '.join(SPECS)}, or the path of a UCI engine")
    raise UsageError(f"no engine named {spec!r}: {hint}")


def _other_form(spec: str) -> str | None:
    """Return how the file or the function is written that a name seems to mean, or None."""
    if Path(spec).is_file():
        return f"write ./{spec} for a UCI engine, and python:MODULE:CALLABLE for a function in a file"
    is_callable = _CALLABLE.fullmatch(spec) is not None and not spec.startswith("own:")
    return f"write python:{spec} for a Python function" if is_callable else None


def is_code_of_ours(spec: str) -> bool:
    """Tell whether an engine is code of this package or of python-chess, so that data of others may name it."""
    return spec in KERNELS or spec in NAMED or spec.startswith("zoo:")


def arbiter_for(engine: Engine) -> Engine:
    """Return who explains the mismatches of an engine: our own generator, or python-chess those of our own."""
    return open_engine(REFERENCE_OF_OURS if engine.is_own else REFERENCE)


def _plugged_in(prefix: str) -> Callable[[str], Engine] | None:
    """Return what opens engines of this prefix, where a package says so by an entry point of `PLUGINS`."""
    from importlib.metadata import entry_points

    for plugin in entry_points(group=PLUGINS, name=prefix):
        opener: Callable[[str], Engine] = plugin.load()
        return opener
    return None


def find_program(name: str) -> str | None:
    """Return the path of a program on the PATH or among Debian's games, or None."""
    return shutil.which(name) or shutil.which(name, path=_DEBIAN_GAMES)


def _command(spec: str, text: str) -> list[str]:
    """Return the words of a command whose program is here."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"engine {spec!r}: {error} in the command") from None
    if not words:
        kind = spec.partition(":")[0]
        raise UsageError(f"engine {spec!r}: the command is empty; write {kind}:PROGRAM, with its arguments if any")
    return [_program(spec, words[0]), *words[1:]]


def _program(spec: str, name: str) -> str:
    """Return the path of a program that can be started. Raises UsageError, which says why it cannot."""
    found = find_program(name)
    if found is not None:
        return found
    path = Path(name)
    if "/" not in name:
        raise UsageError(f"engine {spec!r}: no program {name!r} is on the PATH; write ./{name} for one in this folder")
    if path.is_dir():
        raise UsageError(f"engine {spec!r}: {name} is a folder: name the program in it")
    if path.exists():
        raise UsageError(f"engine {spec!r}: {name} may not be executed: chmod +x {shlex.quote(name)}")
    hint = f"; with arguments write uci:{spec}" if " " in spec and spec == name else ""
    raise UsageError(f"engine {spec!r}: there is no file {name}{hint}")


def _open_technique(spec: str) -> Engine:
    from .kinds.technique import TechniqueEngine

    return TechniqueEngine(TechniqueName(spec.removeprefix("own:")))


def _open_python_chess(_spec: str) -> Engine:
    return PythonChessEngine()


def _open_uci(spec: str, rest: str, limits: ProcessLimits | None) -> Engine:
    from .kinds.stdin_engine import StdinEngine
    from .stdio.descriptor import UCI_CASE, Descriptor

    command = _command(spec, rest)
    return StdinEngine(spec, Descriptor(Path(command[0]).name, tuple(command), UCI_CASE), limits)


def _open_script(spec: str, rest: str, limits: ProcessLimits | None) -> Engine:
    from .kinds.program import SCRIPT, Arguments, ProgramEngine

    return ProgramEngine(spec, Arguments((*_command(spec, rest), *SCRIPT)), limits)


def _open_program(spec: str, rest: str, limits: ProcessLimits | None) -> Engine:
    from .kinds.program import Arguments, ProgramEngine

    for place in ("{fen}", "{depth}"):
        if place not in rest:
            raise UsageError(f"engine {spec!r}: the command has no {place}: write cmd:PROGRAM {{fen}} {{depth}}")
    return ProgramEngine(spec, Arguments(tuple(_command(spec, rest))), limits)


def _open_callable(spec: str, target: str, limits: ProcessLimits | None) -> Engine:
    from .kinds.python_callable import PythonCallableEngine

    if not _CALLABLE.fullmatch(target):
        raise UsageError(f"engine {spec!r}: write python:MODULE:CALLABLE, such as python:mychess.perft:divide")
    module, _, name = target.partition(":")
    if module.endswith(".py") and Path(module).is_file():
        raise UsageError(f"engine {spec!r}: name the module, not its file: python:{module.removesuffix('.py')}:{name}")
    return PythonCallableEngine(spec, sys.executable, target, limits)


def _open_library(spec: str, path: str, limits: ProcessLimits | None) -> Engine:
    from .kinds.library import LibraryEngine

    if not path:
        raise UsageError(f"engine {spec!r}: write lib:PATH, such as lib:./libmine.so")
    if Path(path).is_dir():
        raise UsageError(f"engine {spec!r}: {path} is a folder: name the library in it")
    if not Path(path).exists():
        raise UsageError(f"engine {spec!r}: there is no file {path}")
    return LibraryEngine(spec, path, limits)


def _open_foreign_callable(spec: str, limits: ProcessLimits | None) -> Engine:
    from .kinds.python_callable import PythonCallableEngine

    parts = _FOREIGN.fullmatch(spec)
    if parts is None:
        raise UsageError(f"engine {spec!r}: write python[PATH]:MODULE:CALLABLE, with the path of a Python")
    return PythonCallableEngine(spec, _program(spec, parts["python"]), parts["target"], limits)


def _open_descriptor(spec: str, limits: ProcessLimits | None) -> Engine:
    from dataclasses import replace

    from .kinds.stdin_engine import StdinEngine
    from .stdio.descriptor import load_descriptor

    descriptor = load_descriptor(Path(spec))
    command = _command(spec, shlex.join(descriptor.launch))
    return StdinEngine(spec, replace(descriptor, launch=tuple(command)), limits)


NAMED: dict[str, Callable[[str], Engine]] = {
    **{f"own:{name}": _open_technique for name in TECHNIQUES},
    "python-chess": _open_python_chess,
}
"""Engines by their whole names, less our kernels."""
OPENERS: dict[str, Callable[[str, str, ProcessLimits | None], Engine]] = {
    "uci": _open_uci,
    "cmd": _open_program,
    "script": _open_script,
    "python": _open_callable,
    "lib": _open_library,
}
"""Kinds of engines by the prefix of their SPEC: called with the SPEC, what follows the prefix, and the limits."""
