"""Show program output that perft-check cannot parse, so that the author can write a descriptor."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from ...generator.game import Game
from ...generator.position import Position
from .call import EngineCall
from .command_words import as_typed, join_words
from .engine import Engine
from .stdio.asking_once import ask_once
from .stdio.attempts import PROBE_DEPTH, UCI_COMMANDS
from .stdio.grammar import number
from .stdio.learned_patterns import number_spans
from .stdio.process import ProcessLimits
from .stdio.sentinels import START_COUNTS
from .types.program import ProgramEngine

MOST_SHOWN, LONGEST = 40, 160
"""Maximum number of lines to show, half of them from the end, and maximum line length."""
MOST_CANDIDATES = 5
LEAST_CANDIDATE = 100
"""Minimum for a candidate: smaller numbers cannot be the starting position's count at the probed depth."""
MOVE_RE = "(?P<move>[a-h][1-8][a-h][1-8][nbrqNBRQ]?)[^A-Za-z0-9]+(?P<count>[0-9]+)"
TOTAL_RE = "WORDS BEFORE IT (?P<nodes>[0-9]+)"
DESCRIPTORS = "docs/engines.md#a-descriptor"


def receive(engine: Engine, call: EngineCall) -> list[str]:
    """Ask a program about the starting position, and return the lines it prints to stdout and stderr."""
    start = Game(Position.start())
    if isinstance(engine, ProgramEngine):
        question = engine.template.fill(start, PROBE_DEPTH)
        words, lines = question.words, list(question.lines)
    else:
        assert engine.descriptor is not None, "it is a program"
        descriptor = engine.descriptor
        asked = descriptor.lines(start.base.fen(), [], PROBE_DEPTH)
        command = UCI_COMMANDS[0].replace("{depth}", str(PROBE_DEPTH))
        words = descriptor.launch
        lines = [*(["uci", "isready"] if descriptor.uci else []), *descriptor.setup]
        lines += [line.replace("{command}", command) for line in asked]
    return ask_once(engine.name, words, lines, ProcessLimits(), call, with_errors=True)


def describe(engine: Engine, heard: Sequence[str]) -> Iterator[str]:
    """Yield lines that show the output, the numbers in it that may be the total, and a descriptor to edit."""
    count = START_COUNTS[PROBE_DEPTH - 1]
    yield f"asked about the starting position at depth {PROBE_DEPTH}, whose count is {count:,}, it printed:"
    yield from (f"    {line}" for line in _cut([_escaped(line) for line in heard]) or ["(nothing)"])
    found = candidates(heard, count)
    for place, (written, line) in enumerate(found, 1):
        yield f"{place}: is this the total? {_escaped(written)}" + (f"  in {_escaped(line)}" if written != line else "")
    yield f"to describe the program, edit this and save it as a file, engine.json ({DESCRIPTORS}):"
    yield f"    {descriptor_to_edit(engine, heard)}"


def candidates(heard: Sequence[str], count: int) -> list[tuple[str, str]]:
    """Return the numbers that may be the total, with their lines: the correct count first, then by size."""
    ranked: dict[tuple[bool, int], tuple[str, str]] = {}
    for line in map(str.strip, heard):
        if re.search(MOVE_RE, line[:1_000]):
            continue
        for begin, end in number_spans(line[:1_000]):
            value = number(line[begin:end])
            if value >= LEAST_CANDIDATE:
                ranked.setdefault((value == count, value), (line[begin:end], line))
    return [ranked[rank] for rank in sorted(ranked, reverse=True)][:MOST_CANDIDATES]


def descriptor_to_edit(engine: Engine, heard: Sequence[str]) -> str:
    """Return a descriptor with placeholders for `total_re` and, if root moves were printed, `move_re`."""
    whole: dict[str, object] = {"launch": join_words(as_typed(engine.spec, engine.launch))}
    if isinstance(engine, ProgramEngine):
        whole["launch"] = join_words(engine.template.command)
    else:
        assert engine.descriptor is not None, "it is a program"
        descriptor = engine.descriptor
        whole |= {"case": descriptor.case.replace("{command}", UCI_COMMANDS[0]), "uci": descriptor.uci}
    whole["total_re"] = TOTAL_RE
    if any(re.search(MOVE_RE, line[:1_000]) for line in heard):
        whole["move_re"] = MOVE_RE
    return json.dumps(whole, ensure_ascii=False)


def _escaped(line: str) -> str:
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line[: LONGEST + 1])
    return text if len(line) <= LONGEST else f"{text[:LONGEST]} ..."


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_SHOWN:
        return list(lines)
    half = MOST_SHOWN // 2
    return [*lines[:half], f"... {len(lines) - 2 * half:,} lines ...", *lines[-half:]]
