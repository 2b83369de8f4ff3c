"""An engine with its thread and its queue of questions, the events with its answers, and the descent to a wrong move.

The newest question is asked first, because the user is looking at its node.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...generator.game import Game
from ...generator.position import Position
from ...generator.types.moves import GenType
from ..checking.descent.descending import descend
from ..checking.lists.correct import askable, correct_list
from ..checking.lists.guessing import guess_convention
from ..checking.lists.wrong import differences, wrong_moves
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError, EngineRejection, EngineTimeout
from ..model.conventions import Convention
from ..model.results.finding import Finding
from ..shutdown import Interrupted
from .tree import Answer, Node, NodeFailure


@dataclass(frozen=True)
class DividedNode:
    """An event: an engine has answered about a node. `answer` is None if the engine was stopped."""

    node: Node
    engine: int
    answer: Answer | None


@dataclass(frozen=True)
class ComparedList:
    """An engine's move list of a GenType and the correct list. Castling is written as king takes rook."""

    moves: tuple[str, ...]
    correct: tuple[str, ...]
    """The correct list under the engine's convention, with only legal moves if illegal ones are optional."""
    wrong: tuple[tuple[str, str, str], ...]
    """The wrong moves, each with "missing", "extra" or "duplicate" and a reason."""


@dataclass(frozen=True)
class MovesListed:
    """An event: an engine has answered with a move list. `answer` is None if it offers no such list."""

    position: Position
    gentype: GenType
    answer: ComparedList | NodeFailure | None


class Conventions:
    """The convention of an engine's move lists, inferred once from its lists in a few positions."""

    def __init__(self) -> None:
        self._guessed: Convention | None = None

    def of(self, session: EngineSession) -> Convention:
        """Return the engine's convention, inferred on the first call. Raises Interrupted."""
        if self._guessed is None:
            self._guessed = guess_convention(session, {}).convention
        return self._guessed


@dataclass(frozen=True)
class DivideJob:
    """A question for the divide of a node, which is sent as a FEN."""

    node: Node
    engine: int

    def carry_out(self, session: EngineSession) -> DividedNode:
        """Ask for the divide, or for the count after each move if the engine prints only totals."""
        game = Game(self.node.position)
        if game.position.chess960 and session.engine.chess960 is False:
            raise EngineRejection(f"{session.name} does not support Chess960: {session.engine.no_chess960}")
        divide = session.divide(game, self.node.depth)
        return DividedNode(self.node, self.engine, session.with_children(game, self.node.depth, divide))

    def report_failure(self, failure: NodeFailure | None) -> DividedNode:
        """Return the event for a divide that failed; `failure` is None if it was stopped."""
        return DividedNode(self.node, self.engine, failure)


@dataclass(frozen=True)
class ListJob:
    """A question for the moves of a GenType, which are compared under the engine's convention."""

    position: Position
    gentype: GenType
    conventions: Conventions

    def carry_out(self, session: EngineSession) -> MovesListed:
        """Ask for the list."""
        convention = self.conventions.of(session)
        asked = self.gentype in askable(self.position, convention)
        moves = session.moves(Game(self.position), self.gentype) if asked else None
        compared = None if moves is None else _compare(self.position, self.gentype, moves, convention)
        return MovesListed(self.position, self.gentype, compared)

    def report_failure(self, failure: NodeFailure | None) -> MovesListed:
        """Return the event for a list that failed; `failure` is None if it was stopped."""
        return MovesListed(self.position, self.gentype, failure)


TreeJob = DivideJob | ListJob
"""A question to one engine."""


def _compare(position: Position, gentype: GenType, moves: Sequence[str], convention: Convention) -> ComparedList:
    found = differences(position, gentype, moves, convention)
    why = wrong_moves(position, gentype, moves, convention)
    wrong = ((text, kind, one.sentence) for (text, kind), one in zip(found, why, strict=True))
    return ComparedList(tuple(moves), tuple(correct_list(position, gentype, convention)), tuple(wrong))


def failure_of(error: EngineError) -> NodeFailure:
    """Convert an engine's error to a failure."""
    return NodeFailure(error.verdict, str(error))


NICENESS = 5
"""The niceness of engines, from 0 to 19. At 19 they would get hardly any CPU time on a busy machine."""
CLOSE_TIMEOUT = 2.0
"""Time in seconds that `close` waits for the current call to return."""


