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
from .command_probe import CommandProbe, UnreadTotal
from .console_search import find_console_case
from .conversation import Idle, NoHandshake
from .descriptor import Descriptor
from .learned_patterns import is_read_alike
from .sentinels import SENTINEL_COUNTS, SENTINELS, START_COUNTS
from .transcript import Survey, Transcript

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
    """Tries commands, and records why each failed. Methods raise EngineError.

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
            counting: tuple[Descriptor, Transcript] | None = None
            for command in UCI_COMMANDS:
                tried = descriptor.with_command(command)
                answer = self._attempt(tried, command, depth, call)
                if self._unread is not None and self._unread.descriptor is not None:
                    return self._unread.descriptor, self._probe.probe(self._unread.descriptor, depth, call)
                if answer is not None and answer.total == START_COUNTS[depth - 1]:
                    self._check_flushing(tried, SHALLOW_DEPTH, call)
                    return self._with_position(tried, command, call), answer
                if answer is not None and counting is None:
                    counting = tried, answer
                if self._is_endless:
                    break  # the engine supports the command, or treats it as a command that never ends
                self._probe.discard()
            self._probe.discard()
            if counting is not None and self._unread is None:
                return counting
            if self._unread or self._most_seconds == AFTER_A_FLOOD or not _may_be_slow(self._failures):
                break
        if NEW_GAME not in descriptor.setup and self._probe.has_mentioned(NEW_GAME):
            return self.find(replace(descriptor, setup=(*descriptor.setup, NEW_GAME)), call)
        if self._unread is not None:
            raise self._unread
        return self._try_by_name(descriptor, self._not_understood(depth), call)

    def _begin(self) -> None:
        self._failures: dict[str, EngineError] = {}
        self._unread: UnreadTotal | None = None
        """The reason why a correct count could not be parsed, if any."""
        self._most_seconds = math.inf
        self._is_endless = False
        self._probe.forget_answers()

    def _attempt(self, descriptor: Descriptor, command: str, depth: int, call: EngineCall) -> Transcript | None:
        """Return the answer to a command if it is a count. Otherwise record the reason, and return None."""
        self._probe.talk(descriptor, call)  # no command helps if the handshake fails
        try:
            answer = self._probe.probe(descriptor, depth, call, most_seconds=self._most_seconds)
        except EngineError as error:
            self._failures[command] = error
            self._record_reason(descriptor, depth, error, call)
            if isinstance(error, EngineFlood):
                self._most_seconds = AFTER_A_FLOOD
            elif command == UCI_COMMANDS[0] and _is_busy(error):
                self._most_seconds = AFTER_SILENCE
                self._is_endless = depth == SHALLOW_DEPTH
            return None
        total, expected = answer.total or 0, START_COUNTS[depth - 1]
        is_count = total >= LEAST_COUNTS[depth] or total == START_COUNTS[depth - 2]
        if total == expected or (is_count and answer.total_format not in SEARCH_LINES):
            assert isinstance(answer, Survey), "its count is known"
            is_unread = self._probe.has_unread_count(depth) if total != expected else not is_read_alike(answer)
            if is_unread:
                self._record_reason(descriptor, depth, self._no_count(command, depth, answer), call)
            return answer
        self._failures[command] = self._no_count(command, depth, answer)
        self._record_reason(descriptor, depth, self._failures[command], call)
        return None

    def _record_reason(self, descriptor: Descriptor, depth: int, error: EngineError, call: EngineCall) -> None:
        """Record that a total could not be parsed. Raise the error if no command can help.

        The question is only repeated if the engine is ready or has printed part of an answer.
        """
        is_misread = isinstance(error, UnparseableOutput) and self._probe.has_unread_moves()
        if not (isinstance(error, Idle) or is_misread or self._probe.has_unread_count(depth)):
            return
        reason = self._probe.reason(descriptor, depth, call)
        if isinstance(reason, UnreadTotal):
            self._unread = reason
        elif reason is not None:
            raise reason

    def _check_flushing(self, descriptor: Descriptor, depth: int, call: EngineCall) -> None:
        """If the engine answered only after `isready`, ask without it, in case only `isready` flushes the output.

        Raises EngineTimeout.
        """
        conversation = self._probe.conversation
        if conversation is None or not conversation.was_prompted:
            return
        step = call.step(QUICK_SECONDS)
        try:
            conversation.begin(Position.start(), step)
            conversation.send(self._probe.question(descriptor, depth), step)
            conversation.listen(depth, step)
        except EngineTimeout:
            self._probe.discard()
            reason = self._probe.reason(descriptor, depth, call)
            if reason is not None:
                raise reason from None

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
            return self._probe.probe(descriptor, SHALLOW_DEPTH, call, game, most_seconds=QUICK_SECONDS).total
        except EngineError:
            return None

    def _try_by_name(
        self, descriptor: Descriptor, error: EngineError, call: EngineCall
    ) -> tuple[Descriptor, Transcript]:
        """Try each command at depth 2 after `position startpos` and, if the engine counts, after `position fen`.

        Raises `error` if no command works, or UnparseableOutput if the engine only counts `position startpos`.
        """
        is_hopeless = self._is_endless or any(isinstance(one, EngineFlood) for one in self._failures.values())
        for command in () if is_hopeless else UCI_COMMANDS:
            by_fen = descriptor.with_command(command)
            if self._probe.probe_start(by_fen.by_name(), SHALLOW_DEPTH, call, QUICK_SECONDS) is None:
                continue
            self._probe.discard()
            if (answer := self._probe.probe_start(by_fen, SHALLOW_DEPTH, call, QUICK_SECONDS)) is not None:
                return self._with_position(by_fen, command, call), answer
            why = str(error).removeprefix(f"{self._name} ")
            raise UnparseableOutput(
                f"{self._name} counts the starting position by `position startpos`, and not by `position fen "
                f"{Position.start().fen()}`, as for all other positions: it {why}"
            )
        raise error

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
        usual = self._failures[UCI_COMMANDS[0]]
        if not isinstance(usual, EngineTimeout):
            return usual
        tried = ", ".join(command.replace("{depth}", str(depth)) for command in UCI_COMMANDS)
        said = self._probe.most_telling(depth)
        return UnparseableOutput(f"{self._name} does not count, or in no known way, when sent {tried}: {said or usual}")


def _is_busy(error: EngineError) -> bool:
    """Return True if an engine neither answered in time nor became ready."""
    return isinstance(error, EngineTimeout) and not isinstance(error, Idle)


def _may_be_slow(failures: dict[str, EngineError]) -> bool:
    """Return True if the engine was busy with some command, or possibly with the most common one."""
    return any(
        isinstance(error, EngineTimeout) and (command == UCI_COMMANDS[0] or _is_busy(error))
        for command, error in failures.items()
    )
