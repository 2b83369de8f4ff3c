"""Why an engine that was asked a question has given no answer that is understood.

The same question is repeated, and then the input ends, so that a program prints what it has kept in a buffer.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ....generator.counting.perft import perft
from ....generator.position import Position
from ..base import EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..command_words import as_typed, join_words
from ..spec import EngineSpec
from .asking_once import ask_once
from .descriptor import Descriptor
from .learned_patterns import (
    ProbeAnswer,
    ask_probes,
    has_count,
    has_one_move,
    is_read_alike,
    is_usual,
    patterns_for,
    states_total,
    telling_line,
    total_re_for,
)
from .lines import root_move
from .process import ProcessLimits
from .transcript import Survey

_NO_FILE_NAME = re.compile(r"[^\w.-]+")
"""Characters that are not used in the name of a file."""
_IN_PYTHON = re.compile(r"python[0-9.]*|pypy[0-9.]*")


def in_descriptor(descriptor: Descriptor, **fields: str) -> str:
    """Return, as a clause, how a descriptor with these fields is made: a file is changed, or a command writes one."""
    if (spec := EngineSpec(descriptor.spec).bare).endswith(".json"):
        return f"write {json.dumps(fields, ensure_ascii=False)[1:-1]} into {spec}"
    whole: dict[str, Any] = {"launch": join_words(as_typed(spec, descriptor.launch))}
    whole |= {"setup": list(descriptor.setup)} if descriptor.setup else {}
    whole |= ({"case": descriptor.case} if descriptor.case else {}) | ({"uci": True} if descriptor.uci else {}) | fields
    file = f"{_NO_FILE_NAME.sub('-', Path(descriptor.name).stem) or 'engine'}.json"
    text = shlex.quote(json.dumps(whole, ensure_ascii=False))
    return f"printf '%s\\n' {text} > {file}, and then -e {file}"


def remove_buffer(command: Sequence[str]) -> list[str]:
    """Return the command that starts a program so that it writes each line immediately, if that works from outside."""
    if _IN_PYTHON.fullmatch(Path(command[0]).name):
        return [command[0], "-u", *command[1:]]
    return ["stdbuf", "-oL", *command]


def launch_without_buffer(descriptor: Descriptor) -> str:
    """Return a clause that describes how the program is launched without a buffer."""
    spec = EngineSpec(descriptor.spec).bare
    typed = join_words(remove_buffer(as_typed(spec, descriptor.launch)))
    if spec.endswith(".json"):
        return in_descriptor(descriptor, launch=typed)
    return f"give -e {shlex.quote(f'uci:{typed}' if descriptor.uci else typed)}"


SECONDS = 2.0
"""Time for the answer of a program whose input has ended."""
CONTROL_SECONDS = 1.0
"""Time, beside twice that of this answer, for the same program to answer while its input goes on."""
IN_THE_SOURCE = "setvbuf(stdout, NULL, _IOLBF, 0) in C, std::endl in C++, flush=True in Python"


class UnreadTotal(UnparseableOutput):
    """An engine writes the correct count in a line that is not understood."""

    descriptor: Descriptor | None = None
    """How the engine is asked, with a pattern that read the total of three positions; None if none did."""


class Unflushed(EngineTimeout):
    """An engine answers, but keeps what it prints in a buffer."""

    names_cure = True


class Diagnosis:
    """Looks for the reason. All processes that it starts have ended when it returns."""

    def __init__(self, name: str, limits: ProcessLimits) -> None:
        """Take the engine's name and the limits of its process."""
        self._name, self._limits = name, limits

    def of_silence(self, descriptor: Descriptor, call: EngineCall) -> bool:
        """Return True if an engine that has not answered `uci` answers it later. Raises Unflushed."""
        speaks, reason = self._look_for_buffer(descriptor, ["uci"], lambda line: line.strip() == "uciok", call)
        if reason is not None:
            raise reason
        return speaks

    def of_answer(
        self,
        descriptor: Descriptor,
        question: Sequence[str],
        heard: Iterable[str],
        known: Sequence[int],
        call: EngineCall,
    ) -> EngineError | None:
        """Return what to raise about an engine whose answer to a question has not been read, None if nothing can be
        said: it may be slow.

        `heard` are the lines that it has printed, `known` the correct counts up to the depth that was asked for.
        """
        lines, heard = [*(["uci", "isready"] if descriptor.uci else []), *descriptor.setup, *question], list(heard)

        def is_correct(line: str) -> bool:
            return has_count(line, known[-1])

        is_there = any(map(is_correct, heard))
        if is_there or any(root_move(line) is not None for line in heard):
            unread = self._unread(descriptor, question[-1], heard, known, call)
            if is_there or unread is not None:
                return unread
        return self._look_for_buffer(descriptor, lines, is_correct, call)[1]

    def _look_for_buffer(
        self, descriptor: Descriptor, lines: Sequence[str], is_answer: Callable[[str], bool], call: EngineCall
    ) -> tuple[bool, Unflushed | None]:
        """Return whether a program answers once its input has ended, and what to raise if it does not before that."""

        def answers(command: Sequence[str], seconds: float, ends_input: bool = False) -> bool:
            step = call.step(seconds)
            heard = ask_once(self._name, command, lines, self._limits, step, is_answer, ends_input=ends_input)
            return any(map(is_answer, heard))

        began = time.monotonic()
        if not answers(descriptor.launch, SECONDS, ends_input=True):
            return False, None
        enough = CONTROL_SECONDS + 2 * (time.monotonic() - began)
        if answers(descriptor.launch, enough) or call.stopped:
            return True, None  # it is only slow
        cure = f"let the program print each line at once ({IN_THE_SOURCE})"
        command = remove_buffer(descriptor.launch)
        if shutil.which(command[0]) is not None and answers(command, enough):
            cure = f"{launch_without_buffer(descriptor)}, or {cure}"
        what = "its output waits in a buffer"
        return True, Unflushed(f"{self._name} answers only once its input has ended: {what}; {cure}")

    def _unread(
        self, descriptor: Descriptor, asked: str, heard: Sequence[str], known: Sequence[int], call: EngineCall
    ) -> EngineError | None:
        """Return what to raise where the correct count was printed, and not read."""
        depth, count = len(known), known[-1]
        line = telling_line(heard, count)
        survey = Survey(depth, descriptor.total_format, patterns=descriptor.patterns, known=known)
        if any(map(survey.hear, heard)) and survey.total == count and is_read_alike(survey):
            if descriptor.end is None:
                return None
            never = f"no line of its answer matches 'end_re', {descriptor.end.text!r}"
            return UnparseableOutput(f"{self._name} ends no answer: it prints {line!r}, and {never}")
        start = ProbeAnswer(tuple(heard), count, depth, Position.start())
        if states_total(start):
            return None
        probes = ask_probes(partial(self._retry, descriptor, call), descriptor.min_depth)
        if is_usual(probes, needs_total=True):
            return None  # it counts the starting position incorrectly
        patterns = patterns_for(start, probes, asked, needs_total=True) if descriptor.patterns is None else None
        found = patterns and patterns.total
        total_re = found.text if found else total_re_for(line, count, depth, asked, probes)
        error = UnreadTotal(
            f"{self._name} writes its total in a way that we do not know: told {asked}, it prints {line!r}"
        )
        if total_re is not None:
            error.advice = in_descriptor(descriptor, total_re=total_re)
        if patterns is not None:
            error.descriptor = replace(descriptor, patterns=patterns)
        return error if error.advice or patterns else None

    def _retry(self, descriptor: Descriptor, call: EngineCall, position: Position, depth: int) -> list[str]:
        """Return what a new process prints about a position: up to `readyok` behind its count, or up to that."""
        setup = [*(["uci", "isready"] if descriptor.uci else []), *descriptor.setup]
        question, count = descriptor.lines(position.fen(), [], depth), perft(position, depth)
        is_counted = False

        def is_last(line: str) -> bool:
            nonlocal is_counted
            is_counted = is_counted or (has_count(line, count) and not has_one_move(line))
            return is_counted and (line.strip() == "readyok" or not descriptor.uci)

        lines = [*setup, *question, *(["isready"] if descriptor.uci else [])]
        return ask_once(self._name, descriptor.launch, lines, self._limits, call.step(SECONDS), is_last)
