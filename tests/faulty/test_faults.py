"""Each faulty generator counts wrongly from its position, and is right for the first plies; without a fault, always."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from faulty import serve
from faulty.castling import CastlingGenerator
from faulty.checks import KingSteps
from faulty.en_passant import Unsafe
from faulty.generators import FAULTS, UNDO_FAULTS, Fault, Generator
from perft_check.harness.explaining.rules import Rule

POSITIONS = {
    "startpos": (chess.STARTING_FEN, False),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", False),
    "en passant pinned on a rank": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", False),
    "promotions": ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", False),
    "knight takes rook": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", False),
    "rooks and kings": ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", False),
    "en passant takes checker": ("3k4/8/8/2Pp4/2K5/8/8/8 w - d6 0 4", False),
    "en passant blocks a line": ("6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1", False),
    "discovered by double push": ("k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19", False),
    "double check": ("8/8/1n6/3K4/8/1q6/8/4k3 w - - 0 3", False),
    "king stays": ("bnqnr1kr/1pp2pp1/p2b4/7P/4P3/8/PPPP3P/BNQNRBKR b HEhe - 0 10", True),
    "king and rook swap": ("1rnn1krB/p2qpp1p/1pp5/6p1/8/1P6/P1PPPPKP/1R1NQ1RB b gb - 0 10", True),
    "rook shields king": ("Qr1k1brq/p1ppp2p/3n1pp1/8/n1P5/3P2P1/1P2PP1P/BRNKNBR1 b GBgb - 0 10", True),
}
STATE_FAULTS = {name: fault for name, fault in FAULTS.items() if fault.kind == "state"}

each_fault = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)


@pytest.mark.parametrize("generator", [Generator, CastlingGenerator, KingSteps, Unsafe])
@pytest.mark.parametrize("position", POSITIONS)
def test_without_a_fault_all_agrees(position: str, generator: type[Generator]) -> None:
    fen, chess960 = POSITIONS[position]
    board = chess.Board(fen, chess960=chess960)
    assert board.is_valid()
    right = generator()
    for move in [chess.Move.null(), *board.legal_moves]:
        if move:
            right.play(board, move)
        assert move_set(right, board) == legal_set(board), move
        if move:
            right.undo(board)
    assert board == chess.Board(fen, chess960=chess960)


@each_fault
def test_the_count_is_wrong(fault: Fault) -> None:
    board = start(fault)
    assert board.is_valid()
    faulty, right = fault.generator(), Generator()
    assert serve.perft(faulty, board, fault.depth) != serve.perft(right, board, fault.depth)
    assert board == start(fault)


@each_fault
def test_the_first_plies_are_right(fault: Fault) -> None:
    faulty, board = fault.generator(), start(fault)
    assert move_set(faulty, board) == legal_set(board)
    if fault.kind != "state":
        for move in list(board.legal_moves):
            faulty.play(board, move)
            assert move_set(faulty, board) == legal_set(board), move
            faulty.undo(board)


@each_fault
def test_what_is_wrong_is_of_its_kind(fault: Fault) -> None:
    differences = list(wrong_lists(fault))
    assert differences
    extra = any(generated.keys() - legal.keys() for generated, legal in differences)
    missing = any(legal.keys() - generated.keys() for generated, legal in differences)
    duplicate = any(max(generated.values()) > 1 for generated, _ in differences)
    assert {"extra": extra, "missing": missing, "duplicate": duplicate, "state": True}[fault.kind]
    assert not (missing and fault.kind == "extra") or "promotion-piece-missing" in fault.rules
    assert not (extra and fault.kind in ("missing", "duplicate"))


@pytest.mark.parametrize("fault", STATE_FAULTS.values(), ids=STATE_FAULTS)
def test_state_faults_spoil_what_is_played(fault: Fault) -> None:
    """From a fresh FEN of the same position the same generator lists the right moves."""
    faulty, wrong = fault.generator(), 0
    for board, true in played(faulty, start(fault), fault.depth - 1):
        wrong += board.fen() != true.fen()
        assert move_set(faulty, true.copy(stack=False)) == legal_set(true)
    assert wrong


def test_the_faults_are_described() -> None:
    assert len(FAULTS) == len({fault.generator for fault in FAULTS.values()})
    assert {rule for fault in FAULTS.values() for rule in fault.rules} <= {rule.value for rule in Rule}
    for name, fault in (FAULTS | UNDO_FAULTS).items():
        assert name == fault.name
        assert name.isidentifier()
        assert re.fullmatch(r"[A-Z].+\.", fault.story)
        assert all(re.fullmatch(r"[A-Z]{1,2}\d\d", entry) for entry in fault.catalogue), fault.catalogue


def test_an_undo_fault_spoils_the_moves_after_it() -> None:
    fault = UNDO_FAULTS["right_lost_by_undo"]
    counts = dict(serve.divide(fault.name, fault.fen, fault.depth))
    right = dict(serve.divide("right", fault.fen, fault.depth))
    assert counts["e1g1"] == right["e1g1"]
    assert counts["a2a3"] < right["a2a3"]
    alone = serve.divide(fault.name, fault.fen, fault.depth - 1, moves=["a2a3"])
    assert sum(count for _, count in alone) == right["a2a3"]


def test_as_a_callable_a_move_listed_twice_comes_twice() -> None:
    fault = FAULTS["promotion_hash_move_twice"]
    answer = serve.__getattr__(fault.name)(fault.fen, 1, ["a6a7", "e8e7"])
    assert [move for move, _ in answer].count("a7a8q") == 2
    assert serve.divide("right", fault.fen, 0) == []


def test_the_program_speaks_uci() -> None:
    answer = ask(
        "right_survives_capture",
        "uci",
        "isready",
        "position startpos moves e2e4",
        "go perft 2",
        "position fen 4k3/1b6/8/8/8/8/P7/4K2R w K - 0 1 moves a2a3 b7h1",
        "d",
        "go perft 1",
        "position startpos moves e2e5",
        "position fen 8/8/8 w",
        "go perft 1",
        "quit",
    )
    assert {"uciok", "readyok", "a7a6: 30", "Nodes searched: 600"} <= {*answer}
    assert "Fen: 4k3/8/8/8/8/P7/8/4K2b w K - 0 2" in answer
    assert "e1g1: 1" in answer
    assert sum(line.startswith("Nodes searched") for line in answer) == 2
    assert "info string illegal move e2e5" in answer
    assert any(line.startswith("info string invalid fen") for line in answer)


def test_castling_is_printed_as_the_mode_asks() -> None:
    position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    answer = ask("right", position, "go perft 1", "setoption name UCI_Chess960 value true", position, "go perft 1")
    assert [line for line in answer if line.startswith(("e1g1", "e1h1"))] == ["e1g1: 1", "e1h1: 1"]


def start(fault: Fault) -> chess.Board:
    return chess.Board(fault.fen, chess960=fault.chess960)


def move_set(generator: Generator, board: chess.Board) -> Counter[str]:
    return Counter(board.uci(move) for move in generator.moves(board))


def legal_set(board: chess.Board) -> Counter[str]:
    return Counter(board.uci(move) for move in board.legal_moves)


def played(generator: Generator, board: chess.Board, plies: int) -> Iterator[tuple[chess.Board, chess.Board]]:
    """Yield the positions that legal moves lead to, as the generator plays them and as they should be.

    What lies below a list of moves that is wrong already is left out.
    """
    true = board.copy()

    def below(depth: int) -> Iterator[tuple[chess.Board, chess.Board]]:
        yield board, true
        if depth == plies or move_set(generator, board) != legal_set(true):
            return
        by_text = {board.uci(move): move for move in generator.moves(board)}
        for move in list(true.legal_moves):
            generator.play(board, by_text[true.uci(move)])
            true.push(move)
            yield from below(depth + 1)
            generator.undo(board)
            true.pop()

    return below(0)


def wrong_lists(fault: Fault) -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Yield what is generated and what is legal wherever the two differ."""
    faulty = fault.generator()
    for board, true in played(faulty, start(fault), fault.depth - 1):
        generated, legal = move_set(faulty, board), legal_set(true)
        if generated != legal:
            yield generated, legal


def ask(name: str, *commands: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(Path(serve.__file__)), name],
        input="\n".join(commands) + "\n",
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    return done.stdout.splitlines()
