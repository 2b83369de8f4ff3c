"""Ask an engine about blocks of positions ahead of its answers, and examine what differs.

A different answer is only a suspicion. Its position is examined like any other one, one question at a time: alone, then
after the moves that led there. If neither shows a difference, the suspicion is reported with what had been asked before
it, provided that the engine failed there or nothing else is found. One position in some hundred is compared with
python-chess, so that a fault in perft-check's kernels cannot hide.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import PositionSetup, SetupOption
from ...generator.sampling.position_batch import PositionBatch
from ..engines.asking.confirming import FROM_TIME_TO_TIME, Confirmation, Reproducibility, confirm
from ..engines.asking.histories import write_line
from ..engines.asking.pipelined import PipelinedSession
from ..engines.base import EngineError, EngineTimeout
from ..engines.block_stream import CollectedBlock
from ..model.results.finding import Cause, Finding
from ..model.results.verdict import Verdict
from ..model.shutdown import Interrupted
from .batch import Batch, BatchContext
from .checks.divides import Divides
from .guidance import FAILURE_VISITS, WRONG_VISITS
from .hypothesis_batch import PART
from .model import Discrepancy

UNDER_WAY = 3
"""How many blocks are under way, so that the engine never waits for perft-check."""
CONFIRMED_ONE_IN = 512
"""One position in this many is compared with python-chess."""
MOST_UNHEARD = 256
"""Positions that are examined if the engine fails: it may have answered more than perft-check has received."""


@dataclass(frozen=True)
class BlockOrigin:
    """Where the positions of a block come from, each by its index."""

    game_of: Callable[[PositionBatch, int], Game]
    """Returns how a position was reached."""
    guided_bases: Callable[[PositionBatch, NDArray[np.int64]], list[Position]] | None = None
    """Returns what coverage has found and some positions were generated from, if the block is a guided one."""


class BlockBatch(Batch):
    """A batch that is asked ahead. A subclass yields the blocks."""

    def __init__(self, context: BatchContext, engine: PipelinedSession, name: str) -> None:
        super().__init__(context, name)
        self._engine = engine
        self._suspects = Suspects()
        self._answered = 0
        self._origins: deque[BlockOrigin] = deque()
        """Those of the blocks that are under way."""
        self._unseen: UnreproducedMismatch | None = None
        """The first suspicion that examining did not show; one at which the engine failed comes before others."""
        self._loses_answers = False
        """Whether the engine has failed at a position behind the first one without an answer."""

    def _blocks(self) -> Iterator[tuple[PositionBatch, BlockOrigin]]:
        """Yield the blocks to ask about."""
        raise NotImplementedError

    def run(self) -> None:
        """Ask and examine. Raises Interrupted, with the results so far in `result`."""
        try:
            self._ask()
        finally:  # not shown when examined: reported if the engine failed there, or if nothing else was found
            if self._unseen is not None and (self._unseen.trouble is not None or not self.result.first):
                self._note([self._unseen.discrepancy(self._engine)], is_confirmed=self._unseen.trouble is not None)

    def _ask(self) -> None:
        self._engine.get_ready()
        for block, origin in self._blocks():
            self._engine.submit(block)
            self._origins.append(origin)
            if len(self._origins) > UNDER_WAY:
                self._take(self._engine.collect(), self._origins.popleft())
            if self._is_over:
                return
        while self._origins and not self._is_over:
            self._take(self._engine.collect(), self._origins.popleft())

    @staticmethod
    def _parts(block: PositionBatch, size: int) -> Iterator[PositionBatch]:
        """Yield a block in parts of `size` positions; an empty block is yielded as it is."""
        for first in range(0, max(1, len(block)), size):
            yield block.part(first, min(first + size, len(block)))

    def _take(self, collected: CollectedBlock, origin: BlockOrigin) -> None:
        """Take in a block, and examine its doubtful positions."""
        block, answered, game_of = collected.sampled, collected.answered, origin.game_of
        self.result.strategies[self._name] += answered
        self._cover(block, answered)
        # The position at which the engine failed is examined last, with those behind it.
        doubtful = [index for index in collected.doubtful.tolist() if collected.trouble is None or index != answered]
        for index in range(-self._answered % CONFIRMED_ONE_IN, answered, CONFIRMED_ONE_IN):
            if index not in doubtful and not python_chess_agrees(block, index):
                doubtful.append(index)
        self._answered += answered
        if self._guidance is not None and collected.coverage is not None:
            self._guidance.note_block(
                collected.coverage,
                lambda index: (game_of(block, index), int(block.depths[index])),
                by_suite=self._is_of_suite,
            )
            alone = ((game_of(block, index).afresh(), int(block.depths[index])) for index in range(answered))
            self._guidance.seek(alone, self._examiner.count_alone, by_suite=self._is_of_suite)
        if self._guidance is not None and origin.guided_bases is not None:
            wrong = collected.doubtful[collected.doubtful < len(block)]
            failed = wrong[np.isin(wrong, collected.failed if collected.trouble is None else answered)]
            for indices, visits in ((wrong, WRONG_VISITS), (failed, FAILURE_VISITS)):
                self._guidance.bases(block.chess960).discourage(origin.guided_bases(block, indices), visits)
        if answered:
            self._examiner.note_answers(game_of(block, 0).afresh(), int(block.depths[:answered].max()))
        self._report([])
        for index in doubtful:
            if self._suspects.is_worth_examining(block.events[index]):
                self._examine(game_of(block, index), index, collected)
        if collected.trouble is not None:
            self._recover(origin, collected, collected.trouble)

    def _recover(self, origin: BlockOrigin, collected: CollectedBlock, trouble: EngineError) -> None:
        """Note what the engine failed at, and have a new process asked about the rest of the block."""
        block = collected.sampled
        self._note_timeout(isinstance(trouble, EngineTimeout))
        failed = self._examine_failure(origin, collected, trouble) if len(block) else 0
        rest = block.part(min(failed + 1, len(block)), len(block))
        if len(rest):
            self._origins.appendleft(origin)
        self._engine.recover(rest)

    def _cover(self, block: PositionBatch, answered: int) -> None:
        times = block.times_met(answered)
        for event in np.flatnonzero(times).tolist():
            self.result.events[event] += int(times[event])

    def _examine(self, game: Game, index: int, collected: CollectedBlock) -> None:
        """Note what a doubtful position shows: alone, or after the moves that led there."""
        if not self._find_faults(game, index, collected) and self._unseen is None:
            self._keep_unseen(index, None)

    def _examine_failure(self, origin: BlockOrigin, collected: CollectedBlock, trouble: EngineError) -> int:
        """Note what the engine fails at, and return its index.

        The engine may have read further than its answers show: those that a program has not yet written are lost when
        it dies. So if the first position without an answer shows no failure, those behind it are examined. If all have
        answers, it fails at the marker behind the last of them. Of failures that look alike some are examined.
        """
        block, first = collected.sampled, collected.answered
        events = block.events[min(first, len(block) - 1)]
        if not self._suspects.is_worth_examining(events, str(trouble)) and not self._loses_answers:
            return first
        is_known = self._unseen is not None and self._unseen.trouble is not None
        for index in range(first, min(first + (1 if is_known else MOST_UNHEARD), len(block))):
            game = origin.game_of(block, index)
            found = self._find_faults(game if index == first else Game(game.position), index, collected)
            if any(one.verdict is trouble.verdict for one in found):
                self._loses_answers |= index > first
                return index
        if not is_known:
            self._keep_unseen(min(first, len(block) - 1), trouble)
        return first

    def _find_faults(self, game: Game, index: int, collected: CollectedBlock) -> list[Discrepancy]:
        """Note and return what a position shows: alone, or else after the last moves of its line, or after another.

        It is examined as deep as others are, and at the depth of the question: an answer may be wrong there alone.
        """
        asked = int(collected.sampled.depths[index])
        alone = Game(game.position)
        # Asked ahead, the engine goes from one position to the next with nothing between them.
        after_another = PositionSetup.of(alone, {SetupOption.AFTER_ANOTHER})
        for depth in dict.fromkeys((max(asked, self._plan.depth), asked)):
            for way in dict.fromkeys((alone, _end_of(game), after_another)):
                found = self._examiner.examine(way, depth)
                if found:
                    self._note(found, depth)
                    return found
        return []

    def _keep_unseen(self, index: int, trouble: EngineError | None) -> None:
        *before, block = self._engine.asked
        self._unseen = UnreproducedMismatch((*before, block.part(0, index + 1)), trouble)


def _end_of(game: Game) -> Game:
    """Return the last moves of a line, from where they begin."""
    end = len(game.moves)
    start = max(0, end - PART)
    return Game(Game(game.base, game.moves[:start]).position, game.moves[start:end])


def python_chess_agrees(block: PositionBatch, index: int) -> bool:
    """Return True if python-chess has the same root moves of one position as perft-check's kernels."""
    board = chess.Board(block.fen(index), chess960=block.castles_to_rook)  # which is how it then writes castling
    return {_key_of(move) for move in board.legal_moves} == set(block.keys_of(index))


