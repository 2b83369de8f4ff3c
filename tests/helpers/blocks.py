"""Blocks of positions from random games with the correct answers, like those that kernels sample."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from perft_check.generator import Position, divide
from perft_check.generator.sampling.position_batch import PositionBatch
from perft_check.harness.engines.stdio.stream.opening import TrialAnswer, block_of

CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def random_positions(number: int, chess960: bool = False, seed: int = 1) -> list[Position]:
    """Return positions from random games, always the same for a seed."""
    start = Position.from_fen(CHESS960, chess960=True) if chess960 else Position.start()
    games = _game(start, random.Random(seed))
    return [next(games) for _ in range(number)]


def _game(start: Position, chance: random.Random) -> Iterator[Position]:
    position, plies = start, 0
    while True:
        yield position
        plies += 1
        ends = not position.legal_moves or plies % 80 == 0
        position = start if ends else position.play_unchecked(chance.choice(position.legal_moves))


def correct_block(positions: Sequence[Position], depth: int = 1, castles_to_rook: bool | None = None) -> PositionBatch:
    """Return a block of positions of one variant. By default, castling is king takes rook in Chess960."""
    chess960 = positions[0].chess960 if positions else False
    to_rook = chess960 if castles_to_rook is None else castles_to_rook
    return block_of([correct_answer(one, depth, to_rook) for one in positions], chess960, to_rook)


def correct_answer(position: Position, depth: int, castles_to_rook: bool) -> TrialAnswer:
    """Return the answer of a correct generator."""
    counts = divide(position, depth) if depth > 1 else dict.fromkeys(position.legal_moves, 1)
    pairs = [(move.uci(castles_to_rook), count) for move, count in counts.items()]
    fen = position.fen(castling="shredder" if position.chess960 else "xfen")
    return TrialAnswer(fen, depth, pairs, sum(count for _, count in pairs))
