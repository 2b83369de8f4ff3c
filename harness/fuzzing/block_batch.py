"""Send an engine blocks of positions without waiting for answers, and examine the positions whose answers differ.

An answer that differs is only a suspect. Its position is examined again, one question at a time: first alone, then
after the moves that led to it. If neither reproduces the difference, the suspect is reported with the questions that
preceded it, but only if the engine failed there or nothing else was found. One position in 512 is also checked with
python-chess, so that a bug in perft-check's kernels cannot go unnoticed.
"""

from __future__ import annotations

import time
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
from ..engines.asking.confirming import Confirmation, Reproducibility, confirm
from ..engines.asking.histories import format_game
from ..engines.asking.pipelined import PipelinedSession
from ..engines.base import EngineError, EngineTimeout
from ..engines.block_stream import CollectedBlock
from ..model.results.finding import Cause, Finding, varying_answers
from ..model.results.verdict import Verdict
from ..shutdown import Interrupted
from .batch import Batch, BatchContext
from .checks.divides import Divides
from .checks.keys import Keys
from .checks.predicates import Predicates
from .guidance import FAILURE_VISITS, WRONG_VISITS
from .hypothesis_batch import PART
from .model import Discrepancy

BLOCKS_IN_FLIGHT = 3
"""Number of blocks sent ahead, so that the engine never waits for perft-check."""
CONFIRM_ONE_IN = 512
"""One position in this many is compared with python-chess."""
BLOCK_CHECKS = (Keys.name, Predicates.name)
"""Checks that ask many questions and examine one position of a block."""
SLOW_SHARE = 0.02
"""Maximum share of the time of a batch for these checks."""
MOST_LOST_ANSWERS = 256
"""Number of positions examined after a failure, because the engine may have computed answers that never arrived."""


@dataclass(frozen=True)
class BlockOrigin:
    """Functions that return where the positions of a block come from."""

    game_of: Callable[[PositionBatch, int], Game]
    """Returns the game that leads to a position."""
    guided_bases: Callable[[PositionBatch, NDArray[np.int64]], list[Position]] | None = None
    """Returns the bases from which positions were generated; None if coverage does not guide the block."""


