"""Every key and value of a configuration file is checked at once, those of other commands and profiles, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....errors import UsageError, did_you_mean
from .file import ConfigFile, printable
from .keys import PROFILE, OptionKey, applies, commands_of, leaves, options_of
from .values import Value, check, read_value


class ConfigurationChecker:
    """Checks a file against the commands of the program."""

    def __init__(self, file: ConfigFile, context: Any, program: Any) -> None:
        """`program` is the group of all commands, `context` that of the command under way."""
        self._file, self._context, self._program = file, context, program

    def check(self) -> None:
        """Raise UsageError for the first key or value that is wrong, with its line."""
        self._table(self._file.table, (), (), self._program)

    def _table(self, table: Mapping[str, Any], path: tuple[str, ...], words: tuple[str, ...], command: Any) -> None:
        """Check the table at `path` in the file, of the command that `words` call."""
        options = _options(command, words)
        commands = commands_of(command)
        has_profiles = not path
        for key, value in table.items():
            place = (*path, key)
            if has_profiles and key == PROFILE:
                self._profiles(value)
            elif key in commands and (isinstance(value, dict) or key not in options):
                self._table(self._as_table(value, place), place, (*words, key), commands[key])
            elif key in options:
                self._value(key, value, place, options[key])
            else:
                names = [*options, *commands, *([PROFILE] if has_profiles else [])]
                raise self._error(place, _unknown(key, options, names, words))

    def _profiles(self, profiles: Any) -> None:
        for name, table in self._as_table(profiles, (PROFILE,)).items():
            place = (PROFILE, name)
            self._table(self._as_table(table, place), place, (), self._program)

    def _as_table(self, value: Any, place: tuple[str, ...]) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._error(place, f"it is a table: write [{'.'.join(map(printable, place))}]")
        return value

    def _value(self, key: str, value: Any, place: tuple[str, ...], options: list[OptionKey]) -> None:
        for option in options:
            try:
                as_given = read_value(option, value)
            except ValueError as error:
                raise self._error(place, str(error)) from None
            check(self._context, Value(option, as_given, self._file.at(place), rank=1))

    def _error(self, place: tuple[str, ...], message: str) -> UsageError:
        return UsageError(f"{self._file.at(place)}: {printable(place[-1])}: {message}")


def _options(command: Any, words: tuple[str, ...]) -> dict[str, list[OptionKey]]:
    """Return the options that the keys of a command's or group's table set."""
    options: dict[str, list[OptionKey]] = {}
    for path, leaf in leaves(command, words):
        for key, option in options_of(leaf).items():
            if applies(path, key, words):
                options.setdefault(key, []).append(option)
    return options


def _unknown(key: str, options: dict[str, list[OptionKey]], names: list[str], words: tuple[str, ...]) -> str:
    for known, (option, *_) in options.items():
        if option.opposite == key:
            return f"write {known} = false"
    line = " ".join(["perft-check", *words])
    otherwise = f"{line} --help lists the options" if words else "perft-check config lists the keys of a command"
    return f"no such key for {line}: {did_you_mean(key, names, otherwise)}"
