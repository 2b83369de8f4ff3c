"""Formatting of numbers, phrases and escaped text for reports."""

from __future__ import annotations

from rich.text import Text

from ..errors import shorten
from ..generator.reachability.classification import Reachability
from ..harness.engines.spec import short_names
from ..harness.model.results.events import CaseResult

_UNITS = (("G", 1e9), ("M", 1e6), ("k", 1e3))

_UNREACHABLE = {
    Reachability.VALID: "no game leads to this position, but every program should accept it",
    Reachability.IMPOSSIBLE: "no game leads to this position, so a difference here is not a bug",
}
"""The clause for positions that do not look reachable."""


def unreachable(label: Reachability) -> str:
    """Return the end of a sentence about a position if it does not look reachable, otherwise ""."""
    return f"; {_UNREACHABLE[label]}" if label in _UNREACHABLE else ""


def short(number: float) -> str:
    """Return a number with three significant digits and a unit: 9,812,345 as "9.81 M"."""
    for unit, size in _UNITS:
        if number >= size * 0.9995:
            scaled = number / size
            digits = 2 if scaled < 9.995 else 1 if scaled < 99.95 else 0
            return f"{scaled:.{digits}f} {unit}"
    return f"{number:.0f}"


def speed(nodes: float, seconds: float) -> str:
    """Return nodes per second, or "" if the measurement is too short."""
    if nodes <= 0 or seconds <= 0.0005:
        return ""
    text = short(nodes / seconds)
    return f"{text}n/s" if " " in text else f"{text} n/s"


def duration(seconds: float) -> str:
    """Return a duration, such as "0.32 s", "12.4 s" or "3 min 05 s"."""
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def unwrapped(*parts: str | tuple[str, str]) -> Text:
    """Return text that is never wrapped, so that FENs and commands can be copied.

    Each part is a string, or a string and its Rich style.
    """
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")


def reproduce_line(command: str) -> Text:
    """Return a line with the command that reproduces a failure."""
    return unwrapped(("reproduce: ", "dim"), command)


def describe_counts(result: CaseResult) -> str:
    """Return the actual and expected counts of a failed position, or the depth of the failure if it has no counts."""
    if result.got is None or result.expected is None:
        return f"at depth {result.depth}" if result.depth else ""
    text = f"depth {result.depth}: {result.got:,} nodes, the suite says {result.expected:,}"
    names = short_names(name for name, _ in result.references)
    return text + "".join(f", {names[name]} says {nodes:,}" for name, nodes in result.references)


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number and its noun, such as "1 position" or "64 positions"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float | None) -> str:
    """Return a share as a percentage, such as "98.8 %", or "-" for None."""
    return "-" if share is None else f"{100 * share:.1f} %".replace(".0 ", " ")


def figure(number: float | None) -> str:
    """Return a number with commas, or "-" for None."""
    return "-" if number is None else f"{number:,.0f}"


def visible(text: str) -> str:
    r"""Return text with invisible characters replaced by escapes such as `\x1b`.

    Invisible characters are control and format characters, lone surrogates, line ends, and all spaces except U+0020.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escape(one) for one in text)


def one_line(text: str, limit: int) -> str:
    """Return text on one line, with its middle omitted if it is longer than `limit` characters."""
    if len(text) <= limit and text.isprintable():
        return text
    return shorten(visible(shorten(text, limit)), limit)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
