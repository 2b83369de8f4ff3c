"""The search for the smallest positions agrees with the table of the gallery."""

from __future__ import annotations

from itertools import product

import chess
import pytest
from gallery.exhaustive import least_pieces
from gallery.smallest import smallest
from helpers.naive_events import naive_events
from pages.exhibits import rows
from perft_check.generator.events import Event


@pytest.mark.slow
def test_events_with_two_and_three_pieces_are_those_of_the_table() -> None:
    assert least_pieces(3) == {row.event: row.least for row in rows() if row.least is not None and row.least <= 3}


def test_the_only_event_of_two_kings_is_that_they_keep_apart() -> None:
    found = set()
    for ours, theirs in product(chess.SQUARES, chess.SQUARES):
        if chess.square_distance(ours, theirs) > 1:
            board = chess.Board(None)
            board.set_piece_map({ours: chess.Piece(chess.KING, True), theirs: chess.Piece(chess.KING, False)})
            found |= naive_events(board)
    assert found == {Event.K_ADJ_KING_ONLY.name}


@pytest.mark.slow
@pytest.mark.parametrize("event", [Event.EP_LEGAL, Event.PIN_KNIGHT, Event.F_SWAP], ids=lambda event: event.label)
def test_the_search_finds_as_few_pieces_as_the_table(event: Event) -> None:
    row = next(row for row in rows() if row.event is event)
    men = len(chess.Board(row.fen, chess960=event.chess960).piece_map())
    assert smallest(event).fen().split()[0].count("/") == 7
    assert sum(letter.isalpha() for letter in smallest(event).fen().split()[0]) == men
