"""Text from outside in which nothing is hidden: control characters and what cannot be encoded become escapes."""

from __future__ import annotations

from rich.console import RenderableType

from ....errors import shorten
from ...plain import plain


def visible(text: str) -> str:
    r"""Return a text with an escape such as `\x1b` for each character that cannot be seen.

    These are control and format characters, lone surrogates, and all spaces and line ends but the common space.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escape(one) for one in text)


def visible_lines(report: RenderableType) -> str:
    """Return a part of a report as lines of plain text in which nothing is hidden, without a newline at the end."""
    return "\n".join(map(visible, plain(report).split("\n")))


def one_line(text: str, most: int) -> str:
    """Return a text on one line, without its middle where it has more than `most` characters."""
    if len(text) <= most and text.isprintable():
        return text
    return shorten(visible(shorten(text, most)), most)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
