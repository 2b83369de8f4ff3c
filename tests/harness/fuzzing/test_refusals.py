"""Mutated FENs: python-chess holds all of them for wrong, and each fault of a reader is reported once."""

from __future__ import annotations

import chess
import pytest
from perft_check.generator.line import Line
from perft_check.generator.position import Position
from perft_check.generator.validation import FenError
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.lists import Subject
from perft_check.harness.fuzzing.checks.refusals import MUTATIONS, Refusals
from perft_check.strategies.drawing import tricky_positions

START = Position.start()
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


def mutated_fens(wrong: str) -> list[str]:
    fields = [MUTATIONS[wrong](position.fen().split()) for position in tricky_positions()]
    return [" ".join(field) for field in fields if field is not None]


@pytest.mark.parametrize("wrong", [wrong for wrong in MUTATIONS if wrong != "no fields after the placement"])
def test_python_chess_accepts_no_mutated_fen(wrong: str) -> None:
    fens = mutated_fens(wrong)
    assert fens
    for fen in fens:
        try:
            board = chess.Board(fen, chess960=True)
        except ValueError:
            continue
        assert board.status() != chess.STATUS_VALID, fen


def test_our_reader_refuses_all_mutated_fens() -> None:
    check = Refusals(Subject())
    assert [discrepancy for position in tricky_positions() for discrepancy in check(Probe(Line(position), 2))] == []


class Lenient(Subject):
    """Accepts any en passant square, and runs off the board at a ninth rank."""

    def read(self, fen: str, chess960: bool) -> Position:
        if fen.partition(" ")[0].count("/") > 7:
            raise IndexError("rank -1")
        try:
            return super().read(fen, chess960)
        except FenError as error:
            if "en passant" in str(error):
                return START
            raise


def test_each_mutation_has_a_discrepancy_of_its_own() -> None:
    found = list(Refusals(Lenient())(Probe(Line(KIWIPETE), 2)))
    board = KIWIPETE.fen().split()[0]
    assert [discrepancy.message for discrepancy in found] == [
        f"a FEN with a ninth rank ends with IndexError, as in {board}/8 w KQkq - 0 1",
        f"a FEN with an en passant square of another rank is accepted, as in {board} w KQkq e4 0 1",
        f"a FEN with an en passant square that no pawn has passed is accepted, as in {board} w KQkq a6 0 1",
        f"a FEN with an en passant square beyond the board is accepted, as in {board} w KQkq e9 0 1",
    ]
    assert len({discrepancy.signature for discrepancy in found}) == 4


def test_the_signature_leaves_the_example_out() -> None:
    signatures = {
        discrepancy.signature
        for position in (START, KIWIPETE, KIWIPETE.play(KIWIPETE.parse_uci("e1g1")))
        for discrepancy in Refusals(Lenient())(Probe(Line(position), 2))
        if "rank ends" in discrepancy.message
    }
    assert signatures == {("refusal", "mismatch", "a FEN with a ninth rank ends with IndexError")}
