"""Faults in engines of many kinds are found: in moves, in lists that lack moves, and in printed FENs."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import quirky
from helpers.fuzz_report import reported_findings, titles
from helpers.headlines import without_moves
from helpers.program import WIDE, Run
from perft_check.harness.explaining.rules import Rule
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.suites.loader import load_suite

pytestmark = pytest.mark.slow  # most tests start processes

SMALLEST = {
    "ep-pinned-along": 5,
    "ep-no-evasion": 4,
    "ep-discovered-check-unseen": 5,
    "ep-victim-rank-inverted": 4,
    "castling-right-ignored": 3,
    "castling-sides-swapped": 3,
    "promotion-no-bishop": 3,
    "hash-move-twice": 3,
    "one-of-two-checkers": 4,
    "king-along-the-check": 3,
    "pins-forgotten": 4,
    "pinned-frozen": 4,
    "right-survives-capture": 3,
    "slider-stops-before-the-edge": 3,
    "chess960-king-in-the-way": 3,
    "chess960-rook-attacked": 4,
    "chess960-uncovers-king": 4,
}
"""The pieces of the smallest known position that shows the fault."""
DAILY = {"ep-pinned-along": 1, "one-of-two-checkers": 1, "right-survives-capture": 4, "hash-move-twice": 1}
"""Faults for every test run, with seeds that find them quickly.

