"""How a function becomes a command: typer fills its settings, and its exit status ends the program."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from ...errors import Complaint, UsageError
from ..engines.our_environment import load_numpy
from ..model.results.verdict import ExitCode
from ..model.shutdown import Interrupted
from .configuration.fitting import fit_settings, locate_error
from .configuration.keys import options_of
from .configuration.values import Value
from .output.width import ENDLESS

S = TypeVar("S")
CONTEXT = Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context)
"""How a function asks typer for the context of its command."""


CONFIGURATION = "perft_check.configuration"
"""Where a typer context has its Configuration."""
VALUES = "perft_check.values"
"""Where it has the values that this gives to the command, by field."""
CHOICE: dict[str, tuple[Any, Any]] = {
    "config": (
        None,
        Annotated[
            str | None,
            typer.Option("--config", metavar="FILE", is_eager=True, help="Configuration. Default: the nearest one."),
        ],
    ),
    "no_config": (False, Annotated[bool, typer.Option("--no-config", is_eager=True, help="Use no configuration.")]),
    "profile": (
        None,
        Annotated[
            str | None, typer.Option("--profile", metavar="NAME", is_eager=True, help="A profile of the configuration.")
        ],
    ),
}
"""The options that choose the configuration: default and hint of each."""


class _Command(TyperCommand):
    is_configured = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments. Raises UsageError where a command of one engine is given two: one would not be asked;
        and where there is an argument too many.

        Of other options the last value counts, so that a script can append its own.
        """
        if not ctx.resilient_parsing:
            values, more, given = self.make_parser(ctx).parse_args(args=list(args))
            for option, times in Counter(given).items():
                if times > 1 and _names_one_engine(option) and not values.get("help"):
                    raise UsageError(f"{option.opts[0]} is given {times} times: this command takes one engine")
            if more and not values.get("help"):
                raise UsageError(f"{more[0]!r} is an argument too many{self._advice(more[0])}")
        return super().parse_args(ctx, args)

    def _advice(self, argument: str) -> str:
        """Return what may have been meant by an argument too many, as a clause, or ""."""
        if any("--suite" in parameter.opts for parameter in self.params):
            return f": a suite is named with --suite {argument}"
        arguments = [parameter.metavar for parameter in self.params if parameter.param_type_name == "argument"]
        return ": put a FEN into quotes" if "POSITION" in arguments else ""

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return the sentence about the command whole; lists of commands would cut it."""
        return super().get_short_help_str(ENDLESS)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the usage line, required arguments without the braces of some versions of typer."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, by the names that users know them by, and the options."""
        parameters: list[Any] = self.get_params(ctx)
        named = [(one.metavar, one.help or "") for one in parameters if one.param_type_name == "argument"]
        records = [one.get_help_record(ctx) for one in parameters if one.param_type_name == "option"]
        for title, rows in (("Arguments", named), ("Options", [record for record in records if record])):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _names_one_engine(parameter: Any) -> bool:
    return parameter.param_type_name == "option" and "--engine" in parameter.opts and not parameter.multiple


class _Configured(_Command):
    """A command whose options the configuration may set; for each there is `--no-NAME`, which leaves that out."""

    is_configured = True

    def make_parser(self, ctx: Any) -> Any:
        """Return a parser that knows `--no-NAME`, too."""
        parser = super().make_parser(ctx)
        for key, option in options_of(self).items():
            if option.opposite != f"no-{key}":
                parser.add_option(option.parameter, [f"--no-{key}"], _without(option.name), "store_const", const=True)
        return parser

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Let the configuration give what the command line does not. Raises UsageError."""
        if not ctx.resilient_parsing:
            given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
            if not given.get("help"):
                self._configure(ctx, given)
        return super().parse_args(ctx, args)

    def _configure(self, ctx: Any, given: Mapping[str, Any]) -> None:
        from .configuration.in_force import Choice, load

        program = ctx.find_root()
        choice = Choice(**{name: given[name] for name in CHOICE if name in given})
        configuration = load(choice, ctx, program.command)
        values = configuration.values(tuple(ctx.command_path.split()[1:]), self, ctx)
        kept = {name: value for name, value in values.items() if _without(name) not in given}
        ctx.default_map = {name: value.given for name, value in kept.items()}
        ctx.meta[CONFIGURATION] = configuration
        ctx.meta[VALUES] = kept


def _without(name: str) -> str:
    """Return under which name the parser keeps that `--no-NAME` is given."""
    return f"without {name}"


def _with_choice(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options that choose the configuration, which is read before its other options."""

    @wraps(function)
    def command(**values: Any) -> None:
        function(**{name: value for name, value in values.items() if name not in CHOICE})

    hints = get_type_hints(function, include_extras=True)
    own = [
        one.replace(annotation=hints.get(name, one.annotation)) for name, one in signature(function).parameters.items()
    ]
    choice = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=hint)
        for name, (default, hint) in CHOICE.items()
    ]
    command.__signature__ = Signature([*own, *choice])  # type: ignore[attr-defined]  # typer reads it
    command.__annotations__ = {}
    return command


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
        """Add a command, which takes what the command line leaves out from the configuration."""
        enter = super().command(name, cls=_Configured, **options)
        return lambda function: enter(_with_choice(function))

    def plain_command(self, name: str) -> Callable[..., Any]:
        """Add a command that no configuration touches."""
        return super().command(name, cls=_Command)


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
        def command(*, context: typer.Context, **values: Any) -> None:
            load_numpy()
            given = {name: _as_field(value, hints[name]) for name, value in values.items()}
            configured = _configured(context)
            made = fit_settings(settings, given, configured)
            try:
                exit_with(partial(function, made))
            except UsageError as error:
                raise locate_error(error, configured) from None

        command.__signature__ = Signature([CONTEXT, *parameters])  # type: ignore[attr-defined]  # typer reads it
        command.__annotations__ = {}
        return command

    return decorate


def _configured(context: typer.Context) -> Mapping[str, Value]:
    """Return the values of a command that the configuration gives, by field."""
    values: Mapping[str, Value] = context.meta.get(VALUES, {})
    sources = {name: context.get_parameter_source(name) for name in values}
    return {name: values[name] for name, source in sources.items() if source and source.name == "DEFAULT_MAP"}


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
