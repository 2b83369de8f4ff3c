"""Every key and value of a configuration file is checked at once, those of other commands and profiles, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer

from ....errors import UsageError, did_you_mean
from ..command import Command, Group, leaves
from ..options import Option
from ..value_types import Amount
from .file import ConfigFile, printable

Given = bool | str | list[str]
"""A value as the command line would have it: a switch, a text, or one text for each time."""
PROFILE = "profile"
"""The table of the profiles."""
_KINDS = ((bool, "true or false"), (list, "a list"), (dict, "a table"), (str | int | float, "a value"))


def read_value(option: Option, value: Any) -> Given:
    """Return a TOML value as the command line would have it. Raises ValueError, which says what the option takes."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise ValueError(f"it is a switch: write true or false, not {_kind(value)}")
        return value
    if isinstance(value, bool) and isinstance(option.kind, Amount):
        return option.kind.alone if value else option.kind.opposite
    if isinstance(value, list) and not option.multiple:
        raise ValueError("it takes one value, not a list")
    texts = [_text(one) for one in value] if isinstance(value, list) else [_text(value)]
    return texts if option.multiple else texts[0]


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"it takes text or a number, not {_kind(value)}")
    if isinstance(value, int) and value.bit_length() > 63:
        raise ValueError("the number is too large")
    return str(value)


def _kind(value: Any) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "a date or a time")


class ConfigurationChecker:
    """Checks a file against the commands of the program."""

    def __init__(self, file: ConfigFile, context: typer.Context) -> None:
        """`context` is that of the command under way."""
        program: Any = context.find_root().command
        self._file, self._program = file, program

    def check(self) -> None:
        """Raise UsageError for the first key or value that is wrong, with its line."""
        self._check_table(self._file.table, (), (), self._program)

    def _check_table(
        self, table: Mapping[str, Any], path: tuple[str, ...], words: tuple[str, ...], command: Command | Group
    ) -> None:
        """Check the table at `path` in the file, of the command that `words` call."""
        options = _options_of(command, words)
        commands = command.configured if isinstance(command, Group) else {}
        has_profiles = not path
        for key, value in table.items():
            place = (*path, key)
            if has_profiles and key == PROFILE:
                self._check_profiles(value)
            elif key in commands and (isinstance(value, dict) or key not in options):
                self._check_table(self._as_table(value, place), place, (*words, key), commands[key])
            elif key in options:
                self._check_value(value, place, options[key])
            else:
                names = [*options, *commands, *([PROFILE] if has_profiles else [])]
                raise self._error(place, _hint(key, options, names, words))

    def _check_profiles(self, profiles: Any) -> None:
        for name, table in self._as_table(profiles, (PROFILE,)).items():
            place = (PROFILE, name)
            self._check_table(self._as_table(table, place), place, (), self._program)

    def _as_table(self, value: Any, place: tuple[str, ...]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._error(place, f"it is a table: write [{'.'.join(map(printable, place))}]")
        return value

    def _check_value(self, value: Any, place: tuple[str, ...], options: list[Option]) -> None:
        for option in options:
            try:
                option.read(read_value(option, value))
            except ValueError as error:
                raise self._error(place, str(error)) from None
            except typer.BadParameter as error:
                raise self._error(place, error.message.rstrip(".")) from None

    def _error(self, place: tuple[str, ...], message: str) -> UsageError:
        return UsageError(f"{self._file.at(place)}: {printable(place[-1])}: {message}")


def _options_of(command: Command | Group, words: tuple[str, ...]) -> dict[str, list[Option]]:
    """Return the options that the keys of a command's or group's table set."""
    options: dict[str, list[Option]] = {}
    for path, leaf in leaves(command, words):
        for key, option in leaf.options.items():
            if option.is_set_by(words, path):
                options.setdefault(key, []).append(option)
    return options


def _hint(key: str, options: Mapping[str, list[Option]], names: list[str], words: tuple[str, ...]) -> str:
    for known, (option, *_) in options.items():
        if option.opposite == key:
            return f"write {known} = false"
    line = " ".join(["perft-check", *words])
    otherwise = f"{line} --help lists the options" if words else "perft-check config lists the keys of a command"
    return f"no such key for {line}: {did_you_mean(key, names, otherwise)}"
