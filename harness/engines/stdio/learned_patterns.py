"""Regular expressions for answers in unknown formats, learned from answers about positions with known counts.

A line may contain several numbers, for example in a table with a column per depth. A pattern is adopted only if it
extracts the correct counts of three positions at two depths each, because a single number may be correct by chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from ....generator.counting.perft import perft
from ....generator.position import Position
from ..base import NotUnderstood, UnparseableOutput
from ..root_moves import as_king_takes_rook
from ..written_moves import bare_move
from .grammar import number
from .lines import NO_MOVE, AnswerPatterns, LinePattern, read_part, root_move, san_move, totals
from .output import printable
from .sentinels import SENTINELS
from .transcript import MOST_LINES, Survey, Transcript

PROBES = tuple(map(Position.from_fen, (*SENTINELS, "7k/8/8/2R5/8/4B3/K7/8 w - - 0 1")))
"""Positions without special moves. Their counts differ at both depths."""
MOST_NUMBERS = 6
"""Maximum number of numbers that a pattern may skip after the count."""
MOST_WORDS = 8
"""Maximum number of words before the count to try as the start of a pattern, from the last one backward."""
MOST_PREFIX_WORDS = 4
"""Maximum number of word ends before the first number of a line to try as the end of a pattern's literal text."""
LEAST_LETTERS = 3
"""Minimum number of letters before the count in a pattern that skips other numbers. Fewer letters, as in "x86/8902",
match too much.
"""
SPACE = "[[:space:]]+"
"""Matches white space without a backslash."""
_RUN = re.compile(r"[0-9]+")
_MINUS = r"(?<![A-Za-z0-9])[-\N{MINUS SIGN}]"
"""The sign of a negative number, but not a hyphen after a word."""
_BETWEEN_THOUSANDS = re.compile("[^0-9A-Za-z]{1,2}")
_SPECIAL = "()[]{}.*+?|$"
_WORD = re.compile(r"(?<!\w)[A-Za-z]")
"""The start of a word."""
_ANYTHING = "[^A-Za-z0-9](?:.*[^0-9])?"
"""Text between a word and a number, possibly including other numbers."""
_ROOT_MOVE = "[a-h][1-8][a-h][1-8][nbrqNBRQ]?"
_MOVE = f"(?P<move>{_ROOT_MOVE})"
_COMPARES = re.compile(r"\b(?:expect|should|correct|known|reference|wanted|must be)", re.IGNORECASE)
"""Words in lines that compare the engine's count with the correct one."""


@dataclass(frozen=True)
class ProbeAnswer:
    """The output of an engine for a position with a known count."""

    lines: tuple[str, ...]
    count: int
    depth: int
    position: Position | None = None
    """The position, if root moves are to be compared as well."""

    @property
    def is_correct(self) -> bool:
        """Whether any line contains the correct count."""
        return any(has_count(line, self.count) for line in self.lines)

    def is_count(self, text: str) -> bool:
        """Return True if a number as written is the correct count."""
        return number(text) == self.count


Ask = Callable[[Position, int], Iterable[str]]
"""A function that asks a new process about a position, and returns the lines that it prints."""


def ask_probes(ask: Ask, min_depth: int) -> list[ProbeAnswer]:
    """Ask about each of `PROBES` at the two smallest supported depths."""
    return [
        ProbeAnswer(tuple(ask(position, depth)), perft(position, depth), depth, position)
        for position in PROBES
        for depth in (max(1, min_depth), max(1, min_depth) + 1)
    ]


# Numbers in a line.


