"""One fault is reported as one cause, with a description that is true of every answer of the engine."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes.told import Engine
from helpers.asking import Answering, asking
from helpers.fakes import FAKES
from helpers.games import epd, game_from
from helpers.headlines import without_moves
from helpers.program import Run
from perft_check.generator import Position, perft
from perft_check.generator.game import Game
from perft_check.harness.checking.descent.descending import descend
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.root_moves import as_king_takes_rook
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.divides import Divides

TOLD = f"uci:{shlex.join([sys.executable, str(FAKES / 'told.py')])}"
OWN = OwnEngine("own")


def told(fault: str, *, totals: bool = False) -> Answering:
    """Return an engine of `fakes.told` that runs in this process."""

    def divide(game: Game, depth: int) -> Divide:
        engine = Engine(fault)
        engine.position(game.base.fen(), game.uci_moves())
        assert engine.board is not None
        counts = engine.counts(engine.board, depth)
        pairs = [(as_king_takes_rook(game.position, engine.text(move)), nodes) for move, nodes in counts]
        return Divide.of_total(sum(nodes for _, nodes in pairs)) if totals else Divide.of(pairs)

    return Answering(divide, lambda line, depth: divide(line, depth).total if depth else 1)


def causes(run: Run, folder: Path, engine: str, fens: Sequence[str], depth: int = 2) -> list[tuple[str, int]]:
    """Return title and positions of each cause that a run reports."""
    (folder / "few.epd").write_text("".join(epd(fen, *range(1, depth + 1)) for fen in fens))
    done = run("run", "-s", "few.epd", "-e", engine, "-j", "1", "--report", "json=-")
    assert done.returncode == 1, done.stdout + done.stderr
    return [(cause["title"], cause["positions"]) for cause in json.loads(done.stdout)["causes"]]


NEAR_PAWNS = (
    "k7/2P5/8/8/1K6/8/8/8 w - - 2 2",
    "3k4/8/8/2Pp4/2K5/8/8/8 w - d6 0 4",
    "7k/6p1/6P1/8/8/p2p3p/P2P3P/N3K2R w K - 0 1",
    "8/4p3/8/3P4/r1p5/4K3/b2P4/1k6 b - - 7 35",
    "8/P1k5/8/8/8/8/8/3K4 b - - 1 1",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "title"),
    [
        ("backward-pawns", "its pawns attack backwards when the safety of the king is tested"),
        ("harmless-pawns", "it overlooks all attacks on the king by pawns"),
    ],
)
def test_incorrect_attacks_are_one_cause(fault: str, title: str, run: Run, tmp_path: Path) -> None:
    ((named, positions),) = causes(run, tmp_path, f"{TOLD} {fault} totals", NEAR_PAWNS)
    assert named.partition("; ")[0] == title
    assert positions >= 4


@pytest.mark.parametrize("fen", NEAR_PAWNS)
def test_no_correctly_listed_move_is_named(fen: str) -> None:
    """With extra and missing moves, counts alone may look as if a move were listed twice."""
    engine = told("backward-pawns", totals=True)
    finding = descend(game_from(fen), 2, asking(engine), asking(OWN))
    if finding is None or not finding.wrong:
        return
    printed = descend(game_from(finding.fen), 1, asking(told("backward-pawns")), asking(OWN))
    assert printed is not None
    assert {(move.kind, move.uci) for move in finding.wrong} == {(move.kind, move.uci) for move in printed.wrong}


@pytest.mark.slow
def test_findings_from_counts_alone_are_one_cause(run: Run, tmp_path: Path) -> None:
    ((title, positions),) = causes(run, tmp_path, f"{TOLD} every-second totals", NEAR_PAWNS, depth=1)
    assert title.startswith("the count is incorrect, and the engine prints no root moves that show why; ")
    assert positions >= 3


KNIGHTS = (
    "4k3/8/8/8/8/3n4/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/3n4/8/4K2R w K - 0 1",
    "4k3/8/8/3N4/8/8/8/4K3 b - - 0 1",
    "4k3/8/5n2/8/8/8/4K3/8 w - - 0 1",
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["crashes-without-king", "hangs-without-king"])
def test_a_crash_below_an_illegal_move_belongs_to_the_move(fault: str, run: Run, tmp_path: Path) -> None:
    """In suites with only deep counts, the crash occurs first."""
    (tmp_path / "deep.epd").write_text("".join(epd(fen, 3) for fen in KNIGHTS))
    engine = f"{TOLD} {fault}"
    done = run("run", "-s", "deep.epd", "-e", engine, "-j", "1", "--timeout", "3", "--report", "json=r.json")
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert [cause["title"] for cause in report["causes"]] == ["extra move: King steps onto an attacked square"]
    assert {result["verdict"] for result in report["results"]} == {"mismatch"}
    assert "+1 nodes; at depth 3 the engine fails: " in done.stdout


def test_fuzz_does_not_report_a_crash_below_an_illegal_move(fuzz: Run) -> None:
    done = fuzz("--replay", KNIGHTS[0], "-e", f"{TOLD} crashes-without-king", "--depth", "3")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "extra move: King steps onto an attacked square" in without_moves(done.stdout)
    assert "CRASH" not in done.stdout


CLOCKS = (
    "4k3/8/8/8/8/8/8/4K2R w K - 100 80",
    "4k3/8/8/8/8/8/8/4K2R w - - 98 80",
    "6k1/8/8/3r4/8/2P5/8/4K3 b - - 112 90",
)
LATE_CLOCKS = ("4k3/8/8/8/8/8/8/4K2R w K - 150 99", "6k1/8/8/3r4/8/2P5/8/4K3 b - - 149 90")
DEAD = ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "8/8/5k2/8/8/2b5/8/5K2 b - - 3 40", "7k/8/8/3N4/8/8/5p2/6K1 w - - 0 1")
CLOCK, MATERIAL = (
    f"perft ignores draws: {rule} does not end the game" for rule in ("The fifty-move rule", "A dead position")
)
LATE = CLOCK.replace("fifty", "seventy-five")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "fens", "title"),
    [
        *((fault, CLOCKS, CLOCK) for fault in ("fifty", "fifty totals", "fifty-is-a-leaf", "fifty-is-a-leaf totals")),
        *((fault, LATE_CLOCKS, LATE) for fault in ("seventy-five", "seventy-five totals")),
        *((fault, DEAD, MATERIAL) for fault in ("dead", "dead totals", "dead-is-a-leaf")),
    ],
)
def test_ending_the_game_at_a_draw_is_reported(
    fault: str, fens: Sequence[str], title: str, run: Run, tmp_path: Path
) -> None:
    assert causes(run, tmp_path, f"{TOLD} {fault}", fens, depth=3) == [(title, len(fens))]


SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize("totals", [False, True])
def test_ending_the_game_at_a_repetition_is_reported(totals: bool) -> None:
    line = game_from(Position.start().fen(), *SHUFFLE.split(), *SHUFFLE.split())
    finding = descend(line, 2, asking(told("threefold", totals=totals)), asking(OWN))
    assert finding is not None
    assert finding.headline == "perft ignores draws: Repetition does not end the game"
    assert finding.wrong[0].sentence == (
        "When the position occurs for the third time, it lists no moves, but at the previous occurrence it is correct: "
        "perft continues after a draw."
    )


def test_the_clock_at_which_an_engine_lists_nothing_is_named() -> None:
    finding = descend(game_from(CLOCKS[0]), 1, asking(told("fifty")), asking(OWN))
    assert finding is not None
    assert [move.sentence for move in finding.wrong] == [
        "At a halfmove clock of 100 it lists no moves, but at 0 it is correct: perft continues after a draw."
    ]
    assert finding.note == ""


def test_an_empty_list_for_another_reason_is_not_reported_as_a_draw() -> None:
    def divide(game: Game, depth: int) -> Divide:
        return Divide.of([]) if game.position.pieces[0][3] else Divide.of_total(perft(game.position, depth))

    finding = descend(game_from(CLOCKS[0]), 1, asking(Answering(divide)), asking(OWN))
    assert finding is not None
    assert {move.kind for move in finding.wrong} == {"missing"}


PROMOTES = ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1")


@pytest.mark.parametrize(
    ("fault", "title"), [("k-for-knight", "k for a knight"), ("k-and-none", "k for a knight and none for a queen")]
)
@pytest.mark.parametrize("fen", PROMOTES)
def test_shifted_promotion_letters_are_one_finding(fault: str, title: str, fen: str) -> None:
    check = Divides(asking(told(fault)), asking(OWN, is_reference=True), None)
    (discrepancy,) = check(Probe(game_from(fen), 2))
    assert discrepancy.finding is not None
    assert discrepancy.finding.headline == f"wrong state: Promotion letters are {title}"
    assert discrepancy.finding.wrong[0].sentence == f"Promotion letters are {title}: " + (
        "k for a knight." if fault == "k-for-knight" else "k for a knight, none for a queen."
    )


@pytest.mark.parametrize("fen", PROMOTES)
@pytest.mark.parametrize("letter", "qn")
def test_a_pawn_that_stays_a_pawn_is_not_a_shifted_letter(fen: str, letter: str) -> None:
    game = game_from(fen, f"{'a7a8' if ' w ' in fen else 'a2a1'}{letter}")
    finding = descend(game, 2, asking(told("pawn-stays")), asking(OWN))
    assert finding is not None
    piece, square = {"q": "queen", "n": "knight"}[letter], game.uci_moves()[0][2:4]
    assert [(move.rule, move.sentence) for move in finding.state] == [
        ("placement", f"The pawn should become a {piece} on {square}, but nothing is there.")
    ]


MANY = (
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "6qk/5q2/3q4/1q4q1/4q3/2q4q/7P/3n1bRK b - - 0 1",
    "8/1q6/4q1k1/2q5/5q2/1K5q/3q4/6q1 w - - 0 1",
)


@pytest.mark.parametrize(("room", "totals"), [(60, False), (100, True), (128, False), (217, False), (217, True)])
def test_a_truncated_list_is_one_cause(room: int, totals: bool) -> None:
    finding = descend(game_from(MANY[0]), 1, asking(told(f"room-for-{room}", totals=totals)), asking(OWN))
    assert finding is not None
    if room == 217:  # one move is missing
        assert {move.kind for move in finding.wrong} <= {"missing"}
        return
    assert finding.headline == f"missing move: List of moves ends at {room}"
    assert [move.sentence for move in finding.wrong] == [
        f"It lists {room} of 218 moves here, and {room} in other positions with more: the list is full."
    ]


def test_moves_missing_for_another_reason_are_named() -> None:
    """The number of moves equals the capacity of another list."""
    finding = descend(game_from(MANY[0]), 1, asking(told("every-second")), asking(OWN))
    assert finding is not None
    assert len(finding.wrong) == 109


HYPHENS = ("r3k3/8/8/8/8/8/8/4K3 b - - 0 1", "4k3/7p/8/8/8/8/8/4K3 b - - 0 1", "8/4k3/8/8/8/8/8/4K3 b - - 0 1")


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "shown"), [("hyphen-is-q", 1), ("hyphen-is-q-unseen", 2)])
def test_a_hyphen_read_as_a_castling_right_is_one_cause(fault: str, shown: int, run: Run, tmp_path: Path) -> None:
    title = "extra move: Position is set up with wrong castling rights"
    assert causes(run, tmp_path, f"{TOLD} {fault}", HYPHENS) == [(title, shown)]


def test_the_right_that_a_hyphen_is_read_as_is_named() -> None:
    finding = descend(game_from(HYPHENS[1]), 1, asking(told("hyphen-is-q-unseen")), asking(OWN))
    assert finding is not None
    (wrong,) = finding.wrong
    assert wrong.uci == "e8c8"
    told_of = "The castling field '-' is read as 'q': with all rooks at home and '-' it lists e8c8."
    assert wrong.sentence.endswith(told_of)


KNIGHTS_AND_BISHOPS = (
    "4k3/8/8/3n4/3N4/8/4P3/4K3 w - - 0 1",
    "4k3/4p3/8/1b1n4/3N4/8/4P3/4K2R w K - 0 1",
    "r3k3/4p3/8/1b6/3N4/8/4P3/4K2R b Kq - 0 1",
)


@pytest.mark.slow
def test_a_kept_hash_table_is_detected_with_a_new_process(run: Run, tmp_path: Path) -> None:
    engine = f"{TOLD} kept-table"
    ((title, positions),) = causes(run, tmp_path, engine, KNIGHTS_AND_BISHOPS[1:], depth=4)
    told = re.fullmatch(
        r"the count of a position depends on the questions before it: after (\w+) at depth (\d), a new process counts "
        r"([\d,]+) nodes, and ([\d,]+) once it was asked about other positions; "
        r"look for a hash table or a global variable that is not reset",
        title,
    )
    assert told is not None, title
    assert told[3] != told[4]
    assert positions == 2


BLACK_TO_MOVE = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.slow
@pytest.mark.parametrize(("move", "totals"), [("g8f6", False), ("e7e6", True), ("d7d5", False), ("d7d5", True)])
def test_a_wrong_side_to_move_after_moves_is_named(move: str, totals: bool) -> None:
    engine = told("parity", totals=totals)
    line = game_from(BLACK_TO_MOVE, move)
    finding = descend(line, 2, asking(engine), asking(OWN))
    assert finding is not None
    assert finding.headline == "wrong state: Wrong side to move"
    assert finding.state[0].sentence == "Black has moved, so it should be White's turn."