def _key_of(move: chess.Move) -> int:
    """Return the key of a move, as `Drawn.keys` has it: the numbers of promotions begin one later in python-chess."""
    return move.from_square | move.to_square << 6 | ((move.promotion or 1) - 1) << 12


ALL_OF = 16
"""The first doubtful positions of a batch are all examined; later ones only if they show a rare event that none before
has shown, or if their number is a power of two."""
ONCE = "sent many questions at once, it differed once, and asked again it does not"
EACH_TIME = "sent the same questions at once, it differs each time, and asked one at a time it does not"
_NOTES = {
    Reproducibility.NEVER: ONCE,
    Reproducibility.ALONE: EACH_TIME,
    Reproducibility.AFTER_HISTORY: EACH_TIME,
    Reproducibility.FROM_TIME_TO_TIME: FROM_TIME_TO_TIME,
}
"""What is reported of a suspicion, by when it is reproducible."""


class Suspects:
    """The doubtful positions of one batch."""

    def __init__(self) -> None:
        self.number = 0
        """How many there were."""
        self._met: NDArray[Any] | None = None
        self._failures: set[str] = set()
        """How the engine failed, if it did."""

    def is_worth_examining(self, events: NDArray[np.uint64], failure: str = "") -> bool:
        """Note a doubtful position that shows these events; return True if it is to be examined.

        It is if the engine reports a `failure` in other words than any before.
        """
        self.number += 1
        is_new = bool(failure) and failure not in self._failures
        self._failures.add(failure)
        before = np.zeros_like(events) if self._met is None else self._met
        self._met = before | events
        is_power_of_two = self.number & (self.number - 1) == 0
        return self.number <= ALL_OF or is_power_of_two or is_new or bool((events & ~before).any())


