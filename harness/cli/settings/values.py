"""The values of options as typer reads them: its own exception has the message of `harness/model/values.py`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import typer

from ...model import values

P = ParamSpec("P")
T = TypeVar("T")


def _for_typer(reader: Callable[P, Callable[..., T]]) -> Callable[P, Callable[..., T]]:
    @wraps(reader)
    def made(*limits: P.args, **named: P.kwargs) -> Callable[..., T]:
        read = reader(*limits, **named)

        @wraps(read)
        def value(text: object) -> T:
            try:
                return read(text)
            except ValueError as error:
                raise typer.BadParameter(str(error)) from None

        return value

    return made


whole = _for_typer(values.whole)
count = _for_typer(values.count)
memory = _for_typer(values.memory)
factor = _for_typer(values.factor)
seconds = _for_typer(values.seconds)
share = _for_typer(values.share)
