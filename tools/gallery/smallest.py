"""Search for the smallest position with each rare event.

Positions with an event are generated from its template and taken from the suites. Each is reduced with the candidates
of the fuzzer's reduction, as long as the event occurs and the position looks reachable: first to fewer pieces, then to
weaker ones. The smallest result is kept. `exhaustive.py` finds the minimum number of pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations

import chess
from hypothesis import HealthCheck, Phase, given, seed, settings
from perft_check.generator import Position
from perft_check.generator.events import IMPOSSIBLE_EVENTS, Event, events_of
from perft_check.generator.game import Game
from perft_check.generator.position import read_fen
from perft_check.generator.reachability.classification import Reachability, reachability_of
from perft_check.generator.validation import FenError
from perft_check.harness.fuzzing.candidates import candidates_for, cost, is_sound
from perft_check.strategies import templates
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

DRAWN = 40
"""Number of positions generated for each event."""
LABELS = list(Reachability)
REDUCED = 12
"""Number of the simplest positions, generated or taken from suites, that are reduced."""


def smallest(event: Event) -> Position:
    """Return the smallest position with an event, among those that look most reachable."""
    starts = sorted(map(Game, {*_of_suites(event), *_drawn(event)}), key=cost)
    best = min((reachability_of(start.base) for start in starts), key=LABELS.index)
    alike = [start for start in starts if reachability_of(start.base) is best]
    return min((_reduced(start, event, best) for start in alike[:REDUCED]), key=cost).base


def _reduced(game: Game, event: Event, label: Reachability) -> Game:
    """Reduce a position until no candidate is simpler."""
    for candidate in chain(candidates_for(game), _rearranged(game)):
        is_simpler = cost(candidate) < cost(game) and is_sound(candidate, game)
        if is_simpler and event in events_of(candidate.base) and reachability_of(candidate.base) is label:
            return _reduced(candidate, event, label)
    return game


def _rearranged(game: Game) -> Iterator[Game]:
    """Yield positions with one piece removed and another one moved; each change alone might lose the event."""
    board = chess.Board(game.base.fen(), chess960=game.base.chess960)
    for gone, moved in permutations(board.piece_map(), 2):
        rooks = chess.BB_SQUARES[gone] | chess.BB_SQUARES[moved]
        if board.piece_type_at(gone) == chess.KING or board.castling_rights & rooks:
            continue
        for square in chess.SQUARES:
            if board.piece_at(square) is None:
                other = board.copy(stack=False)
                other.remove_piece_at(gone)
                other.set_piece_at(square, other.remove_piece_at(moved))
                position = read_fen(other.fen(en_passant="fen"), game.base.chess960)
                if isinstance(position, Position):
                    yield Game(position)


def _of_suites(event: Event) -> Iterator[Position]:
    for name in BUNDLED:
        positions = (_of_variant(case.position, event) for case in load_suite(bundled_path(name)))
        yield from (position for position in positions if position is not None and event in events_of(position))


def _of_variant(position: Position, event: Event) -> Position | None:
    """Convert a position to the variant that an event needs; return None if standard chess cannot have it."""
    try:
        return Position.from_fen(position.fen(), chess960=event.chess960)
    except FenError:
        return None


def _drawn(event: Event) -> list[Position]:
    found: list[Position] = []

    @seed(1)
    @settings(
        max_examples=DRAWN,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(templates(event, impossible=event in IMPOSSIBLE_EVENTS))
    def keep(position: Position) -> None:
        same = _of_variant(position, event)
        found.extend([same] if same is not None and event in events_of(same) else [])

    keep()
    return found
