"""What the templates of dialects are made of, and the two readers that are made from a template.

`pattern` makes a regular expression, which reads lines of any engine, one at a time. `program` makes bytes, which the
compiled reader of `harness/engines/kernels/` interprets: "n = {nodes} ..." is n, OPTIONAL_BLANKS, an equals sign,
OPTIONAL_BLANKS, NODES, REST. A test holds that the two agree; only O-O and promotions to a king or a pawn are read by
the regular expression alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from string import ascii_lowercase, digits

from ..kernels import lines as codes
from .dialects import LineFormat

SEPARATORS = (
    ",_'`\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\N{FIGURE SPACE}"
    "\N{PUNCTUATION SPACE}\N{MIDDLE DOT}\N{DOT OPERATOR}\N{DOT ABOVE}\N{BULLET}\N{MODIFIER LETTER APOSTROPHE}"
    "\N{ARABIC THOUSANDS SEPARATOR}\ufffd"
)
"""Characters between thousands that cannot be anything else; the last one stands for a byte that is no UTF-8."""
OTHER_SEPARATORS = (".", " ")
"""Those that may be a decimal point, or stand between columns: taken only from an engine that is known to use them."""
_ANY_SEPARATOR = re.compile(f"[{SEPARATORS}{''.join(OTHER_SEPARATORS)}]")
_GROUPED = re.compile("[0-9]{1,3}(?:[^0-9A-Za-z]{1,2}[0-9]{3})+")
"""A number with any other characters between its thousands: where a pattern has found it, that is what they are."""
_ENCODINGS = ("utf-8", "cp1252")
"""How separators may come as bytes."""
_SIGNS = ":=,()"

_MOVE = (
    r"(?:(?P<castling>[O0]-[O0](?:-[O0])?)"
    r"|[PNBRQK]?(?P<origin>[a-h][1-8])[-x:]?(?P<target>[a-h][1-8])(?:=?(?P<promotion>[nbrqkpNBRQKP]))?"
    r"|[PNBRQK]?(?P<from>[a-z][0-9])[-x:]?(?P<to>[a-z][0-9]))"
)
# Digits are those of ASCII: Python takes those of other scripts for numbers as well.
_ELEMENTS = {
    "{move}": (_MOVE, codes.MOVE),
    "{nodes}": ("(?P<nodes>NUMBER)", codes.NODES),
    "{depth}": ("(?P<depth>[0-9]+)", codes.DEPTH),
    "{numbering}": (r"(?:[0-9]+[.)]?\s+)?", codes.NUMBERING),
    "{index}": ("[0-9]+", codes.INDEX),
    "{arrow}": (r"\s*(?:[-=]>|[:=|,;]|(?<!\s)-|-(?![0-9])|\.{2,}:?|\s)\s*", codes.ARROW),
    "{word}": (r"(?P<word>\S+?)", codes.WORD),
    "{seconds}": (r"[0-9]+\.[0-9]+", codes.SECONDS),
    "[:=]": ("[:=]", codes.SIGN),
    " ... ": (r"\s(?:.*?\s)??", codes.ANYTHING),
    " ...": (r"[,;]?(?:\s.*)?", codes.REST),
    "": ("", codes.END),
    "(": (r"\(?", ord("(")),
    ")": (r"\)?", ord(")")),
}
"""For each element of a template a regular expression and a byte. The two before the brackets end a template."""
_ROOT_MOVE = bytes([codes.NUMBERING, codes.MOVE, codes.ARROW, codes.NODES, codes.REST])
"""Nearly all lines are read in this one step, which takes half the time."""
_TOKEN = re.compile(r"\{\w+\}|\[:=\]| \.\.\.(?: |$)| +|[a-z]+|.|$")


def _tokens(template: str) -> Iterable[tuple[str, bytes]]:
    """Yield the regular expression and the bytes for each element of a template."""
    for token in _TOKEN.finditer(template):
        text = token[0]
        if text in _ELEMENTS and (text or not template.endswith(" ...")):
            expression, code = _ELEMENTS[text]
            yield expression, bytes([code])
        elif text.isspace():
            beside = template[token.start() - 1] + template[token.end()]
            is_optional = any(sign in beside for sign in _SIGNS + "[]")
            yield (r"\s*", bytes([codes.OPTIONAL_BLANKS])) if is_optional else (r"\s+", bytes([codes.BLANKS]))
        elif text:
            yield f"(?i:{re.escape(text)})", text.encode("ascii")


@cache
def pattern(template: str, separator: str = "") -> re.Pattern[str]:
    """Return the regular expression of lines without white space around them; `separator` is what may stand between
    thousands beside the usual characters.
    """
    number = rf"(?>[0-9]{{1,3}}(?:[{SEPARATORS}{separator}][0-9]{{3}}(?![0-9]))+|[0-9]+)"
    return re.compile("".join(expression for expression, _ in _tokens(template)).replace("NUMBER", number))


def program(template: str) -> bytes:
    """Return what the compiled reader interprets."""
    return b"".join(code for _, code in _tokens(template)).replace(_ROOT_MOVE, bytes([codes.ROOT_MOVE]))


def programs(formats: Iterable[LineFormat]) -> bytes:
    """Return the programs of several formats, to be tried in this order, as `read_line` takes them."""
    return b"".join(program(template) for one in formats for template in one.templates) + b"\0"


def separators(own: str = "") -> bytes:
    """Return what may stand between thousands, as `read_line` takes it; `own` is what this engine uses beside."""
    found = {one.encode(encoding, "ignore"): None for encoding in _ENCODINGS for one in SEPARATORS + own}
    return b"".join(bytes([len(one)]) + one for one in found if one) + b"\0"


def first_characters(template: str) -> str:
    """Return the characters, in lower case, with which a line may begin."""
    if template.startswith(("{move}", "{numbering}")):
        return ascii_lowercase + digits
    return digits if template.startswith("{") else template[0]


def number(text: str) -> int:
    """Return a count, whatever separates its thousands. Raises ValueError."""
    plain = text if text.isdecimal() else _ANY_SEPARATOR.sub("", text.strip())
    if not plain.isdecimal() and _GROUPED.fullmatch(text.strip()):
        plain = "".join(re.findall("[0-9]", text))
    if not plain.isascii():
        raise ValueError(f"{text!r} is written in digits of another script")
    return int(plain)
