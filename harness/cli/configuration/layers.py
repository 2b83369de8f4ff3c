"""What a command finds in variables and in the configuration file, for the options that the command line leaves out.

Both become the `default_map` of the context of a command, where typer looks for them. typer could read variables by
itself, but it would split those of a list at every space, and SPECs have spaces.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from ....errors import UsageError, did_you_mean
from .file import ConfigFile, display_path, find, printable, read
from .paths import PLACES, Folder

COMMAND_LINE, VARIABLE, FILE = range(3)
"""Which value wins: the smaller number."""
COMMAND_LINE_ONLY = {"doctor": ("save",), "moves": ("engine",), "worker": ("name",)}
"""Parameters of commands that mean something else than those of the same name elsewhere."""
_KINDS = ((bool, "true or false"), (list, "a list"), (dict, "a table"), (str | int | float, "a value"))


@dataclass(frozen=True)
class Setting:
    """The value of an option that a variable or the file has."""

    value: Any
    place: str
    """How an error about it begins: `perft-check.toml:7: timeout`, or the name of the variable."""
    rank: int


def choose(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Use a file, or none: typer calls this for `--config` and for `--no-config`, in any order. Raises UsageError."""
    chosen = {**context.params, parameter.name: value}
    if context.resilient_parsing or not chosen.keys() >= {"config", "no_config"}:
        return value
    named, is_refused = chosen["config"], chosen["no_config"]
    if is_refused and is_from("COMMANDLINE", context, "config"):
        raise UsageError("--no-config uses no file: leave out --config")
    if is_refused:
        _use(context, None)
    else:
        _use(context, find() if named is None else _read_named(Path(named)))
    return value


def is_from(source: str, context: typer.Context, name: str) -> bool:
    """Return True if a parameter has its value from a source, as typer calls these."""
    found = context.get_parameter_source(name)
    return found is not None and found.name == source


def settings_of(context: typer.Context) -> dict[str, Setting]:
    """Return the values that a command has from a variable or the file, by the names of its parameters."""
    known: Mapping[str, Setting] = context.meta.get(__name__, {})
    return {name: setting for name, setting in known.items() if is_from("DEFAULT_MAP", context, name)}


def rank_of(context: typer.Context, name: str) -> int:
    """Return which layer has the value of a parameter."""
    settings = settings_of(context)
    return settings[name].rank if name in settings else COMMAND_LINE


def _read_named(path: Path) -> ConfigFile:
    file = read(path)
    if file is None:
        raise UsageError(f"{display_path(path)} has no table [tool.perft-check]")
    return file


def _use(context: typer.Context, file: ConfigFile | None) -> None:
    """Give typer the values of a file, and those of variables, which replace them. Raises UsageError."""
    layers: dict[str, Setting] = {}
    options = dict(_options(context.command))
    if file is not None:
        _check(file, context)
        folder = Folder(file.folder)
        for key in file.table.keys() & options.keys():
            value = _value(key, options[key], file.table[key], folder)
            layers[options[key].name] = Setting(value, f"{file.at(key)}: {key}", FILE)
    for option in options.values():
        variable = f"PERFT_CHECK_{option.name.upper()}"
        if text := os.environ.get(variable):
            lines = [line for line in map(str.strip, text.splitlines()) if line]
            layers[option.name] = Setting(lines if option.multiple else text, variable, VARIABLE)
    context.meta[__name__] = layers
    context.default_map = {name: setting.value for name, setting in layers.items()}


def _options(command: Any) -> Iterator[tuple[str, Any]]:
    """Yield the options of a command that a variable or a file may set, each with its key."""
    if any(one.name == "config" for one in command.params):
        left_out = ("config", "no_config", *COMMAND_LINE_ONLY.get(command.name, ()))
        for one in command.params:
            if one.param_type_name == "option" and one.name not in left_out:
                yield one.name.replace("_", "-"), one


def _commands(group: Any) -> Iterator[Any]:
    """Yield the commands of a group, and of the groups in it."""
    for one in group.commands.values():
        if hasattr(one, "commands"):
            yield from _commands(one)
        else:
            yield one


def _check(file: ConfigFile, context: typer.Context) -> None:
    """Raise UsageError for the first key or value of a file that is wrong, whichever command has the option."""
    options: dict[str, list[Any]] = {}
    for command in _commands(context.find_root().command):
        for key, option in _options(command):
            options.setdefault(key, []).append(option)
    for key, value in file.table.items():
        place = f"{file.at(key)}: {printable(key)}"
        if key not in options:
            raise UsageError(f"{place}: {_hint(key, value, options)}")
        for option in options[key]:
            try:
                option.process_value(context, _value(key, option, value, Folder(file.folder)))
            except ValueError as error:
                raise UsageError(f"{place}: {error}") from None
            except typer.BadParameter as error:
                raise UsageError(f"{place}: {error.message.rstrip('.')}") from None


def _hint(key: str, value: Any, options: Mapping[str, list[Any]]) -> str:
    """Return what to write in place of a key that no option has."""
    if isinstance(value, dict):
        return "a configuration has no tables: write its keys at the top, or name another file with --config"
    for known, (option, *_) in options.items():
        if f"--{key}" in option.secondary_opts:
            return f"write {known} = false"
    return f"no such key: {did_you_mean(key, options, 'keys are the long names of options, without dashes')}"


def _value(key: str, option: Any, value: Any, folder: Folder) -> Any:
    """Return a TOML value as the command line would have it, its paths from the working folder. Raises ValueError."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise ValueError(f"it is a switch: write true or false, not {_kind(value)}")
        return value
    if isinstance(value, list) and not option.multiple:
        raise ValueError("it takes one value, not a list")
    texts = [_text(one) for one in (value if isinstance(value, list) else [value])]
    if key in PLACES:
        texts = [PLACES[key](text, folder) for text in texts]
    return texts if option.multiple else texts[0]


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"it takes text or a number, not {_kind(value)}")
    if isinstance(value, int) and value.bit_length() > 63:
        raise ValueError("the number is too large")
    return str(value)


def _kind(value: Any) -> str:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), "a date or a time")
