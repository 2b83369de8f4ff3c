"""What a user writes to name an engine (a SPEC), and the name that messages use for the engine.

An engine has the name that somebody has given to it: `--name`, or `name` in a configuration or a descriptor. Without
one, it is shown by the name of its program or script, without folder, arguments and options. Engines of a run that
would have the same name have as much of their folders as tells them apart, or else their whole SPEC.
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
"""Engines that are our counting kernels, with the kernel of each."""
PYTHON_CHESS = "python-chess"
COMMANDS = ("uci", "cmd", "script")
"""Prefixes of a SPEC before a command."""
LIBRARY = "lib"
"""The prefix of a SPEC before a path; what other prefixes take is none."""
LONGEST = 40
"""Characters of a name that is given to an engine: it has to fit into the head of a column."""
_FOREIGN = re.compile(r"python\[[^]]*\]:")
_HERE = ("./", "../")


class EngineSpec(str):
    """What a user writes after -e, parsed once, with the options of the engine and its name.

    As text it is the SPEC with its options: that identifies the engine in reports and comparisons, and in command lines
    to copy. `open_session` of `harness/engines/opening.py` opens what it names.
    """

    bare: str
    """The SPEC without options."""
    options: tuple[str, ...]
    """Options of a UCI engine, each as it is written on the command line."""
    name: str
    """The name that messages use."""
    is_given: bool
    """Whether the user has given the name by an option."""
    is_named: bool
    """Whether the name is another one than that of the program: given, or of a descriptor, or to tell engines apart."""

    def __new__(cls, text: str, name: str = "", *, is_given: bool = False) -> EngineSpec:
        """Read a SPEC; whether there is such an engine shows when it is opened."""
        if isinstance(text, EngineSpec) and not name:
            return text
        spec = super().__new__(cls, text)
        spec.bare, spec.options = text, ()
        with suppress(ValueError):  # a report of another program may have any text
            spec.bare, spec.options = split_options(text)
        spec.is_given, spec.is_named = is_given, bool(name)
        spec.name = name or PurePath(spec.program).name or text
        return spec

    def __getnewargs_ex__(self) -> tuple[tuple[str, str], dict[str, bool]]:
        """Return what makes a copy of it, also in another process."""
        return (str(self), self.name if self.is_named else ""), {"is_given": self.is_given}

    def named(self, name: str, *, is_given: bool = False) -> EngineSpec:
        """Return the SPEC of the same engine under another name."""
        return EngineSpec(str(self), name, is_given=is_given)

    def with_options(self, texts: Iterable[str]) -> EngineSpec:
        """Return the SPEC with further options, each as it is written on the command line."""
        text = add_options(self, texts)
        return self if text == self else EngineSpec(text, self.name if self.is_named else "", is_given=self.is_given)

    @property
    def kernel(self) -> Kernel | None:
        """The kernel that counts, if the engine is perft-check's generator."""
        return KERNELS.get(self)

    @property
    def is_kernel(self) -> bool:
        """Whether the engine is one of perft-check's counting kernels."""
        return self.kernel is not None

    @property
    def default_reference(self) -> EngineSpec:
        """The engine that it is compared with if the user names none."""
        return EngineSpec(PYTHON_CHESS) if self.is_kernel else REFERENCE

    @property
    def supports_hash(self) -> bool:
        """Whether the engine is one of our kernels that can use a hash table."""
        return self.is_kernel and self != "own"

    @property
    def is_bundled(self) -> bool:
        """Whether the engine is code of this package or of python-chess, so that data of others may name it."""
        return self.startswith(("own:", "zoo:")) or self in (*KERNELS, PYTHON_CHESS)

    @property
    def is_descriptor(self) -> bool:
        """Whether it names a file that describes how an engine is asked."""
        return self.bare.endswith(".json")

    @property
    def names_protocol(self) -> bool:
        """Whether a prefix or a descriptor says how to ask the engine, so that it is not probed for that."""
        return self.is_descriptor or self.startswith(tuple(f"{prefix}:" for prefix in COMMANDS))

    @property
    def introduction(self) -> str:
        """The engine as it stands once at the head of a report: its SPEC, behind a name that this does not show.

        Such as "new (uci:./build/engine --threads 4)".
        """
        return f"{self.name} ({self})" if self.is_named and self.name not in self else str(self)

    @property
    def program(self) -> str:
        """The path of what it starts, loads or calls."""
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

    def placed(self, place: Callable[[str], str], exists: Callable[[str], bool]) -> EngineSpec:
        """Return the SPEC with its paths, and those of options, as `place` returns them.

        `exists` returns True if a text is the path of a file.
        """
        options = (place_option(one, place) for one in self.options)
        return EngineSpec(_placed(self.bare, place, exists)).with_options(options)


