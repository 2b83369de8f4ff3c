"""The answers of engines that count: root moves and totals, in every dialect that we know.

The dialects are data: one pattern for root moves that covers them all, and one pattern for each way
to write a total. Which one an engine uses is found out by asking it for a count that is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

SEPARATORS = ",_'\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}\ufffd"
"""Characters between thousands that cannot be anything else; the last one stands for a byte that is no UTF-8."""
OTHER_SEPARATORS = (".", " ")
"""Those that may be a decimal point, or stand between columns: taken only from an engine that is known to use them."""


def _number(separator: str) -> str:
    """Return a pattern for counts, with thousands that may be separated by one more character than the usual ones.

    Digits are those of ASCII: Python takes those of other scripts for numbers as well.
    """
    return rf"[0-9]{{1,3}}(?:[{SEPARATORS}{separator}][0-9]{{3}}){{1,8}}|[0-9]{{1,27}}"


_ROOT_MOVE = r"""\s*(?:[0-9]+[.)]?\s+)?                                  # a running number
    (?:(?P<castling>[O0]-[O0](?:-[O0])?)
      |[PNBRQK]?(?P<origin>[a-h][1-8])[-x:]?(?P<target>[a-h][1-8])(?:=?(?P<promotion>[nbrqkpNBRQKP]))?)
    \s*(?:->|[:=\s])\s*(?P<count>NUMBER)
    (?:\s.*|$)"""
"""A root move and its count: `e2e4: 600`, `e2e4 -> 600`, `  1  a2a3  380  0.000s`, `Pe2e4 600`, `Nd4-e6  39  39`."""

PLAIN_ROOT_MOVE = re.compile(r"([a-h][1-8][a-h][1-8][nbrq]?): ([0-9]{1,27})")
"""What most engines write, as Stockfish does; looked for first, because it is read in a third of the time."""

TOTALS = {
    "Nodes searched: N": r"\s*nodes searched\s*:\s*NUMBER\s*",
    "Nodes: N": r"\s*nodes\s*:\s*NUMBER(?:\s.*)?",
    "Total nodes: N": r"\s*total nodes\s*:\s*NUMBER(?:\s.*)?",
    "Total: N": r"\s*total\s*:\s*NUMBER(?:\s.*)?",
    "Total N": r"\s*total\s+NUMBER(?:\s.*)?",
    "total moves=N": r"\s*total moves\s*=\s*NUMBER(?:\s.*)?",
    "perft D time T nodes N": r"\s*perft\s+(?P<depth>[0-9]+)\s+time\s+\S+\s+nodes\s+NUMBER(?:\s.*)?",
    "Perft: N nodes": r"\s*perft\s*:\s*NUMBER\s+nodes(?:\s.*)?",
    "Perft D: N": r"\s*perft\s*\(?(?P<depth>[0-9]+)\)?\s*[:=]\s*NUMBER(?:\s.*)?",
    "info depth D ... nodes N": r"\s*info\s+depth\s+(?P<depth>[0-9]+)\s(?:.*\s)?nodes\s+NUMBER(?:\s.*)?",
    "info nodes N": r"\s*info\s+nodes\s+NUMBER(?:\s.*)?",
    "Node count = N": r"\s*node count\s*=\s*NUMBER(?:\s.*)?",
    "Raw nodes for depth D: N": r"\s*raw nodes for depth\s+(?P<depth>[0-9]+)\s*:\s*NUMBER(?:\s.*)?",
    "n = N": r"\s*n\s*=\s*NUMBER\s*",
    "D N seconds": r"\s*(?P<depth>[0-9]+)\s+NUMBER\s+[0-9]+\.[0-9]+(?:\s.*)?",
    "N": r"\s*NUMBER\s*",
}
"""Ways to write the total, by a name that says what they look like, strict ones first."""

_NO_ROOT_MOVE = re.compile(
    rf"\s*(?:[0-9]+[.)]?\s+)?(?P<word>\S+?)\s*(?:->|[:=\s])\s*(?P<count>{_number('')})(?:\s.*|$)"
)
"""A word and a count."""
_LABELS = re.compile(r"(?:max)?(?:depth|ply|plies|time|nps|nodes|leaves|speed|hash|threads|ms|sec\w*)\b", re.IGNORECASE)
"""Words that are no moves."""
_BEGINS_A_MOVE = re.compile(r"[PNBRQK]?[a-hA-H][1-8]|[PNBRQK]?[a-h]?x[a-h]|[PNBRQK][a-h][1-8]|[Oo0]-|OO")

_INITIALS = {name: "0123456789" if re.match(r"N\b|D N\b", name) else name[0].lower() for name in TOTALS}
"""The characters with which a total can begin: most lines of an engine that talks are no totals, and told apart so."""
_TOTALS_BY_INITIAL = {
    initial: [name for name, initials in _INITIALS.items() if initial in initials]
    for initial in "".join(_INITIALS.values())
}

_ANY_SEPARATOR = re.compile(f"[{SEPARATORS}{''.join(OTHER_SEPARATORS)}]")
LONGEST_LINE = 1_000
"""Characters of a line that are read. At worst, patterns take time by the square of a line's length."""