@dataclass(frozen=True)
class UnreproducedMismatch:
    """A doubtful position that shows nothing when it is examined, with the blocks that were asked before it."""

    asked: tuple[PositionBatch, ...]
    """The last of them ends with the doubtful position."""
    trouble: EngineError | None
    """What the engine failed with there, if it did."""

    def discrepancy(self, engine: PipelinedSession) -> Discrepancy:
        """Ask the engine again, and return the discrepancy with as few questions before it as still show it."""
        everything = [(block, index) for block in self.asked for index in range(len(block))]
        found: Confirmation[_Place] = Confirmation(Reproducibility.NEVER, everything)
        with suppress(EngineError, Interrupted):  # it does not start any more, or the run is stopped
            found = confirm(
                everything,
                lambda places: engine.retry(_blocks_of(places)).is_last_doubtful,
                is_count=self.trouble is None,
            )
        fens = [block.fen(index) for block, index in found.history]
        chess960 = self.asked[-1].chess960
        history = tuple(write_line(Game(Position.from_fen(fen, chess960))) for fen in fens)
        here = Game(Position.from_fen(fens[-1], chess960))
        if self.trouble is not None:
            return Discrepancy(Divides.name, self.trouble.verdict, here, None, str(self.trouble), history=history)
        note = _NOTES[found.reproducibility]
        finding = Finding(cause=Cause.VANISHED, fen=here.base.fen(), chess960=chess960, note=note)
        return Discrepancy(Divides.name, Verdict.MISMATCH, here, finding, history=history)


_Place = tuple[PositionBatch, int]
"""A position that was asked ahead: its block, and its index in it."""


def _blocks_of(places: Sequence[_Place]) -> list[PositionBatch]:
    """Return the parts of blocks that have these positions, which follow each other."""
    blocks = []
    for _, group in groupby(places, key=lambda place: id(place[0])):
        (block, first), *_ = positions = list(group)
        blocks.append(block.part(first, first + len(positions)))
    return blocks
