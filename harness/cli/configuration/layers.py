"""Option values from environment variables and the configuration file, passed to typer as a `default_map`.

Typer can read variables itself, but it splits the values of list options at spaces, which SPECs may contain. Paths in a
file are relative to its folder; `RESOLVERS` lists the options whose values contain paths.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from ....errors import UsageError, did_you_mean
from ...engines.spec import EngineSpec, relocate_option
from .file import ConfigFile, display_path, find, printable, read

COMMAND_LINE, VARIABLE, FILE = range(3)
"""The sources of a value. The one with the lowest number wins."""
COMMAND_LINE_ONLY = {"moves": ("engine",), "worker": ("name",)}
"""For each command, the options whose meaning differs from that of the same option of other commands."""
_TYPES = ((bool, "true or false"), (list, "a list"), (dict, "a table"), (int | float, "a number"), (str, "text"))


@dataclass(frozen=True)
class Setting:
    """An option value from a variable or the file."""

    value: Any
    source: str
    """The beginning of errors about the value: `perft-check.toml:7: timeout`, or the name of the variable."""
    rank: int


def load_configuration(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Load the configuration once typer has called this for both `--config` and `--no-config`. Raises UsageError."""
    chosen = {**context.params, parameter.name: value}
    if context.resilient_parsing or not chosen.keys() >= {"config", "no_config"}:
        return value
    named, is_refused = chosen["config"], chosen["no_config"]
    if is_refused and is_from("COMMANDLINE", context, "config"):
        raise UsageError("--config and --no-config cannot be combined: leave one out")
    if is_refused:
        _use(context, None)
    else:
        _use(context, find() if named is None else _read_named(Path(named)))
    return value


def is_from(source: str, context: typer.Context, name: str) -> bool:
    """Return True if a parameter's value has this source, the name of a `ParameterSource` of typer."""
    found = context.get_parameter_source(name)
    return found is not None and found.name == source


def settings_of(context: typer.Context) -> dict[str, Setting]:
    """Return a command's values that come from variables or the file, by parameter name."""
    known: Mapping[str, Setting] = context.meta.get(__name__, {})
    return {name: setting for name, setting in known.items() if is_from("DEFAULT_MAP", context, name)}


def rank_of(context: typer.Context, name: str) -> int:
    """Return the source of a parameter's value: `COMMAND_LINE`, `VARIABLE` or `FILE`."""
    settings = settings_of(context)
    return settings[name].rank if name in settings else COMMAND_LINE


def _read_named(path: Path) -> ConfigFile:
    file = read(path)
    if file is None:
        raise UsageError(f"{display_path(path)} has no table [tool.perft-check]: add one, or name another file")
    return file


def _use(context: typer.Context, file: ConfigFile | None) -> None:
    """Pass the values of a file to typer, overridden by those of variables. Raises UsageError."""
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
    """Yield the options of a command that variables and files may set, each with its key."""
    if any(one.name == "config" for one in command.params):
        left_out = ("config", "no_config", *COMMAND_LINE_ONLY.get(command.name, ()))
        for one in command.params:
            if one.param_type_name == "option" and one.name not in left_out:
                yield one.name.replace("_", "-"), one


def _commands(group: Any) -> Iterator[Any]:
    """Yield the commands of a group and of its subgroups."""
    for one in group.commands.values():
        if hasattr(one, "commands"):
            yield from _commands(one)
        else:
            yield one


def _check(file: ConfigFile, context: typer.Context) -> None:
    """Raise UsageError for the first invalid key or value of a file, even if it is an option of another command."""
    options: dict[str, list[Any]] = {}
    for command in _commands(context.find_root().command):
        for key, option in _options(command):
            options.setdefault(key, []).append(option)
    for key, value in file.table.items():
        source = f"{file.at(key)}: {printable(key)}"
        if key not in options:
            raise UsageError(f"{source}: {_hint(key, value, options)}")
        for option in options[key]:
            try:
                option.process_value(context, _value(key, option, value, Folder(file.folder)))
            except ValueError as error:
                raise UsageError(f"{source}: {error}") from None
            except typer.BadParameter as error:
                raise UsageError(f"{source}: {error.message.rstrip('.')}") from None


