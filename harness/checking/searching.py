"""Check searches: every move that a search prints is legal, and a search does not change the position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...generator.counting.perft import perft
from ...generator.game import Game
from ...generator.position import Position
from ...generator.types.pieces import PieceType
from ..engines.asking.session import EngineSession
from ..engines.stdio.displays import SearchAnswer
from ..explaining import explain_move
from ..model.results.events import implausibility_of
from ..model.results.finding import Cause, Finding, finding_after
from .comparing import explain_wrong_move, least_depth

LIMITS = ("depth 1", "depth 2", "depth 3", "nodes 1")
"""The searches that are run in each position, as the arguments of `go`."""
FIFTY_MOVES = 100
"""Plies without a capture or a pawn move after which a player may claim a draw (FIDE Laws of Chess 9.3)."""


def check_searches(engine: EngineSession, game: Game) -> Iterator[Finding]:
    """Run short searches after a game, and yield findings about them. Raises EngineError.

    Nothing is searched if the engine cannot search or the position does not look reachable.
    """
    if implausibility_of(game.position.fen(), game.base.chess960) or not engine.search_limits:
        return  # programs need not support more pieces of a type than a game can lead to
    depth = least_depth(engine)
    expected = perft(game.position, depth)
    # An engine that silently refuses the position would search another one; this count then raises an error.
    if engine.perft(game, depth) != expected:
        return
    limits = [limit for limit in LIMITS if limit.split()[0] in engine.search_limits]
    for limit in limits:
        yield from _judge(game, engine.search(game, limit), f"go {limit}")
    # The position is not set up again, because that would hide any change made by the search.
    again = engine.recount(depth)
    if again not in (None, expected):
        note = f"go perft {depth} counts {again:,} right after go {limits[-1]}, and {expected:,} in a new position"
        yield finding_after(game, Cause.SEARCH, f"{note}: the search changes the position")
        return
    legal = sorted(move.uci(game.base.chess960) for move in game.position.legal_moves)
    if not legal or "searchmoves" not in engine.search_limits:
        return
    only = legal[len(legal) // 2]
    # Engines that ignore `searchmoves` are not at fault, but their answers must be legal, too.
    yield from _judge(game, engine.search(game, "depth 1", [only]), f"go depth 1 searchmoves {only}")


def _judge(game: Game, answer: SearchAnswer | None, asked: str) -> Iterator[Finding]:
    """Yield the findings in the output of one search."""
    if answer is None:
        yield finding_after(game, Cause.SEARCH, f"{asked} ends without a bestmove")
        return
    position = game.position
    if not answer.best and position.legal_moves and not _is_drawn(position):
        legal = len(position.legal_moves)
        note = f"{asked} answers that there is no legal move, and there are {legal}"
        yield finding_after(game, Cause.SEARCH, note)
    best = [answer.best] if answer.best else []
    sequences = [
        ("bestmove", [*best, answer.ponder] if answer.ponder else best),
        *(("pv", list(moves)) for moves in answer.variations),
        *(("currmove", [move]) for move in answer.considered),
    ]
    for what, moves in sequences:
        found = _first_illegal(game, moves, f"{asked}: {what} {' '.join(moves)}")
        if found is not None:
            yield found
            return


def _is_drawn(position: Position) -> bool:
    """Return True if an engine may take the game for drawn: by the fifty-move rule or by insufficient material."""
    kings = sum(side[PieceType.KING] for side in position.pieces)
    minor = sum(side[PieceType.KNIGHT] | side[PieceType.BISHOP] for side in position.pieces)
    can_mate = position.occupied != kings | minor or minor.bit_count() > 1
    return position.halfmove >= FIFTY_MOVES or not can_mate


def _first_illegal(game: Game, moves: Sequence[str], said: str) -> Finding | None:
    """Return a finding for the first move of a sequence that is illegal or written in the wrong notation, or None."""
    position = game.position
    for number, text in enumerate(moves):
        legal = {move.uci(position.chess960): move for move in position.legal_moves}
        if text in legal:
            position = position.play_unchecked(legal[text])
            continue
        where = "" if number == 0 else f", after {' '.join(moves[:number])}"
        other = {move.uci(not position.chess960) for move in position.legal_moves}
        if text in other:
            custom = "king takes rook" if position.chess960 else "the king's step, as in e1g1"
            note = f"{said}: {text}{where} is written as in another variant, not as {custom}"
            return finding_after(game, Cause.SEARCH, note)
        wrong = explain_wrong_move(position, text, "extra", explain_move(position, text))
        return finding_after(Game(position) if number else game, Cause.SEARCH, said, wrong=[wrong])
    return None
