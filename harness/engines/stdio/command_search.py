"""Search for the counting command of a UCI engine. Each command is tried in a new process."""

from __future__ import annotations

import math
from dataclasses import replace

from ....generator.game import Game
from ....generator.position import Position
from ..base import EngineError, EngineFlood, EngineTimeout, UnparseableOutput
from ..call import EngineCall
from ..uci_options import UciOption
from .attempts import (
    NEW_GAME,
    PROBE_DEPTH,
    QUICK_SECONDS,
    SETUPS,
    SHALLOW_DEPTH,
    UCI_COMMANDS,
    WHOLE_CASES,
)
from .command_probe import Attempt, CommandProbe
from .console_search import find_console_case
from .conversation import Idle, NoHandshake
from .descriptor import Descriptor
from .learned_patterns import has_count, is_read_alike, telling_line
from .output import printable
from .sentinels import SENTINEL_COUNTS, SENTINELS, START_COUNTS
from .transcript import Transcript

LEAST_COUNTS = {SHALLOW_DEPTH: 100, PROBE_DEPTH: 1000}
"""Minimum plausible count of the starting position, by depth. A smaller number has another meaning, or is the count at
a smaller depth.
"""
SEARCH_LINES = ("info depth D ... nodes N", "info nodes N")
"""Formats of totals in some engines. Engines that treat `go perft` as `go` print the nodes of a search in these
formats."""
GREETING_SECONDS = 2.0
"""Time limit for the answer to `uci`, at most half of the overall limit. If it expires, the engine may not support UCI.
"""
AFTER_A_FLOOD = 0.5
"""Time limit in seconds for each command after a flood, so that the flood is reported soon."""
AFTER_SILENCE = 2.5
"""Time limit for other commands if the engine was busy with the most common one but did not answer."""


def greet(probe: CommandProbe, descriptor: Descriptor, call: EngineCall) -> Descriptor:
    """Start the engine and return its descriptor. Raises EngineError.

    If the engine does not answer `uci` soon, other processes are used to test whether its answer stays in a buffer, and
    whether it counts without UCI. The latter is not tried if the user has written `uci:` or set options. A slow engine
    is then started again, with the full time limit.
    """
    if not descriptor.uci:
        return descriptor
    try:
        probe.start(descriptor, call, min(GREETING_SECONDS, (call.seconds or math.inf) / 2))
    except NoHandshake as error:
        if error.has_greeted or not error.reads:
            raise
        is_uci = descriptor.spec.startswith("uci:") or any(map(UciOption.of_line, descriptor.setup))
        if not probe.answers_uci_late(descriptor, call) and not is_uci and "{command}" in descriptor.case:
            plain = find_console_case(probe.name, descriptor, probe.limits, call)
            if plain is not None:
                return plain
        probe.start(descriptor, call)
    return descriptor


