"""Commands and groups of typer that say in one line what is wrong with a command line, and what may have been meant."""

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
"""Commands whose user waits for a greeting."""


class Command(TyperCommand):
    """A command."""

    allow_extra_args = True  # they are reported below

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises UsageError, with what may have been meant."""
        typed = tuple(args)
        try:
            more = super().parse_args(ctx, args)
        except typer.TyperException as error:
            from .mistakes import explain_error

            raise explain_error(error, ctx, typed) from None
        if not ctx.resilient_parsing:
            from .mistakes import check_arguments

            check_arguments(more, ctx, typed)
        return more

    def invoke(self, ctx: Any) -> Any:
        """Carry out the command. If two options do not fit together, it does without the one of the lower layer.

        Commands look for such conflicts before they do anything else.
        """
        if self.name not in WITHOUT_NUMPY:
            load_numpy()
        while True:
            try:
                return super().invoke(ctx)
            except Conflict as conflict:
                _leave_out_weaker(ctx, conflict)
            except UsageError as error:
                raise _located(error, ctx) from None

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the command whole; lists of commands would cut it."""
        return super().get_short_help_str(ENDLESS)


class Group(TyperGroup):
    """A group of commands."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of the group. Raises UsageError for an unknown option and for a missing command."""
        if not args and not ctx.resilient_parsing:
            raise UsageError(f"{ctx.info_name}: give a command: {', '.join(self.commands)}")
        typed = tuple(args)
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            from .mistakes import explain_error

            raise explain_error(error, ctx, typed) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names. Raises UsageError, with what may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException:
            from .mistakes import explain_command

            raise explain_command(args, ctx) from None

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the group whole."""
        return super().get_short_help_str(ENDLESS)


def _leave_out_weaker(context: Any, conflict: Conflict) -> None:
    """Set the options of a conflict that lower layers have to their defaults. Raises UsageError if there are none."""
    ranks = {name: rank_of(context, name) for name in conflict.parameters}
    weaker = [name for name, rank in ranks.items() if rank > min(ranks.values())]
    if not weaker:
        settings = settings_of(context)
        places = [settings[name].place for name in conflict.parameters if name in settings]
        raise UsageError(f"{places[0]}: {conflict}") if places else conflict
    for parameter in context.command.params:
        if parameter.name in weaker:
            del context.default_map[parameter.name]
            parameter.handle_parse_result(context, {}, [])


def _located(error: UsageError, context: Any) -> UsageError:
    """Return an error with the place of the value that it is about, if only a variable or the file has that value."""
    settings = settings_of(context)
    about = [name for name, value in context.params.items() if _has_value(value, error.value)]
    if not about or any(name not in settings for name in about):
        return error
    return UsageError(f"{settings[about[0]].place}: {error}")


def _has_value(parameter: Any, value: str | None) -> bool:
    """Return True if a value is that of a parameter, as it was given or as a path, or one of several."""
    texts = parameter if isinstance(parameter, list | tuple) else (parameter,)
    return any(value in (text, str(Path(text))) for text in texts if isinstance(text, str))