class BlockBatch(Batch):
    """A batch that is sent to the engine in blocks; subclasses yield the blocks."""

    def __init__(self, context: BatchContext, engine: PipelinedSession, name: str) -> None:
        super().__init__(context, name)
        self._engine = engine
        self._suspects = Suspects()
        self._answered = 0
        self._origins: deque[BlockOrigin] = deque()
        """The origins of the blocks in flight."""
        self._unreproduced: UnreproducedSuspect | None = None
        """The first suspect that could not be reproduced; an engine failure replaces an incorrect answer."""
        self._began = time.monotonic()
        self._slow_seconds = 0.0
        """Time that the checks in `BLOCK_CHECKS` have taken."""
        self._loses_answers = False
        """Whether the engine has ever failed at a position after the first unanswered one."""

    def _blocks(self) -> Iterator[tuple[PositionBatch, BlockOrigin]]:
        """Yield the blocks."""
        raise NotImplementedError

    def run(self) -> None:
        """Send all blocks and examine the suspects. Raises Interrupted; `result` then holds the results so far."""
        try:
            self._ask()
        finally:
            suspect = self._unreproduced
            if suspect is not None and (suspect.trouble is not None or not self.result.first):
                self._note([suspect.discrepancy(self._engine)], is_confirmed=suspect.trouble is not None)

    def _ask(self) -> None:
        self._engine.get_ready()
        for block, origin in self._blocks():
            self._engine.submit(block)
            self._origins.append(origin)
            if len(self._origins) > BLOCKS_IN_FLIGHT:
                self._process(self._engine.collect(), self._origins.popleft())
            if self._is_over:
                return
        while self._origins and not self._is_over:
            self._process(self._engine.collect(), self._origins.popleft())

    @staticmethod
    def _chunks(block: PositionBatch, size: int) -> Iterator[PositionBatch]:
        """Yield a block in chunks of `size` positions; an empty block is yielded unchanged."""
        for first in range(0, max(1, len(block)), size):
            yield block.part(first, min(first + size, len(block)))

    def _process(self, collected: CollectedBlock, origin: BlockOrigin) -> None:
        """Record the answers to a block, and examine the suspects."""
        block, answered, game_of = collected.sampled, collected.answered, origin.game_of
        self.result.strategies[self._name] += answered
        self._cover(block, answered)
        # The position at which the engine failed is examined last, together with the positions after it.
        doubtful = [index for index in collected.doubtful.tolist() if collected.trouble is None or index != answered]
        for index in range(-self._answered % CONFIRM_ONE_IN, answered, CONFIRM_ONE_IN):
            if index not in doubtful and not python_chess_agrees(block, index):
                doubtful.append(index)
        self._answered += answered
        if self._guidance is not None and collected.coverage is not None:
            self._guidance.note_block(
                collected.coverage,
                lambda index: (game_of(block, index), int(block.depths[index])),
                by_suite=self._is_of_suite,
            )
            alone = ((game_of(block, index).without_moves(), int(block.depths[index])) for index in range(answered))
            self._guidance.locate(alone, self._examiner.count_alone, by_suite=self._is_of_suite)
        if self._guidance is not None and origin.guided_bases is not None:
            wrong = collected.doubtful[collected.doubtful < len(block)]
            failed = wrong[np.isin(wrong, collected.failed if collected.trouble is None else answered)]
            for indices, visits in ((wrong, WRONG_VISITS), (failed, FAILURE_VISITS)):
                self._guidance.bases(block.chess960).discourage(origin.guided_bases(block, indices), visits)
        if answered:
            self._examiner.note_answers(game_of(block, 0).without_moves(), int(block.depths[:answered].max()))
        self._report([])
        if answered:
            self._note(self._examiner.compare_keys(block, answered))
            self._examine_slowly(Game(game_of(block, answered - 1).position))
        for index in doubtful:
            if self._suspects.is_worth_examining(block.events[index]):
                self._examine(game_of(block, index), index, collected)
        if collected.trouble is not None:
            self._recover(origin, collected, collected.trouble)

    def _examine_slowly(self, game: Game) -> None:
        """Run the checks that ask many questions, except searches, unless they have taken too much of the time."""
        began = time.monotonic()
        if self._slow_seconds > SLOW_SHARE * (began - self._began):
            return
        for check in BLOCK_CHECKS:
            if check in self._examiner.checks:
                self._note(self._examiner.examine(game, 1, check), 1)
        self._slow_seconds += time.monotonic() - began

    def _recover(self, origin: BlockOrigin, collected: CollectedBlock, trouble: EngineError) -> None:
        """Record a failure of the engine, and send the rest of the block to a new process."""
        block = collected.sampled
        self._note_timeout(isinstance(trouble, EngineTimeout))
        failed = self._examine_failure(origin, collected, trouble) if len(block) else 0
        rest = block.part(min(failed + 1, len(block)), len(block))
        if len(rest):
            self._origins.appendleft(origin)
        self._engine.recover(rest)

    def _cover(self, block: PositionBatch, answered: int) -> None:
        times = block.event_counts(answered)
        for event in np.flatnonzero(times).tolist():
            self.result.events[event] += int(times[event])

    def _examine(self, game: Game, index: int, collected: CollectedBlock) -> None:
        if not self._reproduce(game, index, collected) and self._unreproduced is None:
            self._keep_unreproduced(index, None)

    def _examine_failure(self, origin: BlockOrigin, collected: CollectedBlock, trouble: EngineError) -> int:
        """Find the position at which the engine fails, record the failure, and return the index of the position.

        The engine may have processed more positions than it answered, because unflushed output is lost when a program
        dies. If the first position without an answer does not reproduce the failure, the positions after it are
        examined. If all positions have answers, the engine failed at the marker after the last one. If many failures
        look alike, only some of them are examined.
        """
        block, first = collected.sampled, collected.answered
        events = block.events[min(first, len(block) - 1)]
        if not self._suspects.is_worth_examining(events, str(trouble)) and not self._loses_answers:
            return first
        is_known = self._unreproduced is not None and self._unreproduced.trouble is not None
        for index in range(first, min(first + (1 if is_known else MOST_LOST_ANSWERS), len(block))):
            game = origin.game_of(block, index)
            found = self._reproduce(game if index == first else Game(game.position), index, collected)
            if any(one.verdict is trouble.verdict for one in found):
                self._loses_answers |= index > first
                return index
        if not is_known:
            self._keep_unreproduced(min(first, len(block) - 1), trouble)
        return first

    def _reproduce(self, game: Game, index: int, collected: CollectedBlock) -> list[Discrepancy]:
        """Examine a position alone, after the last moves of its game, and after an unrelated position.

        The first discrepancies found are recorded and returned. Each game is examined to two depths: that of the plan,
        and that of the question, because the answer may be incorrect only at that depth.
        """
        asked = int(collected.sampled.depths[index])
        alone = Game(game.position)
        # In a block nothing is sent between two positions.
        after_another = PositionSetup.of(alone, {SetupOption.AFTER_ANOTHER})
        for depth in dict.fromkeys((max(asked, self._plan.depth), asked)):
            for variant in dict.fromkeys((alone, _last_moves(game), after_another)):
                found = self._examiner.examine(variant, depth)
                if found:
                    self._note(found, depth)
                    return found
        return []

    def _keep_unreproduced(self, index: int, trouble: EngineError | None) -> None:
        *before, block = self._engine.asked
        self._unreproduced = UnreproducedSuspect((*before, block.part(0, index + 1)), trouble)


