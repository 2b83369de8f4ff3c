"""The common part of messages about failures, without the position, number or place in a program that each quotes."""

from __future__ import annotations

import re

EXAMPLE = ", as in "
"""The text after these words in a message is an example."""

_PLACEMENT = re.compile(r"(?:[1-8pnbrqkPNBRQK]{1,8}/){2,}[1-8pnbrqkPNBRQK]*")
_FEN_WORD = re.compile(r"[wb-]|[KQkq]{1,4}|[pnbrqkPNBRQK]{8}")
"""A field of a FEN, or a rank without an empty square."""
_QUOTED_PIECES = re.compile(r"""(["'`])[pnbrqkPNBRQK]+\1""")
_EDGES = "\"'`()[]{}<>,;:.!?"


def without_particulars(message: str) -> str:
    """Return a message without its example, FENs and parts of FENs, and words that contain digits.

    Counts, squares, moves, addresses and line numbers are all words that contain digits.
    """
    text = _QUOTED_PIECES.sub(" ", _PLACEMENT.sub(" ", message.partition(EXAMPLE)[0]))
    words = (word.strip(_EDGES) for word in text.split())
    return " ".join(word for word in words if word and not _is_particular(word))


def _is_particular(word: str) -> bool:
    return any(letter.isdigit() for letter in word) or _FEN_WORD.fullmatch(word) is not None
