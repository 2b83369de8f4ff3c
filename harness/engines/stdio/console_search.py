"""Search for the counting commands of a program that reads stdin but does not support UCI.

Many attempts are sent to one process at once, each with a different position, whose count shows which one worked.
"""

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
"""Time limit in seconds for all attempts together, excluding process startup."""
WHOLE_SEARCH_SECONDS = 30.0
"""Time limit in seconds for all attempts together, including process startup."""
MOST_OFFERED = 6
"""Maximum number of cases from a help text to try, each in a separate process."""
ANSWER_SECONDS = 2.0
"""Time limit for answers while the program's stdin stays open."""
HELP_SECONDS = 1.0
"""Time limit for printing a help text after the process begins to read."""
_WHOLE_NUMBER = re.compile(r"(?<![0-9.,])[0-9]+(?![0-9]|[.,][0-9]|\s*(?:ms|[mu]?s\b|sec|[km]?nps))", re.IGNORECASE)
"""An integer that is neither a time nor a speed."""


@dataclass(frozen=True)
class _Attempt:
    """Lines with placeholders, and the position that they ask about."""

    lines: tuple[str, ...]
    position: Position

    def filled_lines(self) -> list[str]:
        fen = self.position.fen()
        return [line.replace("{fen}", fen).replace("{moves}", "").replace("{depth}", str(DEPTH)) for line in self.lines]

    def is_counted_in(self, lines: Sequence[str]) -> bool:
        """Return True if the output contains the correct count of the position."""
        count = str(perft(self.position, DEPTH))
        return any(count in _WHOLE_NUMBER.findall(line) for line in lines)


def find_console_case(name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall) -> Descriptor | None:
    """Return the descriptor of an engine that does not answer `uci`, or None if no attempt yields the correct count."""
    search = _ConsoleSearch(name, descriptor, limits, call)
    return next(filter(None, map(search.find, MODES)), None)


class _ConsoleSearch:
    """Makes attempts in new processes."""

    def __init__(self, name: str, descriptor: Descriptor, limits: ProcessLimits, call: EngineCall) -> None:
        self._name, self._descriptor, self._limits = name, descriptor, limits
        self._call, self._seconds_left = call, SEARCH_SECONDS
        self._ends_at = time.monotonic() + WHOLE_SEARCH_SECONDS

    def find(self, setup: Sequence[str]) -> Descriptor | None:
        """Return the descriptor of an engine that is sent the lines of `setup` at startup."""
        if (case := self._find_case(setup)) is None:
            return None
        return replace(self._descriptor, uci=False, setup=(*self._descriptor.setup, *setup), case=case)

    def _find_case(self, setup: Sequence[str]) -> str | None:
        attempts = list(_all_attempts())
        while correct := self._correct_attempts(setup, attempts):
            for attempt in correct:
                if (case := self._case_of(setup, attempt)) is not None:
                    return case
                attempts.remove(attempt)  # the number had another meaning
        if (case := self._find_offered_case(setup)) is not None:
            return case
        _, other = islice(_positions(), 2)
        for attempt in _single_attempts():  # the engine may exit at an unknown command
            case = self._case_of(setup, attempt) if self._correct_attempts(setup, [attempt]) else None
            both = [attempt, replace(attempt, position=other)]
            if case is not None and (
                case not in ANSWERS or self._correct_attempts(setup, both, ends_input=False) == both
            ):
                return case
        return None

    def _case_of(self, setup: Sequence[str], attempt: _Attempt) -> str | None:
        """Return the case of a successful attempt, reduced to the command that counts."""
        if (whole := "\n".join(attempt.lines)) in WHOLE_CASES + ANSWERS:
            return whole
        for command in COMMANDS:
            if self._correct_attempts(setup, [replace(attempt, lines=(attempt.lines[0], command))]):
                return f"{attempt.lines[0]}\n{command}"
        return None

    def _find_offered_case(self, setup: Sequence[str]) -> str | None:
        """Return a case built from commands in the engine's help text."""
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
        """Return attempts that yield the correct count. Reading stops early, so there may be others."""
        if self._call.stopped or self._seconds_left <= 0 or time.monotonic() > self._ends_at:
            return []
        lines = [*self._descriptor.setup, *setup, *(line for attempt in attempts for line in attempt.filled_lines())]
        step = self._call.step(self._seconds_left if ends_input else min(self._seconds_left, ANSWER_SECONDS))

        def is_count(line: str) -> bool:
            return any(attempt.is_counted_in([line]) for attempt in attempts[0 if ends_input else -1 :])

        output = ask_once(
            self._name, self._descriptor.launch, lines, self._limits, step, is_count, ends_input=ends_input
        )
        self._seconds_left -= step.seconds_spent
        return [attempt for attempt in attempts if attempt.is_counted_in(output)]


@cache
def _all_attempts() -> tuple[_Attempt, ...]:
    """Return all attempts, each with a different position: setup and counting commands, or both on one line."""
    setups = [(setup, *COMMANDS) for setup in SETUPS]
    lines = [*setups, *((case,) for case in WHOLE_CASES)]
    return tuple(_Attempt(*attempt) for attempt in zip(lines, islice(_positions(), len(lines)), strict=True))


def _single_attempts() -> Iterator[_Attempt]:
    """Yield the most common attempts, with one command each."""
    position = next(_positions())
    setups = (f"{setup}\n{command}" for setup in SETUPS[:4] for command in COMMANDS[:3])
    for case in (*ANSWERS, *setups, *WHOLE_CASES[:2]):
        yield _Attempt(tuple(case.split("\n")), position)


def _positions() -> Iterator[Position]:
    """Yield positions with different counts, none of which is likely to be printed as another number.

    They have no pawns or castling rights, so faults with these do not matter.
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
    """Ask an engine for help, and return the lines that it prints."""
    lines = [*descriptor.setup, *setup, *HELP_COMMANDS]
    return ask_once(name, descriptor.launch, lines, limits, call.step(HELP_SECONDS))
