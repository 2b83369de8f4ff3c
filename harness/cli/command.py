"""How a function becomes a command: typer fills its settings, and its exit status ends the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import partial, wraps
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import typer

from ...errors import Complaint
from ..model.shutdown import Interrupted
from ..model.verdict import ExitCode

S = TypeVar("S")


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
    parameters = [_parameter(field, hints[field.name]) for field in fields(settings)]  # type: ignore[arg-type]

    def decorate(function: Callable[[S], int]) -> Callable[..., None]:
        @wraps(function)
        def command(**values: Any) -> None:
            given = {name: _as_field(value, hints[name]) for name, value in values.items()}
            exit_with(partial(function, settings(**given)))

        command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
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