class EnginePane:
    """An engine and its questions. Events are posted from the engine's thread."""

    def __init__(self, session: EngineSession, post: Callable[[object], None]) -> None:
        """Create a pane for an engine that has not been started. `post` receives events and internal errors."""
        self.session, self.caller = session, session.runner
        self.lock = threading.Lock()
        """Held by a thread while it asks the engine."""
        self.under_way: TreeJob | None = None
        self._post = post
        self._jobs: list[TreeJob] = []
        self._changed = threading.Condition()
        self.stops = 0
        """The number of times the engine was stopped."""
        self._is_open = True
        self._is_started = False
        self._thread = threading.Thread(target=self._work, daemon=True, name=f"asks {session.name}")
        self._thread.start()

    @property
    def waiting(self) -> int:
        """The number of questions that have not been asked yet."""
        return len(self._jobs)

    @property
    def is_busy(self) -> bool:
        """Whether any question is being answered or waiting."""
        return bool(self._jobs) or self.under_way is not None

    def ask(self, job: TreeJob) -> None:
        """Queue a question. Newer questions are asked first."""
        with self._changed:
            self._jobs.append(job)
            self._changed.notify()

    def stop(self) -> None:
        """Stop the engine and drop all questions, each of which is reported as stopped."""
        with self._changed:
            dropped = self._drop()
            self.stops += 1
            self.caller.stop()
        for job in dropped:
            self._post(job.report_failure(None))

    def resume(self, stops: int) -> None:
        """Allow calls for a question asked after `stops` stops. Raises Interrupted if there was another stop."""
        with self._changed:
            if self.stops != stops:
                raise Interrupted
            self.caller.resume()

    def enforce_deadline(self) -> None:
        """Stop one of perft-check's kernels if it is overdue. Other engines enforce their deadlines themselves."""
        self.caller.latest.enforce_deadline()

    def start(self) -> None:
        """Start the engine if necessary. The caller must hold the lock. Raises EngineError, Interrupted."""
        if not self._is_started:
            self.session.start()
            self._is_started = True

    def close(self) -> None:
        """End the thread and close the engine."""
        with self._changed:
            self._is_open = False
            self._drop()
            self.stops += 1
            self.caller.stop()
            self._changed.notify()
        self._thread.join(CLOSE_TIMEOUT)
        self.session.close()

    def _drop(self) -> list[TreeJob]:
        with self._changed:
            dropped, self._jobs = self._jobs, []
            return dropped

    def _work(self) -> None:
        lower_priority()
        while (next_one := self._next()) is not None:
            job, stops = next_one
            with self.lock:
                event = self._carry_out(job, stops)
            if self._is_open:
                self._post(event)
            self.under_way = None

    def _next(self) -> tuple[TreeJob, int] | None:
        """Wait for a question, and return it with the number of stops so far."""
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or not self._is_open)
            if not self._is_open:
                return None
            self.under_way = self._jobs[-1]
            return self._jobs.pop(), self.stops

    def _carry_out(self, job: TreeJob, stops: int) -> object:
        try:
            with suppress(Interrupted):
                self.resume(stops)
                self.start()
                return job.carry_out(self.session)
            return job.report_failure(None)
        except EngineError as error:
            if isinstance(error, EngineTimeout):  # the other questions would probably take as long
                for other in self._drop():
                    self._post(other.report_failure(None))
            return job.report_failure(failure_of(error))
        except Exception as fault:
            return fault


def lower_priority() -> None:
    """Lower the priority of this thread and of the engines that it starts, so that keys are handled first."""
    with suppress(OSError, AttributeError):  # on Linux each thread has its own priority
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


@dataclass(frozen=True)
class Followed:
    """An event, sent when the search for the cause of a difference has ended."""

    node: Node
    found: Finding | NodeFailure | None
    """The cause, an engine failure, or None if the engines agree below the node."""
    is_stopped: bool = False


def follow(node: Node, panes: Sequence[EnginePane], post: Callable[[object], None]) -> None:
    """Follow the difference below a node in a new thread, which finally posts `Followed` or an internal error."""
    stops = [pane.stops for pane in panes]

    def work() -> None:
        lower_priority()
        engine, reference = panes
        with engine.lock, reference.lock:
            post(_follow_down(node, panes, stops))

    threading.Thread(target=work, daemon=True, name="descent").start()


def _follow_down(node: Node, panes: Sequence[EnginePane], stops: Sequence[int]) -> object:
    engine, reference = panes
    try:
        for pane, number in zip(panes, stops, strict=True):
            pane.resume(number)
            pane.start()
        return Followed(node, descend(Game(node.position), node.depth, engine.session, reference.session))
    except Interrupted:
        return Followed(node, None, is_stopped=True)
    except EngineError as error:
        return Followed(node, failure_of(error))
    except Exception as fault:
        return fault
