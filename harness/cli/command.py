"""Typer commands and groups that report an invalid command line in one line, with a suggestion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ...errors import UsageError
from ..engines.child_environment import load_numpy
from .checks import Conflict
from .configuration.layers import rank_of, settings_of
from .output.streams import ENDLESS

WITHOUT_NUMPY = ("uci", "serve")
"""Commands that must print their greeting before NumPy is loaded."""


class Command(TyperCommand):
    """A command with suggestions for invalid arguments."""

    allow_extra_args = True  # `check_arguments` reports them

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError with a suggestion."""
        typed = tuple(args)
        try:
            extra = super().parse_args(ctx, args)
        except typer.TyperException as error:
            from .mistakes import explain_error

            raise explain_error(error, ctx, typed) from None
        if not ctx.resilient_parsing:
            from .mistakes import check_arguments

            check_arguments(extra, ctx, typed)
        return extra

    def invoke(self, ctx: Any) -> Any:
        """Run the command.

        If two options cannot be combined and one of them comes from a configuration file or an environment variable,
        run the command again without it. Commands check for conflicts before they do anything else.
        """
        if self.name not in WITHOUT_NUMPY:
            load_numpy()
        while True:
            try:
                return super().invoke(ctx)
            except Conflict as conflict:
                _drop_weaker_options(ctx, conflict)
            except UsageError as error:
                raise _with_source(error, ctx) from None

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the complete first sentence of the help text, which typer would truncate in command lists."""
        return super().get_short_help_str(ENDLESS)


class Group(TyperGroup):
    """A group of commands with suggestions for invalid names."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options of the group. Raises UsageError for an unknown option or a missing command."""
        if not args and not ctx.resilient_parsing:
            raise UsageError(f"{ctx.info_name} needs a command: {', '.join(self.commands)}")
        typed = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            from .mistakes import explain_error

            raise explain_error(error, ctx, typed) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names. Raises UsageError with a suggestion."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException:
            from .mistakes import explain_command

            raise explain_command(args, ctx) from None

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the complete first sentence of the help text."""
        return super().get_short_help_str(ENDLESS)


def _drop_weaker_options(context: Any, conflict: Conflict) -> None:
    """Reset the conflicting options of lower precedence to their defaults. Raises UsageError if there are none."""
    ranks = {name: rank_of(context, name) for name in conflict.parameters}
    weaker = [name for name, rank in ranks.items() if rank > min(ranks.values())]
    if not weaker:
        settings = settings_of(context)
        sources = [settings[name].source for name in conflict.parameters if name in settings]
        raise UsageError(f"{sources[0]}: {conflict}") if sources else conflict
    for parameter in context.command.params:
        if parameter.name in weaker:
            del context.default_map[parameter.name]
            parameter.handle_parse_result(context, {}, [])


def _with_source(error: UsageError, context: Any) -> UsageError:
    """Return the error, preceded by the source of the invalid value: a file and line, or a variable."""
    settings = settings_of(context)
    about = [name for name, value in context.params.items() if _has_value(value, error.value)]
    if not about or any(name not in settings for name in about):
        return error
    return UsageError(f"{settings[about[0]].source}: {error}")


def _has_value(parameter: Any, value: str | None) -> bool:
    """Return True if a parameter has this value or, for a list, contains it; paths are normalized."""
    texts = parameter if isinstance(parameter, list | tuple) else (parameter,)
    return any(value in (text, str(Path(text))) for text in texts if isinstance(text, str))
