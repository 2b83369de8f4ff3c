"""How a program is asked and its answers are read, in words for `doctor` and `init`."""

from __future__ import annotations

from collections.abc import Iterator

from .descriptor import Descriptor
from .lines import AnswerPatterns


def describe_patterns(patterns: AnswerPatterns) -> Iterator[tuple[str, str]]:
    """Yield by which regular expressions totals and root moves are read."""
    if patterns.total is not None:
        yield "total", f"as total_re says: {patterns.total.text}"
    if patterns.move is not None and patterns.lists_moves:
        yield "root moves", f"as move_re says: {patterns.move.text}"


def describe_total(descriptor: Descriptor) -> str:
    """Return how an engine writes totals, and when they come."""
    patterns = descriptor.patterns
    if patterns is not None and patterns.total is not None:
        way = f"as total_re says: {patterns.total.text}"
    else:
        way = descriptor.total_format or "not found out: any known way of writing it counts"
    between = f", with {descriptor.separator!r} between thousands" if descriptor.separator else ""
    first = descriptor.first_depth
    every = "" if first is None else f", after those of depth {first} and so on, which are passed over"
    return way + between + every


def describe_moves(are_played: bool, refusal: str) -> str:
    """Return what an engine does with moves after a FEN."""
    if are_played:
        return "played"
    return f"{f'not played ({refusal})' if refusal else 'ignored'}: it is sent the FEN after them"
