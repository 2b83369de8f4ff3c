"""The lines of an engine's answer, read one by one by regular expressions: root moves, totals, refusals."""

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
"""What most engines write, as Stockfish does; looked for first, because it is read in a third of the time.

Like any other form it has no counts of thousands of digits, for which `int` raises ValueError.
"""
_LABELS = re.compile(r"(?:max)?(?:depth|ply|plies|time|nps|nodes|leaves|speed|hash|threads|ms|sec\w*)\b", re.IGNORECASE)
"""Words that are no moves."""
_BEGINS_A_MOVE = re.compile(r"[PNBRQK]?[a-hA-H][1-8]|[PNBRQK]?[a-h]?x[a-h]|[PNBRQK][a-h][1-8]|[Oo0]-|OO")

LONGEST_LINE = 1_000
"""Characters of a line that are read. At worst, patterns take time by the square of a line's length."""
LONGEST_DESCRIBED = 20_000
"""Those that the patterns of a descriptor read, which have a time limit: some engines write all in one line."""


def _by_first_character(formats: Iterable[LineFormat]) -> Mapping[str, list[tuple[LineFormat, str]]]:
    """Return the formats in which a line may be written, each template of them, by its first character: most lines of
    an engine that talks are in none, and told apart so.
    """
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
"""Words that come one after the other where an engine does not take the position, or a move that leads there."""
_REJECTED = ("fen", "position", "move")
"""Each rejection has one of these words. To look for them first is ten times as fast as the patterns."""
_PARTS = re.compile(r"[,;]\s|\(")
_STATISTIC = re.compile(
    r"(?:[0-9][0-9,.]* [^:=]*\b(?:moves?|positions?)|[^:=]*\b(?:moves?|positions?)\b[^:=]*[:=]\s*[0-9][0-9,.%]*)\s*",
    re.IGNORECASE,
)
"""A figure of an answer, such as "Illegal moves: 0", which rejects nothing."""


def read_part(line: str, longest: int = LONGEST_LINE) -> str:
    """Return a line without space around it; of one that is too long, the words at its beginning."""
    return (line if len(line) <= longest else line[:longest].rpartition(" ")[0]).strip()


_PROMPT = re.compile(r"(?:White|Black) ?\([0-9]+\) ?: *")
_MARK = re.compile(r"[#*\N{BULLET}]\s+(?=\S)")
"""What may stand before what an engine says, as in a list or a comment."""
_EN_PASSANT = re.compile(r"\b((?:[a-h]x?)[a-h][36]) \(?e\.? ?p\.?\)?(?=[+#:\s])")
"""An en passant capture as in games, whose mark is a word of its own."""


def _content(line: str) -> str:
    """Return what is read of a line that may be an entry of a list, or a row of a table: its first cells may be empty,
    or bold in Markdown.

    A prompt of XBoard engines, as in "White(1): 20 nodes", is left out.
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
    """Return what is read of a line that may tell a root move, with "exd6 e.p." as one word."""
    return _EN_PASSANT.sub(r"\1e.p.", _content(line))


def is_rejection(line: str) -> bool:
    """Return True if a line may say that the engine rejects the position; a figure such as "bad moves: 3" does not."""
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
    """Return move and count of a line that tells a root move, else None; `separator` is what this engine writes
    between thousands, if not one of the usual characters.

    Castling as O-O comes back as it is; promotion pieces in lower case.
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


def game_move(line: str) -> tuple[str, int] | None:
    """Return move and count of a line that may tell a root move as in games, such as "Nf3: 20", else None.

    The move is as `bare_move` reads it.
    """
    match = pattern(*UNKNOWN_ROOT_MOVE.templates).fullmatch(_content_of_move(line))
    move = None if match is None else bare_move(match["word"])
    return None if match is None or move is None else (move, number(match["nodes"]))


def unread_count(line: str) -> tuple[bool, int] | None:
    """Return whether a line with a word and a count begins as a move does, and the count; None for any other line."""
    match = pattern(*UNKNOWN_ROOT_MOVE.templates).fullmatch(_content_of_move(line))
    if match is None or _LABELS.match(match["word"]):
        return None
    return _BEGINS_A_MOVE.match(match["word"]) is not None, number(match["nodes"])


def totals(
    line: str, total_format: str | None, separator: str = "", *, loosely: bool = False
) -> Iterator[tuple[str, int, int | None]]:
    """Yield the totals that a line may tell: the name of the format, the nodes, and the depth where it says one.

    `total_format` is the one that this engine uses; None accepts any, loose ones only `loosely`. `separator` is as in
    `root_move`.
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
"""Time for one pattern and one line; a good pattern needs microseconds."""


NO_MOVE = "(?!)(?P<move>)(?P<count>)"
"""A pattern that matches no line, for an engine whose lines look like root moves and are none."""
TOTAL_RE = "total_re"
"""In the place of the name of a format of totals: they are written as the descriptor says."""


class LinePattern:
    """A regular expression for lines of an engine."""

    def __init__(self, key: str, text: str) -> None:
        """Compile the pattern of a descriptor's key. Raises ValueError if it is no regular expression."""
        self.key, self.text = key, text
        try:
            self._compiled = regex.compile(text)
        except (regex.error, OverflowError, RecursionError) as error:
            raise ValueError(f"{key!r} is no regular expression: {error}") from None

    def is_in(self, line: str) -> bool:
        """Return True if the pattern matches somewhere in a line. Raises UnparseableOutput if that takes too long."""
        return next(self._matches(line), None) is not None

    def matches(self, line: str) -> Iterator[dict[str, str]]:
        """Yield the named groups of each match in a line. Raises UnparseableOutput."""
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
    """How an engine writes root moves and totals, where a descriptor says so itself."""

    move: LinePattern | None = None
    """Has the groups `move` and `count`."""
    total: LinePattern | None = None
    """Has the group `nodes`, and may have `depth`."""

    @property
    def lists_moves(self) -> bool:
        """Whether root moves are read at all."""
        return self.move is None or self.move.text != NO_MOVE

    def __str__(self) -> str:
        parts = [("totals", self.total), ("root moves", self.move if self.lists_moves else None)]
        return " and ".join(f"{what} are read by {one.text!r}" for what, one in parts if one is not None)

    def root_move(self, line: str) -> tuple[str, int] | None:
        """Return move and count of a line, or None. Raises UnparseableOutput."""
        found = None if self.move is None else next(self.move.matches(line), None)
        return None if found is None else (found["move"], _count(found["count"], line))

    def totals(self, line: str) -> list[tuple[str, int, int | None]]:
        """Return the totals of a line, one for each match: `TOTAL_RE`, nodes, and the depth where the pattern has it.

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
