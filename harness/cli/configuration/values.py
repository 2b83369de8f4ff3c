"""A value of the configuration: what an option takes, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ....errors import UsageError
from .keys import OptionKey

Given = bool | str | list[str]
"""A value as the command line would have it: a switch, a text, or one text for each time."""
_NAMES = ((bool, "true or false"), (list, "a list"), (dict, "a table"), (str | int | float, "a value"))


@dataclass(frozen=True)
class Value:
    """A value for an option."""

    option: OptionKey
    given: Given
    source: str
    """Where it stands: `perft-check.toml:7`, or the name of a variable."""
    rank: int
    """What goes before: the smaller number. The command line has 0."""
    profile: str | None = None
    """The profile that it belongs to."""
    is_variable: bool = False

    @property
    def place(self) -> str:
        """How an error begins: `perft-check.toml:7: timeout`, or the name of a variable."""
        return self.source if self.is_variable else f"{self.source}: {self.option.key}"


def read_value(option: OptionKey, value: Any) -> Given:
    """Return a TOML value as the command line would have it. Raises ValueError, which says what the option takes."""
    if option.is_switch:
        if not isinstance(value, bool):
            raise ValueError(f"it is a switch: write true or false, not {_kind(value)}")
        return value
    if isinstance(value, list) and not option.is_repeated:
        raise ValueError("it takes one value, not a list")
    texts = [_text(one) for one in value] if isinstance(value, list) else [_text(value)]
    return texts if option.is_repeated else texts[0]


def check(context: Any, value: Value) -> None:
    """Let the option's own parser speak. Raises UsageError, which says where the value stands."""
    import typer

    try:
        value.option.parameter.process_value(context, value.given)
    except typer.BadParameter as error:
        raise UsageError(f"{value.place}: {error.message.rstrip('.')}") from None


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"it takes text or a number, not {_kind(value)}")
    if isinstance(value, int) and value.bit_length() > 63:
        raise ValueError("the number is too large")
    return str(value)


def _kind(value: Any) -> str:
    return next((name for kind, name in _NAMES if isinstance(value, kind)), "a date or a time")
