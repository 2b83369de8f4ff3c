"""The bundled suites: their selection, their generation, and confirmation of every count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import chess
import pytest
from bundling import generated
from bundling.__main__ import choose_suites, choose_sweeps, header_of
from bundling.generated import CHOSEN, is_special, make_suites
from perft_check.generator import Position, perft
from perft_check.generator.chess960 import STANDARD, back_rank, chess960_start
from perft_check.generator.game import Game
from perft_check.generator.reachability.classification import was_in_check_before_push
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.python_chess import PythonChessEngine
from perft_check.harness.shutdown import Interrupt
from perft_check.suites.bundled import BUNDLED, KNOWN, RARE, SWEEPS, WALKS, bundled_path
from perft_check.suites.case import Case, Suite
from perft_check.suites.epd import format_case, write_suite
from perft_check.suites.loader import load_suite

SEED = 2026


def test_back_ranks_have_the_usual_numbers() -> None:
    for number in range(960):
        rank = chess.Board.from_chess960_pos(number).fen().split("/")[-1].split()[0]
        assert back_rank(number) == rank
    assert back_rank(STANDARD) == "RNBQKBNR"


def test_there_is_no_position_960() -> None:
    with pytest.raises(ValueError, match="numbered 0 to 959, not 960"):
        back_rank(960)


def test_double_chess960_start() -> None:
    position = chess960_start(0, 959)
    assert position.fen(castling="shredder") == "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1"
    assert position.fen() == "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"


@pytest.mark.slow
def test_the_bundled_suites_are_what_the_command_generates(tmp_path: Path) -> None:
    for suite in make_suites(SEED):
        made = tmp_path / f"{suite.name}.epd"
        write_suite(made, suite, header_of(suite, SEED))
        assert made.read_bytes() == WALKS.with_name(made.name).read_bytes(), suite.name


@pytest.mark.long
def test_choosing_again_gives_the_bundled_suites() -> None:
    chosen = choose_suites(SEED, 2, Interrupt())
    chosen |= choose_sweeps(SEED, 2, Interrupt())
    assert chosen.keys() == set(CHOSEN)
    for name, suite in chosen.items():
        assert list(map(format_case, suite)) == list(map(format_case, load_suite(bundled_path(name)))), name


def test_standard_chess_and_chess960_have_separate_suites() -> None:
    kinds = {name: {case.position.chess960 for case in load_suite(bundled_path(name))} for name in BUNDLED}
    assert {name for name, found in kinds.items() if found == {False}} == {"smoke", "standard", "special", "sweep"}
    assert kinds["chess960-special"] == kinds["chess960-sweep"] == {True}


@pytest.mark.slow
def test_suites_chosen_elsewhere_are_recounted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated, "extend_counts", lambda cases, max_nodes: ())  # the other suites
    case = Case("wrong", Position.start(), ((1, 1), (3, 3)), "elsewhere", "a purpose")
    chosen = {name: Suite(name, (case,)) for name in CHOSEN}
    made = {suite.name: suite for suite in make_suites(SEED, chosen)}
    assert list(made) == [*BUNDLED, "walks"]
    for name in CHOSEN:
        assert made[name].cases == (replace(case, counts=((1, 20), (3, 8902))),)


def test_suites_are_large_and_have_no_position_twice() -> None:
    suites = {name: load_suite(bundled_path(name)) for name in BUNDLED}
    assert {name: len(suite) for name, suite in suites.items()} == {
        "smoke": 36,
        "standard": 165,
        "chess960": 143,
        "special": 102,
        "chess960-special": 16,
        "sweep": 307,
        "chess960-sweep": 29,
    }
    for name, suite in suites.items():
        is_sweep = name in SWEEPS.values()
        asked = [(case.position.fen(), case.moves, case.counts if is_sweep else ()) for case in suite]
        names = [case.name for case in suite]
        assert len(set(asked)) == len(asked)
        assert len(set(names)) == len(names)
        assert all(len(case.counts) == 1 if is_sweep else case.counts[0][0] == 1 for case in suite)


def test_every_known_and_rare_position_is_in_a_suite() -> None:
    bundled = {case.position.fen() for name in BUNDLED for case in load_suite(bundled_path(name))}
    assert {case.position.fen() for path in (KNOWN, RARE) for case in load_suite(path)} <= bundled


def test_correct_programs_agree_on_each_position() -> None:
    """No game reaches such numbers of pieces, or a double step past a king in check."""
    for name in BUNDLED:
        for case in load_suite(bundled_path(name)):
            position = case.position
            assert position.oddities == [], case.name
            assert position.en_passant is None or not was_in_check_before_push(position), case.name


def test_special_positions() -> None:
    assert not is_special(Position.start())
    assert is_special(Position.from_fen("8/8/2k5/K1Pp3r/8/8/8/8 w - d6 0 4"))  # en passant, but not allowed
    assert is_special(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert not is_special(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1"))


def _counts_confirmed(suite: Suite, max_nodes: int) -> int:
    reference, confirmed = PythonChessEngine(), 0
    for case in suite:
        for depth, nodes in case.to_depth(None, max_nodes).counts:
            assert reference.perft(Game(case.position), depth, EngineCall()) == nodes, f"{case.name} depth {depth}"
            confirmed += 1
    return confirmed


@pytest.mark.slow
@pytest.mark.parametrize("name", BUNDLED)
def test_python_chess_confirms_the_small_counts(name: str) -> None:
    assert _counts_confirmed(load_suite(bundled_path(name)), 5_000) >= 25


@pytest.mark.long
@pytest.mark.parametrize("name", BUNDLED)
def test_python_chess_confirms_every_count(name: str) -> None:
    suite = load_suite(bundled_path(name))
    assert _counts_confirmed(suite, 10**9) == sum(len(case.counts) for case in suite)


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.slow
def test_both_kernels_and_back_ends_agree_with_every_count(name: str) -> None:
    for case in load_suite(bundled_path(name)):
        for depth, nodes in case.counts:
            assert perft(case.position, depth, kernel="turbo") == nodes, f"{case.name} depth {depth}"
            assert perft(case.position, depth, kernel="list", backend="magic") == nodes, f"{case.name} depth {depth}"
