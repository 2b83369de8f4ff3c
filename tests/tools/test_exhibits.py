"""The gallery: python-chess confirms the events of positions and the wrong moves of faults."""

from __future__ import annotations

from pathlib import Path

import chess
import pytest
from gallery.exhaustive import least_pieces
from helpers.each import check_each
from helpers.naive_events import naive_events
from pages.exhibits import FAMILIES, Exhibit, Gallery, bugs, gallery, rows
from perft_check.generator.events import IMPOSSIBLE_EVENTS, Event
from perft_check.harness.model.results.finding import Finding

TROPHIES = Path(__file__).parents[2] / "benchmarks" / "trophies" / "trophies.md"


@pytest.fixture(scope="module")
def shown() -> Gallery:
    return gallery()


def board_of(exhibit: Exhibit) -> chess.Board:
    return chess.Board(exhibit.position.fen(), chess960=exhibit.event.chess960)


def test_each_event_has_a_row_in_the_order_of_the_catalogue() -> None:
    assert [row.event for row in rows()] == list(Event)
    assert {event.name.split("_")[0] for event in Event} == set(FAMILIES)


def test_python_chess_confirms_the_event_of_each_position(shown: Gallery) -> None:
    def has_it(exhibit: Exhibit) -> None:
        board = board_of(exhibit)
        assert exhibit.event.name in naive_events(board)
        assert exhibit.pieces == len(board.piece_map())
        assert not board.was_into_check()
        if exhibit.event not in IMPOSSIBLE_EVENTS:
            assert board.status() in (chess.STATUS_VALID, chess.STATUS_IMPOSSIBLE_CHECK)

    check_each(has_it, shown.exhibits, lambda exhibit: exhibit.event.label)


def test_python_chess_confirms_the_wrong_moves_of_faults(shown: Gallery) -> None:
    def is_confirmed(exhibit: Exhibit) -> None:
        row = next(row for row in rows() if row.event is exhibit.event)
        assert [one.fault.name for one in exhibit.shown] == list(row.faults)
        assert [one.fault.name for one in exhibit.elsewhere] == list(row.elsewhere)
        for one in exhibit.shown:
            assert_wrong(board_of(exhibit), one.finding)

    check_each(is_confirmed, shown.exhibits, lambda exhibit: exhibit.event.label)


def assert_wrong(board: chess.Board, finding: Finding) -> None:
    """Check that missing moves are legal, and extra ones are not; castling may be king takes rook or king goes two."""
    legal = {move.uci() for move in board.legal_moves} | {board.uci(move, chess960=True) for move in board.legal_moves}
    if finding.state:
        assert {move.uci for move in finding.state} <= legal
        return
    assert finding.wrong
    for move in finding.wrong:
        assert (move.uci in legal) == (move.kind != "extra"), move


def test_bugs_of_published_programs_are_among_the_trophies() -> None:
    page = TROPHIES.read_text(encoding="utf-8")
    for bug in bugs():
        assert bug.event.name in naive_events(chess.Board(bug.fen)), bug
        assert f"`{bug.fen}`" in page.split(f"## {bug.package} ")[1].split("\n## ")[0], bug


def test_published_bugs_are_about_legal_or_illegal_moves_as_stated() -> None:
    for bug in bugs():
        legal = {move.uci() for move in chess.Board(bug.fen).legal_moves}
        move = next(word.strip(".") for word in bug.says.split() if word[1:2].isdigit())
        assert (move in legal) == (not bug.says.startswith("It lists")), bug


@pytest.mark.slow
def test_events_with_two_and_three_pieces_are_those_of_the_table() -> None:
    assert least_pieces(3) == {row.event: row.least for row in rows() if row.least is not None and row.least <= 3}
