"""The text that specifies an engine (a SPEC), and the engine's name in messages.

The name comes from `--name`, a configuration file or a descriptor, or else from the file name of the program, library
or script. If two engines in a run have the same file name, parts of their paths are added until the names differ. If
that is not enough, the SPEC is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import TYPE_CHECKING

from ...errors import UsageError, shorten
from .command_words import join_words, program_in, split_words
from .uci_options import UciOption, add_options, is_path, split_options

if TYPE_CHECKING:
    from ...generator.counting.counter import Kernel

KERNELS: dict[str, Kernel] = {"own": "list", "own:turbo": "turbo", "own:two-plies": "two-plies"}
"""The kernel of each engine that is one of perft-check's counting kernels."""
PYTHON_CHESS = "python-chess"
COMMANDS = ("uci", "cmd", "script")
"""Prefixes that are followed by a command."""
LIBRARY = "lib"
"""The only prefix that is followed by a path."""
MAX_NAME_LENGTH = 40
"""Maximum length of a name given by the user, which must fit in a column header."""
_FOREIGN = re.compile(r"python\[[^]]*\]:")
_HERE = ("./", "../")


class EngineSpec(str):
    """A parsed SPEC, with the engine's options and name.

    The string value is the SPEC with its options, which identifies the engine in reports and command lines.
    `open_session` in `harness/engines/opening.py` opens the engine.
    """

    bare: str
    """The SPEC without options."""
    options: tuple[str, ...]
    """Options of a UCI engine, as written on the command line."""
    name: str
    """The name shown in messages."""
    has_given_name: bool
    """Whether the name was given with `--name`."""
    is_named: bool
    """Whether the name was given by the user or a descriptor, or made unique, rather than taken from the program."""

    def __new__(cls, text: str, name: str = "", *, has_given_name: bool = False) -> EngineSpec:
        """Parse a SPEC, without checking that the engine exists."""
        if isinstance(text, EngineSpec) and not name:
            return text
        spec = super().__new__(cls, text)
        spec.bare, spec.options = text, ()
        with suppress(ValueError):  # a report may contain any text
            spec.bare, spec.options = split_options(text)
        spec.has_given_name, spec.is_named = has_given_name, bool(name)
        spec.name = name or PurePath(spec.program).name or text
        return spec

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, bool]]:
        """Return the arguments of `__new__`, for `pickle`."""
        return (str(self), self.name if self.is_named else ""), {"has_given_name": self.has_given_name}

    def named(self, name: str, *, has_given_name: bool = False) -> EngineSpec:
        """Return a copy with another name."""
        return EngineSpec(str(self), name, has_given_name=has_given_name)

    def with_options(self, texts: Iterable[str]) -> EngineSpec:
        """Return a copy with additional options, written as on the command line."""
        text = add_options(self, texts)
        return (
            self
            if text == self
            else EngineSpec(text, self.name if self.is_named else "", has_given_name=self.has_given_name)
        )

    @property
    def kernel(self) -> Kernel | None:
        """The kernel of the engine, if it is one of perft-check's counting kernels."""
        return KERNELS.get(self)

    @property
    def is_kernel(self) -> bool:
        """Whether the engine is one of perft-check's counting kernels."""
        return self.kernel is not None

    @property
    def default_reference(self) -> EngineSpec:
        """The default reference for this engine."""
        return EngineSpec(PYTHON_CHESS) if self.is_kernel else REFERENCE

    @property
    def supports_hash(self) -> bool:
        """Whether the engine supports a hash table (`--hash`)."""
        return self.is_kernel and self != "own"

    @property
    def is_bundled(self) -> bool:
        """Whether the engine is part of perft-check or python-chess, and thus safe to open from an untrusted report."""
        return self.startswith(("own:", "zoo:")) or self in (*KERNELS, PYTHON_CHESS)

    @property
    def is_descriptor(self) -> bool:
        """Whether the SPEC is the path of a descriptor, a JSON file that defines how to start and ask an engine."""
        return self.bare.endswith(".json")

    @property
    def names_protocol(self) -> bool:
        """Whether a prefix or descriptor specifies how to ask the engine, so that no probing is needed."""
        return self.is_descriptor or self.startswith(tuple(f"{prefix}:" for prefix in COMMANDS))

    @property
    def full_name(self) -> str:
        """The name and SPEC that introduce the engine in a report, such as "new (uci:./build/engine --threads 4)".

        Only the SPEC if the name was not given or is contained in it.
        """
        return f"{self.name} ({self})" if self.is_named and self.name not in self else str(self)

    @property
    def program(self) -> str:
        """The path of the program, script, library or descriptor, or `python:` followed by the name of the function."""
        spec = self.bare
        prefix, colon, rest = spec.partition(":")
        if is_path(path := spec.removeprefix("uci:")) and not path.endswith(".json"):
            return path
        if colon and prefix in COMMANDS:
            return program_in(rest) or spec
        if colon and prefix == LIBRARY:
            return rest
        if (foreign := _FOREIGN.match(spec)) is not None:
            return f"python:{spec[foreign.end() :]}"
        if spec.endswith(".json"):
            return spec.removesuffix(".json")
        return (program_in(spec) if _is_command(spec) else spec) or spec

    def relocated(self, relocate: Callable[[str], str], exists: Callable[[str], bool]) -> EngineSpec:
        """Return the SPEC with each path, including paths in options, replaced by `relocate(path)`.

        `exists` returns True if a string is the path of a file.
        """
        options = (relocate_option(one, relocate) for one in self.options)
        return EngineSpec(_relocated(self.bare, relocate, exists)).with_options(options)


