"""Find the arguments that a program takes, for programs that are started for each question.

Arguments are tried with positions without special moves, so that faults in castling, for example, do not matter.
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
"""A number within this factor of the correct count is considered an incorrect count of the position."""
TRY_SECONDS = 5.0
"""Minimum time limit for a call to the program."""
HELP_SECONDS = 20.0
"""Time limit for printing the help text, which also measures the program's startup time."""
TIMES_LONGER = 4
"""Time limit for a call, as a multiple of the time taken to print the help text."""
ENDLESS_TRIES, ENDLESS_SECONDS = 2, 0.3
"""If the first `ENDLESS_TRIES` calls all time out, the limit for the remaining calls is `ENDLESS_SECONDS`."""
ALL_SECONDS, ALL_STARTS = 60.0, 40
"""Minimum time limit for the whole search, and the number of program starts that the limit allows for."""
SLOW_START = 2.0
"""Startup time in seconds above which the time limit of the search is reported to the user."""


@dataclass(frozen=True)
class CommandAttempt:
    """The outcome of calling a program with some arguments."""

    arguments: str
    """The arguments, with placeholders."""
    outcome: str
    """The outcome as a clause."""
    is_correct: bool = False
    """Whether the correct count of the position was read."""
    is_near: bool = False
    """Whether an incorrect count that is close to the correct one was read."""
    is_overdue: bool = False
    """Whether the program did not exit in time."""
    is_unread: bool = False
    """Whether the correct count was printed in a line that could not be parsed."""


class UsualCommands:
    """Tries common arguments on a program, one after the other."""

    def __init__(self, program: Sequence[str]) -> None:
        """Store the command of an existing program."""
        self._program, self._limits = tuple(program), ProcessLimits()

    def command(self, arguments: str) -> str:
        """Return the complete command, as used after `cmd:`."""
        return f"{join_words(self._program)} {arguments}"

    def search(self, runner: CallRunner, report_slow_start: Callable[[float, float], None]) -> Iterator[CommandAttempt]:
        """Yield attempts until one prints the correct count, whether it could be parsed or not. Raises Interrupted.

        If the program starts slowly, `report_slow_start` is called with the startup time and the time limit for the
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
        for fen in SENTINELS:  # a number that is correct for both positions is a count
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
        """Return True if the program plays moves given after depth and FEN, as in the perftree convention."""
        game = Game.from_uci(Position.start(), PLAYED)
        try:
            total = self._open([*self._program, *SCRIPT]).perft(game, SHALLOW_DEPTH, call)
        except EngineError:
            return False
        return total == perft(game.position, SHALLOW_DEPTH)

    def _open(self, words: Sequence[str]) -> ProgramEngine:
        return ProgramEngine("it", CommandTemplate.of_command(words), self._limits)

    def _suggested(self, runner: CallRunner, seconds: float) -> Iterator[str]:
        """Yield the arguments that the help text suggests. The text is only requested when iteration begins."""
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
        """Return the output for `--help`, from stdout and stderr."""
        command = [*self._program, *words, "--help"]
        return "\n".join([*ask_once("it", command, [], self._limits, call, with_errors=True), ""])


def _judge(arguments: str, expected: int, counts: set[int], unread: Sequence[str]) -> CommandAttempt:
    """Return the outcome of a call, given the counts and the unparsed lines that were printed."""
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
