"""Options and arguments: how a field of the settings declares one, and where the value of one comes from.

    max_nodes: Annotated[int | None, option("--max-nodes", type=count(0, "NODES"), help="...")] = None

The field has the default; a field that is a tuple may be given several times; an option without a type is a switch.
typer makes a parameter of each, which the classes here take over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperArgument, TyperOption
from typer.models import ArgumentInfo, OptionInfo

from ...errors import UsageError
from .value_types import FILE, SWITCH, Amount, ValueType

PREFIX = "PERFT_CHECK"
TYPED = "perft-check: typed"
"""Under which name a context keeps the words of its command, as they were typed."""
OWN = "own"
"""Marks a field whose option means something else than those of the same name: a configuration does not set it."""


def variable(key: str) -> str:
    """Return the name of the variable for a key, such as PERFT_CHECK_MAX_NODES."""
    return f"{PREFIX}_{key}".replace("-", "_").upper()


class Argument(TyperArgument):
    """An argument, by the name that users know it by."""

    def __init__(self, made: TyperArgument) -> None:
        """Take over an argument that typer has made."""
        vars(self).update(vars(made))

    def get_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what the usage line calls it."""
        name = self.metavar if self.required else f"[{self.metavar}]"
        return [f"{name}..." if self.nargs != 1 else str(name)]

    def get_help_record(self, ctx: Any) -> tuple[str, str]:
        """Return its name and what help says of it."""
        return str(self.metavar), self.help or ""

    def handle_parse_result(self, ctx: Any, opts: Mapping[str, Any], args: list[str]) -> Any:
        """Read the value. Raises UsageError, with what to try; first where there are arguments too many, `args`."""
        if ctx.resilient_parsing:
            return super().handle_parse_result(ctx, opts, args)
        from .mistakes import check_position, refine_argument

        if self.metavar == "POSITION" and (text := opts.get(str(self.name))) is not None:
            check_position(text, ctx)
        _reject_more(ctx, args)
        try:
            return super().handle_parse_result(ctx, opts, args)
        except typer.BadParameter as error:
            raise refine_argument(error, ctx, opts) from None


class Option(TyperOption):
    """An option that a configuration may set; for each there is `--no-NAME`, which leaves out what that sets."""

    def __init__(self, made: TyperOption, kind: ValueType, is_own: bool) -> None:
        """Take over an option that typer has made; `kind` is what its value is."""
        vars(self).update(vars(made))
        self.kind = kind
        self.key = next(name for name in self.opts if name.startswith("--")).removeprefix("--")
        """The long name without its dashes, such as `max-nodes`: the key that sets it in a file."""
        self._is_own = is_own
        self.is_configured = False
        """Whether a configuration may set it."""

    @property
    def opposite(self) -> str | None:
        """The key that the opposite of a switch would have, where there is an option for that."""
        if isinstance(self.kind, Amount):
            return f"no-{self.key}"
        return self.secondary_opts[0].removeprefix("--") if self.secondary_opts else None

    @property
    def _left_out(self) -> str:
        """Under which name the parser keeps that `--no-NAME` is given."""
        return f"without {self.name}"

    @property
    def _is_engine(self) -> bool:
        """Whether it names the one engine of a command: if two are given, one would not be asked."""
        return self.key == "engine" and not self.multiple

    def configure(self) -> None:
        """Let a configuration set the option: a file by its key, or else a variable."""
        if not self._is_own:
            self.is_configured = True
            self.envvar = variable(self.key)

    def read(self, given: bool | str | list[str]) -> Any:
        """Return what a value means, or several. Raises typer.BadParameter."""
        return [self.kind(one) for one in given] if isinstance(given, list) else self.kind(given)

    def value_from_envvar(self, ctx: Any) -> Any:
        """Return what a variable has. Of several values each has a line: a SPEC has spaces and colons."""
        text = self.resolve_envvar_value(ctx)
        if text is None or not self.multiple:
            return text
        return [line for line in map(str.strip, text.splitlines()) if line]

    def add_to_parser(self, parser: Any, ctx: Any) -> None:
        """Let a parser know the names of the option, and `--no-NAME`."""
        if self._is_engine:
            parser.add_option(obj=self, opts=self.opts, dest=self.name, action="append")
        else:
            super().add_to_parser(parser, ctx)
        if isinstance(self.kind, Amount):
            names = [f"--no-{self.key}"]
            parser.add_option(obj=self, opts=names, dest=self.name, action="store_const", const=self.kind.opposite)
        if self.is_configured and self.opposite != f"no-{self.key}":
            without = f"--no-{self.key}"
            parser.add_option(obj=self, opts=[without], dest=self._left_out, action="store_const", const=True)

    def spell_out(self, words: list[str], *, has_arguments: bool) -> list[str]:
        """Return the words of a command line, with the value of this option where it is given without one.

        Where a command `has_arguments`, the word that follows the option may be one of them.
        """
        kind, name = self.kind, f"--{self.key}"
        if not isinstance(kind, Amount) or name not in words:
            return words
        following = [*words[1:], ""]
        return [
            word
            if word != name or kind.takes(after) or (after and after[0] != "-" and not has_arguments)
            else f"{name}={kind.alone}"
            for word, after in zip(words, following, strict=True)
        ]

    def consume_value(self, ctx: Any, opts: Mapping[str, Any]) -> Any:
        """Return the value as it was given, and where it comes from. Raises UsageError for a second engine."""
        value, source = super().consume_value(ctx, opts)
        if self.name not in opts and self._left_out in opts:
            return self.default, type(source).DEFAULT
        if self._is_engine and self.name in opts:
            if len(value) > 1:
                raise UsageError(f"{self.opts[0]} is given {len(value)} times: this command takes one engine")
            value = value[0]
        return value, source

    def handle_parse_result(self, ctx: Any, opts: Mapping[str, Any], args: list[str]) -> Any:
        """Read the value. Raises BadParameter, for a variable UsageError, which names it; as above for `args`."""
        _reject_more(ctx, args)
        try:
            return super().handle_parse_result(ctx, opts, args)
        except typer.BadParameter as error:
            if is_from("ENVIRONMENT", ctx, self.name):
                raise UsageError(f"{self.envvar}: {error.message}") from None
            raise