_REJECTIONS = tuple(
    (re.compile(rf"\b(?:{first})\b", re.IGNORECASE), re.compile(rf"\b(?:{then})\b", re.IGNORECASE))
    for first, then in (
        ("invalid|illegal|bad|malformed|cannot parse|could not parse", "fen|position|moves?"),
        ("fen", "invalid|illegal|error|malformed"),
    )
)
"""Words that come one after the other where an engine does not take the position, or a move that leads there."""
_REJECTED = ("fen", "position", "move")
"""Each rejection has one of these words. To look for them first is ten times as fast as the patterns."""


def read_part(line: str) -> str:
    """Return a line without space around it; of one that is too long, the words at its beginning."""
    return (line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE].rpartition(" ")[0]).strip()


def is_rejection(line: str) -> bool:
    """Tell whether an engine says by a line that it does not take the position."""
    line = read_part(line)
    if not any(word in line.lower() for word in _REJECTED):
        return False
    return any(
        (found := first.search(line)) is not None and then.search(line, found.end()) is not None
        for first, then in _REJECTIONS
    )


def number(text: str) -> int:
    """Return a count, whatever separates its thousands. Raises ValueError."""
    digits = text if text.isdecimal() else _ANY_SEPARATOR.sub("", text.strip()[:40])
    if not digits.isascii():
        raise ValueError(f"{text!r} is written in digits of another script")
    return int(digits)


@cache
def _root_move_pattern(separator: str) -> re.Pattern[str]:
    return re.compile(_ROOT_MOVE.replace("NUMBER", _number(separator)), re.VERBOSE)


@cache
def _total_pattern(name: str, separator: str) -> re.Pattern[str]:
    return re.compile(TOTALS[name].replace("NUMBER", f"(?P<nodes>{_number(separator)})"), re.IGNORECASE)


def root_move(line: str, separator: str = "") -> tuple[str, int] | None:
    """Return move and count of a line that tells a root move, else None; `separator` is what this engine writes
    between thousands, if not one of the usual characters.

    Castling as O-O comes back as it is; promotion pieces in lower case.
    """
    plain = PLAIN_ROOT_MOVE.fullmatch(line)
    if plain is not None:
        return plain[1], int(plain[2])
    line = read_part(line)
    if line.startswith("info "):
        return None
    match = _root_move_pattern(separator).fullmatch(line)
    if match is None:
        return None
    if match["castling"]:
        return match["castling"].replace("0", "O"), number(match["count"])
    move = match["origin"] + match["target"] + (match["promotion"] or "").lower()
    return move, number(match["count"])


def unread_count(line: str) -> tuple[bool, int] | None:
    """Return whether a line with a word and a count begins as a move does, and the count; None for any other line."""
    match = _NO_ROOT_MOVE.fullmatch(read_part(line))
    if match is None or _LABELS.match(match["word"]):
        return None
    return _BEGINS_A_MOVE.match(match["word"]) is not None, number(match["count"])


def totals(line: str, dialect: str | None, separator: str = "") -> Iterator[tuple[str, int, int | None]]:
    """Yield the totals that a line may tell: the way it is written, the nodes, and the depth where it says one.

    `dialect` is the way in which this engine writes totals; None accepts any. `separator` is as in `root_move`.
    """
    line = read_part(line)
    for name in _TOTALS_BY_INITIAL.get(line[:1].lower(), ()):
        match = _total_pattern(name, separator).fullmatch(line) if dialect in (None, name) else None
        if match is not None:
            depth = match.groupdict().get("depth")
            yield name, number(match["nodes"]), int(depth) if depth else None
