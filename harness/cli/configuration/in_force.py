"""The values in force for a command: of the variables first, then of the profile, then of the file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....errors import UsageError, did_you_mean
from .checking import ConfigurationChecker
from .environment import values as values_of_variables
from .environment import variable
from .file import ConfigFile, display_path, printable, read
from .finding import find
from .keys import PROFILE, OptionKey, applies, options_of
from .places import Places
from .values import Value, check, read_value


@dataclass(frozen=True)
class Choice:
    """Which configuration the command line asks for."""

    config: str | None = None
    """A file, or None for the nearest."""
    no_config: bool = False
    """Whether no file is used."""
    profile: str | None = None


@dataclass(frozen=True)
class Configuration:
    """A file and a profile of it, either of which may be missing."""

    file: ConfigFile | None = None
    profile: str | None = None

    def values(self, path: tuple[str, ...], command: Any, context: Any) -> dict[str, Value]:
        """Return the value for each option of a command, by the field of its settings.

        `path` has the words of the command. Raises UsageError where a variable has a bad value.
        """
        options = options_of(command)
        found: dict[str, Value] = {}
        for value in values_of_variables(os.environ, path, options):
            check(context, value)
            found[value.option.name] = value
        for value in self._values_of_file(path, options):
            found.setdefault(value.option.name, value)
        return found

    def _values_of_file(self, path: tuple[str, ...], options: Mapping[str, OptionKey]) -> Iterator[Value]:
        """Yield what the file sets: what goes before comes first."""
        if self.file is None:
            return
        places = Places(self.file.folder)
        for rank, (place, table) in enumerate(self._tables(path), start=2):
            profile = self.profile if place[:1] == (PROFILE,) else None
            words = place[2:] if profile else place
            for key, value in table.items():
                if key in options and not isinstance(value, dict) and applies(path, key, words):
                    option = options[key]
                    as_given = _find_place(read_value(option, value), option, places)
                    yield Value(option, as_given, self.file.at((*place, key)), rank, profile)

    def _tables(self, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
        """Yield the tables for a command with their places in the file, the most particular one first."""
        assert self.file is not None, "a file has tables"
        for base in ((PROFILE, self.profile), ()) if self.profile else ((),):
            for length in range(len(path), -1, -1):
                place = tuple(map(str, (*base, *path[:length])))
                table: Any = self.file.table
                for word in place:
                    table = table.get(word, {})
                yield place, table


def _find_place(value: Any, option: OptionKey, places: Places) -> Any:
    if isinstance(value, list):
        return [places.value(option.kind, text) for text in value]
    return places.value(option.kind, value) if isinstance(value, str) else value


def load(choice: Choice, context: Any, program: Any) -> Configuration:
    """Return the configuration that is asked for, or else found, once all of it is checked. Raises UsageError.

    `program` is the group of all commands, `context` that of the command under way.
    """
    if choice.no_config:
        _reject_beside_no_config(choice)
        return Configuration()
    named = _chosen(choice.config, "config")
    file = find() if named is None else _read_named(named)
    if file is not None:
        ConfigurationChecker(file, context, program).check()
    return Configuration(file, _profile(_chosen(choice.profile, "profile"), file))


def _reject_beside_no_config(choice: Choice) -> None:
    for option, is_given in (("--config", choice.config), ("--profile", choice.profile)):
        if is_given is not None:
            raise UsageError(f"--no-config uses no file: leave out {option}")


def _chosen(given: str | None, key: str) -> str | None:
    """Return what the command line gives, or else the variable; an empty variable is none."""
    return os.environ.get(variable(key)) or None if given is None else given


def _read_named(path: str) -> ConfigFile:
    file = read(Path(path))
    if file is None:
        raise UsageError(f"{display_path(Path(path))} has no table [tool.perft-check]")
    return file


def _profile(name: str | None, file: ConfigFile | None) -> str | None:
    if name is None:
        return None
    if file is None:
        raise UsageError(
            f"--profile {name!r}: there is no configuration: write a perft-check.toml, or name one with --config"
        )
    profiles = file.table.get(PROFILE, {})
    if name not in profiles:
        hint = did_you_mean(name, [*map(printable, profiles)]) if profiles else f"write a table [{PROFILE}.NAME]"
        raise UsageError(f"{display_path(file.path)}: no profile {name!r}: {hint}")
    return name