def _last_moves(game: Game) -> Game:
    """Return the last `PART` moves of a game, played from the position before them."""
    end = len(game.moves)
    start = max(0, end - PART)
    return Game(Game(game.base, game.moves[:start]).position, game.moves[start:end])


def python_chess_agrees(block: PositionBatch, index: int) -> bool:
    """Return True if python-chess and perft-check's kernels list the same root moves for a position."""
    # In Chess960 mode python-chess writes castling as king takes rook.
    board = chess.Board(block.fen(index), chess960=block.castles_to_rook)
    return {_key_of(move) for move in board.legal_moves} == set(block.keys_of(index))


def _key_of(move: chess.Move) -> int:
    """Return the key of a move as in `PositionBatch.keys_of`; python-chess numbers piece types from 1."""
    return move.from_square | move.to_square << 6 | ((move.promotion or 1) - 1) << 12


ALWAYS_EXAMINED = 16
"""Number of suspects of a batch that are always examined. A later one is examined only if it has a new rare event or a
new failure, or if its number is a power of two."""
ONCE = "the answer differed once when many questions were sent together, but not when they were asked again"
EACH_TIME = "the answer differs each time when the same questions are sent together, but not when asked one at a time"
_NOTES = {
    Reproducibility.NEVER: ONCE,
    Reproducibility.ALONE: EACH_TIME,
    Reproducibility.AFTER_HISTORY: EACH_TIME,
}
"""The description of a suspect, by how reproducible it is, unless answers depend on chance."""


class Suspects:
    """Decides which suspects of a batch are examined."""

    def __init__(self) -> None:
        self.number = 0
        """Number of suspects so far."""
        self._met: NDArray[Any] | None = None
        self._failures: set[str] = set()
        """Messages of the failures so far."""

    def is_worth_examining(self, events: NDArray[np.uint64], failure: str = "") -> bool:
        """Count a suspect, given its events and any failure message; return True if it should be examined."""
        self.number += 1
        is_new = bool(failure) and failure not in self._failures
        self._failures.add(failure)
        before = np.zeros_like(events) if self._met is None else self._met
        self._met = before | events
        is_power_of_two = self.number & (self.number - 1) == 0
        return self.number <= ALWAYS_EXAMINED or is_power_of_two or is_new or bool((events & ~before).any())


@dataclass(frozen=True)
class UnreproducedSuspect:
    """A suspect that could not be reproduced alone, and the blocks sent up to it."""

    asked: tuple[PositionBatch, ...]
    """The blocks, the last of which ends with the position of the suspect."""
    trouble: EngineError | None
    """The failure of the engine at that position, if it failed."""

    def discrepancy(self, engine: PipelinedSession) -> Discrepancy:
        """Repeat the questions, and return the discrepancy with as few of them as are needed to reproduce it."""
        everything = [(block, index) for block in self.asked for index in range(len(block))]
        found: Confirmation[_BlockIndex] = Confirmation(Reproducibility.NEVER, everything)
        with suppress(EngineError, Interrupted):  # the engine does not restart, or the run is stopped
            found = confirm(
                everything,
                lambda positions: engine.retry(_blocks_of(positions)).is_last_doubtful,
                is_count=self.trouble is None,
            )
        fens = [block.fen(index) for block, index in found.history]
        chess960 = self.asked[-1].chess960
        history = tuple(format_game(Game(Position.from_fen(fen, chess960))) for fen in fens)
        here = Game(Position.from_fen(fens[-1], chess960))
        if self.trouble is not None:
            return Discrepancy(Divides.name, self.trouble.verdict, here, None, str(self.trouble), history=history)
        if found.reproducibility is Reproducibility.FROM_TIME_TO_TIME:
            finding = varying_answers(here.base)
        else:
            note = _NOTES[found.reproducibility]
            finding = Finding(cause=Cause.VANISHED, fen=here.base.fen(), chess960=chess960, note=note)
        return Discrepancy(Divides.name, Verdict.MISMATCH, here, finding, history=history)


_BlockIndex = tuple[PositionBatch, int]
"""A block, and the index of a position in it."""


def _blocks_of(positions: Sequence[_BlockIndex]) -> list[PositionBatch]:
    """Return the chunks of blocks that contain these consecutive positions."""
    blocks = []
    for _, group in groupby(positions, key=lambda one: id(one[0])):
        (block, first), *others = group
        blocks.append(block.part(first, first + 1 + len(others)))
    return blocks
