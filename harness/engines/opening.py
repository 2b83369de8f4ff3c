"""Open the engine that a SPEC specifies."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ...errors import UsageError, concerning, did_you_mean
from ...generator.techniques.technique import TechniqueName
from .asking.runner import CallRunner
from .asking.session import UNLIMITED, EngineSession, TimeLimit
from .command_lines import doctor_command, quote
from .command_words import VARIABLE, has_placeholders, join_words, missing_placeholder, split_words
from .engine import Engine
from .program_files import INTERPRETERS, ProgramFile, other_name
from .spec import KERNELS, EngineSpec, short_names
from .stdio.process import ProcessLimits
from .types.own import ALONE, KernelOptions, OwnEngine, TechniqueEngine
from .types.python_chess import PythonChessEngine
from .uci_options import is_path, parse_options

TECHNIQUES = tuple(name.value for name in TechniqueName if name is not TechniqueName.TURBO)
"""Techniques that may follow "own:", in addition to the counting kernels."""
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
"""The forms of a SPEC. Without a prefix, a command with {fen} is read as cmd:, another command or program path as uci:,
and the path of a shared library as lib:.
"""

_DEBIAN_GAMES = "/usr/games"
"""The folder in which Debian installs engines. It is often not on the PATH."""
PLUGINS = "perft_check.engines"
"""Group of entry points for engines. The name is the prefix; the object is called with the text after it."""

_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_FOREIGN = re.compile(r"python\[(?P<python>[^]]+)\]:(?P<target>.*)", re.DOTALL)


def name_engines(specs: Sequence[EngineSpec], names: Sequence[str]) -> list[EngineSpec]:
    """Return the SPECs with the names used in this run.

    `names` are the values of `--name`, for the first engines. Other engines are named after their descriptors or
    programs, with folders added if the names would not be unique.

    Raises UsageError if there are more names than engines or a name is used twice.
    """
    if len(names) > len(specs):
        few = "one engine is named" if len(specs) == 1 else f"{len(specs)} engines are named"
        raise UsageError(f"--name is given {len(names)} times, and {few}: leave one out", names[-1])
    if (twice := next((name for name in names if names.count(name) > 1), None)) is not None:
        raise UsageError(f"--name {twice!r} is given to two engines: choose different names", twice)
    given = [spec.named(name, has_given_name=True) for spec, name in zip(specs, names, strict=False)]
    named = [*given, *map(_as_described, specs[len(given) :])]
    shown = short_names(named)
    others = {shown[spec] for spec in named[len(given) :]}
    if (taken := next((name for name in names if name in others), None)) is not None:
        raise UsageError(f"--name {taken!r} is the name of another engine here: choose another name", taken)
    return [spec if spec.has_given_name or shown[spec] == spec.name else spec.named(shown[spec]) for spec in named]


def _as_described(spec: EngineSpec) -> EngineSpec:
    """Return a SPEC with the name from its descriptor. Errors in the descriptor are reported when it is opened."""
    if spec.is_descriptor and not spec.is_named:
        from .stdio.descriptor import load_descriptor

        with suppress(UsageError):
            if (name := load_descriptor(Path(spec.bare)).name) != spec.name:
                return spec.named(name)
    return spec


def open_session(
    spec: str,
    runner: CallRunner | None = None,
    limit: TimeLimit = UNLIMITED,
    *,
    limits: ProcessLimits | None = None,
    resources: KernelOptions = ALONE,
    is_reference: bool = False,
    insists_on_chess960: bool = False,
) -> EngineSession:
    """Return a session with the engine specified by `spec`.

    The engine is started by `EngineSession.start` or by the first question. As a context manager, the session closes
    the engine on exit.

    Args:
        spec: The text that specifies the engine.
        runner: Makes the calls. The default makes them in the calling thread.
        limit: Time limit of each question.
        limits: Limits for the engine's processes, if any.
        resources: Threads and memory, if the engine is one of perft-check's kernels.
        is_reference: Whether error messages call the engine a reference.
        insists_on_chess960: Whether to ask about Chess960 even if the engine declares no support for it.

    Raises:
        UsageError: If there is no such engine, or it lacks an option in the SPEC.
    """
    return EngineSession(
        open_engine(spec, limits, resources),
        runner or CallRunner(),
        limit,
        is_reference=is_reference,
        insists_on_chess960=insists_on_chess960,
    )


def check_spec(spec: str) -> None:
    """Raise UsageError if there is no such engine, or it lacks an option in the SPEC."""
    with open_session(spec):
        pass


def open_engine(spec: str, limits: ProcessLimits | None = None, resources: KernelOptions = ALONE) -> Engine:
    """Return the engine specified by `spec`, without starting it.

    Each kernel gets its own hash table, so that engines under comparison cannot reuse each other's counts. Raises
    UsageError.
    """
    spec = EngineSpec(spec)
    with concerning(spec.bare):
        engine = _open(
            EngineSpec(spec.bare, spec.name if spec.is_named else "", has_given_name=spec.has_given_name),
            limits,
            resources,
        )
        if spec.options:
            if spec.is_named or not engine.spec.is_named:
                return engine.with_options(spec, parse_options(spec.options))
            return engine.with_options(spec.named(engine.spec.name), parse_options(spec.options))
        if spec.is_named:
            engine.spec = spec
            with suppress(AttributeError):  # the name of a plug-in's engine may be a read-only property
                engine.name = spec.name
        return engine


def _open(spec: EngineSpec, limits: ProcessLimits | None, resources: KernelOptions) -> Engine:
    if not spec.strip():
        raise UsageError(f"engine {spec!r}: the name is empty; was a variable not set?")
    prefix, colon, rest = spec.partition(":")
    if spec in KERNELS:
        return OwnEngine(spec, resources=resources)
    if spec in NAMED:
        return NAMED[spec](spec)
    if colon and prefix in OPENERS:
        return OPENERS[prefix](spec, rest, limits)
    if colon and (opener := _plugged_in(prefix)) is not None:
        return _with_spec(opener(rest), spec)
    if is_path(spec) and not spec.endswith(".json"):
        is_library = ProgramFile(spec, Path(spec)).is_library()
        return _open_library(spec, spec, limits) if is_library else _open_uci(spec, spec, limits)
    if has_placeholders(spec):
        return _open_program(spec, spec, limits)
    if spec.endswith(".json"):
        return _open_descriptor(spec, limits)
    if spec.startswith("python["):
        return _open_callable(spec, rest, limits)
    words = _words_of(spec)
    if "/" in spec or VARIABLE.match(spec) or find_program(words[0]) is not None:
        return _open_uci(spec, join_words(words), limits)
    # Without "own", a misspelled name such as "stokfish" cannot mean a technique.
    known = OWN if spec.startswith("own") else (*KERNELS, "python-chess")
    hint = _other_form(spec) or did_you_mean(spec, known, f"use {', '.join(SPECS)}, or the path of a UCI engine")
    raise UsageError(f"no engine named {spec!r}: {hint}")


def _other_form(spec: str) -> str | None:
    """Return a hint if a name looks like a file or a Python function, or None."""
    path = Path(spec)
    if path.exists() and (why := ProgramFile(spec, path).why_not_started()) is not None:
        return f"{spec} {why}" + (f", or -e python:{path.stem}:FUNCTION" if path.suffix == ".py" else "")
    if path.is_file():
        return f"write {quote(f'./{spec}')} for a UCI engine, and python:MODULE:CALLABLE for a function in a file"
    is_callable = _CALLABLE.fullmatch(spec) is not None and not spec.startswith("own:")
    return f"write python:{spec} for a Python function" if is_callable else None


def _plugged_in(prefix: str) -> Callable[[str], Engine] | None:
    """Return the plug-in function that opens engines with this prefix, or None."""
    from importlib.metadata import entry_points

    for plugin in entry_points(group=PLUGINS, name=prefix):
        opener: Callable[[str], Engine] = plugin.load()
        return opener
    return None


def _with_spec(engine: Engine, spec: EngineSpec) -> Engine:
    """Set the SPEC of a plug-in's engine, because plug-ins need not do so."""
    if not hasattr(engine, "spec"):
        engine.spec = spec
    return engine


