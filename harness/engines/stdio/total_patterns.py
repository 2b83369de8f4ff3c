"""The regular expression that reads the total of an engine which writes it in no known form, for a descriptor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ....generator.position import Position
from ..base import UnparseableOutput
from .grammar import number
from .lines import AnswerPatterns, LinePattern, read_part, totals
from .output import printable

_RUN = re.compile(r"[0-9]+")
_MINUS = r"(?<![A-Za-z0-9])[-\N{MINUS SIGN}]"
"""The sign of a negative number, which a hyphen behind a word is not."""
_BETWEEN_THOUSANDS = re.compile("[^0-9A-Za-z]{1,2}")
LONGEST_BEFORE = 60
"""Characters before a count that a pattern has; of more it has the words behind the last number, or half as many."""
_SPECIAL = "()[]{}.*+?|$"
SPACE = "[[:space:]]+"
"""What reads tabs, without a backslash."""
_PROMPT_SIGN = re.compile(r"(?:(?<![-=>])>|[?$#%])\s*")
"""What ends a prompt; an arrow, `=>` or `->`, does not."""
_PROMPTS = re.compile(r"(?=.*[A-Za-z>?$#%])([^0-9]{2,30}?)\1+")
"""A prompt as often as a console has read a line, which is more often for some questions than for others."""
_WORD = re.compile(r"(?<!\w)[A-Za-z]")
"""Where a word begins."""


@dataclass(frozen=True)
class ProbeAnswer:
    """What an engine has printed about a position whose count is known."""

    lines: tuple[str, ...]
    count: int
    depth: int
    position: Position | None = None
    """Which one, where its root moves are to be compared, too."""

    @property
    def is_correct(self) -> bool:
        """Whether the correct count is there, in whatever line."""
        return any(has_count(line, self.count) for line in self.lines)

    def is_count(self, text: str) -> bool:
        """Return True if a number, as it is written, is the correct count."""
        return number(text) == self.count


def telling_line(lines: Iterable[str], count: int) -> str:
    """Return the line with the correct count, else the one with the largest number, else the last line."""
    best, most = "", (False, -1)
    for line in lines:
        part = read_part(line)
        part = re.sub(_MINUS, " ", part)
        found = [number(part[slice(*span)]) for span in number_spans(part)]
        rank = (has_count(line, count), max(found, default=-1))
        if line.strip() and rank >= most:
            best, most = line, rank
    return printable(best)


def has_count(line: str, count: int) -> bool:
    """Return True if a count stands in a line, whatever separates its thousands."""
    return _place_of(read_part(line), count) is not None


def total_re_for(line: str, count: int, depth: int, asked: str = "", others: Sequence[ProbeAnswer] = ()) -> str | None:
    """Return the regular expression by which a descriptor reads the total in a line, None if none does.

    It begins at a word of the answer: not at a prompt, nor at the question `asked`, which an engine may repeat. It
    reads the correct count in the `others` as well, as far as these have it. It needs no backslash, so that it is the
    same in JSON.
    """
    line = read_part(line)
    place = _place_of(line, count)
    if place is None:
        return None
    right = [one for one in others if one.is_correct]
    candidates = total_expressions(line, count, depth, asked)
    return next((text for text in candidates if all(_reads(text, one) for one in right)), None)


def total_expressions(line: str, count: int, depth: int, asked: str = "") -> Iterator[str]:
    """Yield the patterns that may read the total in a line, as `total_re_for` describes them."""
    line = read_part(line)
    if (place := _place_of(line, count)) is None:
        return
    if (prompts := _PROMPTS.fullmatch(line, 0, place[0])) is not None:
        yield f"^(?:{expression(prompts[1], depth)})+{_count_expression(line, place, depth, has_words=False)}"
    for begin in _beginnings(line, place, count, asked):
        yield _expression_from(line, begin, place, depth)


def number_spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield where the numbers of a line stand, also what may be one with any character between its thousands.

    Columns of three digits may be either. The digits behind a decimal point are no number of their own, and what stands
    behind a minus sign is no count.
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


def separators_of(written: str) -> str:
    """Return what stands between the digits of a number, as a part of a character class."""
    found = {letter for letter in written if not letter.isdigit()} - set("]\\")
    return "".join(sorted(found - {"-"})) + "-" * ("-" in found)


def _beginnings(line: str, place: tuple[int, int], count: int, asked: str) -> Iterator[int]:
    """Yield where a pattern may begin: where a total of a known form begins, behind a prompt, at the other words."""
    words = [match.start() for match in _WORD.finditer(line, 0, place[0])]
    known = (begin for begin in words if begin and any(nodes == count for _, nodes, _ in totals(line[begin:], None)))
    yield from list(known)[:1]
    behind = max((match.end() for match in _PROMPT_SIGN.finditer(line, 0, place[0])), default=0)
    if asked and (found := line.rfind(asked, 0, place[0])) >= 0:
        behind = max(behind, found + len(asked))
    if not re.search("[A-Za-z]", line[behind : place[0]] + line[place[1] :]):
        behind = 0
    yield behind + len(line[behind:]) - len(line[behind:].lstrip())
    yield from (begin for begin in words if begin > behind)


def _expression_from(line: str, begin: int, place: tuple[int, int], depth: int) -> str:
    """Return a regular expression for a line from a place in it to the count, and beyond where no word is before it."""
    first = begin if place[0] - begin <= LONGEST_BEFORE else place[0] - LONGEST_BEFORE // 2
    before = line[first : place[0]]
    nearest = re.split(r"[0-9]", before)[-1]
    if first > begin and re.search("[A-Za-z]", nearest):  # what stands before that differs from position to position
        before = nearest
    has_words = re.search("[A-Za-z]", before) is not None
    return (
        f"{'' if first else '^'}{expression(before, depth)}{_count_expression(line, place, depth, has_words=has_words)}"
    )


def _count_expression(line: str, place: tuple[int, int], depth: int, *, has_words: bool) -> str:
    """Return a regular expression for the count, and for the words behind it if no words stand before it."""
    between = separators_of(line[slice(*place)])
    nodes = f"[0-9][0-9{between}]*" if between else "[0-9]+"
    rest = "" if has_words else re.split(r"[0-9]", line[place[1] :], maxsplit=1)[0].rstrip()
    return f"(?P<nodes>{nodes}){expression(rest, depth)}"


def _reads(total_re: str, probe: ProbeAnswer) -> bool:
    """Return True if the first total that a pattern reads in an answer, of its depth if it says one, is correct."""
    patterns = AnswerPatterns(total=LinePattern("total_re", total_re))
    try:
        found = [total for line in probe.lines for total in patterns.totals(line)]
    except UnparseableOutput:
        return False
    return next((nodes for _, nodes, depth in found if depth in (None, probe.depth)), None) == probe.count


def _place_of(line: str, count: int) -> tuple[int, int] | None:
    return next((span for span in number_spans(line) if number(line[slice(*span)]) == count), None)


def expression(text: str, depth: int) -> str:
    """Return a regular expression for a text: other numbers may stand in it, and the depth is named."""
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
