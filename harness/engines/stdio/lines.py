"""Regular expressions that parse root moves, totals and rejections in the lines of an answer."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import regex

from ..base import UnparseableOutput
from ..written_moves import bare_move
from .dialects import ROOT_MOVES, TOTALS, UNKNOWN_ROOT_MOVE, LineFormat
from .grammar import first_characters, number, pattern
from .output import printable

PLAIN_ROOT_MOVE = re.compile(r"([a-h][1-8][a-h][1-8][nbrq]?): ([0-9]{1,100})")
"""The format of Stockfish and most other engines. It is tried first, because it is three times as fast.

Like all formats, it excludes counts with thousands of digits, for which `int` raises ValueError.
"""
_LABELS = re.compile(r"(?:max)?(?:depth|ply|plies|time|nps|nodes|leaves|speed|hash|threads|ms|sec\w*)\b", re.IGNORECASE)
"""Words that are not moves."""
_BEGINS_A_MOVE = re.compile(r"[PNBRQK]?[a-hA-H][1-8]|[PNBRQK]?[a-h]?x[a-h]|[PNBRQK][a-h][1-8]|[Oo0]-|OO")

LONGEST_LINE = 1_000
"""Number of characters of a line to parse, because some patterns take quadratic time."""
LONGEST_DESCRIBED = 20_000
"""The same for patterns of descriptors. It is larger, because their time is limited and some answers are a single
line."""


def _by_first_character(formats: Iterable[LineFormat]) -> Mapping[str, list[tuple[LineFormat, str]]]:
    """Return pairs of format and template by the first character of a line, to rule out most lines quickly."""
    found: defaultdict[str, list[tuple[LineFormat, str]]] = defaultdict(list)
    for one in formats:
        for template in one.templates:
            for character in first_characters(template):
                found[character].append((one, template))
    return dict(found)


_ROOT_MOVES, _TOTALS = _by_first_character(ROOT_MOVES), _by_first_character(TOTALS.values())

_REJECTIONS = tuple(
    (re.compile(rf"\b(?:{first})\b", re.IGNORECASE), re.compile(rf"\b(?:{then})\b", re.IGNORECASE))
    for first, then in (
        ("invalid|illegal|bad|malformed|cannot parse|could not parse", "fen|position|moves?"),
        ("fen", "invalid|illegal|error|malformed"),
    )
)
"""Pairs of words that occur in this order when an engine rejects a position or a move."""
_REJECTED = ("fen", "position", "move")
"""Every rejection contains one of these words. Searching for them first is ten times as fast as the patterns."""
_PARTS = re.compile(r"[,;]\s|\(")
_STATISTIC = re.compile(
    r"(?:[0-9][0-9,.]* [^:=]*\b(?:moves?|positions?)|[^:=]*\b(?:moves?|positions?)\b[^:=]*[:=]\s*[0-9][0-9,.%]*)\s*",
    re.IGNORECASE,
)
"""A statistic such as "Illegal moves: 0", which is not a rejection."""


def read_part(line: str, longest: int = LONGEST_LINE) -> str:
    """Return a line without surrounding white space, truncated at a space if it is too long."""
    return (line if len(line) <= longest else line[:longest].rpartition(" ")[0]).strip()


_PROMPT = re.compile(r"(?:White|Black) ?\([0-9]+\) ?: *")
_MARK = re.compile(r"[#*\N{BULLET}]\s+(?=\S)")
"""A marker at the start of a line, as in a list or a comment."""
_EN_PASSANT = re.compile(r"\b((?:[a-h]x?)[a-h][36]) \(?e\.? ?p\.?\)?(?=[+#:\s])")
"""An en passant capture in SAN with a separate "e.p."."""


def _content(line: str) -> str:
    """Return the content of a line without decoration.

    This removes list markers, empty leading cells and bold markup in Markdown tables, and prompts of XBoard engines, as
    in "White(1): 20 nodes".
    """
    part = read_part(line)
    if part.startswith(("White", "Black")):
        part = _PROMPT.sub("", part)
    if "**" in part:
        part = part.replace("**", "")
    while part.startswith("|"):
        part = part[1:].lstrip()
    return part[mark.end() :] if (mark := _MARK.match(part)) is not None else part


def _content_of_move(line: str) -> str:
    """Return the content of a line that may be a root move, with "exd6 e.p." as one word."""
    return _EN_PASSANT.sub(r"\1e.p.", _content(line))


def is_rejection(line: str) -> bool:
    """Return True if a line may reject the position. A statistic such as "bad moves: 3" does not."""
    line = read_part(line)
    if not any(word in line.lower() for word in _REJECTED):
        return False
    return any(
        (found := first.search(part)) is not None and then.search(part, found.end()) is not None
        for part in _PARTS.split(line)
        if not _STATISTIC.fullmatch(part)
        for first, then in _REJECTIONS
    )


def root_move(line: str, separator: str = "") -> tuple[str, int] | None:
    """Return the move and the count in a line with a root move, or None.

    `separator` is the engine's thousands separator if it is not one of `SEPARATORS`. Castling as O-O is returned
    unchanged; promotion pieces are lowercase.
    """
    plain = PLAIN_ROOT_MOVE.fullmatch(line)
    if plain is not None:
        return plain[1], int(plain[2])
    line = _content_of_move(line)
    if line.startswith("info "):
        return None
    for _, template in _ROOT_MOVES.get(line[:1].lower(), ()):
        match = pattern(template, separator).fullmatch(line)
        if match is not None:
            if match["castling"]:
                return match["castling"].replace("0", "O"), number(match["nodes"])
            squares = match["from"] or match["origin"], match["to"] or match["target"]
            return "".join((*squares, (match["promotion"] or "").lower())), number(match["nodes"])
    return None


def san_move(line: str) -> tuple[str, int] | None:
    """Return the move and the count in a line that may be a root move in SAN, such as "Nf3: 20", or None.

    The move is in the form of `bare_move`.
    """
    match = pattern(*UNKNOWN_ROOT_MOVE.templates).fullmatch(_content_of_move(line))
    move = None if match is None else bare_move(match["word"])
    return None if match is None or move is None else (move, number(match["nodes"]))


def unread_count(line: str) -> tuple[bool, int] | None:
    """Return whether the word in a line resembles a move, and the count, or None if the line lacks either."""
    match = pattern(*UNKNOWN_ROOT_MOVE.templates).fullmatch(_content_of_move(line))
    if match is None or _LABELS.match(match["word"]):
        return None
    return _BEGINS_A_MOVE.match(match["word"]) is not None, number(match["nodes"])


def totals(
    line: str, total_format: str | None, separator: str = "", *, loosely: bool = False
) -> Iterator[tuple[str, int, int | None]]:
    """Yield the totals that a line may contain, as tuples of format name, nodes, and depth if stated.

    `total_format` is the engine's format, or None to accept any format, including loose ones if `loosely`. `separator`
    is the same as in `root_move`.
    """
    line, known = _content(line), ""
    for one, template in _TOTALS.get(line[:1].lower(), ()):
        is_possible = one.name == total_format if total_format else loosely or not one.is_loose
        match = pattern(template, separator).fullmatch(line) if is_possible and one.name != known else None
        if match is not None:
            known = one.name
            depth = match.groupdict().get("depth")
            yield one.name, number(match["nodes"]), int(depth) if depth else None


LINE_SECONDS = 0.2
"""Time limit in seconds for matching a pattern in one line. A good pattern takes microseconds."""
NO_MOVE = "(?!)(?P<move>)(?P<count>)"
"""A pattern that never matches, for engines whose output has lines that only resemble root moves."""
TOTAL_RE = "total_re"
"""The format name of totals parsed by the pattern of a descriptor."""


class LinePattern:
    """A regular expression for lines, with a time limit for matching."""

    def __init__(self, key: str, text: str) -> None:
        """Compile the regular expression of a key in a descriptor. Raises ValueError if it is invalid."""
        self.key, self.text = key, text
        try:
            self._compiled = regex.compile(text)
        except (regex.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{key!r} is not a regular expression: {error}") from None

    def is_in(self, line: str) -> bool:
        """Return True if the pattern matches anywhere in a line. Raises UnparseableOutput if this takes too long."""
        return next(self._matches(line), None) is not None

    def matches(self, line: str) -> Iterator[dict[str, str]]:
        """Yield the named groups of each match in a line. Raises UnparseableOutput if this takes too long."""
        for match in self._matches(line):
            yield {name: text or "" for name, text in match.groupdict().items()}

    @property
    def group_names(self) -> set[str]:
        """The names of the pattern's groups."""
        return set(self._compiled.groupindex)

    def _matches(self, line: str) -> Iterator[regex.Match[str]]:
        part = read_part(line, LONGEST_DESCRIBED)
        try:
            yield from self._compiled.finditer(part, timeout=LINE_SECONDS)
        except TimeoutError:
            raise UnparseableOutput(
                f"{self.key!r} of the descriptor takes longer than {LINE_SECONDS} seconds on {printable(part)[:60]!r}: "
                "write it without repetitions inside repetitions"
            ) from None