def find_program(name: str) -> str | None:
    """Return the path of a program on the PATH or in Debian's folder for games, or None."""
    return shutil.which(name) or shutil.which(name, path=_DEBIAN_GAMES)


def seems_to_name_engine(text: str) -> bool:
    """Return True if a text looks like a SPEC, without opening the engine or looking up suites and positions."""
    prefix, colon, _ = text.partition(":")
    if text in KERNELS or text in NAMED or has_placeholders(text) or (colon and prefix in (*OPENERS, "zoo")):
        return True
    path = Path(text)
    try:
        if path.suffix == ".json":
            return path.is_file() and b'"launch"' in path.read_bytes()
        if path.is_file() and (os.access(path, os.X_OK) or path.suffix in INTERPRETERS):
            return True
    except OSError:  # the text is too long for a file name, or the file cannot be read
        return False
    words = _words_of(text)
    return text.startswith(("./", "../", "/")) or (len(words) > 1 and find_program(words[0]) is not None)


def _words_of(spec: str) -> list[str]:
    """Return the words of a command. A text that names a file or cannot be split is one word."""
    try:
        return [spec] if os.path.lexists(spec) else split_words(spec)
    except ValueError:  # unclosed quotation mark
        return [spec]


def split_command(spec: str, text: str) -> list[str]:
    """Return the words of a command, with the program replaced by its path.

    Raises UsageError if the program of `spec` is missing or cannot be started.
    """
    try:
        words = [text] if is_path(text) else split_words(text)
    except ValueError as error:
        raise UsageError(f"engine {spec!r}: {error} in the command") from None
    if not words:
        prefix = spec.partition(":")[0]
        raise UsageError(f"engine {spec!r}: the command is empty; write {prefix}:PROGRAM, with its arguments if any")
    return [locate_program(spec, words[0], words[1:]), *words[1:]]


