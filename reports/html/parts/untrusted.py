"""Text of engines and files, made fit for a page: characters that are not seen are spelled out, endless text is cut."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from ....errors import shorten

LONGEST = 10_000
"""Characters of a text that are shown."""
_UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Controls, lone surrogates, and what breaks lines or turns the direction of writing."""
_IN_SCRIPT = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


def fit(text: str) -> str:
    """Return a text as a page may show it: a NUL spelled as in Python, and the middle left out where it is long."""
    return spell_unseen(shorten(text, LONGEST))


def spell_unseen(text: str) -> str:
    """Return a text with its unseen characters spelled as in Python."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def fit_or_other(value: object) -> object:
    """Return a text made fit, and anything else as it is, our own markup too. Jinja2 calls it."""
    return fit(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def data(value: object) -> Markup:
    """Return a value as JSON that nothing in it can end early where it stands in a script element."""
    return Markup(json.dumps(value, separators=(",", ":")).translate(_IN_SCRIPT))


def rows(values: Iterable[Sequence[object]]) -> Markup:
    """Return rows, their texts made fit, as the inner part of a list in JSON."""
    return data([[fit(one) if isinstance(one, str) else one for one in row] for row in values])[1:-1]


def _escape(unseen: re.Match[str]) -> str:
    number = ord(unseen[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"