def place_option(text: str, place: Callable[[str], str]) -> str:
    """Return an option with its path, if it begins with ./ or ../, as `place` returns it."""
    name, equals, value = text.partition("=")
    return f"{name}={place(value)}" if equals and value.startswith(_HERE) else text


def _placed(spec: str, place: Callable[[str], str], exists: Callable[[str], bool]) -> str:
    prefix, colon, rest = spec.partition(":")
    if colon and prefix in COMMANDS:
        return f"{prefix}:{_place_command(rest, place)}"
    if " " in spec and not exists(spec):
        return _place_command(spec, place)
    if prefix == LIBRARY:
        return f"{prefix}:{place(rest)}"
    if prefix.startswith("python["):
        python, bracket, rest = spec.removeprefix("python[").partition("]")
        return f"python[{place(python) if '/' in python else python}{bracket}{rest}"
    if colon and "/" not in prefix:
        return spec
    return place(spec) if "/" in spec or spec.endswith(".json") else spec


def _place_command(command: str, place: Callable[[str], str]) -> str:
    try:
        words = split_words(command)
    except ValueError:  # what starts it reports what is wrong
        return command
    placed = [
        place(word) if word.startswith(_HERE) or (number == 0 and "/" in word) else word
        for number, word in enumerate(words)
    ]
    return command if placed == words else join_words(placed)


def check_name(name: object) -> str:
    """Return a name that can be given to an engine. Raises ValueError, which says what is wrong with it."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is no name: write one, such as mine")
    if not name.isprintable():
        raise ValueError(f"{shorten(name, LONGEST)!r}: a name is one line of characters that can be printed")
    if len(name) > LONGEST:
        raise ValueError(f"{shorten(name, LONGEST)!r} has {len(name)} characters: a name has up to {LONGEST}")
    return name.strip()


def check_option(text: str) -> str:
    """Return an option that can be set. Raises ValueError, which says what is wrong with it."""
    try:
        UciOption.read(text)
    except UsageError as error:
        raise ValueError(str(error)) from None
    return text


def short_name(spec: str) -> str:
    """Return the name that messages use for the engine of a SPEC."""
    return EngineSpec(spec).name


def introduce(spec: str) -> str:
    """Return the engine of a SPEC as it stands at the head of a report."""
    return EngineSpec(spec).introduction


def short_names(specs: Iterable[str]) -> dict[str, str]:
    """Return the short names of the engines of a run, by their SPECs: no two are the same."""
    read = [EngineSpec(spec) for spec in specs]
    names: dict[str, str] = {spec: spec.name for spec in read}
    programs = {spec: PurePath(spec.program).parts for spec in read if not spec.is_named}
    for length in range(2, 1 + max(map(len, programs.values()), default=0)):
        times = Counter(names.values())
        names |= {spec: "/".join(parts[-length:]) for spec, parts in programs.items() if times[names[spec]] > 1}
    times = Counter(names.values())
    return {spec: name if times[name] == 1 else str(spec) for spec, name in names.items()}


def _is_command(spec: str) -> bool:
    """Return True if a SPEC without a prefix is a command, and no file with blanks in its name."""
    first, *others = spec.split() or [""]
    is_started = "/" not in first or program_in(spec) != first
    return bool(others) and (is_started or any(word.startswith(("-", "<<<", "{")) for word in others))


REFERENCE = EngineSpec("own:turbo")
"""The default reference of all engines except perft-check's kernels."""


def references_of(engine: EngineSpec, against: Sequence[str]) -> tuple[EngineSpec, ...]:
    """Return the references without repetitions. Raises UsageError if the engine is one of them."""
    if engine in against:
        raise UsageError(f"{engine} is held against itself: give another reference with -a", engine)
    return tuple(dict.fromkeys(map(EngineSpec, against)))
