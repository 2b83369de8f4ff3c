"""By which command a UCI engine counts: each is tried in a process of its own, and what comes of it is noted."""

from __future__ import annotations

import math
from contextlib import suppress
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
    RARE_UCI_COMMANDS,
    SETUPS,
    SHALLOW_DEPTH,
    UCI_COMMANDS,
    WHOLE_CASES,
)
from .command_probe import CommandProbe
from .console_search import ask_for_help, find_console_case
from .conversation import FloodsAtOnce, Idle, NoHandshake
from .descriptor import UCI_CASE, Descriptor
from .diagnosis import Unflushed, UnreadTotal
from .help_texts import counting_commands
from .learned_patterns import is_read_alike
from .sentinels import SENTINEL_COUNTS, SENTINELS, START_COUNTS
from .transcript import Survey, Transcript

LEAST_COUNTS = {SHALLOW_DEPTH: 100, PROBE_DEPTH: 1000}
"""A smaller number is no incorrect count of the starting position, but something else, or the count of a ply less."""
SEARCH_LINES = ("info depth D ... nodes N", "info nodes N")
"""Totals of some engines; for others, which take `go perft` for `go`, the nodes of a search."""
AFTER_A_FLOOD = 0.5
"""Seconds for each command after another one has made the engine flood, so that the flood is reported soon."""
AFTER_SILENCE = 2.5
"""Seconds for each other command once the usual one has kept the engine silent and busy for the whole time limit."""


class _AskedPlainly(Exception):
    """An engine that does not answer `uci` counts when it is asked without UCI."""

    def __init__(self, descriptor: Descriptor) -> None:
        super().__init__()
        self.descriptor = descriptor