@dataclass(frozen=True)
class AnswerPatterns:
    """Patterns for root moves and totals, used instead of the known formats."""

    move: LinePattern | None = None
    """Pattern for root moves, with groups `move` and `count`."""
    total: LinePattern | None = None
    """Pattern for totals, with a group `nodes` and optionally `depth`."""

    @property
    def lists_moves(self) -> bool:
        """Whether root moves are parsed."""
        return self.move is None or self.move.text != NO_MOVE

    def __str__(self) -> str:
        parts = [("totals", self.total), ("root moves", self.move if self.lists_moves else None)]
        return " and ".join(f"{what} are read by {one.text!r}" for what, one in parts if one is not None)

    def root_move(self, line: str) -> tuple[str, int] | None:
        """Return the move and the count in a line, or None. Raises UnparseableOutput."""
        found = None if self.move is None else next(self.move.matches(line), None)
        return None if found is None else (found["move"], _count(found["count"], line))

    def totals(self, line: str) -> list[tuple[str, int, int | None]]:
        """Return the totals in a line, one per match, as tuples of format name, nodes, and depth if stated.

        Raises UnparseableOutput.
        """
        return [
            (TOTAL_RE, _count(found["nodes"], line), _count(depth, line) if (depth := found.get("depth")) else None)
            for found in ([] if self.total is None else self.total.matches(line))
        ]


def _count(text: str, line: str) -> int:
    try:
        return number(text)
    except ValueError:
        raise UnparseableOutput(f"a pattern of the descriptor finds no number in {printable(line)!r}") from None
