"""What UCI engines print besides counts: the moves of a search, and the hash key of a position."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

NO_MOVE = frozenset({"(none)", "none", "0000", "null", "(null)"})
"""What engines print in place of a best move if there is no legal move. The UCI protocol has 0000."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrqk]?")
_NAME = r"(?:zobrist|hash|position|board)?[ _-]*(?:key|hash|zobrist|signature)(?:[ _-]*(?:key|hash|value))?"
_KEY = re.compile(
    rf"^\W*{_NAME}\s*(?:[:=]|\bis\b)\s*(?:0x(?P<prefixed>[0-9a-f_]{{1,20}})|(?P<bare>[0-9a-f]{{5,20}}))\b",
    re.IGNORECASE,
)
"""Such as "Key: 8F8F01D4562F59FB", "Hash key = 0x463b96181691fc9c", "zobrist: 5060803636482931868"."""


@dataclass(frozen=True)
class SearchAnswer:
    """The moves that an engine has printed during one search, as it writes them."""

    best: str
    """The best move; empty if the engine says that there is none."""
    ponder: str = ""
    """The reply that it expects, if it names one."""
    variations: tuple[tuple[str, ...], ...] = ()
    """Its principal variations, each once, in the order in which they were printed."""
    considered: tuple[str, ...] = ()
    """The root moves that it has reported as being searched (`currmove`)."""


def read_search(lines: Iterable[str]) -> SearchAnswer | None:
    """Return the moves that the lines of a search have, or None if they have no `bestmove`."""
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
    """Return the words behind a name up to the first that does not look like a move."""
    moves: list[str] = []
    for word in words[words.index(name) + 1 :]:
        if not _MOVE.fullmatch(word):
            break
        moves.append(word)
    return tuple(moves)


def read_key(lines: Iterable[str]) -> str | None:
    """Return the key that a display of the position has, in upper case and without leading zeros; None for none."""
    for line in lines:
        if (match := _KEY.match(line)) is not None:
            text = match["prefixed"] or match["bare"]
            return text.replace("_", "").upper().lstrip("0") or "0"
    return None