class CommandSearch:
    """Looks for the command. Raises EngineError.

    One process for each: one that was asked something else before may still be searching.
    """

    def __init__(self, probe: CommandProbe) -> None:
        """Take what asks the engine."""
        self._probe, self._name = probe, probe.name
        self._begin()

    def greet(self, descriptor: Descriptor, call: EngineCall) -> Descriptor:
        """Start the engine, and return how it is asked.

        If it does not answer `uci` soon, find out in other processes, while it may still do so, whether it keeps its
        answer in a buffer, or is asked without UCI: that not where the user says `uci:` or sets options.
        """
        if not descriptor.uci:
            return descriptor
        is_uci = descriptor.spec.startswith("uci:") or any(map(UciOption.of_line, descriptor.setup))

        def find_another_way() -> None:
            answers_late = self._probe.answers_uci_late(descriptor, call)
            if not answers_late and not is_uci and "{command}" in descriptor.case:
                plain = find_console_case(self._name, descriptor, self._probe.limits, call)
                if plain is not None:
                    raise _AskedPlainly(plain)

        try:
            self._probe.start(descriptor, call, find_another_way)
        except _AskedPlainly as found:
            return found.descriptor
        return descriptor

    def find(self, descriptor: Descriptor, call: EngineCall) -> tuple[Descriptor, Transcript]:
        """Return the first command that counts the starting position right, else the first that counts at all, with
        its answer. An engine that asks for `ucinewgame` gets it at its start.
        """
        for depth in (PROBE_DEPTH, SHALLOW_DEPTH):
            self._begin()
            counting: list[tuple[Descriptor, Transcript]] = []
            for command in UCI_COMMANDS:
                tried = replace(descriptor, case=UCI_CASE.replace("{command}", command), total_format=None)
                heard = self._attempt(tried, command, depth, call)
                if heard is not None and heard.total == START_COUNTS[depth - 1]:
                    if (adopted := self._adopt(depth, call)) is not None:
                        return adopted
                    self._check_flushing(tried, SHALLOW_DEPTH, call)
                    return self._with_position(tried, command, call), heard
                if heard is not None:
                    counting.append((tried, heard))
                if self._is_endless:
                    break  # it knows the command, or whatever it takes it for never ends
                self._probe.discard()
            if counting:
                self._probe.discard()  # the process was asked by another command
                return self._adopt(depth, call) or self._not_misread(counting[0])
            if self._reasons or self._most_seconds == AFTER_A_FLOOD or not _may_be_slow(self._failures):
                break
        self._probe.discard()
        if (adopted := self._adopt(depth, call)) is not None:
            return adopted
        if NEW_GAME not in descriptor.setup and self._probe.has_mentioned(NEW_GAME):
            return self.find(replace(descriptor, setup=(*descriptor.setup, NEW_GAME)), call)
        if self._reasons:
            raise self._reasons[0]
        return self._offered(descriptor, depth, call) or self._with_less(descriptor, self._not_understood(depth), call)

    def _offered(self, descriptor: Descriptor, depth: int, call: EngineCall) -> tuple[Descriptor, Transcript] | None:
        """Return how an engine is asked, and its answer, if a command counts that its help names, or a rare one."""
        if not self._is_idle:
            return None
        lines = ask_for_help(self._name, descriptor, self._probe.limits, call)
        for command in dict.fromkeys([*counting_commands(lines), *RARE_UCI_COMMANDS]):
            if command in UCI_COMMANDS:
                continue
            tried = replace(descriptor, case=UCI_CASE.replace("{command}", command), total_format=None)
            try:
                heard = self._probe.probe(tried, depth, call, most_seconds=QUICK_SECONDS)
            except EngineError:
                continue
            if heard.total == START_COUNTS[depth - 1]:
                return self._with_position(tried, command, call), heard
            self._probe.discard()
        return None

    @property
    def _is_idle(self) -> bool:
        """Whether the engine was ready for more after each command, or did not print a count."""
        return all(isinstance(one, Idle | UnparseableOutput) for one in self._failures.values())

    def _adopt(self, depth: int, call: EngineCall) -> tuple[Descriptor, Transcript] | None:
        """Return how the engine is asked, and its answer, if a pattern reads its totals correctly; None if none does.

        The pattern was made from the answers about three positions, whose counts are known.
        """
        for reason in self._reasons:
            if isinstance(reason, UnreadTotal) and reason.descriptor is not None:
                return reason.descriptor, self._probe.probe(reason.descriptor, depth, call)
        return None

    def _not_misread(self, counting: tuple[Descriptor, Transcript]) -> tuple[Descriptor, Transcript]:
        """Return how an engine is asked that counts incorrectly. Raises UnreadTotal if the correct count is there."""
        if (unread := next((one for one in self._reasons if isinstance(one, UnreadTotal)), None)) is not None:
            raise unread
        return counting

    def _begin(self) -> None:
        """Forget what was found at another depth."""
        self._failures: dict[str, EngineError] = {}
        self._reasons: list[EngineError] = []
        self._most_seconds = math.inf
        self._is_endless = False
        self._probe.begin_search()

    def _attempt(self, descriptor: Descriptor, command: str, depth: int, call: EngineCall) -> Transcript | None:
        """Return the answer to a command if it is a count; else note why it is none."""
        try:
            heard = self._probe.probe(descriptor, depth, call, most_seconds=self._most_seconds)
        except (NoHandshake, FloodsAtOnce):
            raise
        except EngineError as error:
            self._failures[command] = error
            self._note_reason(descriptor, depth, error, call)
            if isinstance(error, EngineFlood):
                self._most_seconds = AFTER_A_FLOOD
            elif command == UCI_COMMANDS[0] and _is_busy(error):
                self._most_seconds = AFTER_SILENCE
                self._is_endless = depth == SHALLOW_DEPTH
            return None
        total, right = heard.total or 0, START_COUNTS[depth - 1]
        is_count = total >= LEAST_COUNTS[depth] or total == START_COUNTS[depth - 2]
        if total == right:
            if isinstance(heard, Survey) and not is_read_alike(heard):
                self._note_reason(descriptor, depth, self._no_count(command, depth, heard), call)
            return heard
        if is_count and heard.total_format not in SEARCH_LINES:
            if self._probe.has_unread_count(depth):
                self._note_reason(descriptor, depth, self._no_count(command, depth, heard), call)
            return heard
        self._failures[command] = self._no_count(command, depth, heard)
        self._note_reason(descriptor, depth, self._failures[command], call)
        return None

    def _note_reason(self, descriptor: Descriptor, depth: int, error: EngineError, call: EngineCall) -> None:
        """Note why an answer about the starting position was not understood, if that can be said; raise it if no other
        command would do. Only an engine that is ready for more is asked once again.
        """
        is_misread = isinstance(error, UnparseableOutput) and self._probe.has_unread_moves()
        if not (isinstance(error, Idle) or is_misread or self._probe.has_unread_count(depth)):
            return
        reason = self._probe.reason(descriptor, depth, call)
        if isinstance(reason, Unflushed):
            raise reason
        if reason is not None:
            self._reasons.append(reason)

    def _check_flushing(self, descriptor: Descriptor, depth: int, call: EngineCall) -> None:
        """If the engine had to be asked whether it is ready to answer at all, ask once more without
        that: it may flush its output then, and only then. Raises EngineTimeout.
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
        """Return the descriptor by which an engine takes a position other than the starting position.

        It is the usual one unless the engine still counts the starting position, and another command for the position
        gives correct counts.
        """
        start = START_COUNTS[SHALLOW_DEPTH - 1]
        if {self._total(descriptor, fen, call) for fen in SENTINELS} != {start}:
            return descriptor
        for case in (*(f"{setup}\n{command}" for setup in SETUPS[1:]), *WHOLE_CASES):
            tried, totals = replace(descriptor, case=case), list[int | None]()
            for fen, right in zip(SENTINELS, SENTINEL_COUNTS, strict=True):
                totals.append(self._total(tried, fen, call))
                if totals[-1] != right:
                    break
            else:
                return tried
            if None in totals:  # it is silent, and may be so each time
                break
        return descriptor

    def _total(self, descriptor: Descriptor, fen: str, call: EngineCall) -> int | None:
        """Return the total of a position at the shallow depth, None if there is none."""
        game = Game(Position.from_fen(fen))
        try:
            return self._probe.probe(descriptor, SHALLOW_DEPTH, call, game, most_seconds=QUICK_SECONDS).total
        except EngineError:
            return None

    def _no_count(self, command: str, depth: int, heard: Transcript) -> EngineError:
        assert self._probe.conversation is not None, "it has just answered"
        asked, said = command.replace("{depth}", str(depth)), self._probe.conversation.quote_last_output()
        if heard.total_format in SEARCH_LINES:
            return UnparseableOutput(f"{self._name} searches instead of counting when told {asked}; {said}")
        nodes = START_COUNTS[depth - 1]
        return UnparseableOutput(
            f"{self._name} does not count {nodes} nodes in the starting position when told {asked}; {said}"
        )

    def _not_understood(self, depth: int) -> EngineError:
        """Return what to raise: what became of the usual command says more than that others are unknown."""
        usual = self._failures[UCI_COMMANDS[0]]
        if not isinstance(usual, EngineTimeout):
            return usual
        tried = ", ".join(command.replace("{depth}", str(depth)) for command in UCI_COMMANDS)
        said = self._probe.most_telling(depth)
        return UnparseableOutput(
            f"{self._name} does not count, or in no way that we know, when told {tried}: {said or usual}"
        )

    def _with_less(self, descriptor: Descriptor, error: EngineError, call: EngineCall) -> tuple[Descriptor, Transcript]:
        """Return how an engine is asked, and its answer, if it counts to depth 2 only.

        Raises the error, or what to say about an engine that counts by `position startpos` and not by FEN.
        """
        is_hopeless = self._is_endless or any(isinstance(one, EngineFlood) for one in self._failures.values())
        for command in () if is_hopeless else UCI_COMMANDS:
            tried = replace(descriptor, case=UCI_CASE.replace("{command}", command), total_format=None).by_name()
            try:
                heard = self._probe.probe(tried, SHALLOW_DEPTH, call, most_seconds=QUICK_SECONDS)
            except EngineError:
                continue
            finally:
                self._probe.discard()
            if heard.total != START_COUNTS[SHALLOW_DEPTH - 1]:
                continue
            by_fen = replace(descriptor, case=UCI_CASE.replace("{command}", command), total_format=None)
            with suppress(EngineError):
                heard = self._probe.probe(by_fen, SHALLOW_DEPTH, call, most_seconds=QUICK_SECONDS)
                if heard.total == START_COUNTS[SHALLOW_DEPTH - 1]:
                    return self._with_position(by_fen, command, call), heard
            self._probe.discard()
            why = str(error).removeprefix(f"{self._name} ")
            raise UnparseableOutput(
                f"{self._name} counts the starting position by `position startpos`, and not by `position fen "
                f"{Position.start().fen()}`, as for all other positions: it {why}"
            )
        raise error


def _is_busy(error: EngineError) -> bool:
    """Return True if an engine has not answered within the time, and was not ready for more either."""
    return isinstance(error, EngineTimeout) and not isinstance(error, Idle)


def _may_be_slow(failures: dict[str, EngineError]) -> bool:
    """Return True if a smaller count may be answered: at some command the engine was busy, or seemed not to be."""
    return any(
        isinstance(error, EngineTimeout) and (command == UCI_COMMANDS[0] or _is_busy(error))
        for command, error in failures.items()
    )
