"""Parse what UCI engines print besides counts: the moves of a search, and the hash key of a position."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

NO_MOVE = frozenset({"(none)", "none", "0000", "null", "(null)"})
"""Words that engines print in place of a best move if there is no legal move. The UCI protocol specifies 0000."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrqk]?")
_NAME = r"(?:zobrist|hash|position|board)?[ _-]*(?:key|hash|zobrist|signature)(?:[ _-]*(?:key|hash|value))?"
_KEY = re.compile(
    rf"^\W*{_NAME}\s*(?:[:=]|\bis\b)\s*(?:0x(?P<prefixed>[0-9a-f_]{{1,20}})|(?P<bare>[0-9a-f]{{5,20}}))\b",
    re.IGNORECASE,
)
"""A line such as "Key: 8F8F01D4562F59FB", "Hash key = 0x463b96181691fc9c" or "zobrist: 5060803636482931868"."""


@dataclass(frozen=True)
class SearchAnswer:
    """The moves that an engine printed during a search, in its own notation."""

    best: str
    """The best move, or "" if the engine reports that there is none."""
    ponder: str = ""
    """The reply that the engine expects, or "" if it names none."""
    variations: tuple[tuple[str, ...], ...] = ()
    """The distinct principal variations, in the order in which they were printed."""
    considered: tuple[str, ...] = ()
    """The root moves that were reported as being searched (`currmove`)."""


def read_search(lines: Iterable[str]) -> SearchAnswer | None:
    """Parse the output of a search. Return None if it contains no `bestmove`."""
    variations: dict[tuple[str, ...], None] = {}
    considered: dict[str, None] = {}
    for line in lines:
        words = line.split()
        if words[:1] == ["bestmove"]:
            best = words[1] if len(words) > 1 else ""
            ponder = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else ""
            return SearchAnswer(
                "" if best in NO_MOVE else best, "" if ponder in NO_MOVE else ponder, (*variations,), (*considered,)
            )
        if words[:1] != ["info"] or words[1:2] == ["string"]:
            continue
        if "pv" in words:
            variations[_moves_after(words, "pv")] = None
        if "currmove" in words:
            considered.update(dict.fromkeys(_moves_after(words, "currmove")[:1]))
    return None


def _moves_after(words: list[str], name: str) -> tuple[str, ...]:
    """Return the words after `name`, up to the first one that does not look like a move."""
    moves: list[str] = []
    for word in words[words.index(name) + 1 :]:
        if not _MOVE.fullmatch(word):
            break
        moves.append(word)
    return tuple(moves)


def read_key(lines: Iterable[str]) -> str | None:
    """Return the hash key in the answer to `d`, in upper case and without leading zeros, or None if there is none."""
    # The lines of a drawn board have none of these texts; looking for them first is 70 times as fast as matching.
    for line in (line for line in lines if ":" in line or "=" in line or "is" in line.lower()):
        if (match := _KEY.match(line)) is not None:
            text = match["prefixed"] or match["bare"]
            return text.replace("_", "").upper().lstrip("0") or "0"
    return None
