"""Check an engine for self-consistency, without a reference: its divide, its totals, and the moves that it plays.

The count below a root move must equal the count after playing that move, and the count from the FEN of the resulting
position. perft-check's generator is only used to create these FENs. Errors that follow from playing a move that the
engine does not list do not count as contradictions.
"""

from __future__ import annotations

from dataclasses import replace

from ...generator.game import Game
from ...generator.types.moves import Move
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError
from ..model.results.positions import Contradiction
from .comparing import least_depth


def contradictions(game: Game, depth: int, engine: EngineSession) -> list[Contradiction]:
    """Return the root moves for which an engine contradicts itself in a divide at `depth`, which is at least 2.

    Illegal moves, and moves that the engine does not list, are skipped because they cannot be played. If the engine
    prints no root moves, it counts after each legal move. Raises EngineError.
    """
    found, position = [], game.position
    divide = engine.divide(game, depth)
    for move in position.legal_moves:
        after, text = game.after(move), move.uci(chess960=True)
        if not divide.is_total_only and text not in divide.counts:
            continue
        from_fen = engine.perft(after.without_moves(), depth - 1)
        try:
            played = engine.perft(after, depth - 1)
        except EngineError:
            if lists(game, move, engine):
                raise
            continue
        divided = divide.counts.get(text, played)
        if not divided == played == from_fen and (not divide.is_total_only or lists(game, move, engine)):
            uci, san = move.uci(position.chess960), position.san(move)
            found.append(Contradiction(uci, san, after.position.fen(), divided, played, from_fen))
    return found


def first_unlisted(game: Game, engine: EngineSession) -> int | None:
    """Return the index of the first move of a game that the engine does not list, or None. Raises EngineError."""
    for index, move in enumerate(game.moves):
        if not lists(replace(game, moves=game.moves[:index]), move, engine):
            return index
    return None


def lists(before: Game, move: Move, engine: EngineSession) -> bool:
    """Return True if an engine lists a legal move after a game. Raises EngineError.

    If the engine prints no root moves, a move is considered unlisted if the number of moves is too low and the engine
    ignores the move, rejects it or crashes after it.
    """
    divide = engine.divide(before, least_depth(engine))
    if not divide.is_total_only:
        return move.uci(chess960=True) in divide.counts
    too_few = engine.min_depth <= 1 and divide.total < len(before.position.legal_moves)
    return not (too_few and _is_not_played(before, move, engine))


def counts_as_before(before: Game, after: Game, engine: EngineSession) -> bool:
    """Return True if playing one more move does not change the counts, so that the engine must have ignored it.

    Two counts of 0 prove nothing.
    """
    depth = least_depth(engine)
    try:
        answers = [(engine.divide(before, plies), engine.divide(after, plies)) for plies in (depth, depth + 1)]
    except EngineError:
        return False
    return all(first == second and first.total > 0 for first, second in answers)


def _is_not_played(before: Game, move: Move, engine: EngineSession) -> bool:
    after = before.after(move)
    try:
        engine.perft(after, least_depth(engine))
    except EngineError:
        return True
    return counts_as_before(before, after, engine)
