"""Headlines of findings without moves, for tests that depend only on the rule."""

from __future__ import annotations

import re

_MOVE = r"[a-h][1-8][a-h][1-8][a-z]?(?: \([a-z ,]+\))?"
_PLAYED = re.compile(rf"\bafter (?:\d+ moves|{_MOVE}(?: and {_MOVE})?), (?=[a-z ]+ {_MOVE}: )")
_NAMED = re.compile(rf"\b(move|notation|state|undo|FEN|the reference is wrong)(?: of| after| about)? {_MOVE}: ")
_MORE = re.compile(r" \(and \d+ more\)")


def without_moves(text: str) -> str:
    """Remove the moves from the headlines of a report, as in "extra move: Pinned piece leaves its line"."""
    return _MORE.sub("", _NAMED.sub(r"\1: ", _PLAYED.sub("", text)))
