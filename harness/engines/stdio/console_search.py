"""How a program that reads its stdin, and speaks no UCI, is asked: all attempts at once, each with its own position."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product

from ....generator.counting.perft import perft
from ....generator.position import Position, read_fen
from ..call import EngineCall
from .asking_once import ask_once
from .attempts import ANSWERS, COMMANDS, MODES, SETUPS, WHOLE_CASES
from .descriptor import Descriptor
from .help_texts import HELP_COMMANDS, cases_in
from .process import ProcessLimits

DEPTH = 2
SEARCH_SECONDS = 6.0
"""Time for all attempts together, from where each process has begun to read."""
WHOLE_SEARCH_SECONDS = 30.0
"""After this time, with that for starting the processes, nothing more is tried."""
MOST_OFFERED = 6
"""Commands of a help that are tried one at a time, each in a process of its own."""
ANSWER_SECONDS = 2.0
"""Time for the answers of a program whose input goes on."""
HELP_SECONDS = 1.0
"""Time for a help, once the process reads."""
_WHOLE_NUMBER = re.compile(r"(?<![0-9.,])[0-9]+(?![0-9]|[.,][0-9]|\s*(?:ms|[mu]?s\b|sec|[km]?nps))", re.IGNORECASE)
"""A whole number that is no time and no speed."""


@dataclass(frozen=True)
class _Attempt:
    """One attempt to ask about a position."""

    lines: tuple[str, ...]
    position: Position

    def filled_lines(self) -> list[str]:
        """Return the lines, filled in."""
        fen = self.position.fen()
        return [line.replace("{fen}", fen).replace("{moves}", "").replace("{depth}", str(DEPTH)) for line in self.lines]

    def is_counted_in(self, lines: Sequence[str]) -> bool:
        """Return True if the correct count of the position is there."""
        count = str(perft(self.position, DEPTH))
        return any(count in _WHOLE_NUMBER.findall(line) for line in lines)


def find_console_case(name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall) -> Descriptor | None:
    """Return how an engine is asked that does not answer `uci`; None if no attempt gets the correct count."""
    search = _ConsoleSearch(name, descriptor, limits, call)
    for setup in MODES:
        if (found := search.find(setup)) is not None:
            return found
    return None


class _ConsoleSearch:
    """Makes the attempts, each time in a process of its own."""

    def __init__(self, name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall) -> None:
        self._name, self._descriptor, self._limits = name, descriptor, limits
        self._call, self._seconds_left = call, SEARCH_SECONDS
        self._ends_at = time.monotonic() + WHOLE_SEARCH_SECONDS

    def find(self, setup: Sequence[str]) -> Descriptor | None:
        """Return how the engine is asked after it was sent the lines of `setup`."""
        attempts = list(_all_attempts())
        while correct := self._correct_attempts(setup, attempts):
            for attempt in correct:
                if (case := self._find_case(setup, attempt)) is not None:
                    return self._describe(setup, case)
                attempts.remove(attempt)  # some other number was the same as its count
        if (case := self._find_offered_case(setup)) is not None:
            return self._describe(setup, case)
        _, other = islice(_positions(), 2)
        for attempt in _each_attempt():  # it may end at what it does not know
            case = self._find_case(setup, attempt) if self._correct_attempts(setup, [attempt]) else None
            both = [attempt, replace(attempt, position=other)]
            if case is not None and (
                case not in ANSWERS or self._correct_attempts(setup, both, ends_input=False) == both
            ):
                return self._describe(setup, case)
        return None

    def _describe(self, setup: Sequence[str], case: str) -> Descriptor:
        return replace(self._descriptor, uci=False, setup=(*self._descriptor.setup, *setup), case=case)

    def _find_case(self, setup: Sequence[str], attempt: _Attempt) -> str | None:
        """Return what an attempt sends for a case, with the command that gets the correct count."""
        if (whole := "\n".join(attempt.lines)) in WHOLE_CASES + ANSWERS:
            return whole
        for command in COMMANDS:
            if self._correct_attempts(setup, [replace(attempt, lines=(attempt.lines[0], command))]):
                return f"{attempt.lines[0]}\n{command}"
        return None

    def _find_offered_case(self, setup: Sequence[str]) -> str | None:
        """Return what is sent for a case by commands that the engine names in its help."""
        cases = cases_in(ask_for_help(self._name, self._descriptor, self._limits, self._call, setup))
        attempts = [_Attempt(tuple(case.split("\n")), one) for case, one in zip(cases, _positions(), strict=False)]
        other, another = islice(_positions(), 2)
        for attempt in [*self._correct_attempts(setup, attempts), *attempts[:MOST_OFFERED]] if attempts else []:
            both = [replace(attempt, position=other), replace(attempt, position=another)]
            if self._correct_attempts(setup, both, ends_input=False) == both:
                return "\n".join(attempt.lines)
        return None

    def _correct_attempts(
        self, setup: Sequence[str], attempts: Sequence[_Attempt], *, ends_input: bool = True
    ) -> list[_Attempt]:
        """Return the attempts that get the correct count, the first ones at least."""
        if self._call.stopped or self._seconds_left <= 0 or time.monotonic() > self._ends_at:
            return []
        lines = [*self._descriptor.setup, *setup, *(line for attempt in attempts for line in attempt.filled_lines())]
        step = self._call.step(self._seconds_left if ends_input else min(self._seconds_left, ANSWER_SECONDS))

        def is_count(line: str) -> bool:
            return any(attempt.is_counted_in([line]) for attempt in attempts[0 if ends_input else -1 :])

        heard = ask_once(
            self._name, self._descriptor.launch, lines, self._limits, step, is_count, ends_input=ends_input
        )
        self._seconds_left -= step.seconds_spent
        return [attempt for attempt in attempts if attempt.is_counted_in(heard)]


@cache
def _all_attempts() -> tuple[_Attempt, ...]:
    """Return all attempts, each with a position of its own: set up, all commands; and what asks on one line."""
    setups = [(setup, *COMMANDS) for setup in SETUPS]
    lines = [*setups, *((case,) for case in WHOLE_CASES)]
    return tuple(_Attempt(*attempt) for attempt in zip(lines, islice(_positions(), len(lines)), strict=True))


def _each_attempt() -> Iterator[_Attempt]:
    """Yield the most usual attempts, one command at a time."""
    position = next(_positions())
    setups = (f"{setup}\n{command}" for setup in SETUPS[:4] for command in COMMANDS[:3])
    for case in (*ANSWERS, *setups, *WHOLE_CASES[:2]):
        yield _Attempt(tuple(case.split("\n")), position)


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


def ask_for_help(
    name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall, setup: Sequence[str] = ()
) -> list[str]:
    """Return the lines that an engine prints if it is asked for help."""
    lines = [*descriptor.setup, *setup, *HELP_COMMANDS]
    return ask_once(name, descriptor.launch, lines, limits, call.step(HELP_SECONDS))
