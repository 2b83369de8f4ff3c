"""How a function becomes a command: typer fills its settings, and its exit status ends the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import partial, wraps
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from ...errors import Complaint, UsageError
from ..engines.our_environment import load_numpy
from ..model.shutdown import Interrupted
from ..model.verdict import ExitCode
from .width import ENDLESS

S = TypeVar("S")


class _Command(TyperCommand):
    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the command whole; lists of commands would cut it."""
        return super().get_short_help_str(ENDLESS)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line, required arguments without the braces of some versions of typer."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, by the names that users know them by, and the options."""
        parameters: list[Any] = self.get_params(ctx)
        named = [(one.metavar, one.help) for one in parameters if one.param_type_name == "argument"]
        records = [one.get_help_record(ctx) for one in parameters if one.param_type_name == "option"]
        for title, rows in (("Arguments", named), ("Options", [record for record in records if record])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class _Group(TyperGroup):
    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the group whole."""
        return super().get_short_help_str(ENDLESS)


class App(typer.Typer):
    """A group of commands, with plain help that fits any width."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            cls=_Group,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            context_settings={"help_option_names": ["-h", "--help"]},
            **options,
        )

    def command(self, name: str | None = None, **options: Any) -> Callable[..., Any]:
        """Add a command."""
        return super().command(name, cls=_Command, **options)


def require_command(context: typer.Context) -> None:
    """Raise UsageError where the command of a group is missing; the message names all."""
    if context.invoked_subcommand is None:
        group: Any = context.command
        raise UsageError(f"{context.info_name}: give a command: {', '.join(group.list_commands(context))}")


class OutputError(Complaint):
    """Our output cannot be written; `reason` says why. typer would swallow the OSError itself."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


def exit_with(command: Callable[[], int]) -> None:
    """Carry out a command and exit with its status."""
    try:
        status = command()
        sys.stdout.flush()
    except Interrupted:
        print("perft-check: interrupted", file=sys.stderr)
        status = ExitCode.INTERRUPTED
    except OSError as error:
        raise OutputError(error) from error
    raise typer.Exit(int(status))


def takes(settings: type[S]) -> Callable[[Callable[[S], int]], Callable[..., None]]:
    """Turn a function of one settings object into a typer command with an option for each field.

    `settings` is a dataclass whose fields are `Annotated[TYPE, typer.Option(...)]`, or `typer.Argument`.
    The function returns the exit status.
    """
    hints = get_type_hints(settings, include_extras=True)
    parameters = [_parameter(field, hints[field.name]) for field in fields(settings)]  # type: ignore[arg-type]  # a dataclass

    def decorate(function: Callable[[S], int]) -> Callable[..., None]:
        @wraps(function)
        def command(**values: Any) -> None:
            load_numpy()
            given = {name: _as_field(value, hints[name]) for name, value in values.items()}
            exit_with(partial(function, settings(**given)))

        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # typer reads it
        command.__annotations__ = {}
        return command

    return decorate


def _parameter(field: Field[Any], hint: Any) -> Parameter:
    """Return a field as typer wants it: an option that may be repeated is a list, or None if it is not given."""
    default = Parameter.empty if field.default is MISSING else field.default
    if _is_repeated(hint):
        hint, default = Annotated[list[str] | None, *hint.__metadata__], None
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def _as_field(value: Any, hint: Any) -> Any:
    return tuple(value or ()) if _is_repeated(hint) else value


def _is_repeated(hint: Any) -> bool:
    """Tell whether a field is a `tuple[str, ...]`."""
    return get_origin(hint) is Annotated and get_origin(get_args(hint)[0]) is tuple
