"""`perft-check config`: the options in force for a command, and where each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import Any

import typer

from ....errors import UsageError, did_you_mean
from ....reports.terminal.listing import heading, options_table
from ...model.results.listing import ConfigurationShown, InForce
from ...model.results.verdict import ExitCode
from ..command import Command, Group
from ..configuration.file import display_path
from ..configuration.in_force import Configuration, Value, values_of_configuration
from ..options import Option
from ..output import console
from ..output.console import print_json
from ..settings.engine import ConfigSettings
from ..value_types import Amount

DEFAULT_COMMAND = "run"


def main(settings: ConfigSettings, context: typer.Context) -> ExitCode:
    """Print the options of the command that words call, such as "zoo" and "score". Raises UsageError."""
    words = settings.words or (DEFAULT_COMMAND,)
    configuration: Configuration = context.obj
    found = ConfigurationShown(
        command=" ".join(words),
        file=display_path(configuration.file.path) if configuration.file else None,
        profile=configuration.profile,
        options=tuple(_options_in_force(context.find_root(), words, configuration)),
    )
    if settings.json:
        print_json(found)
        return ExitCode.AGREE
    console.out().print(heading(found))
    console.out().print(options_table(found))
    return ExitCode.AGREE


def _options_in_force(root: Any, words: Sequence[str], configuration: Configuration) -> list[InForce]:
    """Return the options of a command, as typer would fill them without a command line. Raises UsageError."""
    command = _find_command(root.command, words)
    context = root
    for word in words:
        context = type(root)(command, parent=context, info_name=word, obj=configuration)
    context.default_map = {name: value.given for name, value in configuration.values(tuple(words), command).items()}
    for option in command.options.values():
        option.handle_parse_result(context, {}, [])
    values = values_of_configuration(context)
    return [_in_force(option, values.get(option.name), context) for option in command.options.values()]


def _find_command(program: Any, words: Sequence[str]) -> Command:
    command: Any = program
    for number, word in enumerate(words):
        known = command.configured if isinstance(command, Group) else {}
        if word not in known:
            path = " ".join(["perft-check", *words[:number]])
            raise UsageError(f"{path} has no command {word!r} with options: {did_you_mean(word, known)}")
        command = known[word]
    if isinstance(command, Group):
        raise UsageError(f"{' '.join(words)}: give a command: {', '.join(command.configured)}")
    assert isinstance(command, Command), "what is no group is a command"
    return command


def _in_force(option: Option, value: Value | None, context: typer.Context) -> InForce:
    if value is None:
        return InForce(option.key, _default(option), "default")
    profile = f" (profile {value.profile})" if value.profile else ""
    given = context.params[option.name] if option.is_flag else value.given
    return InForce(option.key, given, f"{value.source}{profile}")


def _default(option: Option) -> Any:
    default: Any = option.default
    if option.multiple:
        return list(default or ())
    if isinstance(option.kind, Amount):
        return option.kind.word_of(default)
    return str(default) if isinstance(default, float) and isinf(default) else default
