"""Questions by which perft-check finds out how an engine is understood, and what was heard in answer to them."""

from __future__ import annotations

import math
from collections.abc import Callable

from ....generator.counting.perft import perft
from ....generator.game import Game
from ....generator.position import Position
from ..base import EngineError, EngineTimeout
from ..call import EngineCall
from .conversation import PATIENCE, Conversation, Idle, rejection
from .descriptor import Descriptor
from .diagnosis import Diagnosis
from .learned_patterns import has_count, telling_line
from .lines import root_move
from .offered import OfferedOption
from .output import printable
from .process import ProcessLimits
from .sentinels import START_COUNTS
from .transcript import Transcript


class CommandProbe:
    """Asks an engine questions to find out how it is understood. Raises EngineError."""

    def __init__(self, name: str, limits: ProcessLimits) -> None:
        """Take the engine's name, and the limits of its processes."""
        self.name, self.limits = name, limits
        self._diagnosis = Diagnosis(name, limits)
        self._heard: list[tuple[str, list[str], list[str]]] = []
        """What was asked about the starting position, the lines of each answer, and those that tell nothing known."""
        self.conversation: Conversation | None = None
        """The process that has answered last, if it still can."""
        self.declares_chess960: bool | None = None
        """What the last process has declared about Chess960, as `Conversation` has it."""
        self.offered: tuple[OfferedOption, ...] = ()
        """The options that it has offered."""

    def start(
        self, descriptor: Descriptor, call: EngineCall, on_silence: Callable[[], None] | None = None
    ) -> Conversation:
        """Start a process in the place of the one that is there; `on_silence` as for `Conversation`."""
        self.discard()
        conversation = self.conversation = Conversation(self.name, descriptor, self.limits, call, on_silence)
        self.declares_chess960, self.offered = conversation.declares_chess960, tuple(conversation.offered)
        return conversation

    def talk(self, descriptor: Descriptor, call: EngineCall) -> Conversation:
        """Return the process that is there, or a new one."""
        if self.conversation is None or not self.conversation.is_alive:
            return self.start(descriptor, call)
        self.conversation.descriptor = descriptor
        return self.conversation

    def discard(self) -> None:
        """End the process that is there."""
        conversation, self.conversation = self.conversation, None
        if conversation is not None:
            conversation.kill()

    def probe(
        self,
        descriptor: Descriptor,
        depth: int,
        call: EngineCall,
        game: Game | None = None,
        most_seconds: float = math.inf,
    ) -> Transcript:
        """Ask about a position, by default the starting one, with the whole time limit for this question."""
        game = game or Game(Position.start())
        is_start, question = game == Game(Position.start()), self.question(descriptor, depth, game)
        lines, unread = list[str](), list[str]()
        if is_start:
            self._heard.append((question[-1], lines, unread))
        conversation, step = self.talk(descriptor, call), call.step(most_seconds, unlimited=PATIENCE)
        try:
            conversation.begin(game.base, step)
            conversation.send(question, step)
            heard = conversation.survey(depth, step, START_COUNTS[:depth] if is_start else ())
            if heard.refusal and not is_start and heard.total != perft(game.position, depth) and not call.stopped:
                raise rejection(self.name, heard.refusal)
            return heard
        except EngineError as error:
            telling = telling_line(conversation.unread, START_COUNTS[depth - 1]) if is_start else ""
            said = f"it said {telling!r}" if telling else conversation.quote_last_output()
            self.discard()
            if isinstance(error, EngineTimeout) and not isinstance(error, Idle) and said:
                raise EngineTimeout(f"{error}; {said}") from None
            raise
        finally:
            lines.extend(conversation.lines)
            unread.extend(conversation.unread)

    def question(self, descriptor: Descriptor, depth: int, game: Game | None = None) -> list[str]:
        """Return the lines that ask about a position, by default the starting one."""
        game = game or Game(Position.start())
        return descriptor.lines(game.base.fen(), game.uci_moves(), depth)

    def begin_search(self) -> None:
        """Forget what was heard."""
        self._heard.clear()

    def has_unread_count(self, depth: int) -> bool:
        """Return True if the last answer about the starting position has the correct count, though it was not read."""
        return any(has_count(line, START_COUNTS[depth - 1]) for line in self._heard[-1][1])

    def has_unread_moves(self) -> bool:
        """Return True if the last answer about the starting position, which was not understood, has root moves."""
        return any(root_move(line) is not None for line in self._heard[-1][1])

    def reason(self, descriptor: Descriptor, depth: int, call: EngineCall) -> EngineError | None:
        """Return why the last answer about the starting position was not understood, if that can be said."""
        lines, known = self._heard[-1][1], START_COUNTS[:depth]
        return self._diagnosis.of_answer(descriptor, self.question(descriptor, depth), lines, known, call)

    def answers_uci_late(self, descriptor: Descriptor, call: EngineCall) -> bool:
        """Return True if an engine that has not answered `uci` answers it later. Raises Unflushed."""
        return self._diagnosis.of_silence(descriptor, call)

    def has_mentioned(self, word: str) -> bool:
        """Return True if a word occurs in an answer about the starting position."""
        return any(word in line for _, lines, _ in self._heard for line in lines)

    def most_telling(self, depth: int) -> str:
        """Return what was answered to the question whose answer looks most like a count, "" if none does."""
        lines = {line: asked for asked, _, unread in self._heard for line in unread if any(map(str.isdigit, line))}
        line = telling_line(lines, START_COUNTS[depth - 1])
        asked = next((asked for one, asked in lines.items() if printable(one) == line), "")
        return f"to {asked} it said {line!r}" if line else ""
