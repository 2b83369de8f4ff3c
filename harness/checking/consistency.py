"""Compare an engine with itself, without a reference: its divide, its totals, and the moves that it plays and lists.

The count below a root move must be the count after playing that move, and the count of the child's own FEN. The root
moves' FENs are made by perft-check's generator; nothing else of it is asked. What follows from a move that the engine
does not list is no fault of its own.
"""

from __future__ import annotations

from dataclasses import replace

from ...generator.game import Game
from ...generator.types.moves import Move
from ..engines.asking.session import EngineSession
from ..engines.base import EngineError
from ..model.results.divide import ConsistencyFinished, Contradiction
from .comparing import least_depth


def check_consistency(game: Game, depth: int, engine: EngineSession) -> ConsistencyFinished:
    """Return whether an engine agrees with itself under the root moves of a divide. Raises EngineError."""
    position, found = game.position, tuple(contradictions(game, depth, engine))
    return ConsistencyFinished(engine.spec, position.fen(), position.chess960, depth, len(position.legal_moves), found)


def contradictions(game: Game, depth: int, engine: EngineSession) -> list[Contradiction]:
    """Return the root moves of a divide at `depth` under which the engine contradicts itself.

    `depth` is at least 2. Moves that perft-check's generator does not know are left out, and moves that the engine does
    not list: they cannot be played. An engine that prints no root moves is asked after each legal move. Raises
    EngineError.
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
    """Return the place of the first move of a line that the engine does not list, or None. Raises EngineError."""
    for place, move in enumerate(game.moves):
        if not lists(replace(game, moves=game.moves[:place]), move, engine):
            return place
    return None


def lists(before: Game, move: Move, engine: EngineSession) -> bool:
    """Return True if an engine lists a legal move after a line. Raises EngineError.

    An engine that prints no root moves is taken not to list it if it counts too few moves and
    ignores this one, refuses it or ends with it.
    """
    divide = engine.divide(before, least_depth(engine))
    if not divide.is_total_only:
        return move.uci(chess960=True) in divide.counts
    too_few = engine.min_depth <= 1 and divide.total < len(before.position.legal_moves)
    return not (too_few and _is_not_played(before, move, engine))


def counts_as_before(before: Game, after: Game, engine: EngineSession) -> bool:
    """Return True if the engine, made to play one more move, answers as before it: it has ignored the move.

    Two answers that count nothing show nothing.
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
