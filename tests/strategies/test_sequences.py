"""Each sequence is legal, ends where a lost right would allow more, and shows the faults that it is built for."""

from __future__ import annotations

from functools import cache

import chess
import pytest
from helpers.sampling import examples_of
from perft_check.generator import Color, perft
from perft_check.generator.game import Game
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.strategies import Reachability, reachability_of
from perft_check.strategies.sequences import sequences
from perft_check.strategies.sequences.building import CHESS960_SEQUENCES, SEQUENCES

NUMBER = 6
STANDARD, CHESS960 = tuple(SEQUENCES), (*SEQUENCES, *CHESS960_SEQUENCES)

COMES_BACK = {"rook-replaced", "rook-replaced-after-promotion", "rook-square-taken-again", "king-takes-rook"}
LEAVES = {"rook-away-and-back", "king-away-and-back", "both-away-and-back", "castled-and-back"}
CASTLED = {"castled-and-back", "castled-and-back-to-the-other-rook"}
BOTH = {"rook-takes-rook", "castled-and-back-to-the-other-rook"}
PROMOTED = {"promoted-beside-own-king", "promoted-beside-their-king"}
OVERLAPS = {"castled-past-each-other", "king-and-rook-swap"}
CASTLES = {"rights-one-by-one", "other-rook-taken", "other-rook-moves", "repetition", "repetition-in-a-small-tree"}
CASTLES |= {"ep-after-castling"}
DECLINED = {"ep-declined", "ep-declined-and-repeated"}
TAKEN = {"ep-late", "ep-again-beside", "ep-answered-on-the-file", "ep-answered-beside"}
TAKEN |= {"ep-after-castling", "ep-after-double-check"}


@cache
def lines_of(name: str, chess960: bool) -> list[Game]:
    return examples_of(sequences(name, chess960=chess960), NUMBER)


def boards(game: Game) -> list[chess.Board]:
    """Return the positions of a game as python-chess plays it; each move must be legal."""
    board = chess.Board(game.base.fen(), chess960=game.base.chess960)
    found = [board.copy()]
    for text in game.uci_moves():
        board.push(board.parse_uci(text))
        found.append(board.copy())
    return found


@pytest.mark.slow
@pytest.mark.parametrize("chess960", [False, True])
def test_sequences_are_played_by_the_rules_in_both_colors(chess960: bool) -> None:
    for name in CHESS960 if chess960 else STANDARD:
        lines = lines_of(name, chess960)
        assert len(lines) == NUMBER, name
        assert len(set(lines)) > NUMBER // 2, name
        assert {game.base.turn for game in lines} == set(Color), name
        for game in lines:
            assert reachability_of(game.base) is not Reachability.IMPOSSIBLE, game
            assert 3 <= len(game.moves) <= 8, game
            assert all(board.is_valid() for board in boards(game)), game


@pytest.mark.parametrize("chess960", [False, True])
def test_a_lost_right_would_allow_castling_at_the_end(chess960: bool) -> None:
    for name in COMES_BACK | LEAVES | BOTH | PROMOTED | (OVERLAPS if chess960 else set()):
        for line in lines_of(name, chess960):
            end = boards(line)[-1]
            assert not any(map(end.is_castling, end.legal_moves)), line
            end.castling_rights |= end.rooks & chess.BB_BACKRANKS
            assert any(map(end.is_castling, end.legal_moves)), line


def test_an_earlier_en_passant_square_would_allow_a_capture_at_the_end() -> None:
    for name in DECLINED:
        for line in lines_of(name, False):
            after, end = boards(line)[1], boards(line)[-1]
            assert (end.has_legal_en_passant(), after.ep_square is not None) == (False, True), line
            end.ep_square = after.ep_square
            assert end.has_legal_en_passant(), line


def test_a_sequence_repeats_the_position_without_the_lost_right() -> None:
    for name, plies in {"ep-declined-and-repeated": 1, "king-away-and-back": 0, "both-away-and-back": 0}.items():
        for line in lines_of(name, False):
            first, last = boards(line)[plies], boards(line)[-1]
            assert first.board_fen() == last.board_fen(), line
            assert (first.turn, first.fen()) != (last.turn, last.fen()), line


def test_the_last_moves_are_those_that_a_faulty_generator_misses() -> None:
    for name in CASTLES | TAKEN:
        for game in lines_of(name, False):
            *_, before, _ = boards(game)
            last = before.parse_uci(game.uci_moves()[-1])
            assert before.is_en_passant(last) is (name in TAKEN), game
            assert before.is_castling(last) is (name not in TAKEN), game


@pytest.mark.parametrize("chess960", [False, True])
def test_a_count_to_depth_3_shows_a_right_that_survives_below_root_moves(chess960: bool) -> None:
    """In some games another piece prevents castling."""

    def counted(game: Game) -> int:
        generator = ZOO["perft-drifts"].seeded()
        return sum(count for _, count in generator.divide(generator.set_up(game.base.fen(), chess960), 3))

    assert any(counted(game) > perft(game.base, 3) for game in lines_of("rook-taken", chess960))


def test_unknown_names_are_refused() -> None:
    for name in ("rook-vanishes", "king-and-rook-swap"):  # the second is of Chess960
        with pytest.raises(ValueError, match="no sequence named"):
            sequences(name)
