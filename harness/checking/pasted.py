"""The counts of an engine as text that was pasted: a divide, a total, or totals of several depths."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import UsageError
from ...generator.counting.perft import divide, perft
from ...generator.position import Position
from ..engines.base import Divide, UnparseableOutput
from ..engines.stdio.consistency import divide_of
from ..engines.stdio.grammar import number
from ..engines.stdio.lines import totals
from ..engines.stdio.transcript import Survey

MOST_NODES = 20_000_000_000
"""Correct counts are made up to this many leaf nodes, some seconds at most."""
_QUOTED = re.compile(r"^\s*(?:>\s?)+|\[/?(?:code|quote)[^\]]*\]|^\s*```\w*\s*$", re.IGNORECASE)
"""What forums and mails put around a text."""
_GROUPED = re.compile(r"\d{1,3}(?:[.,'_]\d{3})+|\d+")
"""A number, with or without something between its thousands."""
_ONLY_NUMBERS = re.compile(r"[\d\s.,;'_]+")


@dataclass(frozen=True)
class PastedCounts:
    """The counts that a text has for one position."""

    position: Position
    depth: int
    """The largest depth that the text has counts of."""
    divide: Divide
    """Its counts at that depth: root moves, or a total alone."""
    totals: Mapping[int, int] = field(default_factory=dict)
    """Its totals by their depths."""
    contradiction: str = ""
    """How its total contradicts its root moves, as a clause; empty if they agree."""


def read_counts(text: str, position: Position, depth: int, name: str) -> PastedCounts:
    """Return the counts that a text has for a position.

    Raises UsageError, which says what would help, if the text has no counts, or those of another position or depth.
    """
    lines = [_QUOTED.sub("", line) for line in text.splitlines()]
    known = _correct_totals(position, depth)
    numbers = _numbers_alone("\n".join(lines), known)
    if numbers:
        return _totals_in_order(numbers, position, depth, known, name)
    survey = Survey(depth, None, known=known)
    try:
        for line in lines:
            if survey.add(line):
                break
    except UnparseableOutput as error:
        raise UsageError(f"{name}: {error}", name) from None
    survey.settle()
    survey.take_san_moves()
    by_depth = _totals_by_depth(lines, depth)
    if not survey.pairs and not survey.has_total and not by_depth:
        raise UsageError(
            f"{name} has no counts: expected root moves such as 'e2e4: 600', a total such as 'Nodes: 8902', "
            "or the totals of all depths from 1, such as '20, 400, 8902'",
            name,
        )
    if not survey.pairs and (not survey.has_total or len(by_depth) > 1):
        deepest = max(by_depth)
        return PastedCounts(position, deepest, Divide.of_total(by_depth[deepest]), by_depth)
    added = sum(count for _, count in survey.pairs)
    stated, survey.has_total = survey.total if survey.has_total else None, False
    found = divide_of(position, survey) if survey.pairs else Divide.of_total(stated or 0)
    if survey.pairs:
        _check_position(found, position, name)
        _check_depth(found, position, depth, name)
    contradiction = (
        f"its total is {stated:,}, but its root moves add up to {added:,}"
        if survey.pairs and stated not in (None, added)
        else ""
    )
    return PastedCounts(position, depth, found, {depth: found.total}, contradiction)


def _correct_totals(position: Position, depth: int) -> list[int]:
    """Return the correct totals of the depths from 1 on. Raises UsageError if the last is too large."""
    counts: list[int] = []
    for one in range(1, depth + 1):
        if len(counts) > 1 and counts[-1] * (counts[-1] / max(1, counts[-2])) > MOST_NODES:
            raise UsageError(
                f"depth {depth} has more than {MOST_NODES:,} leaf nodes here: give the counts of a smaller depth",
                str(depth),
            )
        counts.append(perft(position, one))
    return counts


def _numbers_alone(text: str, known: Sequence[int]) -> list[int]:
    """Return the numbers of a text that has nothing else, such as "20, 400, 8,902"; else none.

    A comma without a space behind it may stand between thousands or between counts: that reading is taken in which the
    first count is correct.
    """
    if not _ONLY_NUMBERS.fullmatch(text):
        return []
    readings = []
    for between in (r"[\s;]+|,(?=\s)", r"[\s;,]+"):
        parts = [part.strip(",.") for part in re.split(between, text) if part.strip(",.")]
        if parts and all(_GROUPED.fullmatch(part) for part in parts):
            readings.append([number(part) for part in parts])
    return next((one for one in readings if one[0] in (1, known[0])), next(iter(readings), []))


def _totals_in_order(
    numbers: Sequence[int], position: Position, depth: int, known: Sequence[int], name: str
) -> PastedCounts:
    """Return totals of the depths from 1 on, or from 0 on if the first is 1. Raises UsageError if they do not fit."""
    if len(numbers) == 1:
        by_depth = {depth: numbers[0]}
    elif len(numbers) == depth + 1 and numbers[0] == 1 != known[0]:
        by_depth = dict(enumerate(numbers[1:], 1))
    elif len(numbers) <= depth:
        by_depth = dict(enumerate(numbers, 1))
    else:
        raise UsageError(
            f"{name} has {len(numbers)} totals, and depth {depth} has {depth}: which depth is the last?", name
        )
    deepest = max(by_depth)
    return PastedCounts(position, deepest, Divide.of_total(by_depth[deepest]), by_depth)


def _totals_by_depth(lines: Sequence[str], depth: int) -> dict[int, int]:
    """Return the totals of lines that say their depth, such as "Depth 3: 8902" or a table with a row for each depth."""
    found: dict[int, int] = {}
    rows: dict[int, int] = {}
    for line in lines:
        for loosely, into in ((False, found), (True, rows)):
            for _, nodes, one in totals(line, None, loosely=loosely):
                if one is not None and one <= depth:
                    into.setdefault(one, nodes)
    is_table = len(rows) > 1 and sorted(rows) == list(range(min(rows), max(rows) + 1))
    return found or ({one: nodes for one, nodes in rows.items() if one} if is_table else {})


def _check_position(found: Divide, position: Position, name: str) -> None:
    """Raise UsageError if most root moves are not legal, or most legal moves are missing."""
    legal = {move.uci(chess960=True) for move in position.legal_moves}
    shared = len(legal & found.counts.keys())
    if 2 * shared < len(found.counts):
        raise UsageError(
            f"{name}: {shared} of its {len(found.counts)} root moves are legal in {position.fen()}: "
            "is it the divide of another position?",
            name,
        )


def _check_depth(found: Divide, position: Position, depth: int, name: str) -> None:
    """Raise UsageError if the counts are those of another depth."""

    def agreeing(at: int) -> int:
        expected = {move.uci(chess960=True): nodes for move, nodes in divide(position, at).items()}
        return sum(expected.get(text) == count for text, count in found.counts.items())

    most = len(found.counts)
    if most < 4 or 2 * agreeing(depth) >= most:
        return
    for other in range(1, depth + 2):
        if other != depth and 3 * agreeing(other) >= 2 * most:
            raise UsageError(f"{name} has the counts of depth {other}, not {depth}: give depth {other}", str(depth))
