"""Why an engine that was asked a question has given no answer that is understood.

It is asked the same once more, and then its input ends: a program then prints what it has kept in a buffer.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice, product
from pathlib import Path
from typing import Any

from ....generator.counting.perft import perft
from ....generator.position import Position, read_fen
from ..base import EngineCrash, EngineError, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..command_words import as_typed, join_words
from ..spec import EngineSpec
from .answer_forms import has_one_move, is_read_alike, is_usual, patterns_for, probe, states_total
from .console_help import ASKED_FOR_HELP, cases_in
from .descriptor import Descriptor
from .lines import root_move
from .process import Process, ProcessLimits
from .total_patterns import ProbeAnswer, has_count, telling_line, total_re_for
from .transcript import MOST_LINES, Survey

COMMANDS = (
    "perft {depth}",
    "go perft {depth}",
    "divide {depth}",
    "perftdiv {depth}",
    "perftsplit {depth}",
    "d {depth}",
)
"""How they are asked to count the position that is set up."""
SETUPS = (
    "position fen {fen}{moves}", "setboard {fen}", "position {fen}", "fen {fen}", "setfen {fen}",
    "load {fen}", "loadfen {fen}", "load fen {fen}", "setpos {fen}", "setposition {fen}", "pos {fen}", "board {fen}",
    "setup {fen}", "set {fen}",
)  # fmt: skip
"""How they are told a position."""
WHOLE_CASES = (
    "perft {depth} {fen}", "perft {fen} {depth}", "perft {depth} fen {fen}", "go perft {depth} {fen}",
    "divide {depth} {fen}", "{depth} {fen}", "{fen} {depth}", "{fen};{depth}",
)  # fmt: skip
"""How they are told both on one line."""
ANSWERS = ("{fen}\n{depth}", "{depth}\n{fen}")
"""How they are told both if they ask for the one and then for the other."""
MODES = ((), ("xboard", "force"))
"""What may have to be said at the start."""
DEPTH = 2
SEARCH_SECONDS = 6.0
"""Time for all attempts together, from where each process has begun to read."""
WHOLE_SEARCH_SECONDS = 30.0
"""After this time, with that for starting the processes, nothing more is tried."""
_WHOLE_NUMBER = re.compile(r"(?<![0-9.,])[0-9]+(?![0-9]|[.,][0-9]|\s*(?:ms|[mu]?s\b|sec|[km]?nps))", re.IGNORECASE)
"""A whole number that is no time and no speed."""


@dataclass(frozen=True)
class _Way:
    """One way to ask about a position."""

    lines: tuple[str, ...]
    position: Position

    def filled_lines(self) -> list[str]:
        """Return the lines, filled in."""
        fen = self.position.fen()
        return [line.replace("{fen}", fen).replace("{moves}", "").replace("{depth}", str(DEPTH)) for line in self.lines]

    def is_counted_in(self, lines: Sequence[str]) -> bool:
        """Tell whether the right count of the position is there."""
        count = str(perft(self.position, DEPTH))
        return any(count in _WHOLE_NUMBER.findall(line) for line in lines)


def find_plain_case(name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall) -> Descriptor | None:
    """Return how an engine is asked that does not answer `uci`, None where it understands none of these ways."""
    search = _PlainSearch(name, descriptor, limits, call)
    for setup in MODES:
        if (found := search.find(setup)) is not None:
            return found
    return None


class _PlainSearch:
    """Asks in these ways, each time by a process of its own."""

    def __init__(self, name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall) -> None:
        self._name, self._descriptor, self._limits = name, descriptor, limits
        self._call, self._seconds_left = call, SEARCH_SECONDS
        self._ends_at = time.monotonic() + WHOLE_SEARCH_SECONDS

    def find(self, setup: Sequence[str]) -> Descriptor | None:
        """Return how the engine is asked once it has been told some lines."""
        ways = list(_all_ways())
        while right := self._right_ways(setup, ways):
            for way in right:
                if (case := self._find_case(setup, way)) is not None:
                    return self._describe(setup, case)
                ways.remove(way)  # some other number was the same as its count
        if (case := self._find_offered_case(setup)) is not None:
            return self._describe(setup, case)
        _, other = islice(_positions(), 2)
        for way in _each_way():  # it may end at what it does not know
            case = self._find_case(setup, way) if self._right_ways(setup, [way]) else None
            both = [way, replace(way, position=other)]
            if case is not None and (case not in ANSWERS or self._right_ways(setup, both, ends_input=False) == both):
                return self._describe(setup, case)
        return None

    def _describe(self, setup: Sequence[str], case: str) -> Descriptor:
        return replace(self._descriptor, uci=False, setup=(*self._descriptor.setup, *setup), case=case)

    def _find_case(self, setup: Sequence[str], way: _Way) -> str | None:
        """Return what is sent for a case in one way, with the command that gets the right count."""
        if (whole := "\n".join(way.lines)) in WHOLE_CASES + ANSWERS:
            return whole
        for command in COMMANDS:
            if self._right_ways(setup, [replace(way, lines=(way.lines[0], command))]):
                return f"{way.lines[0]}\n{command}"
        return None

    def _find_offered_case(self, setup: Sequence[str]) -> str | None:
        """Return what is sent for a case by commands that the engine names in its help."""
        cases = cases_in(ask_for_help(self._name, self._descriptor, self._limits, self._call, setup))
        ways = [_Way(tuple(case.split("\n")), one) for case, one in zip(cases, _positions(), strict=False)]
        other, another = islice(_positions(), 2)
        for way in [*self._right_ways(setup, ways), *ways[:MOST_OFFERED]] if ways else []:
            both = [replace(way, position=other), replace(way, position=another)]
            if self._right_ways(setup, both, ends_input=False) == both:
                return "\n".join(way.lines)
        return None

    def _right_ways(self, setup: Sequence[str], ways: Sequence[_Way], *, ends_input: bool = True) -> list[_Way]:
        """Return the ways in which the engine gives the right count, the first ones at least."""
        if self._call.stopped or self._seconds_left <= 0 or time.monotonic() > self._ends_at:
            return []
        lines = [*self._descriptor.setup, *setup, *(line for way in ways for line in way.filled_lines())]
        step = self._call.step(self._seconds_left if ends_input else min(self._seconds_left, SECONDS))

        def is_count(line: str) -> bool:
            return any(way.is_counted_in([line]) for way in ways[0 if ends_input else -1 :])

        heard = ask_once(
            self._name, self._descriptor.launch, lines, self._limits, step, is_count, ends_input=ends_input
        )
        self._seconds_left -= step.seconds_spent
        return [way for way in ways if way.is_counted_in(heard)]


@cache
def _all_ways() -> tuple[_Way, ...]:
    """Return all ways, each with a position of its own: set up, all commands; and what asks on one line."""
    setups = [(setup, *COMMANDS) for setup in SETUPS]
    lines = [*setups, *((case,) for case in WHOLE_CASES)]
    return tuple(_Way(*way) for way in zip(lines, islice(_positions(), len(lines)), strict=True))


def _each_way() -> Iterator[_Way]:
    """Yield the most usual ways, one command at a time."""
    position = next(_positions())
    setups = (f"{setup}\n{command}" for setup in SETUPS[:4] for command in COMMANDS[:3])
    for case in (*ANSWERS, *setups, *WHOLE_CASES[:2]):
        yield _Way(tuple(case.split("\n")), position)


def _positions() -> Iterator[Position]:
    """Yield positions that have different counts, without pawns and castling: what is wrong about those stays unseen.

    None of the counts is a number that is likely to be printed otherwise.
    """
    counts = {100, 128}
    for rank, file in product(range(1, 6), range(8)):
        ranks = ["k6n", *["8"] * 5, "1N4R1", "7K"]
        ranks[rank] = f"{file or ''}Q{7 - file or ''}"
        position = read_fen(f"{'/'.join(ranks)} w - - 0 1")
        count = perft(position, DEPTH) if isinstance(position, Position) else 0
        if isinstance(position, Position) and count > 64 and count not in counts:
            counts.add(count)
            yield position


MOST_OFFERED = 6
"""Commands of a help that are tried one at a time, each in a process of its own."""
HELP_SECONDS = 1.0
"""Time for a help, once the process reads."""


def ask_once(
    name: str,
    launch: Sequence[str],
    lines: Sequence[str],
    limits: ProcessLimits,
    call: EngineCall,
    is_last: Callable[[str], bool],
    *,
    ends_input: bool = True,
) -> list[str]:
    """Start a program, write lines, end its input, and return what it prints, without colors and prompts.

    That is up to a line that `is_last`, or as much as there is until it ends or the time is over. Nothing of it is left
    then. A program that cannot be started prints nothing.
    """
    heard: list[str] = []
    try:
        process = Process(name, list(launch), limits)
    except EngineCrash:
        return heard
    call.on_stop(process.interrupt)
    try:
        process.send(lines, call)
        process.await_start(call)
        if ends_input:
            process.end_input()
        while len(heard) < MOST_LINES and (line := process.read(call)) is not None:
            heard.append(line)
            if is_last(line):
                break
    except EngineError:
        pass  # it has ended, or not in time, or floods: what it has printed is enough
    finally:
        process.kill()
    return heard


def ask_for_help(
    name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall, setup: Sequence[str] = ()
) -> list[str]:
    """Return the lines that an engine prints if it is asked for help."""
    lines = [*descriptor.setup, *setup, *ASKED_FOR_HELP]
    return ask_once(name, descriptor.launch, lines, limits, call.step(HELP_SECONDS), lambda _: False)


_NO_FILE_NAME = re.compile(r"[^\w.-]+")
"""What a file is not called by that users are to type."""
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
    """Return the command that starts a program so that it writes each line at once, if anything from outside does."""
    if _IN_PYTHON.fullmatch(Path(command[0]).name):
        return [command[0], "-u", *command[1:]]
    return ["stdbuf", "-oL", *command]


def launch_without_buffer(descriptor: Descriptor) -> str:
    """Return, as a clause, how perft-check starts a program so."""
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
    """Looks for the reason. Nothing of what it starts is left when it returns."""

    def __init__(self, name: str, limits: ProcessLimits) -> None:
        """Take the engine's name and the limits of its process."""
        self._name, self._limits = name, limits

    def of_silence(self, descriptor: Descriptor, call: EngineCall) -> bool:
        """Tell whether an engine that has not answered `uci` answers it later. Raises Unflushed."""
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
        """Return what to raise about an engine whose answer to a question has not been read, None where nothing can be
        said: it may be slow.

        `heard` are the lines that it has printed, `known` the right counts up to the depth that was asked for.
        """
        lines, heard = [*(["uci", "isready"] if descriptor.uci else []), *descriptor.setup, *question], list(heard)

        def is_right(line: str) -> bool:
            return has_count(line, known[-1])

        is_there = any(map(is_right, heard))
        if is_there or any(root_move(line) is not None for line in heard):
            unread = self._unread(descriptor, question[-1], heard, known, call)
            if is_there or unread is not None:
                return unread
        return self._look_for_buffer(descriptor, lines, is_right, call)[1]

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
        """Return what to raise where the right count was printed, and not read."""
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
        probes = probe(partial(self._ask_anew, descriptor, call), descriptor.min_depth)
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

    def _ask_anew(self, descriptor: Descriptor, call: EngineCall, position: Position, depth: int) -> list[str]:
        """Return what a new process prints about a position: up to `readyok` behind its count, or up to that."""
        setup = [*(["uci", "isready"] if descriptor.uci else []), *descriptor.setup]
        question, count = descriptor.lines(position.fen(), [], depth, 1), perft(position, depth)
        is_counted = False

        def is_last(line: str) -> bool:
            nonlocal is_counted
            is_counted = is_counted or (has_count(line, count) and not has_one_move(line))
            return is_counted and (line.strip() == "readyok" or not descriptor.uci)

        lines = [*setup, *question, *(["isready"] if descriptor.uci else [])]
        return ask_once(self._name, descriptor.launch, lines, self._limits, call.step(SECONDS), is_last)