def _hint(key: str, value: Any, options: Mapping[str, list[Any]]) -> str:
    """Return a suggestion for an unknown key."""
    if isinstance(value, dict):
        return "a configuration file has no tables: write all keys at the top level"
    for known, (option, *_) in options.items():
        if f"--{key}" in option.secondary_opts:
            return f"write {known} = false"
    return f"unknown key: {did_you_mean(key, options, 'keys are the long names of options, without dashes')}"


def _value(key: str, option: Any, value: Any, folder: Folder) -> Any:
    """Return a TOML value as it would appear on the command line. Raises ValueError."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise ValueError(f"write true or false, not {_type_name(value)}")
        return value
    if isinstance(value, list) and not option.multiple:
        raise ValueError("write one value, not a list")
    texts = [_text(one) for one in (value if isinstance(value, list) else [value])]
    if key in RESOLVERS:
        texts = [RESOLVERS[key](text, folder) for text in texts]
    return texts if option.multiple else texts[0]


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"write text or a number, not {_type_name(value)}")
    if isinstance(value, int) and value.bit_length() > 63:
        raise ValueError("the number is too large")
    return str(value)


def _type_name(value: Any) -> str:
    return next((name for kind, name in _TYPES if isinstance(value, kind)), "a date or a time")


class Folder:
    """The folder of a configuration file, which resolves paths relative to it."""

    def __init__(self, path: Path) -> None:
        """Store the folder, given as an absolute path without symbolic links."""
        self._path = path
        self.is_here = os.path.realpath(os.curdir) == str(path)

    def has(self, path: str) -> bool:
        """Return True if the folder contains a file at this relative path."""
        return os.path.lexists(self._path / path)

    def resolve(self, path: str) -> str:
        """Return the path of a file relative to the working folder."""
        if self.is_here or not path or os.path.isabs(path):
            return path
        found = os.path.relpath(self._path / path)
        return found if os.sep in found else os.path.join(os.curdir, found)


def resolve_file(text: str, folder: Folder) -> str:
    """Return a path relative to the working folder instead of the folder of the file."""
    return folder.resolve(text)


def resolve_spec(text: str, folder: Folder) -> str:
    """Resolve the paths in a SPEC: its program, and words of its command that begin with ./ or ../."""
    return text if folder.is_here else EngineSpec(text).relocated(folder.resolve, folder.has)


def resolve_uci_option(text: str, folder: Folder) -> str:
    """Resolve the value of a UCI option if it begins with ./ or ../."""
    return relocate_option(text, folder.resolve)


def resolve_suite(text: str, folder: Folder) -> str:
    """Resolve the path of a suite, unless it is the name of a bundled suite."""
    from ....suites.bundled import ALL_BUNDLED

    return text if text in ALL_BUNDLED else folder.resolve(text)


def resolve_report(text: str, folder: Folder) -> str:
    """Resolve the path in FILE or KIND=PATH. Neither "-" nor KIND alone is a path."""
    kind, equals, path = text.partition("=")
    if equals:
        return f"{kind}={path if path == '-' else folder.resolve(path)}"
    return folder.resolve(text) if "/" in text or Path(text).suffix else text


RESOLVERS: Mapping[str, Callable[[str, Folder], str]] = {
    "against": resolve_spec,
    "answer": resolve_file,
    "baseline": resolve_file,
    "compare": resolve_spec,
    "corpus": resolve_file,
    "engine": resolve_spec,
    "ledger": resolve_file,
    "option": resolve_uci_option,
    "report": resolve_report,
    "results": resolve_file,
    "save": resolve_file,
    "suite": resolve_suite,
}
"""The functions that resolve the paths in a value, by key."""
