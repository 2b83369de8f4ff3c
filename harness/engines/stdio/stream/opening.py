"""Try pipelining with an engine by asking the same questions one at a time and all at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .....generator.notation.fen import START_FEN
from .....generator.position import Position
from .....generator.sampling.position_batch import PositionBatch, key_of
from ....coverage.counters import ProcessCounters
from ...base import CannotPipeline, EngineError
from ...block_stream import OpenedStream
from ...call import EngineCall
from ...root_moves import EXAMPLE, are_left_out
from ..conversation import Conversation
from ..probing import ProbedDialect
from ..process import ProcessLimits
from ..sentinels import SENTINELS
from .block import NEVER, StreamProtocol
from .stream import Stream

MARKERS = SENTINELS
"""Positions that mark the end of a block, used alternately."""
MARKER_DEPTH, MARKER_DEPTH_OF_TOTALS = 2, 3
"""Depths of the markers. Without root moves, the total must be large to be distinctive; it is above 1,000."""
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
CASTLING_960 = "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1"
FINAL_DEPTH = 2
"""A depth at which root moves that end the game have a count of 0."""
MOST_COUNT = 2**63 - 1
"""The largest count that a block can store. No question has a count this large."""
_FROM_TO = re.compile("(?:[a-h][1-8]){2}[a-z]?")
ROUNDS = 2
"""Number of times the questions are repeated in a block."""


@dataclass(frozen=True)
class TrialAnswer:
    """The answer of an engine or another generator to one question."""

    fen: str
    depth: int
    pairs: Sequence[tuple[str, int]]
    """Root moves as UCI text, and their counts."""
    total: int


def block_of(answers: Sequence[TrialAnswer], chess960: bool = False, castles_to_rook: bool = False) -> PositionBatch:
    """Return a block whose expected answers are `answers`. Raises ValueError if a root move is not UCI text."""
    text = "".join(f"{answer.fen}\n" for answer in answers).encode()
    listed = [sorted((key_of(move), count) for move, count in answer.pairs) for answer in answers]
    return PositionBatch.without_bases(
        np.frombuffer(text, dtype=np.uint8),
        np.array([answer.depth for answer in answers], dtype=np.int64),
        np.array([key for pairs in listed for key, _ in pairs], dtype=np.uint16),
        np.array([count for pairs in listed for _, count in pairs], dtype=np.int64),
        np.cumsum([len(pairs) for pairs in listed], dtype=np.int64),
        np.array([answer.total for answer in answers], dtype=np.int64),
        chess960=chess960,
        castles_to_rook=castles_to_rook,
    )


def is_uci(move: str) -> bool:
    """Return True if a parsed root move is in UCI notation, with two squares."""
    return _FROM_TO.fullmatch(move) is not None


def open_ahead(
    name: str,
    understood: ProbedDialect,
    limits: ProcessLimits,
    call: EngineCall,
    max_depth: int = NEVER,
    *,
    chess960: bool = False,
    counters: ProcessCounters | None = None,
) -> OpenedStream:
    """Start an engine for pipelining. Raises CannotPipeline with the reason if this is not possible.

    The time limit of the call applies to each step of the trial and to each later answer.

    Parameters
    ----------
    name, understood, limits, call
        The engine's name and dialect, the limits for its process, and the call with the time limit.
    max_depth
        The greatest depth that the engine supports.
    chess960
        Whether the trial includes Chess960.
    counters
        Counters for coverage, which are closed with the stream.
    """
    if (objection := _objection(understood)) is not None:
        raise CannotPipeline(objection)
    limits = limits if counters is None else limits.with_variable(counters.variable)

    def open_(step: EngineCall) -> Conversation:
        return Conversation(name, understood.descriptor, limits, step)

    trial = _Trial(understood, call, max_depth, (False, True)[: 1 + chess960])
    seconds = NEVER if call.seconds is None else call.seconds
    conversation: Conversation | None = None
    try:
        conversation = open_(call.step())
        trial.ask_in_turn(conversation)
        protocol, markers = trial.protocol(), trial.markers()
        stream = Stream(name, protocol, markers, open_, limits, seconds)
        stream.take_over(conversation)
        trial.ask_at_once(stream)
    except BaseException as error:
        if conversation is not None:
            conversation.kill()
        if counters is not None:
            counters.close()
        if isinstance(error, EngineError):
            raise CannotPipeline(f"it fails a trial: {error}") from None
        raise
    if counters is not None:
        stream.measure(counters)
    return OpenedStream(stream, trial.castles_to_rook, understood.min_depth, max_depth)


def _objection(understood: ProbedDialect) -> str | None:
    """Return a clause that says why this descriptor rules out pipelining, or None if it does not."""
    if understood.descriptor.first_depth is not None:
        return "it counts every depth on the way, and its totals do not say which one they are of"
    if understood.descriptor.case.count("{fen}") != 1:
        return "its descriptor names the FEN more than once"
    return None


class _Trial:
    """Questions, and their answers when asked one at a time."""

    def __init__(self, understood: ProbedDialect, call: EngineCall, max_depth: int, variants: Sequence[bool]) -> None:
        self._understood, self._call, self._max_depth = understood, call, max_depth
        self._variants = variants
        self._lists_from = NEVER
        if understood.prints_divide and understood.adds_up:
            self._lists_from = max(understood.min_depth, 1 if understood.prints_root_moves else 2)
        self._total_format: str | None = None
        self._markers: list[TrialAnswer] = []
        self._answers: dict[bool, list[TrialAnswer]] = {}
        self._leaves_out_final_moves = False
        self.castles_to_rook = {False: False, True: True}

    def ask_in_turn(self, conversation: Conversation) -> None:
        """Ask the questions one at a time. Raises EngineError, CannotPipeline."""
        least = self._understood.min_depth
        depth = max(least, MARKER_DEPTH if self._lists_from < NEVER else MARKER_DEPTH_OF_TOTALS)
        depth = min(depth, self._max_depth)
        self._markers = [self._ask(conversation, fen, depth) for fen in MARKERS]
        if self._markers[0].total == self._markers[1].total:
            raise CannotPipeline("it gives the same count for two positions that have different ones")
        for chess960 in self._variants:
            castling = CASTLING_960 if chess960 else CASTLING
            depths = sorted({min(max(least, depth), self._max_depth) for depth in (1, 2)})
            self._answers[chess960] = [
                self._ask(conversation, fen, depth, chess960) for depth in depths for fen in (START_FEN, castling)
            ]
            moves = {move for answer in self._answers[chess960] for move, _ in answer.pairs if answer.fen == castling}
            if chess960 and moves & {"e1g1", "e1c1"}:
                raise CannotPipeline("it writes castling of Chess960 as the king's target, and not as king takes rook")
            if moves & {"e1g1", "e1h1"}:
                self.castles_to_rook[chess960] = "e1h1" in moves
        if (final_depth := max(self._lists_from, FINAL_DEPTH)) <= self._max_depth and self._lists_from < NEVER:
            pairs = self._ask(conversation, EXAMPLE.fen(), final_depth).pairs
            self._leaves_out_final_moves = are_left_out(move for move, _ in pairs)
        conversation.begin(Position.start(), self._call.step())  # discards remaining output

    def protocol(self) -> StreamProtocol:
        """Return how to ask the engine. Raises CannotPipeline if it prints no totals."""
        descriptor = self._understood.descriptor
        total_format = descriptor.total_format or self._total_format
        if total_format is None:
            raise CannotPipeline("it prints no total, by which an answer ends")
        descriptor = replace(descriptor, total_format=total_format)
        return StreamProtocol(descriptor, self._lists_from, self._leaves_out_final_moves)

    def markers(self) -> tuple[PositionBatch, PositionBatch]:
        """Return the two positions that mark the ends of blocks, with the engine's answers."""
        first, second = (block_of([answer]) for answer in self._markers)
        return first, second

    def ask_at_once(self, stream: Stream) -> None:
        """Ask the same questions all at once. Raises CannotPipeline if the answers differ."""
        for chess960, answers in self._answers.items():
            block = block_of(answers * ROUNDS, chess960, self.castles_to_rook[chess960])
            stream.submit(block)
            stream.submit(block)
        while stream.under_way:
            collected = stream.collect()
            if collected.trouble is not None:
                raise CannotPipeline(f"it fails when it is sent many questions at once: {collected.trouble}")
            if len(collected.doubtful):
                raise CannotPipeline(
                    "sent many questions at once, it gives other answers, or writes them in an unknown way"
                )

    def _ask(self, conversation: Conversation, fen: str, depth: int, chess960: bool = False) -> TrialAnswer:
        position, step = Position.from_fen(fen, chess960), self._call.step()
        sent = position.fen(castling="shredder" if chess960 else "xfen")
        transcript = conversation.ask(position, conversation.descriptor.lines(sent, [], depth), depth, step)
        self._total_format = self._total_format or transcript.total_format
        pairs = transcript.pairs if depth >= self._lists_from else []
        if max([transcript.total or 0, *(count for _, count in pairs)]) > MOST_COUNT:
            raise CannotPipeline("it gives counts that are too large")
        if not all(is_uci(move) for move, _ in pairs):
            raise CannotPipeline("it does not write root moves, or castling, as UCI text")
        return TrialAnswer(sent, depth, tuple(pairs), transcript.total or 0)
