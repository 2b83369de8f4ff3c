"""Options and arguments: how a field of the settings declares one, and where the value of one comes from.

    max_nodes: Annotated[int | None, option("--max-nodes", type=count(0, "NODES"), help="...")] = None

The field has the default; a field that is a tuple may be given several times; an option without a type is a switch.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import copy
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, get_args, get_origin, get_type_hints

import click
from click.core import ParameterSource

from ...errors import UsageError
from .value_types import FILE, SWITCH, ValueType

PREFIX = "PERFT_CHECK"


def variable(*words: str) -> str:
    """Return the name of the variable for these words, such as a command and a key."""
    return "_".join([PREFIX, *words]).replace("-", "_").upper()


class Option(click.Option):
    """An option that a configuration may set; for each there is `--no-NAME`, which leaves out what that sets."""

    def __init__(self, names: list[str], *, is_own: bool = False, **attributes: Any) -> None:
        super().__init__(names, **attributes)
        self.key = next(name for name in self.opts if name.startswith("--")).removeprefix("--")
        """The long name without its dashes, such as `max-nodes`: the key that sets it in a file."""
        self.is_own = is_own
        """Whether it means something else than those of the same name: only the table of its command sets it."""
        self.is_configured = False
        """Whether its command is one that a configuration may set."""

    @property
    def opposite(self) -> str | None:
        """The key that the opposite of a switch would have, where there is an option for that."""
        return self.secondary_opts[0].removeprefix("--") if self.secondary_opts else None

    @property
    def _left_out(self) -> str:
        """Under which name the parser keeps that `--no-NAME` is given."""
        return f"without {self.name}"

    @property
    def _is_engine(self) -> bool:
        """Whether it names the one engine of a command: if two are given, one would not be asked."""
        return self.key == "engine" and not self.multiple

    def name_variables(self, words: tuple[str, ...]) -> None:
        """Take values from the variables of the command that `words` call, and from those of all commands."""
        tables = [words[:length] for length in range(len(words), -1, -1)]
        self.is_configured = True
        self.envvar = [variable(*table, self.key) for table in tables if self.is_set_by(table, words)]

    def is_set_by(self, table: tuple[str, ...], words: tuple[str, ...]) -> bool:
        """Tell whether a table sets the option of the command that `words` call."""
        return words[: len(table)] == table and (table == words or not self.is_own)

    def variable_in_force(self) -> str:
        """Return the variable that gives the value."""
        return next(name for name in self.envvar or () if os.environ.get(name))

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let a parser know the names of the option, and `--no-NAME`."""
        if self._is_engine:
            parser.add_option(self, self.opts, self.name, "append")
        else:
            super().add_to_parser(parser, ctx)
        if self.is_configured and self.opposite != f"no-{self.key}":
            parser.add_option(self, [f"--no-{self.key}"], self._left_out, "store_const", const=True)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """Return the value as it was given, and where it comes from. Raises UsageError for a second engine."""
        if self.name not in opts and self._left_out in opts:
            return self.default, ParameterSource.DEFAULT
        value, source = super().consume_value(ctx, opts)
        if self._is_engine and source is ParameterSource.COMMANDLINE:
            if len(value) > 1:
                raise UsageError(f"{self.opts[0]} is given {len(value)} times: this command takes one engine")
            value = value[0]
        return value, source

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Read the value. Raises BadParameter, for a variable UsageError, which names it."""
        try:
            return super().handle_parse_result(ctx, opts, args)
        except click.BadParameter as error:
            if ctx.get_parameter_source(self.name) is ParameterSource.ENVIRONMENT:
                raise UsageError(f"{self.variable_in_force()}: {error.message}") from None
            raise


@dataclass(frozen=True)
class Declaration:
    """What a field of the settings says about the parameter that fills it."""

    names: tuple[str, ...]
    """Those of an option; an argument has none."""
    attributes: Mapping[str, Any]

    def parameter(self, field: Field[Any], hint: Any) -> click.Parameter:
        """Return the parameter for a field."""
        is_repeated = get_origin(get_args(hint)[0]) is tuple
        default = {} if field.default is MISSING else {"default": field.default}
        if self.names:
            return Option([field.name, *self.names], multiple=is_repeated, **default, **self.attributes)
        return click.Argument([field.name], nargs=-1 if is_repeated else 1, **default, **self.attributes)


def option(
    *names: str,
    help: str,  # noqa: A002 - as Click calls it
    type: ValueType | None = None,  # noqa: A002 - as Click calls it
    is_own: bool = False,
    show_default: bool = True,
) -> Declaration:
    """Declare an option; without a type it is a switch, whose opposite may follow a slash: `--explain/--no-explain`.

    `is_own` says that it means something else than those of the same name.
    """
    kind = {"type": SWITCH, "is_flag": True} if type is None else {"type": type, "metavar": type.name}
    return Declaration(names, {"help": help, "is_own": is_own, "show_default": show_default, **kind})


def argument(metavar: str, *, help: str, type: ValueType | None = None) -> Declaration:  # noqa: A002 - as above
    """Declare an argument, required where the field has no default."""
    kind = copy(type or ValueType(metavar))
    kind.name = metavar
    return Declaration((), {"help": help, "type": kind})


def parameters_of(settings: type[Any]) -> list[click.Parameter]:
    """Return a parameter for each field of a dataclass."""
    hints = get_type_hints(settings, include_extras=True)
    return [hints[field.name].__metadata__[0].parameter(field, hints[field.name]) for field in fields(settings)]


def choice_of_configuration() -> list[click.Parameter]:
    """Return the options that choose the configuration: they are read before those that it sets."""
    return [
        click.Option(
            ["--config"],
            default=None,
            type=FILE,
            is_eager=True,
            envvar=variable("config"),
            help="Configuration. Default: the nearest one.",
        ),
        click.Option(["--no-config"], is_flag=True, is_eager=True, help="Use no configuration."),
        click.Option(
            ["--profile"],
            default=None,
            type=ValueType("NAME"),
            is_eager=True,
            envvar=variable("profile"),
            help="A profile of the configuration.",
        ),
    ]
