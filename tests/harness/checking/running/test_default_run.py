"""The run without named suites: what it asks, and faults of one color, wing or file that it detects."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest
from fakes import one_wing
from helpers.fakes import COUNTING_PROGRAM, written_engine
from helpers.headlines import without_moves
from helpers.program import Run
from perft_check.generator import Position
from perft_check.harness.checking.running.selection import Selection
from perft_check.harness.engines.spec import EngineSpec
from perft_check.suites.bundled import DEFAULT, QUICK, SYSTEMATIC, bundled_path
from perft_check.suites.case import Case, Suite
from perft_check.suites.loader import load_suite

LIMIT_NODES = 70_000
"""Seven seconds at 10,000 nodes per second; the other three are for further questions and overhead."""
FAKE = Path(one_wing.__file__)
PROGRAM = COUNTING_PROGRAM.replace("sys.argv[1]", "sys.argv[1], chess960=True")


@cache
def asked() -> dict[str, Suite]:
    return {suite.name: suite for suite in Selection(EngineSpec("python-chess")).load()}


def test_small_counts_of_seven_suites_in_ten_seconds_at_10_000_nodes_a_second() -> None:
    assert list(asked()) == list(DEFAULT)
    for name, suite in asked().items():
        assert all(nodes <= DEFAULT[name] for case in suite for _, nodes in case.counts), name
    assert sum(case.nodes for suite in asked().values() for case in suite) < LIMIT_NODES


def test_every_position_with_a_small_count_is_asked_about() -> None:
    """A count of the sweep that is too large is replaced by the deepest count that is not."""
    for name, suite in asked().items():
        if name != "setups":  # of which an engine is asked what its kind allows
            left_out = {case.position for case in load_suite(bundled_path(name))} - {case.position for case in suite}
            assert left_out <= {case.position for one in asked().values() for case in one}
    counts = {(case.position, count) for case in asked()["sweep"] for count in case.counts}
    whole = {case.name: case for case in load_suite(bundled_path("sweep"))}
    for name, large, small in (
        ("zoo-list-of-200-at-3", (3, 2914), (2, 16)),
        ("small-tree-13-at-5", (5, 5742), (4, 623)),
    ):
        assert whole[name].counts == (large,)
        assert (whole[name].position, small) in counts


def test_no_count_of_a_bare_position_is_asked_for_twice() -> None:
    cases = [case for suite in asked().values() for case in suite if not case.setup and not case.moves]
    counts = [(case.position, count) for case in cases for count in case.counts]
    assert len(set(counts)) == len(counts) > 1_000


def test_a_position_is_left_out_only_if_its_first_depth_is_too_large() -> None:
    case = Case("start", Position.start(), ((3, 8902),), "")
    assert [case.up_to(most).counts for most in (9_000, 8_901, 400, 399, 20, 19)] == [
        ((3, 8902),),
        ((2, 400),),
        ((2, 400),),
        ((1, 20),),
        ((1, 20),),
        (),
    ]
    several = Case("start", Position.start(), ((1, 20), (2, 400), (3, 8902)), "")
    assert several.up_to(400).counts == ((1, 20), (2, 400))
    assert len(Suite("one", (case,)).up_to(19)) == 0


def test_lower_limits_of_the_user_apply() -> None:
    few = Selection(EngineSpec("python-chess"), max_nodes=50).load()
    counts = [count for suite in few for case in suite for count in case.counts]
    assert max(nodes for _, nodes in counts) <= 50
    assert sum(len(suite) for suite in few) > 700
    flat = Selection(EngineSpec("python-chess"), max_depth=1).load()
    assert {depth for suite in flat for case in suite for depth, _ in case.counts} == {1}


def _is_shown(name: str) -> bool:
    """Return True if a generator that is only asked for counts of FENs is incorrect at some position."""
    suites = [suite for suite in asked().values() if not suite.name.startswith("chess960")]
    cases = [case for suite in suites for case in suite if not case.setup]
    return any(
        one_wing.count_with(name, case.position.fen(), depth) != nodes for case in cases for depth, nodes in case.counts
    )


@pytest.mark.slow
def test_a_correct_generator_agrees_everywhere() -> None:
    assert not _is_shown("faultless")


@pytest.mark.parametrize("name", one_wing.FAULTS)
def test_counts_show_a_fault_of_one_color_wing_or_file(name: str) -> None:
    assert _is_shown(name)


SAID = {
    "no_en_passant_from_a_and_h": "missing move: En passant",
    "no_en_passant_from_h_for_black": "missing move: En passant",
    "capturing_promotion_hides_its_kind": "missing move: Ordinary move",
    "right_survives_capture": "check how moves are made and unmade",
    "king_of_e8_steps_to_c8": "extra move: Castling without the right",
}


@pytest.mark.parametrize("name", SAID)
@pytest.mark.slow
def test_the_default_run_of_a_faulty_library_fails_with_the_cause(run: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / FAKE.name).write_text(FAKE.read_text())
    done = run("run", "-e", f"python:one_wing:{name}", "--standard", "--fail-fast")
    assert (done.returncode, SAID[name] in without_moves(done.stdout)) == (1, True), done.stdout + done.stderr


LASTING_TABLE = """
table = {}

