"""Whether a failure is only a misreading: the correct count is printed, but another number, or none, is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from ..base import UnparseableOutput
from ..written_moves import bare_move
from .answer_forms import has_one_move, states_total
from .diagnosis import MOST_LINES
from .lines import game_move, root_move
from .total_patterns import ProbeAnswer, has_count, telling_line
from .transcript import Transcript

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