class CommandSearch:
    """Tries commands, and records the attempts. Methods raise EngineError.

    Each command gets a new process, because the previous one may still be searching.
    """

    def __init__(self, probe: CommandProbe) -> None:
        """Store the probe that asks the engine."""
        self._probe, self._name = probe, probe.name
        self._begin()

    def find(self, descriptor: Descriptor, call: EngineCall) -> tuple[Descriptor, Transcript]:
        """Return the engine's descriptor with the counting command, and the answer to it.

        That is the first command with which the engine counts the starting position correctly, or else the first one
        with which it counts at all. Engines that mention `ucinewgame` are sent it at startup.
        """
        for depth in (PROBE_DEPTH, SHALLOW_DEPTH):
            self._begin()
            unread: UnparseableOutput | None = None
            for command in UCI_COMMANDS:
                attempt = self._try(descriptor.with_command(command), command, depth, call)
                try:
                    learned = self._learn(attempt, call)
                except UnparseableOutput as error:  # the answer to another command may be in a known format
                    unread = unread or error
                    self._probe.discard()
                    continue
                if learned is not None:
                    return learned, self._probe.ask(learned, depth, call)
                if attempt.is_correct and attempt.answer is not None:
                    self._check_flushing(attempt, call)
                    return self._with_position(attempt.descriptor, command, call), attempt.answer
                if self._is_endless:
                    break  # the engine supports the command, or treats it as a command that never ends
                self._probe.discard()
            self._probe.discard()
            for attempt in self._attempts.values() if unread is None else ():
                if attempt.answer is not None and attempt.error is None:
                    return attempt.descriptor, attempt.answer
            if unread is not None or self._most_seconds == AFTER_A_FLOOD or not self._may_be_slow:
                break
        lines = [line for attempt in self._attempts.values() for line in attempt.lines]
        if NEW_GAME not in descriptor.setup and any(NEW_GAME in line for line in lines):
            return self.find(replace(descriptor, setup=(*descriptor.setup, NEW_GAME)), call)
        if unread is not None:
            raise unread
        return self._try_by_name(descriptor, self._not_understood(depth), call)

    def _begin(self) -> None:
        self._attempts: dict[str, Attempt] = {}
        """The attempts at one depth, by command. Those that do not count have an error."""
        self._most_seconds = math.inf
        self._is_endless = False

    def _try(self, descriptor: Descriptor, command: str, depth: int, call: EngineCall) -> Attempt:
        """Ask with a command, and return the attempt, with an error if the answer is not a count."""
        attempt = self._probe.attempt(descriptor, depth, call, self._most_seconds)
        error = attempt.error
        if attempt.answer is not None and not _is_count(attempt):
            error = self._no_count(command, depth, attempt.answer)
        elif isinstance(error, EngineFlood):
            self._most_seconds = AFTER_A_FLOOD
        elif command == UCI_COMMANDS[0] and _is_busy(error):
            self._most_seconds = AFTER_SILENCE
            self._is_endless = depth == SHALLOW_DEPTH
        self._attempts[command] = replace(attempt, error=error)
        return self._attempts[command]

    def _learn(self, attempt: Attempt, call: EngineCall) -> Descriptor | None:
        """Return the descriptor with patterns that parse the total, if it was not parsed and there are any.

        The question is only repeated if the engine is ready or has printed part of an answer. Raises UnparseableOutput
        if no pattern parses it, and EngineError with the reason if no command can help.
        """
        is_misread = isinstance(attempt.error, UnparseableOutput) and attempt.has_moves
        if attempt.answer is not None and attempt.is_correct:
            is_unread = not is_read_alike(attempt.answer)
        else:
            is_unread = isinstance(attempt.error, Idle) or is_misread or attempt.has_count
        return self._probe.find_reason(attempt, call) if is_unread else None

    def _check_flushing(self, attempt: Attempt, call: EngineCall) -> None:
        """If the engine answered only after `isready`, ask without it, in case only `isready` flushes the output.

        A slow engine answers when it is given twice as much time. Raises NotReceived.
        """
        conversation, start = self._probe.conversation, Position.start()
        if conversation is None or not conversation.was_prompted:
            return
        for seconds in (QUICK_SECONDS, 2 * QUICK_SECONDS):
            conversation.begin(start, call)
            conversation.send(self._probe.question(attempt.descriptor, SHALLOW_DEPTH), call)
            try:
                if not conversation.process.is_silent(seconds, call):
                    conversation.listen(SHALLOW_DEPTH, call.step(QUICK_SECONDS))
                    return
                conversation.send(["isready"], call)
                lines = [*conversation.lines_until("readyok", call.step(QUICK_SECONDS))]
                is_flushed = any(has_count(line, START_COUNTS[SHALLOW_DEPTH - 1]) for line in lines)
            except EngineTimeout:
                is_flushed = False
            if not is_flushed:  # it is slow
                self._probe.discard()
                return
        raise self._probe.explain_late_flush(replace(attempt, depth=SHALLOW_DEPTH), call)

    def _with_position(self, descriptor: Descriptor, command: str, call: EngineCall) -> Descriptor:
        """Return the descriptor with the command to set up positions.

        That is `position fen`, unless the engine then counts the starting position and another command leads to correct
        counts.
        """
        start = START_COUNTS[SHALLOW_DEPTH - 1]
        if {self._total(descriptor, fen, call) for fen in SENTINELS} != {start}:
            return descriptor
        for case in (*(f"{setup}\n{command}" for setup in SETUPS[1:]), *WHOLE_CASES):
            tried, totals = replace(descriptor, case=case), list[int | None]()
            for fen, expected in zip(SENTINELS, SENTINEL_COUNTS, strict=True):
                totals.append(self._total(tried, fen, call))
                if totals[-1] != expected:
                    break
            else:
                return tried
            if None in totals:  # the engine is silent, possibly for every command
                break
        return descriptor

    def _total(self, descriptor: Descriptor, fen: str, call: EngineCall) -> int | None:
        """Return the total of a position at `SHALLOW_DEPTH`, or None if there is none."""
        game = Game(Position.from_fen(fen))
        try:
            return self._probe.ask(descriptor, SHALLOW_DEPTH, call, game, most_seconds=QUICK_SECONDS).total
        except EngineError:
            return None

    def _try_by_name(
        self, descriptor: Descriptor, error: EngineError, call: EngineCall
    ) -> tuple[Descriptor, Transcript]:
        """Try each command at depth 2 after `position startpos` and, if the engine counts, after `position fen`.

        Raises `error` if no command works, or UnparseableOutput if the engine only counts `position startpos`.
        """
        is_hopeless = self._is_endless or any(isinstance(one.error, EngineFlood) for one in self._attempts.values())
        for command in () if is_hopeless else UCI_COMMANDS:
            by_fen = descriptor.with_command(command)
            if self._count_start(by_fen.by_name(), call) is None:
                continue
            self._probe.discard()
            if (answer := self._count_start(by_fen, call)) is not None:
                return self._with_position(by_fen, command, call), answer
            why = str(error).removeprefix(f"{self._name} ")
            raise UnparseableOutput(
                f"{self._name} counts the starting position by `position startpos`, and not by `position fen "
                f"{Position.start().fen()}`, as for all other positions: it {why}"
            )
        raise error

    def _count_start(self, descriptor: Descriptor, call: EngineCall) -> Transcript | None:
        """Return the answer about the starting position at depth 2 if it is correct; otherwise kill the process."""
        attempt = self._probe.attempt(descriptor, SHALLOW_DEPTH, call, QUICK_SECONDS)
        if attempt.is_correct:
            return attempt.answer
        self._probe.discard()
        return None

    def _no_count(self, command: str, depth: int, answer: Transcript) -> EngineError:
        assert self._probe.conversation is not None, "it has just answered"
        asked, said = command.replace("{depth}", str(depth)), self._probe.conversation.process.quote_last_output()
        if answer.total_format in SEARCH_LINES:
            return UnparseableOutput(f"{self._name} searches instead of counting when sent {asked}; {said}")
        nodes = START_COUNTS[depth - 1]
        return UnparseableOutput(
            f"{self._name} does not count {nodes} nodes in the starting position when sent {asked}; {said}"
        )

    def _not_understood(self, depth: int) -> EngineError:
        """Return the error of the most common command, or an error that no command is supported."""
        usual = self._attempts[UCI_COMMANDS[0]].error
        assert usual is not None, "otherwise the command was found"
        if not isinstance(usual, EngineTimeout):
            return usual
        tried = ", ".join(command.replace("{depth}", str(depth)) for command in UCI_COMMANDS)
        said = self._most_telling(depth)
        return UnparseableOutput(f"{self._name} does not count, or in no known way, when sent {tried}: {said or usual}")

    def _most_telling(self, depth: int) -> str:
        """Return a clause that quotes the line most likely to contain the count, or "" if there is none."""
        lines = {
            line: command.replace("{depth}", str(depth))
            for command, attempt in self._attempts.items()
            for line in attempt.unread
            if any(map(str.isdigit, line))
        }
        line = telling_line(lines, START_COUNTS[depth - 1])
        asked = next((asked for one, asked in lines.items() if printable(one) == line), "")
        return f"to {asked} it said {line!r}" if line else ""

    @property
    def _may_be_slow(self) -> bool:
        """Whether the engine was busy with some command, or possibly with the most common one."""
        return any(
            isinstance(attempt.error, EngineTimeout) and (command == UCI_COMMANDS[0] or _is_busy(attempt.error))
            for command, attempt in self._attempts.items()
        )


def _is_count(attempt: Attempt) -> bool:
    """Return True if the total is a plausible count, and not the number of nodes of a search."""
    total = 0 if attempt.answer is None else attempt.answer.total or 0
    is_plausible = total >= LEAST_COUNTS[attempt.depth] or total == START_COUNTS[attempt.depth - 2]
    is_search = attempt.answer is not None and attempt.answer.total_format in SEARCH_LINES
    return attempt.is_correct or (is_plausible and not is_search)


def _is_busy(error: EngineError | None) -> bool:
    """Return True if an engine neither answered in time nor became ready."""
    return isinstance(error, EngineTimeout) and not isinstance(error, Idle)
