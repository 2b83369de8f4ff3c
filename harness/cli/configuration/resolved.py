"""The values in force for a command: what goes before holds, and an error says where its value stands.

A file has one table, whose keys are long names of options. Every key and value of it is checked at once, also those of
other commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import typer

from ....errors import UsageError, did_you_mean
from ..command import Command, commands_of
from ..options import Option, is_from
from ..settings.shared import Conflict
from ..value_types import Amount, Folder
from .file import ConfigFile, display_path, find, printable, read

S = TypeVar("S")
COMMAND_LINE, VARIABLE, FILE = range(3)
"""What goes before: the smaller number."""
_NAMES, _ENGINES = "names", ("engine", "engines", "against")
"""The field with the names of engines, and those with the engines, in the order in which they are named."""


@dataclass(frozen=True)
class Value:
    """A value for an option that does not stand on the command line."""

    option: Option
    given: Given
    file: ConfigFile | None = None
    """None where a variable has it."""

    @property
    def rank(self) -> int:
        """What goes before: the smaller number."""
        return VARIABLE if self.file is None else FILE

    @property
    def place(self) -> str:
        """How an error begins: `perft-check.toml:7: timeout`, or the name of a variable."""
        return str(self.option.envvar) if self.file is None else f"{self.file.at(self.option.key)}: {self.option.key}"


def values_of_file(file: ConfigFile, command: Command) -> dict[str, Value]:
    """Return the values that a file has for a command, by the names of the parameters."""
    folder = Folder(file.folder)
    return {
        option.name: Value(option, _place(read_value(option, file.table[key]), option, folder), file)
        for key, option in command.options.items()
        if key in file.table
    }


def _place(given: Given, option: Option, folder: Folder) -> Given:
    """Return a value whose paths start from the working folder."""
    if isinstance(given, bool):
        return given
    if isinstance(given, list):
        return [option.kind.place(text, folder) for text in given]
    return option.kind.place(given, folder)


def configure(context: typer.Context, named: str | None, is_refused: bool) -> None:
    """Load the configuration that the options of a command choose, and let it give what the others leave out.

    typer finds it as the `default_map` of the context, whose object is the file. Raises UsageError.
    """
    command: Any = context.command
    if is_refused and is_from("COMMANDLINE", context, "config"):
        raise UsageError("--no-config uses no file: leave out --config")
    context.obj = file = None if is_refused else find() if named is None else _read_named(Path(named))
    if file is not None:
        _check(file, context)
        context.default_map = {name: value.given for name, value in values_of_file(file, command).items()}


def words_of(context: Any) -> tuple[str, ...]:
    """Return the words that call the command of a context."""
    return () if context.parent is None else (*words_of(context.parent), str(context.info_name))


def values_of_configuration(context: typer.Context) -> dict[str, Value]:
    """Return the values in force of a command that the file or a variable gives, by the names of the parameters."""
    command: Any = context.command
    file: ConfigFile | None = context.obj
    of_file = {} if file is None else values_of_file(file, command)
    values = {}
    for option in command.options.values():
        if is_from("DEFAULT_MAP", context, option.name):
            values[option.name] = of_file[option.name]
        elif is_from("ENVIRONMENT", context, option.name):
            values[option.name] = Value(option, option.value_from_envvar(context))
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


def _read_named(path: Path) -> ConfigFile:
    file = read(path)
    if file is None:
        raise UsageError(f"{display_path(path)} has no table [tool.perft-check]")
    return file


Given = bool | str | list[str]
"""A value as the command line would have it: a switch, a text, or one text for each time."""
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


def _check(file: ConfigFile, context: typer.Context) -> None:
    """Raise UsageError for the first key or value of a file that is wrong, with its line.

    `context` is that of the command under way; a key sets the option of each command that has it.
    """
    program: Any = context.find_root().command
    options: dict[str, list[Option]] = {}
    for command in commands_of(program):
        for key, option in command.options.items():
            options.setdefault(key, []).append(option)
    for key, value in file.table.items():
        place = f"{file.at(key)}: {printable(key)}"
        if key not in options:
            raise UsageError(f"{place}: {_hint(key, value, options)}")
        for option in options[key]:
            try:
                option.read(read_value(option, value))
            except ValueError as error:
                raise UsageError(f"{place}: {error}") from None
            except typer.BadParameter as error:
                raise UsageError(f"{place}: {error.message.rstrip('.')}") from None


def _hint(key: str, value: Any, options: Mapping[str, list[Option]]) -> str:
    """Return what to write in place of a key that no option has."""
    if isinstance(value, dict):
        return "a configuration has no tables: write its keys at the top, or name another file with --config"
    for known, (option, *_) in options.items():
        if option.opposite == key:
            return f"write {known} = false"
    return f"no such key: {did_you_mean(key, options, 'keys are the long names of options, without dashes')}"