def is_from(source: str, context: typer.Context, name: str) -> bool:
    """Tell whether a parameter has its value from a source, as typer calls these."""
    found = context.get_parameter_source(name)
    return found is not None and found.name == source


def _reject_more(context: Any, arguments: list[str]) -> None:
    if arguments and not context.resilient_parsing:
        context.command.reject_more(arguments, context)


def option(
    *names: str,
    help: str,  # noqa: A002 - as typer calls it
    type: ValueType | None = None,  # noqa: A002 - as Python calls what a value is
    **more: Any,
) -> Any:
    """Declare an option; without a type it is a switch, whose opposite may follow a slash: `--explain/--no-explain`."""
    metavar = None if type is None else type.__name__
    completed = None if type is None else type.complete
    return typer.Option(
        *names,
        help=help,
        parser=type or SWITCH,
        metavar=metavar,
        show_envvar=False,
        autocompletion=completed,
        **more,
    )


def argument(metavar: str, *, help: str, type: ValueType | None = None) -> Any:  # noqa: A002 - as above
    """Declare an argument, required where the field has no default."""
    parser = type or ValueType(metavar)
    return typer.Argument(help=help, parser=parser, metavar=metavar, autocompletion=parser.complete)


def hints_of(settings: type[Any]) -> dict[str, Any]:
    """Return the annotation of each field of a dataclass, with what declares its parameter."""
    return get_type_hints(settings, include_extras=True)


def signature_of(settings: type[Any], hints: Mapping[str, Any]) -> list[Parameter]:
    """Return a parameter for each field of a dataclass, as typer reads it: what may be repeated is a list."""
    return [_parameter(field, hints[field.name]) for field in fields(settings)]


def _parameter(field: Field[Any], hint: Any) -> Parameter:
    kind, declared, *_ = get_args(hint)
    default = Parameter.empty if field.default is MISSING else field.default
    if get_origin(kind) is tuple:
        kind, default = list[str], None
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])


def take_over(made: Any, hints: Mapping[str, Any]) -> Any:
    """Return the parameter of a field in a class of ours; any other one as typer has made it."""
    hint = hints.get(made.name)
    declared, *marks = getattr(hint, "__metadata__", [None])
    if isinstance(declared, OptionInfo):
        assert isinstance(declared.parser, ValueType), "it is declared by `option`"
        return Option(made, declared.parser, OWN in marks)
    return Argument(made) if isinstance(declared, ArgumentInfo) else made


@cache
def choice_of_configuration(callback: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the options that choose the configuration: they are read before those that it sets."""
    eager: dict[str, Any] = {"is_eager": True, "callback": callback}
    config = option(
        "--config", type=FILE, envvar=variable("config"), help="Configuration. Default: the nearest one.", **eager
    )
    without = option("--no-config", help="Use no configuration.", **eager)
    return tuple(
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, declared])
        for name, default, kind, declared in (
            ("config", None, str, config),
            ("no_config", False, bool, without),
        )
    )
