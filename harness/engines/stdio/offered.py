"""Parse the options that a UCI engine offers in `option name ...` lines, and validate values for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ....errors import UsageError, did_you_mean
from ... import values
from ..command_lines import command_line
from ..spec import EngineSpec
from ..uci_options import CHESS960, EMPTY, UciOption
from .output import printable

_KEYS = ("type", "default", "min", "max", "var")
LARGEST = 2**63
"""Bound for numbers if the engine states none."""


@dataclass(frozen=True)
class OfferedOption:
    """An option that an engine offers."""

    name: str
    type: str = ""
    """spin, check, combo, button or string. An engine may omit the type or use another word."""
    default: str | None = None
    least: int = -LARGEST
    most: int = LARGEST
    choices: tuple[str, ...] = ()
    """The values of a combo option."""

    @classmethod
    def read(cls, line: str) -> OfferedOption | None:
        """Parse a line of the answer to `uci`. Return None if it offers no option."""
        words = line.split()
        if [word.lower() for word in words[:2]] != ["option", "name"] or len(words) < 3:
            return None
        parts: list[tuple[str, list[str]]] = [("name", [])]
        for place, word in enumerate(words[2:], start=2):
            is_text = parts[-1][0] == "default" and ("type", ["string"]) in parts
            if word in _KEYS and place > 2 and not is_text:
                parts.append((word, []))
            else:
                parts[-1][1].append(word)
        texts = {key: " ".join(value) for key, value in parts}
        return cls(
            name=texts["name"],
            type=texts.get("type", "").lower(),
            default=texts.get("default"),
            least=_bound(texts, "min", -LARGEST),
            most=_bound(texts, "max", LARGEST),
            choices=tuple(" ".join(value) for key, value in parts if key == "var"),
        )

    @property
    def allowed(self) -> str:
        """A description of the allowed values."""
        has_bounds = self.least > -LARGEST and self.most < LARGEST
        types = {
            "spin": "a whole number" + (f" from {self.least} to {self.most}" if has_bounds else ""),
            "check": "true or false",
            "combo": " or ".join(self.choices),
            "button": "a button",
            "string": "a text",
        }
        return printable(types.get(self.type, "") or "a value")

    def describe(self) -> str:
        """Return a description of the allowed values and the default."""
        default = "" if self.default in (None, "", EMPTY) else f", by default {self.default}"
        return printable(self.allowed + default)

    def fit(self, given: UciOption) -> UciOption:
        """Return the option and value as spelled by the engine. Raises ValueError with a clause for a message."""
        if self.type == "button":
            if given.value is not None:
                raise ValueError(f"is a button, which takes no value: write {self.name!r} alone")
            return UciOption(self.name)
        if given.value is None:
            raise ValueError(f"needs a value, {self.allowed}: write {self.name}=VALUE")
        try:
            return UciOption(self.name, self._fit_value(given.value))
        except ValueError:
            raise ValueError(f"must be {self.allowed}, not {given.value!r}") from None

    def _fit_value(self, value: str) -> str:
        if self.type == "spin":
            return str(values.whole(self.least, self.most)(value))
        known = {"check": ("true", "false"), "combo": self.choices}.get(self.type)
        if not known:
            return value
        fitting = {one.casefold(): one for one in known}
        if value.casefold() not in fitting:
            raise ValueError(value)
        return fitting[value.casefold()]


def fit_lines(name: str, spec: str, lines: Sequence[str], offered: Sequence[OfferedOption]) -> list[str]:
    """Return the setup lines with options and values as spelled by the engine.

    `name` and `spec` are used in messages. Raises UsageError if the engine does not offer an option or its value.
    """
    by_name = {option.name.casefold(): option for option in offered}
    return [line if (given := UciOption.of_line(line)) is None else _fit(name, spec, given, by_name) for line in lines]


def _fit(name: str, spec: str, given: UciOption, offered: Mapping[str, OfferedOption]) -> str:
    value = str(given)
    option = offered.get(given.name.casefold())
    if option is None:
        others = [one.name for one in offered.values() if one.name.casefold() != CHESS960.casefold()]
        doctor = f"{command_line('doctor', '-e', EngineSpec(spec).bare)} lists its options"
        hint = printable(did_you_mean(given.name, others, "")) if others else "it has no options"
        hints = hint if not others else f"{hint} {doctor}".lstrip()
        raise UsageError(f"{name} has no option {given.name!r}: {hints}", value)
    try:
        return option.fit(given).line
    except ValueError as error:
        raise UsageError(f"{name}: option {printable(f'{option.name} {error}')}", value) from None


def replace_options(setup: Iterable[str], given: Sequence[UciOption]) -> tuple[str, ...]:
    """Return the setup lines with the given options, which replace those of the same name."""
    names = {option.name.casefold() for option in given}
    kept = [
        line for line in setup if (set_by := UciOption.of_line(line)) is None or set_by.name.casefold() not in names
    ]
    return (*kept, *(option.line for option in given))


def _bound(texts: Mapping[str, str], key: str, otherwise: int) -> int:
    try:
        return int(texts[key][:20])
    except (KeyError, ValueError):
        return otherwise