def locate_program(spec: str, name: str, arguments: Sequence[str] = ()) -> str:
    """Return the path of a program. Raises UsageError with advice if it is missing or cannot be started."""
    found = find_program(name)
    path = Path(found or name)
    why = ProgramFile(spec, path, arguments).why_not_started() if found or path.exists() else None
    if why is not None:
        raise UsageError(f"engine {spec!r}: {name} {why}")
    if found is None:
        raise UsageError(f"engine {spec!r}: {_why_not_found(spec, name, arguments)}")
    return found


def _why_not_found(spec: str, name: str, arguments: Sequence[str]) -> str:
    if "\\" in spec and "\\" not in name:
        return f"a backslash quotes the character after it, as in a shell: write / in {spec.partition(':')[2]!r}"
    if "/" not in name:
        if VARIABLE.match(name):
            return f"{name} sets a variable: write -e {quote(spec.replace(name, f'env {name}', 1))}"
        return f"no program {name!r} is on the PATH; write ./{name} for one in this folder"
    whole = f", nor {spec}" if arguments and spec.startswith(name) else ""
    return f"there is no file {name}{whole}{other_name(Path(name))}"


def _open_uci(spec: EngineSpec, rest: str, limits: ProcessLimits | None) -> Engine:
    from .stdio.descriptor import UCI_CASE, Descriptor
    from .types.stdin_engine import StdinEngine

    if has_placeholders(rest) and not is_path(rest):
        raise UsageError(f"engine {spec!r}: a UCI command has no placeholders: write -e {quote(f'cmd:{rest}')}")
    command = split_command(spec, rest)
    return StdinEngine(spec, Descriptor(spec.name, tuple(command), UCI_CASE), limits)


def _open_script(spec: EngineSpec, rest: str, limits: ProcessLimits | None) -> Engine:
    from .types.program import SCRIPT, CommandTemplate, ProgramEngine

    return ProgramEngine(spec, CommandTemplate((*split_command(spec, rest), *SCRIPT)), limits)


def _open_program(spec: EngineSpec, rest: str, limits: ProcessLimits | None) -> Engine:
    from .types.program import CommandTemplate, ProgramEngine

    words = split_command(spec, rest)
    if (place := missing_placeholder(rest)) is not None:
        known = doctor_command(spec, words)
        hint = f", or try: {known}" if known and "{" not in known else ""
        raise UsageError(f"engine {spec!r}: the command has no {place}: write cmd:PROGRAM {{fen}} {{depth}}{hint}")
    return ProgramEngine(spec, CommandTemplate.of_command(words), limits)


def _open_callable(spec: EngineSpec, target: str, limits: ProcessLimits | None) -> Engine:
    from .types.python_callable import PythonCallableEngine

    python = sys.executable
    if (foreign := _FOREIGN.fullmatch(spec)) is not None:
        python, target = locate_program(spec, foreign["python"]), foreign["target"]
    if not _CALLABLE.fullmatch(target):
        raise UsageError(f"engine {spec!r}: write python:MODULE:CALLABLE, such as python:mychess.perft:divide")
    module, _, name = target.partition(":")
    if module.endswith(".py") and Path(module).is_file():
        raise UsageError(f"engine {spec!r}: name the module, not its file: python:{module.removesuffix('.py')}:{name}")
    return PythonCallableEngine(spec, python, target, limits)


def _open_library(spec: EngineSpec, path: str, limits: ProcessLimits | None) -> Engine:
    from .types.library import LibraryEngine

    if not path:
        raise UsageError(f"engine {spec!r}: write lib:PATH, such as lib:./libmine.so")
    if Path(path).is_dir():
        raise UsageError(f"engine {spec!r}: {path} is a folder: name the library in it")
    if not Path(path).exists():
        raise UsageError(f"engine {spec!r}: there is no file {path}")
    return LibraryEngine(spec, path, limits)


def _open_descriptor(spec: EngineSpec, limits: ProcessLimits | None) -> Engine:
    from dataclasses import replace

    from .stdio.descriptor import load_descriptor
    from .types.program import CommandTemplate, ProgramEngine
    from .types.stdin_engine import StdinEngine

    descriptor = load_descriptor(Path(spec))
    command = split_command(spec, shlex.join(descriptor.launch))
    if not spec.is_named and descriptor.name != Path(spec).stem:
        spec = spec.named(descriptor.name)
    if descriptor.is_per_question:
        return ProgramEngine(spec, CommandTemplate.of_command(command), limits, descriptor)
    return StdinEngine(spec, replace(descriptor, launch=tuple(command)), limits)


NAMED: dict[str, Callable[[EngineSpec], Engine]] = {
    **{f"own:{name}": lambda spec: TechniqueEngine(TechniqueName(spec.removeprefix("own:"))) for name in TECHNIQUES},
    "python-chess": lambda _spec: PythonChessEngine(),
}
"""Functions that open engines without parameters, by SPEC. The counting kernels are in `KERNELS`."""
OPENERS: dict[str, Callable[[EngineSpec, str, ProcessLimits | None], Engine]] = {
    "uci": _open_uci,
    "cmd": _open_program,
    "script": _open_script,
    "python": _open_callable,
    "lib": _open_library,
}
"""Functions that open engines, by prefix. They take the SPEC, the text after the prefix, and the limits."""