The others run with `pytest -m long`, and `test_detection` covers every fault of the zoo.
"""
SLOW = ("one-of-two-checkers", "hash-move-twice")
MORE = 2
"""How many more pieces a finding may have."""


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.long] * (name not in DAILY) + [pytest.mark.slow] * (name in SLOW)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in SMALLEST])
def test_a_seeded_fault(name: str, fuzz: Run, run: Run, tmp_path: Path) -> None:
    fault, engine = ZOO[name], f"zoo:{name}"
    titles = {Rule(rule).title for rule in fault.rules}
    variant = ["--chess960"] if fault.demonstration.chess960 else []
    limits = f"--seed {DAILY.get(name, 1)} --fail-fast -n 3000 -j 1 --corpus findings.epd"
    options = [*limits.split(), *variant]
    done = fuzz("-e", engine, *options)
    assert done.returncode == 1, done.stderr
    findings = reported_findings(done.stdout)
    finding = next(finding for finding in findings if any(title in finding.title for title in titles))
    assert finding.pieces <= SMALLEST[name] + MORE

    again = run(*finding.replay, **WIDE)
    assert again.returncode == 1
    assert f". {finding.title}" in again.stdout

    assert len(load_suite(tmp_path / "findings.epd").cases) <= len(findings)
    suite = ["run", "--suite", "findings.epd", "--explain=none", *variant]
    if finding.check != "fen":  # no count shows a fault of printed FENs
        assert run(*suite, "-e", engine).returncode == 1
    assert run(*suite, "-e", "own").returncode == 0


EN_PASSANT = "4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1"
LACKING = [
    ("castling", "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8 e1e2", "Castling"),
    ("en-passant", EN_PASSANT, "c2c4 d4c3 e1d1", "En passant"),
    ("underpromotions", "8/P7/8/8/8/k7/8/K7 w - - 0 1", "a7a8n a3b4", "Promotion piece is missing"),
]
WAYS = [["unlisted=dies"], ["unlisted=dies", "counts"], [], ["counts"]]


@pytest.mark.parametrize(
    ("lacks", "fen", "moves", "rule", "way", "plays"),
    [
        (*lacking, way, (row + column) % 2 == 0)
        for row, lacking in enumerate(LACKING)
        for column, way in enumerate(WAYS)
        if row != column
    ],
)
def test_fuzz_reports_only_the_missing_move(
    fuzz: Run, lacks: str, fen: str, moves: str, rule: str, way: list[str], plays: bool
) -> None:
    line = f"{fen} moves {moves}" if plays else fen
    done = fuzz("--replay", line, "-e", quirky(f"lacks={lacks}", *way))
    assert (done.returncode, titles(done.stdout)) == (1, [f"missing move: {rule}"]), done.stdout


@pytest.mark.parametrize("way", WAYS)
def test_fuzz_finds_no_crash(fuzz: Run, way: list[str]) -> None:
    engine = quirky("lacks=en-passant", *way)
    done = fuzz("-e", engine, "--careful", "--strategy", "templates", "--examples", "12", "--seed", "3", "--jobs", "1")
    assert (done.returncode, set(titles(done.stdout))) == (1, {"missing move: En passant"}), done.stdout


@pytest.mark.parametrize("way", WAYS)
def test_run_names_the_missing_move_of_a_case(run: Run, tmp_path: Path, way: list[str]) -> None:
    moves = "c2c4 d4c3 e1d1"
    (tmp_path / "mine.epd").write_text(f'{EN_PASSANT} ;D1 7 ;moves "{moves}"\n')
    done = run("run", "-e", quirky("lacks=en-passant", *way), "-s", "mine.epd")
    assert (done.returncode, "crash" in done.stdout.lower()) == (1, False), done.stdout
    assert f"d4c3 of the moves {moves} is not in its list\n  missing move: En passant\n" in without_moves(done.stdout)
    assert "reproduce: perft-check divide '4k3/8/8/8/2Pp4/8/8/4K3 b - c3 0 1' 1 -e" in done.stdout


@pytest.mark.parametrize("prints", [[], ["counts"]])
def test_a_crash_after_a_listed_move_is_a_crash(fuzz: Run, run: Run, tmp_path: Path, prints: list[str]) -> None:
    engine = quirky("dies-playing=d4c3", *prints)
    done = fuzz("--replay", f"{EN_PASSANT} moves c2c4 d4c3", "-e", engine)
    assert (done.returncode, titles(done.stdout)) == (3, ["crash"]), done.stdout
    (tmp_path / "mine.epd").write_text(f'{EN_PASSANT} ;D1 7 ;moves "c2c4 d4c3"\n')
    done = run("run", "-e", engine, "-s", "mine.epd")
    assert (done.returncode, "CRASH" in done.stdout) == (3, True), done.stdout


@pytest.mark.parametrize("way", WAYS)
def test_self_consistency_does_not_report_missing_moves(fuzz: Run, way: list[str]) -> None:
    engine = quirky("lacks=castling", *way)
    fen = "r3k3/8/8/8/8/8/8/4K3 b q - 0 1"
    done = fuzz("--replay", fen, "-e", engine, "--self-consistency")
    assert done.returncode == 0, done.stdout + done.stderr


CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
FIELDS = [
    ("fen:2=Q:R", "Castling field that cannot be read", "in which 'R' stands for no right"),
    ("fen:2=k:0", "Castling field that cannot be read", "in which '0' stands for no right"),
    ("fen:2=q:O-O-O", "Castling field that cannot be read", "in which 'O' stands for no right"),
    ("fen:3=-:none", "En passant field that cannot be read", "is 'none', which is neither a square nor '-'"),
    ("fen:3=-:0", "En passant field that cannot be read", "is '0', which is neither a square nor '-'"),
    ("fen:4=1:one", "Clocks that cannot be read", "The halfmove clock of the FEN is 'one', which is no number."),
    ("fen:5=1:#1", "Clocks that cannot be read", "The move number of the FEN is '#1', which is no number."),
    ("fen:0=/:|", "Position that cannot be read", "the board has 1 ranks instead of 8"),
    ("fen:0=8:.", "Position that cannot be read", "is '.', which does not describe eight squares"),
    ("fen:1=b:black", "Position that cannot be read", "the side to move is 'black' instead of 'w' or 'b'"),
]


@pytest.mark.parametrize(("quirk", "title", "sentence"), FIELDS)
def test_the_field_is_named(fuzz: Run, quirk: str, title: str, sentence: str) -> None:
    done = fuzz("--replay", CASTLING, "-e", quirky(quirk))
    assert (done.returncode, set(titles(done.stdout))) == (1, {f"wrong FEN: {title}"}), done.stdout
    assert sentence in done.stdout
    assert "This concerns the FEN that the engine prints; its counts may be correct." in done.stdout
    assert "plays a move wrongly" not in done.stdout


@pytest.mark.parametrize(
    ("quirk", "title"), [("fen:2=k:", "Castling right is lost"), ("fen:4=1:7", "Wrong halfmove clock")]
)
def test_a_readable_field_is_a_wrong_state(fuzz: Run, quirk: str, title: str) -> None:
    done = fuzz("--replay", CASTLING, "-e", quirky(quirk))
    assert (done.returncode, f"wrong state: {title}" in without_moves(done.stdout)) == (1, True), done.stdout


@pytest.mark.parametrize("quirk", ["fen:2=Q:R", "fen:3=-:none"])
def test_a_missing_move_is_reported_as_well(fuzz: Run, quirk: str) -> None:
    engine = quirky(quirk, "lacks=queen-moves")
    fen = CASTLING.replace("/8/8/R3", "/8/Q7/R3")
    done = fuzz("--replay", fen, "-e", engine, "--depth", "1")
    assert {title.partition(":")[0] for title in titles(done.stdout)} == {"missing move", "wrong FEN"}
