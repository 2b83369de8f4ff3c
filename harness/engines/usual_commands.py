"""The search for the arguments with which a program counts that is started for each question.

Arguments are tried with positions without special moves, which even a program with incorrect castling counts correctly.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from .asking.runner import CallRunner
from .base import EngineError
from .call import EngineCall
from .command_words import join_words, split_words
from .stdio.asking_once import ask_once
from .stdio.attempts import CALLS, COUNTING_WORDS, SHALLOW_DEPTH
from .stdio.help_texts import arguments_in_usage, arguments_of_options
from .stdio.learned_patterns import has_count
from .stdio.output import printable
from .stdio.probing import PLAYED
from .stdio.process import ProcessLimits
from .stdio.sentinels import SENTINELS, START_COUNTS
from .types.program import SCRIPT, CommandTemplate, ProgramEngine

NEAR_FACTOR = 2
"""An incorrect number that differs from the count by less than this factor is taken for a count of the position."""
TRY_SECONDS = 5.0
"""Minimum time limit for a call of the program."""
HELP_SECONDS = 20.0
"""Time limit for its help, which shows how long the program takes to start."""
TIMES_LONGER = 4
"""Time limit for a call, as a multiple of the time that the help has taken."""
ENDLESS_TRIES, ENDLESS_SECONDS = 2, 0.3
"""If none of the first calls has ended, and so many have not, the time limit for all others is this short."""
ALL_SECONDS, ALL_STARTS = 60.0, 40
"""Minimum time limit for the whole search, and the number of starts of the program for which it suffices."""
SLOW_START = 2.0
"""If a program takes longer to start, the time limit of the search is printed."""


@dataclass(frozen=True)
class CommandAttempt:
    """The outcome of calling a program with some arguments."""

    arguments: str
    """What followed the program, with placeholders."""
    outcome: str
    """The outcome as a clause."""
    is_correct: bool = False
    """Whether the correct count of the position was read."""
    is_near: bool = False
    """Whether the count was incorrect, but close enough to be one of the position."""
    is_overdue: bool = False
    """Whether the program had not ended in time."""
    is_unread: bool = False
    """Whether the correct count is in a line that is not understood."""


class UsualCommands:
    """Calls one program with the usual arguments, one after the other."""

    def __init__(self, program: Sequence[str], limits: ProcessLimits | None = None) -> None:
        """Take the words that name an existing program, and the limits of its processes."""
        self._program, self._limits = tuple(program), limits or ProcessLimits()

    def command(self, arguments: str) -> str:
        """Return the complete command, as it follows `cmd:`."""
        return f"{join_words(self._program)} {arguments}"

    def search(self, runner: CallRunner, report_slow_start: Callable[[float, float], None]) -> Iterator[CommandAttempt]:
        """Yield attempts up to the first one with the correct count, read or not. Raises Interrupted.

        If the program takes long to start, `report_slow_start` is called with that time and the time limit for the
        search.
        """
        began = time.monotonic()
        named = runner.call(self._arguments_in_usage, HELP_SECONDS, self.command("--help"))
        start = time.monotonic() - began
        end = time.monotonic() + max(ALL_SECONDS, ALL_STARTS * start)
        if SLOW_START < start < HELP_SECONDS:
            report_slow_start(start, end - time.monotonic())
        enough = max(TRY_SECONDS, min(TIMES_LONGER * start, HELP_SECONDS))
        overdue, is_endless = 0, True
        tried: set[str] = set()
        for arguments in chain(named, CALLS, self._suggested(runner, enough)):
            seconds = ENDLESS_SECONDS if is_endless and overdue >= ENDLESS_TRIES else enough
            if time.monotonic() > end or len(tried) >= len(CALLS) <= overdue:
                return
            if arguments in tried:
                continue
            tried.add(arguments)
            attempt = runner.call(partial(self.attempt, arguments), seconds, self.command(arguments))
            yield attempt
            if attempt.is_correct or attempt.is_unread:
                return
            overdue += attempt.is_overdue
            is_endless = is_endless and attempt.is_overdue

    def attempt(self, arguments: str, call: EngineCall) -> CommandAttempt:
        """Call the program once or twice, each time with the time limit of the call."""
        program = self._open([*self._program, *split_words(arguments)])
        attempt = CommandAttempt(arguments, "")
        for fen in SENTINELS:  # a number that is correct in both positions is a count
            game = Game(Position.from_fen(fen))
            known, step = [perft(game.position, depth) for depth in range(1, SHALLOW_DEPTH + 1)], call.step()
            try:
                survey = program.survey(game, known, step)
            except EngineError as error:
                return CommandAttempt(arguments, str(error).removeprefix("it "), is_overdue=step.is_overdue)
            attempt = _judge(arguments, known[-1], survey.counts, survey.unread)
            if not attempt.is_correct and not attempt.is_unread:
                break
        return attempt

    def is_script(self, call: EngineCall) -> bool:
        """Return True if the program plays moves that follow depth and FEN, as in the perftree convention."""
        game = Game.from_uci(Position.start(), PLAYED)
        try:
            total = self._open([*self._program, *SCRIPT]).perft(game, SHALLOW_DEPTH, call)
        except EngineError:
            return False
        return total == perft(game.position, SHALLOW_DEPTH)

    def _open(self, words: Sequence[str]) -> ProgramEngine:
        return ProgramEngine("it", CommandTemplate.of_command(words), self._limits)

    def _suggested(self, runner: CallRunner, seconds: float) -> Iterator[str]:
        """Yield the arguments that the help suggests. The program is asked for it only when they are needed."""
        yield from runner.call(self._arguments_of_options, seconds, self.command("--help"))

    def _arguments_in_usage(self, call: EngineCall) -> list[str]:
        names = {name for word in self._program for name in (Path(word).name, Path(word).stem)}
        return list(dict.fromkeys(arguments_in_usage(self._help([], call), names)))

    def _arguments_of_options(self, call: EngineCall) -> list[str]:
        text = self._help([], call)
        words = [word for word in COUNTING_WORDS if re.search(rf"(?<![\w-]){word}(?![\w-])", text)][:1]
        text += "".join(self._help([word], call) for word in words)
        return list(arguments_of_options(text, words))

    def _help(self, words: list[str], call: EngineCall) -> str:
        """Return what the program prints for `--help`, on stdout and on stderr."""
        command = [*self._program, *words, "--help"]
        return "\n".join([*ask_once("it", command, [], self._limits, call, with_errors=True), ""])


def _judge(arguments: str, expected: int, counts: set[int], unread: Sequence[str]) -> CommandAttempt:
    """Return the outcome of a call that has printed these counts, and these lines that are not understood."""
    if expected in counts:
        return CommandAttempt(arguments, "correct count", is_correct=True)
    near = sorted(count for count in counts if expected / NEAR_FACTOR < count < expected * NEAR_FACTOR)
    if near:
        return CommandAttempt(arguments, f"incorrect count: {near[0]} instead of {expected}", is_near=True)
    if START_COUNTS[SHALLOW_DEPTH - 1] in counts:
        return CommandAttempt(arguments, "counts the starting position instead of the given one")
    line = next((line for line in unread if has_count(line, expected)), None)
    if line is not None:
        outcome = f"correct count, {expected}, in a line that is not understood: {printable(line)!r}"
        return CommandAttempt(arguments, outcome, is_unread=True)
    if counts:
        return CommandAttempt(arguments, f"prints {min(counts):,}, which is not a count of the position")
    return CommandAttempt(arguments, f"prints no count: {printable(unread[-1])!r}" if unread else "prints nothing")
