"""The values in force for a command: what goes before holds, and an error says where its value stands.

Every key and value of a file is checked at once, those of other commands and profiles, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import typer

from ....errors import UsageError, did_you_mean
from ..command import Command, Group, leaves
from ..options import Option, is_from
from ..settings.shared import Conflict
from ..value_types import Amount, Folder
from .file import ConfigFile, display_path, find, printable, read

S = TypeVar("S")
COMMAND_LINE, VARIABLE = range(2)
"""What goes before: the smaller number. The tables of a file follow, the most particular one first."""
_NAMES, _ENGINES = "names", ("engine", "engines", "against")
"""The field with the names of engines, and those with the engines, in the order in which they are named."""


@dataclass(frozen=True)
class Value:
    """A value for an option that does not stand on the command line."""

    option: Option
    given: Given
    rank: int
    """What goes before: the smaller number."""
    file: ConfigFile | None = None
    """None where a variable has it."""
    path: tuple[str, ...] = ()
    """The key in the file."""
    profile: str | None = None
    """The profile that it belongs to."""

    @property
    def source(self) -> str:
        """Where it stands: `perft-check.toml:7`, or the name of a variable."""
        return self.option.variable_in_force() if self.file is None else self.file.at(self.path)

    @property
    def place(self) -> str:
        """How an error begins: `perft-check.toml:7: timeout`, or the name of a variable."""
        return self.source if self.file is None else f"{self.source}: {self.option.key}"


@dataclass(frozen=True)
class Configuration:
    """A file and a profile of it, either of which may be missing."""

    file: ConfigFile | None = None
    profile: str | None = None

    def values(self, words: tuple[str, ...], command: Command) -> dict[str, Value]:
        """Return the values that the file has for the command that `words` call, by the names of the parameters."""
        found: dict[str, Value] = {}
        for value in self._values(words, command):
            found.setdefault(value.option.name, value)
        return found

    def _values(self, words: tuple[str, ...], command: Command) -> Iterator[Value]:
        """Yield what the file sets: what goes before comes first."""
        if self.file is None:
            return
        folder = Folder(self.file.folder)
        for rank, (place, table) in enumerate(self._tables(words), start=VARIABLE + 1):
            profile = self.profile if place[:1] == (PROFILE,) else None
            for key, value in table.items():
                option = command.options.get(key)
                if option and not isinstance(value, dict) and option.is_set_by(place[2:] if profile else place, words):
                    given = _place(read_value(option, value), option, folder)
                    yield Value(option, given, rank, self.file, (*place, key), profile)

    def _tables(self, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
        """Yield the tables for a command with their places in the file, the most particular one first."""
        assert self.file is not None, "a file has tables"
        for base in ((PROFILE, self.profile), ()) if self.profile else ((),):
            for length in range(len(words), -1, -1):
                place = tuple(map(str, (*base, *words[:length])))
                table: Any = self.file.table
                for word in place:
                    table = table.get(word, {})
                yield place, table


def _place(given: Given, option: Option, folder: Folder) -> Given:
    """Return a value whose paths start from the working folder."""
    if isinstance(given, bool):
        return given
    if isinstance(given, list):
        return [option.kind.place(text, folder) for text in given]
    return option.kind.place(given, folder)


def configure(context: typer.Context, named: str | None, profile: str | None, is_refused: bool) -> None:
    """Load the configuration that the options of a command choose, and let it give what the others leave out.

    typer finds it as the `default_map` of the context, whose object is the Configuration. Raises UsageError.
    """
    command: Any = context.command
    context.obj = configuration = _load_none(context) if is_refused else _load(context, named, profile)
    values = configuration.values(words_of(context), command)
    context.default_map = {name: value.given for name, value in values.items()}


def words_of(context: Any) -> tuple[str, ...]:
    """Return the words that call the command of a context."""
    return () if context.parent is None else (*words_of(context.parent), str(context.info_name))


def values_of_configuration(context: typer.Context) -> dict[str, Value]:
    """Return the values in force of a command that the file or a variable gives, by the names of the parameters."""
    command: Any = context.command
    configuration: Configuration | None = context.obj
    if configuration is None:
        return {}
    of_file = configuration.values(words_of(context), command)
    values = {}
    for option in command.options.values():
        if is_from("DEFAULT_MAP", context, option.name):
            values[option.name] = of_file[option.name]
        elif is_from("ENVIRONMENT", context, option.name):
            values[option.name] = Value(option, option.value_from_envvar(context), VARIABLE)
    return values


def fit_settings(kind: type[S], given: Mapping[str, Any], values: Mapping[str, Value]) -> S:
    """Return the settings that are `given`. Where two do not fit together, the one that goes before is kept.

    `values` are those of the configuration among them, by field. Raises UsageError where none goes before.
    """
    kept = dict(given)
    defaults = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    by_option = {f"--{value.option.key}": value for value in values.values()}
    while True:
        try:
            return kind(**kept)
        except Conflict as conflict:
            ranks = {name: by_option[name].rank if name in by_option else COMMAND_LINE for name in conflict.options}
            weaker = [by_option[name] for name, rank in ranks.items() if rank > min(ranks.values())]
            if not weaker:
                places = [by_option[name].place for name in conflict.options if name in by_option]
                raise UsageError(f"{places[0]}: {conflict}") if places else conflict from None
            kept.update((value.option.name, defaults[value.option.name]) for value in weaker)


def keep_own_names(given: Mapping[str, Any], values: Mapping[str, Value]) -> Mapping[str, Any]:
    """Return settings without names that belong to other engines: a name in a file is not meant for an engine that the
    command line, a variable or a nearer table puts in the place of that of the file, nor for our own.

    `values` are those of the configuration among them, by field.
    """
    if not given.get(_NAMES):
        return given
    if _NAMES in values and not (given.get("engine") or given.get("engines")):
        return {**given, _NAMES: ()}

    def rank(field: str) -> int:
        return values[field].rank if field in values else COMMAND_LINE

    named = 0
    for field in (field for field in _ENGINES if given.get(field)):
        if rank(field) < rank(_NAMES):
            return {**given, _NAMES: given[_NAMES][:named]}
        named += 1 if isinstance(given[field], str) else len(given[field])
    return given


def locate_error(error: UsageError, given: Mapping[str, Any], values: Mapping[str, Value]) -> UsageError:
    """Return an error with the place of the value that it is about, where only the configuration has that one.

    `given` are all settings, `values` those of the configuration among them, by field.
    """
    about = [name for name, setting in given.items() if _has_value(setting, error.value)]
    is_configured = bool(about) and all(name in values for name in about)
    return UsageError(f"{values[about[0]].place}: {error}") if is_configured else error


def _has_value(setting: Any, value: str | None) -> bool:
    """Tell whether a value is a setting, as it was given or as a path, or one of several."""
    texts = setting if isinstance(setting, tuple) else (setting,)
    return any(value in (text, str(Path(text))) for text in texts if isinstance(text, str))


def _load_none(context: typer.Context) -> Configuration:
    """Return an empty configuration. Raises UsageError where the command line names one, too."""
    for name in ("config", "profile"):
        if is_from("COMMANDLINE", context, name):
            raise UsageError(f"--no-config uses no file: leave out --{name}")
    return Configuration()


def _load(context: typer.Context, named: str | None, profile: str | None) -> Configuration:
    """Return the configuration that is asked for, or else found, once all of it is checked. Raises UsageError."""
    file = find() if named is None else _read_named(Path(named))
    if file is not None:
        ConfigurationChecker(file, context).check()
    return Configuration(file, None if profile is None else _find_profile(profile, file))


def _read_named(path: Path) -> ConfigFile:
    file = read(path)
    if file is None:
        raise UsageError(f"{display_path(path)} has no table [tool.perft-check]")
    return file


def _find_profile(name: str, file: ConfigFile | None) -> str:
    if file is None:
        raise UsageError(
            f"--profile {name!r}: there is no configuration: write a perft-check.toml, or name one with --config"
        )
    profiles = file.table.get(PROFILE, {})
    if name not in profiles:
        hint = did_you_mean(name, [*map(printable, profiles)]) if profiles else f"write a table [{PROFILE}.NAME]"
        raise UsageError(f"{display_path(file.path)}: no profile {name!r}: {hint}")
    return name


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
