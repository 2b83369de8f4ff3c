"""Reports as plain text in which nothing is hidden: control characters and what cannot be encoded become escapes."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from ..errors import shorten
from .layout import Trimmed

_ENDLESS = 1_000_000
"""Columns: no line is broken."""


def plain(report: RenderableType) -> str:
    """Return a report as text, without spaces at the ends of lines and without a newline at its end."""
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=_ENDLESS,
        color_system=None,
        force_terminal=False,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    console.print(Trimmed(report), crop=False)
    return stream.getvalue().rstrip("\n")


def visible(text: str) -> str:
    r"""Return a text with an escape such as `\x1b` for each character that cannot be seen.

    These are control and format characters, lone surrogates, and all spaces and line ends but the common space.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else _escape(one) for one in text)


def one_line(text: str, most: int) -> str:
    """Return a text on one line, without its middle if it has more than `most` characters."""
    if len(text) <= most and text.isprintable():
        return text
    return shorten(visible(shorten(text, most)), most)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
