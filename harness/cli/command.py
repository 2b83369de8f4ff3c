"""How a function becomes a command: Click fills its settings, from the command line, the variables and the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

import click

from ...errors import UsageError
from ..engines.our_environment import load_numpy
from .options import Option, choice_of_configuration, parameters_of
from .output.streams import ENDLESS


class Command(click.Command):
    """A command: its settings, and the function of them that carries it out and returns the exit status."""

    def __init__(
        self,
        function: str,
        settings: type[Any],
        summary: str | None = None,
        *,
        configured: bool = True,
        numpy: bool = True,
    ) -> None:
        """Take the parameters from the fields of `settings`, a dataclass, and the help from its docstring or a summary.

        `function` is `MODULE.NAME` in `commands/`, imported when the command is carried out, so that `--help` is
        instant; `numpy` says that numpy is loaded before.
        """
        parameters = parameters_of(settings)
        if configured:
            parameters += choice_of_configuration()
        super().__init__(None, params=parameters, help=summary or settings.__doc__)
        self.is_configured = configured
        self._module, self._function = function.split(".")
        self._settings = settings
        self._loads_numpy = numpy

    @property
    def options(self) -> dict[str, Option]:
        """The options that a configuration may set, by their keys."""
        return {one.key: one for one in self.params if isinstance(one, Option) and one.is_configured}

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, after those of the configuration the one that reads it."""
        return [*super().get_params(ctx), _Configure()]

    def load(self) -> Callable[..., int]:
        """Import the function that carries out the command."""
        function: Callable[..., int] = getattr(import_module(f"{__package__}.commands.{self._module}"), self._function)
        return function

    def invoke(self, ctx: click.Context) -> int:
        """Carry out the command and return its exit status."""
        if self._loads_numpy:
            load_numpy()
        given = {field.name: ctx.params[field.name] for field in fields(self._settings)}
        if not self.is_configured:
            return self.load()(self._settings(**given))
        from .configuration.in_force import fit_settings, locate_error, values_of_configuration

        values = values_of_configuration(ctx)
        try:
            return self.load()(fit_settings(self._settings, given, values))
        except UsageError as error:
            raise locate_error(error, given, values) from None

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the command whole; lists of commands would cut it."""
        return super().get_short_help_str(ENDLESS)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the arguments, by the names that users know them by."""
        arguments = [one for one in self.params if isinstance(one, click.Argument)]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl([(one.type.name, one.help or "") for one in arguments])

    def reject_more(self, arguments: list[str]) -> None:
        """Raise UsageError for an argument too many, with what may have been meant."""
        if not arguments:
            return
        hint = ""
        if "suite" in self.options:
            hint = f": a suite is named with --suite {arguments[0]}"
        elif any(one.type.name == "POSITION" for one in self.params if isinstance(one, click.Argument)):
            hint = ": put a FEN into quotes"
        raise UsageError(f"{arguments[0]!r} is an argument too many{hint}")


class _Configure(click.Option):
    """Reads the configuration after the options that choose it, and before those that it sets."""

    def __init__(self) -> None:
        super().__init__(["--configure"], hidden=True, is_eager=True, expose_value=False)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Be no option: Click reads eager ones in their order, and those that are not given last."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Let the configuration give what the command line does not. Raises UsageError, also for arguments too many."""
        command = ctx.command
        assert isinstance(command, Command), "it is a parameter of our commands"
        if not ctx.resilient_parsing:
            command.reject_more(args)
            if command.is_configured:
                from .configuration.in_force import configure

                configure(ctx)
        return None, args


class Group(click.Group):
    """A group of commands, whose help lists them in their order."""

    def __init__(self, summary: str, commands: dict[str, Any], **more: Any) -> None:
        super().__init__(
            None, commands, help=summary, callback=self._require_command, invoke_without_command=True, **more
        )
        self.subcommand_metavar = "COMMAND [ARGS]..."

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in their order."""
        return list(self.commands)

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the group whole."""
        return super().get_short_help_str(ENDLESS)

    @property
    def configured(self) -> dict[str, Command | Group]:
        """The commands that a configuration may set, and the groups, by their names."""
        return {
            name: one
            for name, one in self.commands.items()
            if isinstance(one, Group) or (isinstance(one, Command) and one.is_configured)
        }

    def _require_command(self, **_: Any) -> None:
        """Raise UsageError where the command is missing; the message names all."""
        context = click.get_current_context()
        if context.invoked_subcommand is None:
            raise UsageError(f"{context.info_name}: give a command: {', '.join(self.commands)}")


def leaves(command: Command | Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Command]]:
    """Yield each command that can be configured, with the words that call it; a command yields itself."""
    if isinstance(command, Command):
        yield words, command
        return
    for name, one in command.configured.items():
        yield from leaves(one, (*words, name))


def name_variables(program: Group) -> Group:
    """Let all options of a program take values from variables, and return it."""
    for words, command in leaves(program):
        for parameter in command.params:
            if isinstance(parameter, Option):
                parameter.name_variables(words)
    return program
