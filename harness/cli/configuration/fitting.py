"""The configuration fitted to the command line: what goes before holds, and an error says where its value stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from ....errors import UsageError
from ..settings.shared import Conflict
from .values import Value

S = TypeVar("S")


def fit_settings(kind: type[S], given: Mapping[str, Any], values: Mapping[str, Value]) -> S:
    """Return the settings that are `given`. Where two do not fit together, the one that goes before is kept.

    `values` are those of the configuration among them, by field. Raises UsageError where none goes before.
    """
    kept = dict(given)
    defaults = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    while True:
        try:
            return kind(**kept)
        except Conflict as conflict:
            weaker = _weaker(conflict, values)
            if not weaker:
                raise _locate_conflict(conflict, values) from None
            kept.update((name, defaults[name]) for name in weaker)


def locate_error(error: UsageError, values: Mapping[str, Value]) -> UsageError:
    """Return an error with the place of the value that it is about, where the configuration has it."""
    for value in values.values():
        for text in value.given if isinstance(value.given, list) else [value.given]:
            # What follows a colon or a bracket is a reason or a hint.
            if (
                isinstance(text, str)
                and text
                and re.match(rf"[^:(]*?(?<![\w./-]){re.escape(text)}(?![\w/-])", str(error))
            ):
                return UsageError(f"{value.place}: {error}")
    return error


def _weaker(conflict: Conflict, values: Mapping[str, Value]) -> list[str]:
    """Return the fields whose values go after the first one of a conflict; the command line goes before all."""
    by_option = _by_option(values)
    first = min(by_option[option].rank if option in by_option else 0 for option in conflict.options)
    names = [by_option[option] for option in conflict.options if option in by_option]
    return [value.option.name for value in names if value.rank > first]


def _locate_conflict(conflict: Conflict, values: Mapping[str, Value]) -> UsageError:
    by_option = _by_option(values)
    places = [by_option[option].place for option in conflict.options if option in by_option]
    return UsageError(f"{places[0]}: {conflict}") if places else conflict


def _by_option(values: Mapping[str, Value]) -> dict[str, Value]:
    return {f"--{value.option.key}": value for value in values.values()}
