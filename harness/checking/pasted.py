"""Parse an engine's counts from pasted text: a divide, a total, or totals for several depths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ...errors import UsageError
from ...generator.counting.perft import divide, perft
from ...generator.position import Position
from ..engines.base import Divide, ImpossibleCount, UnparseableOutput
from ..engines.stdio.consistency import check_possible, divide_of
from ..engines.stdio.grammar import number
from ..engines.stdio.lines import root_move, totals
from ..engines.stdio.transcript import Survey

MOST_NODES = 20_000_000_000
"""Maximum number of leaf nodes of a correct count, which takes a few seconds at most."""
_QUOTED = re.compile(r"^\s*(?:>\s?)+|\[/?(?:code|quote)[^\]]*\]|^\s*```\w*\s*$", re.IGNORECASE)
"""Markup that forums, mail programs and Markdown add to quoted text."""
_GROUPED = re.compile(r"\d{1,3}(?:[.,'_]\d{3})+|\d+")
"""A number, with or without thousands separators."""
_ONLY_NUMBERS = re.compile(r"[\d\s.,;'_]+")


@dataclass(frozen=True)
class PastedCounts:
    """The counts for one position that were parsed from a text."""

    position: Position
    depth: int
    """The greatest depth for which the text contains counts."""
    divide: Divide
    """The counts at that depth: those of the root moves, or only the total."""
    totals: Mapping[int, int] = field(default_factory=dict)
    """The totals by depth."""
    contradiction: str = ""
    """A clause that says how the total contradicts the root moves, or "" if they agree."""
    doubt: str = ""
    """A sentence that says why the counts may belong to another position, or "" if they do not seem to."""


def read_counts(text: str, position: Position, depth: int, name: str) -> PastedCounts:
    """Parse the counts for a position from a text.

    Raises UsageError, with advice, if the text contains no counts or if they belong to another depth.
    """
    lines = [_QUOTED.sub("", line) for line in text.splitlines()]
    if any(line.startswith("bestmove") for line in lines):
        raise UsageError(f"{name} is the output of a search: ask the engine to count, as in 'go perft {depth}'", name)
    known = _correct_totals(position, depth)
    numbers = _numbers_alone("\n".join(lines), known)
    if numbers:
        return _totals_in_order(numbers, position, depth, known, name)
    survey, rest = Survey(depth, None, known=known), iter(lines)
    try:
        for line in rest:
            if survey.add(line):
                break
        _refuse_trailing_moves(rest, name)
        survey.settle()
        survey.take_san_moves()
        check_possible(name, survey)
    except ImpossibleCount as error:
        raise UsageError(str(error), name) from None
    except UnparseableOutput as error:
        raise UsageError(f"{name}: {error}", name) from None
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
    is_complete = not survey.pairs or stated == added
    doubt = _doubt_position(found, position, name, is_complete=is_complete)
    if survey.pairs and not doubt:
        _check_depth(found, position, depth, name)
    contradiction = (
        f"its total is {stated:,}, but its root moves add up to {added:,}"
        if survey.pairs and stated not in (None, added)
        else ""
    )
    return PastedCounts(position, depth, found, {depth: found.total}, contradiction, doubt)


def _refuse_trailing_moves(lines: Iterable[str], name: str) -> None:
    """Raise UsageError if root moves follow the total: they belong to another divide."""
    for line in lines:
        if root_move(line) is not None:
            raise UsageError(f"{name} has a root move after its total, {line.strip()!r}: give one divide", name)


def _correct_totals(position: Position, depth: int) -> list[int]:
    """Return the correct totals from depth 1 to `depth`. Raises UsageError if the last one is too large."""
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
    """Return the numbers of a text that contains nothing else, such as "20, 400, 8,902", or an empty list.

    A comma that is not followed by a space may separate thousands or counts. The interpretation in which the first
    count is correct is preferred.
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
    """Return the totals from depth 1, or from depth 0 if the first is 1. Raises UsageError if there are too many."""
    if len(numbers) == 1:
        by_depth = {depth: numbers[0]}
    elif len(numbers) == depth + 1 and numbers[0] == 1 != known[0]:
        by_depth = dict(enumerate(numbers[1:], 1))
    elif len(numbers) <= depth:
        by_depth = dict(enumerate(numbers, 1))
    else:
        raise UsageError(
            f"{name} has {len(numbers)} totals, but depth {depth} has {depth}: give the depth of the last one",
            name,
        )
    deepest = max(by_depth)
    return PastedCounts(position, deepest, Divide.of_total(by_depth[deepest]), by_depth)


def _totals_by_depth(lines: Sequence[str], depth: int) -> dict[int, int]:
    """Return the totals in lines that state the depth, such as "Depth 3: 8902" or a table with a row for each depth."""
    found: dict[int, int] = {}
    rows: dict[int, int] = {}
    for line in lines:
        for loosely, into in ((False, found), (True, rows)):
            for _, nodes, one in totals(line, None, loosely=loosely):
                if one is not None and one <= depth:
                    into.setdefault(one, nodes)
    is_table = len(rows) > 1 and sorted(rows) == list(range(min(rows), max(rows) + 1))
    return found or ({one: nodes for one, nodes in rows.items() if one} if is_table else {})


def _doubt_position(found: Divide, position: Position, name: str, *, is_complete: bool) -> str:
    """Return a sentence that says why the root moves are not those of a position, or "".

    Either most of them are illegal and most legal moves are missing, or most legal moves are missing and no total shows
    that the divide `is_complete`.
    """
    legal = {move.uci(chess960=True) for move in position.legal_moves}
    shared, listed = len(legal & found.counts.keys()), len(found.counts)
    fen = position.fen()
    if 2 * shared < min(listed, len(legal)):
        return f"{name}: {shared} of its {listed} root moves are legal in {fen}: is it the divide of another position?"
    if 2 * shared < len(legal) and not is_complete:
        return f"{name} has {shared} of the {len(legal)} root moves of {fen}, and no total: give the complete divide"
    return ""


def _check_depth(found: Divide, position: Position, depth: int, name: str) -> None:
    """Raise UsageError if most of the counts are those of another depth."""

    def agreeing(at: int) -> int:
        expected = {move.uci(chess960=True): nodes for move, nodes in divide(position, at).items()}
        return sum(expected.get(text) == count for text, count in found.counts.items())

    most = len(found.counts)
    if most < 4 or 2 * agreeing(depth) >= most:
        return
    for other in range(1, depth + 2):
        if other != depth and 3 * agreeing(other) >= 2 * most:
            raise UsageError(f"{name} has the counts of depth {other}, not {depth}: give depth {other}", str(depth))
