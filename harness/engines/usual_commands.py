"""By which call a program counts that is started for each question.

Each is tried with positions that need no special rule: a program whose castling is incorrect counts there as it should.
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
from .stdio.help_texts import calls_in, ways_by
from .stdio.output import printable
from .stdio.probing import PLAYED
from .stdio.process import ProcessLimits
from .stdio.sentinels import SENTINELS, START_COUNTS
from .stdio.total_patterns import has_count
from .types.program import SCRIPT, Arguments, ProgramEngine

FACTOR = 2
"""A count that is wrong by less than this factor is one of the position, and not some other number."""


TRY_SECONDS = 5.0
"""Time for one way to call a program, at least."""
HELP_SECONDS = 20.0
"""Time for the help of a program, which shows how long it takes to start."""
TIMES_LONGER = 4
"""A way to call a program has so many times the time that its help has taken."""
ENDLESS_TRIES, ENDLESS_SECONDS = 2, 0.3
"""Where so many tries have not ended, and none has, others have no more time than that."""
ALL_SECONDS, ALL_STARTS = 60.0, 40
"""Time for all ways together, at least, and the starts of the program for which it suffices."""
SLOW_START = 2.0
"""If a program takes longer to start, the time for all ways is printed."""


@dataclass(frozen=True)
class CommandAttempt:
    """One way to call a program, and what came of it."""

    way: str
    """What followed the program, with places."""
    outcome: str
    """What came, as a sentence."""
    is_correct: bool = False
    """Whether it was the correct count of the position."""
    is_near: bool = False
    """Whether the count was incorrect, but close enough to be one of the position."""
    is_overdue: bool = False
    """Whether it had not ended in time."""
    is_unread: bool = False
    """Whether the correct count is there, in a line that is not understood."""


class UsualCommands:
    """Tries the usual ways to call one program, one at a time."""

    def __init__(self, program: Sequence[str], limits: ProcessLimits | None = None) -> None:
        """Take the words that name the program, which is here."""
        self._program, self._limits = tuple(program), limits or ProcessLimits()

    def command(self, way: str) -> str:
        """Return the whole command, as it follows `cmd:`."""
        return f"{join_words(self._program)} {way}"

    def attempt(self, way: str, call: EngineCall) -> CommandAttempt:
        """Call the program once or twice, each time with the time limit of the call."""
        program = self._open([*self._program, *split_words(way)])
        attempt = CommandAttempt(way, "")
        for fen in SENTINELS:  # a number that is right twice is no other number
            game = Game(Position.from_fen(fen))
            known, step = [perft(game.position, depth) for depth in range(1, SHALLOW_DEPTH + 1)], call.step()
            try:
                survey = program.survey(game, known, step)
            except EngineError as error:
                return CommandAttempt(way, str(error).removeprefix("it "), is_overdue=step.is_overdue)
            attempt = _judge(way, known[-1], survey.counts, survey.unread)
            if not attempt.is_correct and not attempt.is_unread:
                break
        return attempt

    def is_script(self, call: EngineCall) -> bool:
        """Return True if the program plays the moves that follow depth and FEN, as perftree calls its scripts."""
        game = Game.from_uci(Position.start(), PLAYED)
        try:
            total = self._open([*self._program, *SCRIPT]).perft(game, SHALLOW_DEPTH, call)
        except EngineError:
            return False
        return total == perft(game.position, SHALLOW_DEPTH)

    def _open(self, words: Sequence[str]) -> ProgramEngine:
        return ProgramEngine("it", Arguments.of_command(words), self._limits)

    def ways_of_usage(self, call: EngineCall) -> list[str]:
        """Return the ways that the program itself names, in its help or when it is called wrongly."""
        names = {name for word in self._program for name in (Path(word).name, Path(word).stem)}
        return list(dict.fromkeys(calls_in(self._help([], call), names)))

    def ways_of_help(self, call: EngineCall) -> list[str]:
        """Return ways that the help of the program suggests, by the names and the descriptions of its options."""
        text = self._help([], call)
        words = [word for word in COUNTING_WORDS if re.search(rf"(?<![\w-]){word}(?![\w-])", text)][:1]
        text += "".join(self._help([word], call) for word in words)
        return list(ways_by(text, words))

    def _help(self, words: list[str], call: EngineCall) -> str:
        """Return what the program says to `--help`, on both its outputs."""
        command = [*self._program, *words, "--help"]
        return "\n".join([*ask_once("it", command, [], self._limits, call, with_errors=True), ""])


def search(
    usual: UsualCommands, runner: CallRunner, tell_slow: Callable[[float, float], None]
) -> Iterator[CommandAttempt]:
    """Yield attempts up to the first one that is right, understood or not. Raises Interrupted.

    `tell_slow` is called if the program takes long to start, with that time and the time for all ways.
    """
    began = time.monotonic()
    named = runner.call(usual.ways_of_usage, HELP_SECONDS, usual.command("--help"))
    start = time.monotonic() - began
    end = time.monotonic() + max(ALL_SECONDS, ALL_STARTS * start)
    if SLOW_START < start < HELP_SECONDS:
        tell_slow(start, end - time.monotonic())
    enough = max(TRY_SECONDS, min(TIMES_LONGER * start, HELP_SECONDS))
    overdue, is_endless = 0, True
    tried: set[str] = set()
    for way in chain(named, CALLS, _suggested(usual, runner, enough)):
        seconds = ENDLESS_SECONDS if is_endless and overdue >= ENDLESS_TRIES else enough
        if time.monotonic() > end or len(tried) >= len(CALLS) <= overdue:
            return
        if way in tried:
            continue
        tried.add(way)
        attempt = runner.call(partial(usual.attempt, way), seconds, usual.command(way))
        yield attempt
        if attempt.is_correct or attempt.is_unread:
            return
        overdue += attempt.is_overdue
        is_endless = is_endless and attempt.is_overdue


def _suggested(usual: UsualCommands, runner: CallRunner, seconds: float) -> Iterator[str]:
    """Yield the ways that the help of the program suggests. It is asked for it once they are wanted."""
    yield from runner.call(usual.ways_of_help, seconds, usual.command("--help"))


def _judge(way: str, right: int, counts: set[int], lines: Sequence[str]) -> CommandAttempt:
    """Return what to say about the counts that a program prints, or about its lines if there are none."""
    if right in counts:
        return CommandAttempt(way, "counts right", is_correct=True)
    near = sorted(count for count in counts if right / FACTOR < count < right * FACTOR)
    if near:
        return CommandAttempt(way, f"counts wrong: {near[0]} instead of {right}", is_near=True)
    if START_COUNTS[SHALLOW_DEPTH - 1] in counts:
        return CommandAttempt(way, "counts the starting position, and not the one that it is given")
    unread = next((line for line in lines if has_count(line, right)), None)
    if unread is not None:
        outcome = f"has the right count, {right}, in a line that is not understood: {printable(unread)!r}"
        return CommandAttempt(way, outcome, is_unread=True)
    if counts:
        return CommandAttempt(way, f"prints {min(counts):,}, which is no count of the position")
    return CommandAttempt(way, f"prints no count: {printable(lines[-1])!r}" if lines else "prints nothing")
