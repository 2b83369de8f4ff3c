"""The elements of dialect templates, and the regular expressions built from templates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from string import ascii_lowercase, digits

SEPARATORS = (
    ",_'`\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}"
    "\N{PUNCTUATION SPACE}\N{MIDDLE DOT}\N{DOT OPERATOR}\N{DOT ABOVE}\N{BULLET}\N{MODIFIER LETTER APOSTROPHE}"
    "\N{ARABIC THOUSANDS SEPARATOR}\ufffd"
)
"""Characters that can only be thousands separators between digits. The last one replaces undecodable bytes."""
OTHER_SEPARATORS = (".", " ")
"""Separators that may also be a decimal point or a space between columns. They are only accepted from engines that are
known to use them.
"""
_ANY_SEPARATOR = re.compile(f"[{SEPARATORS}{''.join(OTHER_SEPARATORS)}]")
_GROUPED = re.compile("[0-9]{1,3}(?:[^0-9A-Za-z]{1,2}[0-9]{3})+")
"""A number with any separator. In numbers found by a pattern, such characters are thousands separators."""
_SIGNS = ":=,()"

_MOVE = (
    r"(?:(?P<castling>[O0]-[O0](?:-[O0])?)"
    r"|[PNBRQK]?(?P<origin>[a-h][1-8])[-x:]?(?P<target>[a-h][1-8])(?:=?(?P<promotion>[nbrqkpNBRQKP]))?"
    r"|[PNBRQK]?(?P<from>[a-z][0-9])[-x:]?(?P<to>[a-z][0-9]))"
)
# Only ASCII digits, because `int` and `\d` also accept those of other scripts.
_ELEMENTS = {
    "{move}": _MOVE,
    "{nodes}": "(?P<nodes>NUMBER)",
    "{depth}": "(?P<depth>[0-9]+)",
    "{numbering}": r"(?:[0-9]+[.)]?\s+)?",
    "{index}": "[0-9]+",
    "{arrow}": r"\s*(?:[-=]>|[:=|,;]|(?<!\s)-|-(?![0-9])|\.{2,}:?|\s)\s*",
    "{word}": r"(?P<word>\S+?)",
    "{seconds}": r"[0-9]+\.[0-9]+",
    "[:=]": "[:=]",
    " ... ": r"\s(?:.*?\s)??",
    " ...": r"[,;]?(?:\s.*)?",
    "(": r"\(?",
    ")": r"\)?",
}
"""The regular expression for each element of a template."""
_TOKEN = re.compile(r"\{\w+\}|\[:=\]| \.\.\.(?: |$)| +|[a-z]+|.")


def _expressions(template: str) -> Iterator[str]:
    for token in _TOKEN.finditer(template):
        text = token[0]
        if text in _ELEMENTS:
            yield _ELEMENTS[text]
        elif text.isspace():
            beside = template[token.start() - 1] + template[token.end()]
            is_optional = any(sign in beside for sign in _SIGNS + "[]")
            yield r"\s*" if is_optional else r"\s+"
        else:
            yield f"(?i:{re.escape(text)})"


@cache
def pattern(template: str, separator: str = "") -> re.Pattern[str]:
    """Return the regular expression of a template, for stripped lines.

    `separator` is a thousands separator accepted in addition to `SEPARATORS`.
    """
    number = rf"(?>[0-9]{{1,3}}(?:[{SEPARATORS}{separator}][0-9]{{3}}(?![0-9]))+|[0-9]+)"
    return re.compile("".join(_expressions(template)).replace("NUMBER", number))


def first_characters(template: str) -> str:
    """Return the lowercase characters with which a line that matches a template may start."""
    if template.startswith(("{move}", "{numbering}")):
        return ascii_lowercase + digits
    return digits if template.startswith("{") else template[0]


def number(text: str) -> int:
    """Return the value of a count as written, with any separators. Raises ValueError."""
    plain = text if text.isdecimal() else _ANY_SEPARATOR.sub("", text.strip())
    if not plain.isdecimal() and _GROUPED.fullmatch(text.strip()):
        plain = "".join(re.findall("[0-9]", text))
    if not plain.isascii():
        raise ValueError(f"{text!r} is written in digits of another script")
    return int(plain)
