"""How an engine is understood: found out by counts of the starting position, each command in a process of its own."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from ....generator.counting.leaves import perft
from ....generator.line import Line
from ....generator.position import Position
from ..base import EngineCrash, EngineError, EngineFlood, EngineTimeout, UnparseableOutput
from ..root_moves import EXAMPLE, are_left_out
from ..task import Task
from .conversation import PATIENCE, Conversation, FloodsAtOnce, NoHandshake
from .descriptor import UCI_CASE, Descriptor
from .idle import Idle
from .transcript import Transcript

COMMANDS = ("go perft {depth}", "perft {depth}", "divide {depth}")
"""How UCI engines are asked to count; the first that works is kept."""
START_COUNTS = {1: 20, 2: 400, 3: 8902}
PROBE_DEPTH, SHALLOW_DEPTH = 3, 2
"""The starting position is counted to the first depth, and by an engine that is too slow for that to the second."""
LEAST_COUNTS = {SHALLOW_DEPTH: 100, PROBE_DEPTH: 1000}
"""What is less is no wrong count of the starting position there, but some other number, or the count of a ply less."""
SEARCH_LINES = ("info depth D ... nodes N", "info nodes N")
"""Totals to some; to others, who take `go perft` for `go`, the nodes of a search."""
AFTER_A_FLOOD = 0.5
"""Seconds for each command that is tried once another has made the engine flood: the flood is to be told soon."""
QUICK_SECONDS = 2.0
"""Time for a question about how the engine writes something, which a slow engine need not answer."""
AFTER_SILENCE = 2.5
"""Seconds for each other command once the usual one has kept the engine silent and busy for the whole time limit."""
PLAYED = "e2e4 e7e5"
"""Moves after which the starting position has other counts."""

SENTINELS = ("7k/8/8/3B4/8/2N5/K7/8 w - - 0 1", "7k/8/8/4N3/2B5/8/K7/8 w - - 0 1")
"""Positions that are asked about to tell the answers to other questions apart. Nothing special can happen there, and
no other position has their moves unless it has the same pieces on the same squares: so no fault in a special rule
gives their answers to another question.
"""


@dataclass(frozen=True)
class Understanding:
    """How an engine is asked, and what its answers have."""

    descriptor: Descriptor
    min_depth: int = 1
    prints_divide: bool = True
    """Whether root moves are printed at all."""
    prints_root_moves: bool = True
    """Whether they are printed at depth 1, too."""
    adds_up: bool = True
    """Whether root moves that are printed add up to the total."""
    leaves_out_final_moves: bool = False
    """Whether root moves with a count of 0 are not printed."""
    plays_moves: bool = True
    """Whether it plays the moves that it is sent after a FEN."""
    refusal_of_moves: str = ""
    """Why it does not, where it gives no count after them; it may also ignore them."""
    chess960: bool | None = None
    """Whether it declares that it knows Chess960, None where it does not say."""


class Prober:
    """Finds out how an engine is understood. Raises EngineError.

    Each command is tried in a process of its own: one that was asked something else before may still
    be searching. What works is then asked further questions in the same process.
    """

    def __init__(self, name: str, open_: Callable[[Descriptor, Task], Conversation], threads: int) -> None:
        """Take the engine's name, and what starts a conversation with it."""
        self._name, self._open, self._threads = name, open_, threads
        self.conversation: Conversation | None = None
        """The process that has answered last, if it still can."""

    def understand(self, descriptor: Descriptor, task: Task) -> Understanding:
        """Return how the engine is understood; a descriptor that names no command leaves that to be found out."""
        self._discard()
        if descriptor.uci and "{command}" in descriptor.case:
            understood = self._find_command(descriptor, task)
        else:
            understood = Understanding(
                descriptor, min_depth=descriptor.min_depth, chess960=self._talk(descriptor, task).declares_chess960
            )
            understood = self._with_separator(understood, task)
        return self._with_moves(self._with_final_moves(self._with_depth_1(understood, task), task), task)

    def _find_command(self, descriptor: Descriptor, task: Task) -> Understanding:
        """Return the first command that counts the starting position right, else the first that counts at all."""
        for depth in (PROBE_DEPTH, SHALLOW_DEPTH):
            counting: list[Understanding] = []
            failures: dict[str, EngineError] = {}
            most_seconds = math.inf
            for command in COMMANDS:
                self._discard()
                tried = replace(descriptor, case=UCI_CASE.replace("{command}", command), total_format=None)
                try:
                    heard = self._probe(tried, depth, task, most_seconds=most_seconds)
                except (NoHandshake, FloodsAtOnce):
                    raise
                except EngineError as error:
                    failures[command] = error
                    if isinstance(error, EngineFlood):
                        most_seconds = AFTER_A_FLOOD
                    elif command == COMMANDS[0] and _is_busy(error):
                        most_seconds = AFTER_SILENCE
                        if depth == SHALLOW_DEPTH:
                            break  # it knows the command, or whatever it takes it for never ends
                    continue
                if heard.total == START_COUNTS[depth]:
                    return self._understood(tried, heard)
                is_count = (heard.total or 0) >= LEAST_COUNTS[depth] or heard.total == START_COUNTS[depth - 1]
                if is_count and heard.total_format not in SEARCH_LINES:
                    counting.append(self._understood(tried, heard))
                else:
                    failures[command] = self._no_count(command, depth, heard)
            if counting:
                self._discard()  # the process was asked by another command
                return counting[0]
            if most_seconds == AFTER_A_FLOOD or not _may_be_slow(failures):
                break
        self._discard()
        raise self._not_understood(failures)

    def _understood(self, descriptor: Descriptor, heard: Transcript) -> Understanding:
        assert self.conversation is not None, "it has just answered"
        return Understanding(
            replace(descriptor, total_format=heard.total_format, separator=heard.separator),
            min_depth=descriptor.min_depth,
            prints_divide=bool(heard.pairs),
            adds_up=not heard.pairs or heard.divide().total == heard.total,
            chess960=self.conversation.declares_chess960,
        )

    def _no_count(self, command: str, depth: int, heard: Transcript) -> EngineError:
        assert self.conversation is not None, "it has just answered"
        asked, said = command.replace("{depth}", str(depth)), self.conversation.quote_last_output()
        if heard.total_format in SEARCH_LINES:
            return UnparseableOutput(f"{self._name} searches instead of counting when told {asked}; {said}")
        nodes = START_COUNTS[depth]
        return UnparseableOutput(
            f"{self._name} does not count {nodes} nodes in the starting position when told {asked}; {said}"
        )

    def _not_understood(self, failures: dict[str, EngineError]) -> EngineError:
        """Return what to raise: what became of the usual command says more than that others are unknown."""
        usual = failures[COMMANDS[0]]
        if not isinstance(usual, EngineTimeout):
            return usual
        tried = ", ".join(command.replace("{depth}", str(PROBE_DEPTH)) for command in COMMANDS)
        return UnparseableOutput(f"{self._name} does not count, or in no way that we know, when told {tried}: {usual}")

    def _with_separator(self, understood: Understanding, task: Task) -> Understanding:
        """Find out what is written between thousands, if the descriptor does not say it and the engine is fast."""
        descriptor = understood.descriptor
        has_pattern = descriptor.patterns is not None and descriptor.patterns.total is not None
        if descriptor.separator is not None or has_pattern or understood.min_depth > PROBE_DEPTH:
            return understood
        try:
            heard = self._probe(descriptor, PROBE_DEPTH, task, most_seconds=QUICK_SECONDS)
        except EngineError:
            return understood
        return replace(understood, descriptor=replace(descriptor, separator=heard.separator))

    def _with_depth_1(self, understood: Understanding, task: Task) -> Understanding:
        """Find out whether depth 1 can be asked for, and prints root moves; some engines crash there."""
        descriptor = understood.descriptor
        if not understood.prints_divide:
            return understood
        if understood.min_depth > 1:
            return replace(understood, prints_divide=self._lists(descriptor, understood.min_depth, task))
        try:
            heard = self._probe(descriptor, 1, task)
        except EngineCrash:
            # Some engines crash at depth 1, always; one that crashed once is not one of them.
            always = not self._counts(descriptor, 1, task) and self._counts(descriptor, 2, task)
            return replace(understood, min_depth=2) if always else understood
        except EngineError:
            return understood  # it will come again, and is told with the position that is asked for
        if heard.pairs:
            return replace(understood, adds_up=understood.adds_up and heard.divide().total == heard.total)
        deeper = self._probe(descriptor, 2, task)
        return replace(understood, prints_root_moves=False, prints_divide=bool(deeper.pairs))

    def _with_final_moves(self, understood: Understanding, task: Task) -> Understanding:
        """Find out whether root moves are left out that have a count of 0."""
        if not understood.prints_divide:
            return understood
        depth = max(SHALLOW_DEPTH, understood.min_depth)
        try:
            heard = self._probe(understood.descriptor, depth, task, Line(EXAMPLE), most_seconds=QUICK_SECONDS)
        except EngineError:
            return understood  # it will come again, and is told with the position that is asked for
        return replace(understood, leaves_out_final_moves=are_left_out(move for move, _ in heard.pairs))

    def _with_moves(self, understood: Understanding, task: Task) -> Understanding:
        """Find out whether moves after a FEN are played.

        An engine that ignores them counts the FEN itself. One that gives no count after them does not know them, if
        it counts the position that they lead to. One that counts after the first, but not after both, plays them
        wrongly.
        """
        if not understood.descriptor.plays_moves:
            return replace(understood, plays_moves=False)
        line, depth = Line.played(Position.start(), PLAYED), max(SHALLOW_DEPTH, understood.min_depth)
        try:
            total = self._probe(understood.descriptor, depth, task, line).total
        except EngineError as error:
            is_slow = isinstance(error, EngineTimeout) and not self._counts(
                understood.descriptor, depth, task, line.afresh()
            )
            reads_some = not isinstance(error, EngineTimeout) and self._counts(
                understood.descriptor, depth, task, replace(line, moves=line.moves[:1])
            )
            refusal = str(error).removeprefix(f"{self._name} ")
            plays = is_slow or reads_some
            return understood if plays else replace(understood, plays_moves=False, refusal_of_moves=refusal)
        ignores = total == perft(line.base, depth) != perft(line.position, depth)
        return replace(understood, plays_moves=not ignores)

    def _counts(self, descriptor: Descriptor, depth: int, task: Task, line: Line | None = None) -> bool:
        try:
            return self._probe(descriptor, depth, task, line).total is not None
        except EngineError:
            return False

    def _lists(self, descriptor: Descriptor, depth: int, task: Task) -> bool:
        """Tell whether root moves are printed at a depth, or cannot be told not to be."""
        try:
            return bool(self._probe(descriptor, depth, task).pairs)
        except EngineError:
            return True  # it will come again, and is told with the position that is asked for

    def _probe(
        self,
        descriptor: Descriptor,
        depth: int,
        task: Task,
        line: Line | None = None,
        most_seconds: float = math.inf,
    ) -> Transcript:
        """Ask about a position, by default the starting one, with the whole time limit for this question."""
        line, conversation = line or Line(Position.start()), self._talk(descriptor, task)
        step = task.step(most_seconds, unlimited=PATIENCE)
        try:
            conversation.begin(line.base, step)
            conversation.send(descriptor.lines(line.base.fen(), line.uci_moves(), depth, self._threads), step)
            known = START_COUNTS.get(depth) if line == Line(Position.start()) else None
            return conversation.listen(depth, step, doubt=True, known=known)
        except Idle:
            self._discard()
            raise
        except EngineTimeout as error:
            said = conversation.quote_last_output()
            self._discard()
            raise EngineTimeout(f"{error}; {said}" if said else str(error)) from None
        except EngineError:
            self._discard()
            raise

    def _talk(self, descriptor: Descriptor, task: Task) -> Conversation:
        """Return the process that is there, or a new one."""
        if self.conversation is None or not self.conversation.is_alive:
            self._discard()
            self.conversation = self._open(descriptor, task)
        self.conversation.descriptor = descriptor
        return self.conversation

    def _discard(self) -> None:
        conversation, self.conversation = self.conversation, None
        if conversation is not None:
            conversation.kill()


def _is_busy(error: EngineError) -> bool:
    """Tell whether an engine has not answered within the time, and was not ready for more either."""
    return isinstance(error, EngineTimeout) and not isinstance(error, Idle)


def _may_be_slow(failures: dict[str, EngineError]) -> bool:
    """Tell whether a smaller count may be answered: at some command the engine was busy, or seemed not to be."""
    return any(
        isinstance(error, EngineTimeout) and (command == COMMANDS[0] or _is_busy(error))
        for command, error in failures.items()
    )