def relocate_option(text: str, relocate: Callable[[str], str]) -> str:
    """Return an option, with its value replaced by `relocate(value)` if it is a path that starts with ./ or ../."""
    name, equals, value = text.partition("=")
    return f"{name}={relocate(value)}" if equals and value.startswith(_HERE) else text


def _relocated(spec: str, relocate: Callable[[str], str], exists: Callable[[str], bool]) -> str:
    prefix, colon, rest = spec.partition(":")
    if colon and prefix in COMMANDS:
        return f"{prefix}:{_relocate_command(rest, relocate)}"
    if " " in spec and not exists(spec):
        return _relocate_command(spec, relocate)
    if prefix == LIBRARY:
        return f"{prefix}:{relocate(rest)}"
    if prefix.startswith("python["):
        python, bracket, rest = spec.removeprefix("python[").partition("]")
        return f"python[{relocate(python) if '/' in python else python}{bracket}{rest}"
    if colon and "/" not in prefix:
        return spec
    return relocate(spec) if "/" in spec or spec.endswith(".json") else spec


def _relocate_command(command: str, relocate: Callable[[str], str]) -> str:
    try:
        words = split_words(command)
    except ValueError:  # reported when the command is started
        return command
    relocated = [
        relocate(word) if word.startswith(_HERE) or (number == 0 and "/" in word) else word
        for number, word in enumerate(words)
    ]
    return command if relocated == words else join_words(relocated)


def check_name(name: object) -> str:
    """Return a name without surrounding blanks. Raises ValueError if the name is invalid."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is not a name: write one, such as mine")
    if not name.isprintable():
        raise ValueError(f"{shorten(name, MAX_NAME_LENGTH)!r}: a name is one line of printable characters")
    if len(name) > MAX_NAME_LENGTH:
        raise ValueError(
            f"{shorten(name, MAX_NAME_LENGTH)!r} has {len(name)} characters: a name has at most {MAX_NAME_LENGTH}"
        )
    return name.strip()


def check_option(text: str) -> str:
    """Return the text of a UCI option unchanged. Raises ValueError if the option is invalid."""
    try:
        UciOption.read(text)
    except UsageError as error:
        raise ValueError(str(error)) from None
    return text


def short_name(spec: str) -> str:
    """Return the name of an engine in messages."""
    return EngineSpec(spec).name


def full_name(spec: str) -> str:
    """Return the name and SPEC that introduce an engine in a report."""
    return EngineSpec(spec).full_name


def short_names(specs: Iterable[str]) -> dict[str, str]:
    """Return unique names for the engines of a run, by SPEC."""
    read = [EngineSpec(spec) for spec in specs]
    names: dict[str, str] = {spec: spec.name for spec in read}
    programs = {spec: PurePath(spec.program).parts for spec in read if not spec.is_named}
    for length in range(2, 1 + max(map(len, programs.values()), default=0)):
        times = Counter(names.values())
        names |= {spec: "/".join(parts[-length:]) for spec, parts in programs.items() if times[names[spec]] > 1}
    times = Counter(names.values())
    return {spec: name if times[name] == 1 else str(spec) for spec, name in names.items()}


def _is_command(spec: str) -> bool:
    """Return True if a SPEC without a prefix is a command, not a file name that contains blanks."""
    first, *others = spec.split() or [""]
    is_started = "/" not in first or program_in(spec) != first
    return bool(others) and (is_started or any(word.startswith(("-", "<<<", "{")) for word in others))


REFERENCE = EngineSpec("own:turbo")
"""The default reference of all engines except perft-check's kernels."""


def references_of(engine: EngineSpec, against: Sequence[str]) -> tuple[EngineSpec, ...]:
    """Return the references without duplicates. Raises UsageError if the engine is one of them."""
    if engine in against:
        raise UsageError(f"{engine} would be compared with itself: name another engine with -a", engine)
    return tuple(dict.fromkeys(map(EngineSpec, against)))
