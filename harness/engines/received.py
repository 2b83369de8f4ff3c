"""Show the output of a program that perft-check cannot parse, so that the user can write a descriptor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...generator.game import Game
from ...generator.position import Position
from .call import EngineCall
from .engine import Engine
from .stdio.asking_once import ask_once
from .stdio.attempts import PROBE_DEPTH, UCI_COMMANDS
from .stdio.descriptor import DESCRIPTORS
from .stdio.process import ProcessLimits
from .stdio.sentinels import START_COUNTS
from .types.program import ProgramEngine

MOST_SHOWN, LONGEST = 40, 160
"""Maximum number of lines to show, half of them from the end, and maximum line length."""


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


def describe(heard: Sequence[str]) -> Iterator[str]:
    """Yield lines that show the output, and say how to describe the program."""
    count = START_COUNTS[PROBE_DEPTH - 1]
    yield f"asked about the starting position at depth {PROBE_DEPTH}, whose count is {count:,}, it printed:"
    yield from (f"    {line}" for line in _cut([_escaped(line) for line in heard]) or ["(nothing)"])
    if heard:
        yield f"if the count is in this output, a descriptor can say where: {DESCRIPTORS}"


def _escaped(line: str) -> str:
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in line[: LONGEST + 1])
    return text if len(line) <= LONGEST else f"{text[:LONGEST]} ..."


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_SHOWN:
        return list(lines)
    half = MOST_SHOWN // 2
    return [*lines[:half], f"... {len(lines) - 2 * half:,} lines ...", *lines[-half:]]
