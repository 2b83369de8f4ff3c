"""How the answers of an engine are written, if in no known form: patterns that are correct in three positions.

The number that is the count may be one of several in a line, as in a table with a column for each depth. A pattern is
adopted only if it reads correct counts at two depths of three positions: one such number is found by chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from ....generator.counting.perft import perft
from ....generator.position import Position
from ..base import NotUnderstood, UnparseableOutput
from ..root_moves import as_king_takes_rook
from ..written_moves import bare_move
from .grammar import number
from .lines import NO_MOVE, AnswerPatterns, LinePattern, game_move, read_part, root_move, totals
from .sentinels import SENTINELS
from .total_patterns import (
    ProbeAnswer,
    expression,
    has_count,
    number_spans,
    separators_of,
    telling_line,
    total_expressions,
)
from .transcript import MOST_LINES, Survey, Transcript

PROBES = tuple(map(Position.from_fen, (*SENTINELS, "7k/8/8/2R5/8/4B3/K7/8 w - - 0 1")))
"""Positions without special moves, whose counts differ from each other at both depths."""
MOST_NUMBERS = 6
"""Numbers behind the count on the same line that a pattern passes over."""
MOST_WORDS = 4
"""Words before a count with which a pattern is tried to begin, the last ones."""
_ANYTHING = "[^A-Za-z0-9](?:.*[^0-9])?"
"""What stands between a word and a number, other numbers included."""
_ROOT_MOVE = "[a-h][1-8][a-h][1-8][nbrqNBRQ]?"
_MOVE = f"(?P<move>{_ROOT_MOVE})"


def probe(ask: Callable[[Position, int], Iterable[str]], least: int) -> list[ProbeAnswer]:
    """Ask about each of the probes at the two least depths; return the answers."""
    return [
        ProbeAnswer(tuple(ask(position, depth)), perft(position, depth), depth, position)
        for position in PROBES
        for depth in (max(1, least), max(1, least) + 1)
    ]


def states_total(answer: ProbeAnswer) -> bool:
    """Return True if a line has one number, a total in a known form near the correct count: that is what is counted."""
    for line in map(read_part, answer.lines):
        spans = list(number_spans(line))
        whole = (spans[0][0], max(end for _, end in spans)) if spans else (0, 0)
        alone = number(line[slice(*whole)]) if whole in spans else None
        is_near = alone is not None and alone != answer.count and answer.count < 2 * alone < 4 * answer.count
        if is_near and any(nodes == alone for _, nodes, _ in totals(line, None)):
            return True
    return False


def is_usual(answers: Sequence[ProbeAnswer], *, needs_total: bool = False) -> bool:
    """Return True if all of these answers are read correctly without a pattern, with `needs_total` by their totals."""
    return all(_reads(AnswerPatterns(), one, needs_total=needs_total) for one in answers)


def is_read_alike(survey: Survey) -> bool:
    """Return True if the total of an answer is read without knowing it, too: no other total stands before it."""
    heard = Transcript(survey.depth, survey.total_format, separator=survey.separator, first_depth=survey.first_depth)
    for line in survey.lines:
        if heard.hear(line):
            return heard.total == survey.total
    return not survey.has_total


def patterns_for(
    start: ProbeAnswer, probes: Sequence[ProbeAnswer], asked: str = "", *, needs_total: bool = False
) -> AnswerPatterns | None:
    """Return the patterns that read every answer correctly, None if there are none.

    The engine may count the starting position incorrectly; then the probes alone count. With `needs_total` root moves
    that add up do not suffice: a process that goes on running ends its answer by the total.
    """
    answers, model = [*([start] if start.is_correct else []), *probes], start if start.is_correct else probes[-1]
    lines = [read_part(line) for line in model.lines if line.strip()]
    total_res = [*([] if needs_total else [None]), *dict.fromkeys(_totals(lines, model, asked))]
    moves = dict.fromkeys(_moves(lines, model))
    for with_moves in (True, False):  # the patterns of an answer in which root moves are read say more
        for move_re, total_re in product([None, *moves, NO_MOVE], total_res):
            patterns = AnswerPatterns(
                None if move_re is None else LinePattern("move_re", move_re),
                None if total_re is None else LinePattern("total_re", total_re),
            )
            if all(_reads(patterns, one, with_moves=with_moves) for one in answers):
                return patterns
    return None


def raise_unread(name: str, start: ProbeAnswer, probes: Sequence[ProbeAnswer], read: int | None) -> None:
    """Raise NotUnderstood if the correct count is in an answer though another number was read from it: that is no
    mistake of the engine.
    """
    if read is None:
        return
    right = [one for one in (start, *probes[1::2]) if one.is_correct]
    if start.is_correct or len(right) > 1:
        one = right[0]
        where = "the starting position" if one is start else repr(one.position.fen() if one.position else "")
        line = telling_line(one.lines, one.count)
        raise misread(name, where, one.depth, one.count, line)


def misread(name: str, where: str, depth: int, count: int, line: str) -> NotUnderstood:
    """Return the error for an engine that prints the correct count in a line that is not read."""
    return NotUnderstood(
        f"{name} is not understood: in {where} at depth {depth} the correct count, {count:,}, is in its answer, but "
        f"not where a count is expected: {line!r}"
    )


def _totals(lines: Sequence[str], answer: ProbeAnswer, asked: str) -> Iterator[str]:
    """Yield the patterns for lines that have the total: those with words around it first, then by its place."""
    for line in lines:
        yield from total_expressions(line, answer.count, answer.depth, asked)
    for line in lines:
        for begin, end in (span for span in number_spans(line) if answer.is_count(line[slice(*span)])):
            first = next(iter(number_spans(line)))[0]
            for before in _texts_before(line[:first]):
                yield before + _number("nodes", line[begin:end], _numbers_behind(line, end))


def _texts_before(text: str) -> Iterator[str]:
    """Yield the expressions for what stands before a count: the words before the first number, fewer of them, anything.

    The last of these words may be of the position, as in a FEN.
    """
    words = [match.end() for match in re.finditer("[A-Za-z0-9]+", text)]
    for end in reversed(words[-MOST_WORDS:]):
        yield f"^{expression(text[:end], 0)}{_ANYTHING}"
    if not words:
        yield "^(?:[^A-Za-z]*[^A-Za-z0-9])?"
    yield "^(?:.*[^A-Za-z0-9])?"


def _moves(lines: Sequence[str], answer: ProbeAnswer) -> Iterator[str]:
    """Yield patterns for root moves, which differ in the place of the count, and skip a total that looks like one."""
    written = (line[slice(*span)] for line in lines for span in number_spans(line))
    count = next(filter(answer.is_count, written), "")
    behind = max((_numbers_behind(line, match.end()) for line in lines if (match := _root_move(line))), default=0)
    alike = {pair[0] for line in lines if (pair := root_move(line)) is not None and answer.is_count(str(pair[1]))}
    for label in ("", *(f"(?!.*{move})" for move in sorted(alike))):
        for left in range(min(behind, MOST_NUMBERS)):
            before = "^(?:[0-9]+[^A-Za-z0-9]+)?[^A-Za-z0-9]*"
            yield f"{before}{label}{_MOVE}{_ANYTHING}{_number('count', count, left)}"


def _root_move(line: str) -> re.Match[str] | None:
    return re.search(_ROOT_MOVE, line)


def has_one_move(line: str) -> bool:
    """Return True if a line contains exactly one root move, so that its numbers are no total."""
    return len(re.findall(_ROOT_MOVE, line)) == 1


def _numbers_behind(line: str, place: int) -> int:
    return len(re.findall(r"[0-9]+(?:[.,_'][0-9]+)*", line[place:]))


def _number(group: str, written: str, left: int) -> str:
    """Return the expression for a number that has so many others behind it."""
    between = separators_of(written)
    digits = f"(?<![0-9{between}])(?P<{group}>[0-9][0-9{between}]*)" if between else f"(?P<{group}>[0-9]+)"
    others = f"(?:(?![.][0-9])[^0-9]+[0-9]+(?:[.,_'][0-9]+)*){{{left}}}" if left else ""
    return f"(?<!-){digits}{others}[^0-9]*$"


def _reads(
    patterns: AnswerPatterns, answer: ProbeAnswer, *, with_moves: bool = False, needs_total: bool = False
) -> bool:
    """Return True if an answer is read correctly: its total, and its root moves if it has any, or has to have them."""
    needs_total = needs_total or patterns.total is not None
    heard = Transcript(answer.depth, None, patterns=patterns)
    try:
        has_ended = any(heard.hear(line) for line in answer.lines)
    except UnparseableOutput:
        return False
    if not has_ended:
        heard.take_games()
    added = sum(count for _, count in heard.pairs)
    if (heard.total if has_ended else added) != answer.count or (needs_total and not has_ended):
        return False
    if not heard.pairs or answer.position is None:
        return has_ended and not with_moves
    legal = {move.uci(chess960=True) for move in answer.position.legal_moves}
    listed = [as_king_takes_rook(answer.position, text) for text, _ in heard.pairs]
    return added == answer.count and (len(listed) == len(legal)) and {*listed} <= legal


_COMPARES = re.compile(r"\b(?:expect|should|correct|known|reference|wanted|must be)", re.IGNORECASE)
"""Words of a line in which an engine compares its count with the correct one."""


def find_misread_line(lines: Sequence[str], heard: Transcript, count: int) -> str:
    """Return the line of an answer that has its correct count, if something else is read; "" if there is none.

    `heard` is what reads the answer. Lines that tell a root move are left out: the count of one may be any number. So
    are answers of thousands of lines, and those that state another total near the correct count in a line of its own.
    """
    if len(lines) >= MOST_LINES or states_total(ProbeAnswer(tuple(lines), count, heard.depth)):
        return ""
    with suppress(UnparseableOutput):
        if not any(map(heard.hear, lines)):
            heard.take_games()
    read = heard.total if heard.has_total else sum(nodes for _, nodes in heard.pairs)
    if read == count:
        return ""
    found = [
        line for line in lines if has_count(line, count) and not _tells_a_move(line) and not _COMPARES.search(line)
    ]
    return telling_line(found, count) if found else ""


def _tells_a_move(line: str) -> bool:
    if root_move(line) is not None or game_move(line) is not None or has_one_move(line):
        return True
    return any(bare_move(word.strip(",;:|")) is not None for word in line.split()[:2])