def number_spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the numbers in a line, with any thousands separator.

    Columns of three digits are ambiguous, so both interpretations are yielded. Decimal parts and negative numbers are
    not yielded.
    """
    runs = [match.span() for match in _RUN.finditer(line)]
    for place, (begin, end) in enumerate(runs):
        if re.search(f"{_MINUS}$", line[:begin]):
            continue
        before, after = line[max(begin - 2, 0) : begin], line[end : end + 2]
        if not (before[1:] == "." and before[0].isdigit()) and not (after[:1] == "." and after[1:].isdigit()):
            yield begin, end
        last = end
        for next_begin, next_end in runs[place + 1 :] if end - begin <= 3 and line[begin] != "0" else ():
            if next_end - next_begin != 3 or not _BETWEEN_THOUSANDS.fullmatch(line[last:next_begin]):
                break
            last = next_end
            yield begin, last


def _span_of(line: str, count: int) -> tuple[int, int] | None:
    return next((span for span in number_spans(line) if number(line[slice(*span)]) == count), None)


def has_count(line: str, count: int) -> bool:
    """Return True if a line contains a count, with any thousands separator."""
    return _span_of(read_part(line), count) is not None


def telling_line(lines: Iterable[str], count: int) -> str:
    """Return the line with the correct count, else the line with the largest number, else the last line."""
    best, most = "", (False, -1)
    for line in lines:
        part = re.sub(_MINUS, " ", read_part(line))
        found = [number(part[slice(*span)]) for span in number_spans(part)]
        rank = (has_count(line, count), max(found, default=-1))
        if line.strip() and rank >= most:
            best, most = line, rank
    return printable(best)


def _separators_in(written: str) -> str:
    """Return the separators in a number, for use in a character class."""
    found = {letter for letter in written if not letter.isdigit()} - set("]\\")
    return "".join(sorted(found - {"-"})) + "-" * ("-" in found)


# Patterns for a line with the total.


def _expressions_by_words(line: str, count: int, depth: int) -> Iterator[str]:
    """Yield patterns for a total by the words before it, nearest first, or else by the words after it.

    They begin at a word, not at the start of the line, where there may be a prompt.
    """
    if (span := _span_of(line, count)) is None:
        return
    between = _separators_in(line[slice(*span)])
    nodes = f"(?P<nodes>[0-9][0-9{between}]*)" if between else "(?P<nodes>[0-9]+)"
    words = [match.start() for match in _WORD.finditer(line, 0, span[0])]
    for begin in reversed(words[-MOST_WORDS:]):
        if _is_specific(before := line[begin : span[0]], depth):
            yield f"{_expression(before, depth)}{nodes}"
    if not words:
        after = re.split(r"[0-9]", line[span[1] :], maxsplit=1)[0].rstrip()
        yield f"^{_expression(line[: span[0]], depth)}{nodes}{_expression(after, depth)}"


def _is_specific(text: str, depth: int) -> bool:
    """Return True if a text has enough letters, or no number except the depth."""
    return len(re.findall("[A-Za-z]", text)) >= LEAST_LETTERS or {*_RUN.findall(text)} <= {str(depth)}


def _expression(text: str, depth: int) -> str:
    """Return an expression for a text with arbitrary numbers. The first one equal to the depth is a named group."""
    pieces, has_depth = [], False
    for token in re.findall(r"[0-9]+|\s+|.", text):
        if token.isdigit():
            is_depth = not has_depth and token == str(depth)
            has_depth = has_depth or is_depth
            pieces.append("(?P<depth>[0-9]+)" if is_depth else "[0-9]+")
        elif token.isspace():
            pieces.append(" " if token == " " else " +" if token.isprintable() else SPACE)
        elif token in "\\^\"'" or not token.isprintable():
            pieces.append(".")
        else:
            pieces.append(f"[{token}]" if token in _SPECIAL else token)
    return "".join(pieces)


# Patterns for complete answers.


def learn(
    start: ProbeAnswer, ask: Ask, min_depth: int, *, needs_total: bool = False
) -> tuple[AnswerPatterns | None, Sequence[ProbeAnswer]]:
    """Return patterns that parse the answers of a program, and its answers about `PROBES`.

    There are none if no pattern is needed: the program states an incorrect total, or its answers about `PROBES` are
    parsed correctly without patterns.
    """
    if states_total(start):
        return None, ()
    probes = ask_probes(ask, min_depth)
    if is_usual(probes, needs_total=needs_total):
        return None, ()
    return patterns_for(start, probes, needs_total=needs_total), probes


def is_usual(answers: Sequence[ProbeAnswer], *, needs_total: bool = False) -> bool:
    """Return True if all answers are parsed correctly without patterns, by their totals if `needs_total`."""
    return all(_reads(AnswerPatterns(), one, needs_total=needs_total) for one in answers)


def states_total(answer: ProbeAnswer) -> bool:
    """Return True if a separate line states an incorrect total in a known format, close to the correct count.

    That total is then the engine's count, even if the correct count is printed elsewhere.
    """
    for line in map(read_part, answer.lines):
        spans = list(number_spans(line))
        whole = (spans[0][0], max(end for _, end in spans)) if spans else (0, 0)
        alone = number(line[slice(*whole)]) if whole in spans else None
        is_near = alone is not None and alone != answer.count and answer.count < 2 * alone < 4 * answer.count
        if is_near and any(nodes == alone for _, nodes, _ in totals(line, None)):
            return True
    return False


def is_read_alike(survey: Survey) -> bool:
    """Return True if the total would also be found without knowing it, because no other total precedes it."""
    transcript = Transcript(
        survey.depth, survey.total_format, separator=survey.separator, first_depth=survey.first_depth
    )
    for line in survey.lines:
        if transcript.add(line):
            return transcript.total == survey.total
    return not survey.has_total


def patterns_for(
    start: ProbeAnswer, probes: Sequence[ProbeAnswer], *, needs_total: bool = False
) -> AnswerPatterns | None:
    """Return patterns that parse every answer correctly, or None if there are none.

    If the engine counts the starting position incorrectly, only the probes are used. With `needs_total`, root moves
    without a total do not suffice, because the total marks the end of an answer of a long-running process.
    """
    answers, model = [*([start] if start.is_correct else []), *probes], start if start.is_correct else probes[-1]
    lines = [read_part(line) for line in model.lines if line.strip()]
    total_res = [*([] if needs_total else [None]), *dict.fromkeys(_total_candidates(lines, model))]
    moves = dict.fromkeys(_move_candidates(lines, model))
    for with_moves in (True, False):  # patterns that also parse root moves are preferred
        for move_re, total_re in product([None, *moves, NO_MOVE], total_res):
            patterns = AnswerPatterns(
                None if move_re is None else LinePattern("move_re", move_re),
                None if total_re is None else LinePattern("total_re", total_re),
            )
            if all(_reads(patterns, one, with_moves=with_moves) for one in answers):
                return patterns
    return None


def _total_candidates(lines: Sequence[str], answer: ProbeAnswer) -> Iterator[str]:
    """Yield patterns for totals: first by the words around the count, then by its position in the line."""
    for line in lines:
        yield from _expressions_by_words(line, answer.count, answer.depth)
    for line in lines:
        for begin, end in (span for span in number_spans(line) if answer.is_count(line[slice(*span)])):
            first = next(iter(number_spans(line)))[0]
            for before in _prefix_expressions(line[:first]):
                yield before + _number_expression("nodes", line[begin:end], _count_numbers(line[end:]))


def _prefix_expressions(text: str) -> Iterator[str]:
    """Yield expressions for the text before the first number: all of its words, fewer words, or anything.

    The last words may depend on the position, as in a FEN.
    """
    words = [match.end() for match in re.finditer("[A-Za-z0-9]+", text)]
    for end in reversed(words[-MOST_PREFIX_WORDS:]):
        yield f"^{_expression(text[:end], 0)}{_ANYTHING}"
    if not words:
        yield "^(?:[^A-Za-z]*[^A-Za-z0-9])?"
    yield "^(?:.*[^A-Za-z0-9])?"


def _move_candidates(lines: Sequence[str], answer: ProbeAnswer) -> Iterator[str]:
    """Yield patterns for root moves, by the position of the count, that do not match a total."""
    written = (line[slice(*span)] for line in lines for span in number_spans(line))
    count = next(filter(answer.is_count, written), "")
    matches = ((line, match) for line in lines if (match := re.search(_ROOT_MOVE, line)))
    behind = max((_count_numbers(line[match.end() :]) for line, match in matches), default=0)
    alike = {pair[0] for line in lines if (pair := root_move(line)) is not None and answer.is_count(str(pair[1]))}
    for label in ("", *(f"(?!.*{move})" for move in sorted(alike))):
        for left in range(min(behind, MOST_NUMBERS)):
            before = "^(?:[0-9]+[^A-Za-z0-9]+)?[^A-Za-z0-9]*"
            yield f"{before}{label}{_MOVE}{_ANYTHING}{_number_expression('count', count, left)}"


def _count_numbers(text: str) -> int:
    return len(re.findall(r"[0-9]+(?:[.,_'][0-9]+)*", text))


def _number_expression(group: str, written: str, left: int) -> str:
    """Return an expression for a number with the separators of `written`, followed by `left` other numbers."""
    between = _separators_in(written)
    digits = f"(?<![0-9{between}])(?P<{group}>[0-9][0-9{between}]*)" if between else f"(?P<{group}>[0-9]+)"
    others = f"(?:(?![.][0-9])[^0-9]+[0-9]+(?:[.,_'][0-9]+)*){{{left}}}" if left else ""
    return f"(?<!-){digits}{others}[^0-9]*$"


def _reads(
    patterns: AnswerPatterns, answer: ProbeAnswer, *, with_moves: bool = False, needs_total: bool = False
) -> bool:
    """Return True if the total of an answer and its root moves, if any, are parsed correctly.

    With `with_moves`, there must be root moves.
    """
    needs_total = needs_total or patterns.total is not None
    transcript = Transcript(answer.depth, None, patterns=patterns)
    try:
        has_ended = any(transcript.add(line) for line in answer.lines)
    except UnparseableOutput:
        return False
    if not has_ended:
        transcript.take_san_moves()
    added = sum(count for _, count in transcript.pairs)
    if (transcript.total if has_ended else added) != answer.count or (needs_total and not has_ended):
        return False
    if not transcript.pairs or answer.position is None:
        return has_ended and not with_moves
    legal = {move.uci(chess960=True) for move in answer.position.legal_moves}
    listed = [as_king_takes_rook(answer.position, text) for text, _ in transcript.pairs]
    return added == answer.count and (len(listed) == len(legal)) and {*listed} <= legal


# Correct counts that are printed but not parsed.


def raise_unread(name: str, start: ProbeAnswer, probes: Sequence[ProbeAnswer], read: int | None) -> None:
    """Raise NotUnderstood if answers contain the correct count but another number was parsed."""
    if read is None:
        return
    correct = [one for one in (start, *probes[1::2]) if one.is_correct]
    if start.is_correct or len(correct) > 1:
        one = correct[0]
        where = "the starting position" if one is start else repr(one.position.fen() if one.position else "")
        raise misread(name, where, one.depth, one.count, telling_line(one.lines, one.count))


def misread(name: str, where: str, depth: int, count: int, line: str) -> NotUnderstood:
    """Return the exception for an engine that prints the correct count in a line that is not parsed."""
    return NotUnderstood(
        f"{name} is not understood: in {where} at depth {depth} the correct count, {count:,}, is in its answer, but "
        f"not where a count is expected: {line!r}"
    )


def find_misread_line(lines: Sequence[str], transcript: Transcript, count: int) -> str:
    """Return the line of an answer with the correct count if another number is parsed as the total, or "".

    `transcript` is an empty transcript, used to parse the answer. Lines with a root move are ignored, because the count
    of a root move may be any number. Answers with thousands of lines, and those that clearly state another total, are
    ignored as well.
    """
    if len(lines) >= MOST_LINES or states_total(ProbeAnswer(tuple(lines), count, transcript.depth)):
        return ""
    with suppress(UnparseableOutput):
        if not any(map(transcript.add, lines)):
            transcript.take_san_moves()
    read = transcript.total if transcript.has_total else sum(nodes for _, nodes in transcript.pairs)
    if read == count:
        return ""
    found = [
        line for line in lines if has_count(line, count) and not _names_a_move(line) and not _COMPARES.search(line)
    ]
    return telling_line(found, count) if found else ""


def has_one_move(line: str) -> bool:
    """Return True if a line contains exactly one root move, so that its numbers are not totals."""
    return len(re.findall(_ROOT_MOVE, line)) == 1


def _names_a_move(line: str) -> bool:
    if root_move(line) is not None or san_move(line) is not None or has_one_move(line):
        return True
    return any(bare_move(word.strip(",;:|")) is not None for word in line.split()[:2])
