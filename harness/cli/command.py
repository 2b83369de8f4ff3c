"""How a function becomes a command: typer fills its settings, from the command line, the variables and the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from ...errors import UsageError
from ..engines.our_environment import load_numpy
from .options import TYPED, Argument, Option, choice_of_configuration, hints_of, signature_of, take_over
from .output.streams import ENDLESS
from .settings.shared import complete_specs

CONTEXT = Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)
"""How a function asks typer for the context of its command."""


class Command(TyperCommand):
    """A command: its settings, a dataclass, become its parameters."""

    def __init__(self, *, hints: Mapping[str, Any], is_configured: bool, params: list[Any], **attributes: Any) -> None:
        """Take over what typer has made of the settings, whose annotations are `hints`.

        `is_configured` says whether a configuration may set its options.
        """
        super().__init__(params=[take_over(one, hints) for one in params], **attributes)
        for one in self.params:
            if isinstance(one, Option) and is_configured:
                one.configure()

    @property
    def options(self) -> dict[str, Option]:
        """The options that a configuration may set, by their keys."""
        return {one.key: one for one in self.params if isinstance(one, Option) and one.is_configured}

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises UsageError where there are too many, or an option that there is not."""
        ctx.meta[TYPED] = tuple(args)
        if not ctx.resilient_parsing and any("{" in word for word in args):
            from .mistakes import check_quotes

            check_quotes(args, ctx)
        has_arguments = any(isinstance(one, Argument) for one in self.params)
        for one in self.params:
            if isinstance(one, Option):
                args = one.spell_out(args, has_arguments=has_arguments)
        try:
            more = super().parse_args(ctx, args)
        except typer.BadParameter:
            raise
        except typer.TyperException as error:
            from .mistakes import refine_option

            raise refine_option(error, ctx) from None
        if not ctx.resilient_parsing:
            self.reject_more(more, ctx)
        return more

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the command whole; lists of commands would cut it."""
        return super().get_short_help_str(ENDLESS)

    def reject_more(self, arguments: list[str], context: Any) -> None:
        """Raise UsageError for an argument too many, with what may have been meant."""
        if arguments:
            from .mistakes import hint_for_extra

            hint = hint_for_extra(arguments[0], context)
            raise UsageError(f"{arguments[0]!r} is an argument too many{hint}")


class Group(TyperGroup):
    """A group of commands, whose help lists them in their order."""

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the group whole."""
        return super().get_short_help_str(ENDLESS)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options of the group. Raises UsageError for one that there is not."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            from .mistakes import refine_option

            raise refine_option(error, ctx) from None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the first argument names. Raises UsageError, with what may have been meant."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException:
            from .mistakes import hint_for_command
            from .removed import REMOVED

            if args[0] in REMOVED:
                raise UsageError(f"{args[0]!r} was removed: {REMOVED[args[0]]}") from None
            tried = hint_for_command(args, ctx)
            raise UsageError(f"No such command {args[0]!r}; try: {tried}") from None


def commands_of(group: Group) -> Iterator[Command]:
    """Yield the commands of a group, and of the groups in it."""
    for one in group.commands.values():
        if isinstance(one, Group):
            yield from commands_of(one)
        elif isinstance(one, Command):
            yield one


class App(typer.Typer):
    """A group of commands, with plain help that fits any width."""

    def __init__(self, summary: str, name: str | None = None, **more: Any) -> None:
        """`name` is that of a group of the program, which has none itself."""
        super().__init__(
            name=name,
            cls=Group,
            help=summary,
            callback=require_command,
            invoke_without_command=True,
            rich_markup_mode=None,
            context_settings={"help_option_names": ["-h", "--help"]},
            **more,
        )

    def add(
        self,
        name: str,
        function: str,
        settings: type[Any],
        summary: str | None = None,
        *,
        configured: bool = True,
        numpy: bool = True,
    ) -> None:
        """Add a command: a function of its settings, which returns the exit status.

        `function` is `MODULE.NAME` in `commands/`, imported when the command is carried out, so that `--help` is
        instant; `numpy` says that numpy is loaded before. Without a summary help has the docstring of the settings.
        """
        hints = hints_of(settings)
        kind: Any = partial(Command, hints=hints, is_configured=configured)
        choice = choice_of_configuration(_choose) if configured else ()
        act = _command_of(function, settings, numpy)
        act.__signature__ = Signature([CONTEXT, *signature_of(settings, hints), *choice])  # type: ignore[attr-defined]  # typer reads it
        self.command(name, cls=kind, help=summary or settings.__doc__, context_settings={"allow_extra_args": True})(act)


def require_command(context: typer.Context) -> None:
    """Raise UsageError where the command of a group is missing; the message names all."""
    group: Any = context.command
    if context.invoked_subcommand is None:
        raise UsageError(f"{context.info_name}: give a command: {', '.join(group.commands)}")


def load(function: str) -> Callable[..., int]:
    """Import the function that carries out a command, `MODULE.NAME` in `commands/`."""
    module, name = function.split(".")
    found: Callable[..., int] = getattr(import_module(f"{__package__}.commands.{module}"), name)
    return found


def _command_of(function: str, settings: type[Any], numpy: bool) -> Callable[..., int]:
    """Return what typer calls: a function of the fields of the settings, and of the context."""

    def command(*, context: typer.Context, **given: Any) -> int:
        from .configuration.resolved import fit_settings, keep_own_names, locate_error, values_of_configuration

        if numpy:
            load_numpy()
        given = {one.name: _as_field(given[one.name], one.default) for one in fields(settings)}
        values = values_of_configuration(context)
        try:
            fitted = fit_settings(settings, keep_own_names(given, values), values)
            return load(function)(complete_specs(fitted))
        except UsageError as error:
            raise locate_error(error, given, values) from None

    command.__annotations__ = {}  # it has a signature
    return command


def _as_field(value: Any, default: Any) -> Any:
    """Return a value as its field has it: typer gives a list, or None, where a field is a tuple."""
    return tuple(value or ()) if isinstance(default, tuple) else value


def _choose(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Once typer has read all that chooses a configuration, let this give what the command line leaves out."""
    chosen = {**context.params, parameter.name: value}
    if not context.resilient_parsing and chosen.keys() >= {"config", "no_config"}:
        from .configuration.resolved import configure

        configure(context, chosen["config"], is_refused=chosen["no_config"])
    return value


_choose.__annotations__ = get_type_hints(_choose)  # typer would read their text for each option of each command
