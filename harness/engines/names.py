"""Short names of engines, for lines in which a whole command would hide what is said.

An engine has the name that somebody has given to it: `--name`, or `name` in a configuration or a descriptor. Without
one, a SPEC is shown by the name of its program or script, without folder, arguments and options. Engines of
a run that would have the same name have as much of their folders as tells them apart, or else their whole SPEC.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePath

from ...errors import shorten
from .command_words import program_in
from .uci_options import is_path, split_options

COMMANDS = ("uci", "cmd", "script")
"""Prefixes of a SPEC before a command."""
LONGEST = 40
"""Characters of a name that is given to an engine: it has to fit into the head of a column."""
_FOREIGN = re.compile(r"python\[[^]]*\]:")


class NamedSpec(str):
    """A SPEC whose engine is shown by a name. Wherever it identifies the engine, it is the text of the SPEC.

    So it is one to programs that read reports, to comparisons, and in command lines to copy.
    """

    __slots__ = ("is_given", "name")

    name: str
    is_given: bool
    """Whether the user has given the name, by an option; else a descriptor has it, or it tells engines apart."""

    def __new__(cls, spec: str, name: str, is_given: bool = False) -> NamedSpec:
        """Name the engine of a SPEC."""
        named = super().__new__(cls, spec)
        named.name, named.is_given = name, is_given
        return named

    def __getnewargs__(self) -> tuple[str, str, bool]:  # type: ignore[override]  # of `str`, which has one argument
        """Return what makes a copy of it, also in another process."""
        return str(self), self.name, self.is_given


def check_name(name: object) -> str:
    """Return a name that can be given to an engine. Raises ValueError, which says what is wrong with it."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{name!r} is no name: write one, such as mine")
    if not name.isprintable():
        raise ValueError(f"{shorten(name, LONGEST)!r}: a name is one line of characters that can be printed")
    if len(name) > LONGEST:
        raise ValueError(f"{shorten(name, LONGEST)!r} has {len(name)} characters: a name has up to {LONGEST}")
    return name.strip()


def given_name(spec: str) -> str | None:
    """Return the name that the user has given to the engine of a SPEC, or None."""
    return spec.name if isinstance(spec, NamedSpec) and spec.is_given else None


def short_name(spec: str) -> str:
    """Return the name that is given to an engine, else that of the program, library, function or file of its SPEC.

    A kernel of ours is its SPEC.
    """
    return spec.name if isinstance(spec, NamedSpec) else PurePath(_program_of(spec)).name or spec


def short_names(specs: Iterable[str]) -> dict[str, str]:
    """Return the short names of the engines of a run, by their SPECs: no two are the same."""
    names = {spec: short_name(spec) for spec in specs}
    programs = {spec: PurePath(_program_of(spec)).parts for spec in names if not isinstance(spec, NamedSpec)}
    for length in range(2, 1 + max(map(len, programs.values()), default=0)):
        times = Counter(names.values())
        names |= {spec: "/".join(parts[-length:]) for spec, parts in programs.items() if times[names[spec]] > 1}
    times = Counter(names.values())
    return {spec: name if times[name] == 1 else spec for spec, name in names.items()}


def introduce(spec: str) -> str:
    """Return an engine as it stands once at the head of a report: by its SPEC, behind a name that this does not show.

    Such as "new (uci:./build/engine --threads 4)".
    """
    return f"{spec.name} ({spec})" if isinstance(spec, NamedSpec) and spec.name not in spec else spec


def _program_of(spec: str) -> str:
    """Return the path of what a SPEC starts, loads or calls."""
    with suppress(ValueError):  # a report of another program may have any text
        spec, _ = split_options(spec)
    prefix, colon, rest = spec.partition(":")
    if is_path(path := spec.removeprefix("uci:")) and not path.endswith(".json"):
        return path
    if colon and prefix in COMMANDS:
        return program_in(rest) or spec
    if colon and prefix == "lib":
        return rest
    if (foreign := _FOREIGN.match(spec)) is not None:
        return f"python:{spec[foreign.end() :]}"
    if spec.endswith(".json"):
        return spec.removesuffix(".json")
    return (program_in(spec) if _is_command(spec) else spec) or spec


def _is_command(spec: str) -> bool:
    """Tell whether a SPEC without a prefix is a command, and no file with blanks in its name."""
    first, *others = spec.split() or [""]
    is_started = "/" not in first or program_in(spec) != first
    return bool(others) and (is_started or any(word.startswith(("-", "<<<", "{")) for word in others))
