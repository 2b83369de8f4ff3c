"""`perft-check config`: the options in force for a command, and where each comes from."""

from __future__ import annotations

from collections.abc import Sequence
from math import isinf
from typing import Any

from ....errors import UsageError, did_you_mean
from ....reports.terminal.configuration import heading, options_table
from ...model.results.configuration import ConfigurationShown, InForce
from ...model.results.verdict import ExitCode
from ..configuration.file import display_path
from ..configuration.in_force import Configuration
from ..configuration.keys import OptionKey, commands_of, options_of
from ..configuration.values import Value
from ..output import console
from ..output.json_out import print_json


def main(configuration: Configuration, words: Sequence[str], context: Any, json: bool) -> ExitCode:
    """Print the options of the command that `words` call, such as "zoo" and "score". Raises UsageError."""
    command = _command(context.find_root().command, words)
    values = configuration.values(tuple(words), command, context)
    found = ConfigurationShown(
        command=" ".join(words),
        file=display_path(configuration.file.path) if configuration.file else None,
        profile=configuration.profile,
        options=tuple(_in_force(option, values.get(option.name)) for option in options_of(command).values()),
    )
    if json:
        print_json(found)
        return ExitCode.AGREE
    console.out().print(heading(found))
    console.out().print(options_table(found))
    return ExitCode.AGREE


def _command(program: Any, words: Sequence[str]) -> Any:
    command = program
    for number, word in enumerate(words):
        known = commands_of(command)
        if word not in known:
            path = " ".join(["perft-check", *words[:number]])
            raise UsageError(f"{path} has no command {word!r} with options: {did_you_mean(word, known)}")
        command = known[word]
    if commands_of(command):
        raise UsageError(f"{' '.join(words)}: give a command: {', '.join(commands_of(command))}")
    return command


def _in_force(option: OptionKey, value: Value | None) -> InForce:
    if value is None:
        return InForce(option.key, _default(option), "default")
    profile = f" (profile {value.profile})" if value.profile else ""
    return InForce(option.key, value.given, f"{value.source}{profile}")


def _default(option: OptionKey) -> Any:
    default = option.parameter.default
    if option.is_repeated:
        return list(default or ())
    return str(default) if isinstance(default, float) and isinf(default) else default
