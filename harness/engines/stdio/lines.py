"""The lines of an engine's answer, read one by one by regular expressions: root moves, totals, refusals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from .dialects import ROOT_MOVES, TOTALS, UNKNOWN_ROOT_MOVE, LineFormat
from .grammar import first_characters, number, pattern

PLAIN_ROOT_MOVE = re.compile(r"([a-h][1-8][a-h][1-8][nbrq]?): ([0-9]{1,27})")
"""What most engines write, as Stockfish does; looked for first, because it is read in a third of the time."""
_LABELS = re.compile(r"(?:max)?(?:depth|ply|plies|time|nps|nodes|leaves|speed|hash|threads|ms|sec\w*)\b", re.IGNORECASE)
"""Words that are no moves."""
_BEGINS_A_MOVE = re.compile(r"[PNBRQK]?[a-hA-H][1-8]|[PNBRQK]?[a-h]?x[a-h]|[PNBRQK][a-h][1-8]|[Oo0]-|OO")

LONGEST_LINE = 1_000
"""Characters of a line that are read. At worst, patterns take time by the square of a line's length."""


def _by_first_character(formats: Iterable[LineFormat]) -> Mapping[str, list[LineFormat]]:
    """Return the formats in which a line may be written, by its first character: most lines of an engine that talks
    are in none, and told apart so.
    """
    found: defaultdict[str, list[LineFormat]] = defaultdict(list)
    for one in formats:
        for character in first_characters(one.template):
            found[character].append(one)
    return dict(found)


_ROOT_MOVES, _TOTALS = _by_first_character(ROOT_MOVES), _by_first_character(TOTALS.values())

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
    for one in _ROOT_MOVES.get(line[:1].lower(), ()):
        match = pattern(one.template, separator).fullmatch(line)
        if match is not None:
            if match["castling"]:
                return match["castling"].replace("0", "O"), number(match["nodes"])
            move = match["origin"] + match["target"] + (match["promotion"] or "").lower()
            return move, number(match["nodes"])
    return None


def unread_count(line: str) -> tuple[bool, int] | None:
    """Return whether a line with a word and a count begins as a move does, and the count; None for any other line."""
    match = pattern(UNKNOWN_ROOT_MOVE.template).fullmatch(read_part(line))
    if match is None or _LABELS.match(match["word"]):
        return None
    return _BEGINS_A_MOVE.match(match["word"]) is not None, number(match["nodes"])


def totals(line: str, total_format: str | None, separator: str = "") -> Iterator[tuple[str, int, int | None]]:
    """Yield the totals that a line may tell: the name of the format, the nodes, and the depth where it says one.

    `total_format` is the one that this engine uses; None accepts any. `separator` is as in `root_move`.
    """
    line = read_part(line)
    for one in _TOTALS.get(line[:1].lower(), ()):
        match = pattern(one.template, separator).fullmatch(line) if total_format in (None, one.name) else None
        if match is not None:
            depth = match.groupdict().get("depth")
            yield one.name, number(match["nodes"]), int(depth) if depth else None