class Mine(UciEngine):
    def count(self, board, depth):
        rights, square, turn = board.castling_rights, board.ep_square, board.turn
        key = depth, board.board_fen(), KEY
        if key not in table:
            table[key] = super().count(board, depth)
        return table[key]

    def answer(self, depth):
        if WHOLE:
            print("Nodes searched:", self.count(self.board, depth))
        else:
            super().answer(depth)

Mine().serve()
"""
"""A UCI engine whose hash table is kept between positions."""
KEYS = {
    "the right of h1": ("rights & ~chess.BB_H1, square, turn", {"no right with the rook of h1 after another"}),
    "the right of a8": ("rights & ~chess.BB_A8, square, turn", {"no right with the rook of a8 after another"}),
    "the side to move": ("rights, square", {"White to move after another"}),
    "the en passant square": (
        "rights, turn",
        {"no en passant square after another", "no en passant square for Black after another"},
    ),
}
"""What the hash keys contain apart from the pieces, by what they omit, and cases that must fail."""


@pytest.mark.slow
@pytest.mark.parametrize("missing", [None, *KEYS])
def test_a_hash_table_that_is_kept_between_positions(run: Run, tmp_path: Path, missing: str | None) -> None:
    key, expected = KEYS[missing] if missing else ("rights, square, turn", set())
    is_whole = missing in ("the side to move", "the en passant square")  # which differ at the root alone
    program = LASTING_TABLE.replace("KEY", key).replace("WHOLE", str(is_whole))
    engine = written_engine(tmp_path / "table.py", program)
    done = run("run", "-e", engine, "-s", "setups", "--filter", "after another$", "-j", "1")
    assert done.returncode == (1 if missing else 0), done.stdout + done.stderr
    assert all(f"setups:{name}" in done.stdout for name in expected), done.stdout


@pytest.mark.slow
def test_an_engine_started_for_each_question_is_asked_less(run: Run, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    engine = f"cmd:{sys.executable} program.py {{fen}} {{depth}} {{chess960}}"
    few = [suite.name for suite in Selection(EngineSpec(engine)).load()]
    assert few == [name for name in DEFAULT if name not in SYSTEMATIC]
    done = run("run", "-e", engine, "--filter", "^cpw-1-start$")
    assert done.returncode == 0, done.stderr
    (told,) = (line for line in done.stdout.splitlines() if line.startswith("not tried: "))
    assert told == "not tried: counts deeper than 1, playing moves and 2 more (-v explains how)"
    done = run("run", "-v", "-e", engine, "--filter", "^cpw-1-start$", COLUMNS="200")
    assert "special moves on every file, wing and color (-s mirrored -s chess960-castling)" in done.stdout
    for chosen in (["-s", "smoke"], ["--quick"]):
        done = run("run", "-e", engine, "--filter", "^cpw-1-start$", *chosen)
        assert (done.returncode, "-s mirrored" in done.stdout) == (0, False)


def test_every_other_engine_is_asked_the_systematic_suites(tmp_path: Path) -> None:
    (tmp_path / "engine.so").touch()
    specs = ("own", f"uci:{sys.executable}", f"lib:{tmp_path}/engine.so", "python:module:function")
    for engine in specs:
        assert [suite.name for suite in Selection(EngineSpec(engine)).load()] == list(DEFAULT), engine


def test_quick_has_its_own_suites(run: Run, tmp_path: Path) -> None:
    quick = Selection(EngineSpec("python-chess"), quick=True).load()
    assert [suite.name for suite in quick] == list(QUICK)
    assert next(suite for suite in quick if suite.name == "smoke") == load_suite(bundled_path("smoke"))
    done = run("run", "--quick", "-s", "smoke")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--quick chooses the suites: leave out -s" in done.stderr
    (tmp_path / "perft-check.toml").write_text('quick = true\nengine = "python-chess"\n')
    done = run("run", "--filter", "^cpw-1-start$")
    assert [line.split()[:2] for line in done.stdout.splitlines() if line.startswith("smoke")] == [["smoke", "1"]]
    done = run("run", "-s", "standard", "--filter", "^cpw-1-start$", "--max-depth", "1")  # goes before the file
    assert done.returncode == 0, done.stderr
    assert "standard " in done.stdout
