"""How suites and the sweep are chosen: the greedy cover, which faults cases show, and what the bundled cases show."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bundling.narrow import narrow_faults, small_trees
from bundling.sweep import choose_sweeps, find_missed, find_shown, is_shown, nodes_of
from helpers.demonstrations import SET_UP
from perft_check.generator import Position, perft
from perft_check.generator.game import Game
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.fault import PLAYED_MOVES
from perft_check.suites.bundled import PLAYED, SWEEPS, bundled_path
from perft_check.suites.case import Case
from perft_check.suites.loader import load_suite

STANDARD, CHESS960 = (load_suite(bundled_path(SWEEPS[variant])) for variant in (False, True))
NEVER = {"list-of-256", "ep-victim-no-shield"}
"""Faults that need unreachable positions, which `fuzz` adds to the sweep, as it adds the setups."""
SHOWN_BY_PLAYING = {
    "castling-not-found",
    "ep-printed-as-pawn",
    "first-move-skipped",
    "inner-right-not-printed",
    "right-of-taking-rook",
    "right-survives-castling",
    *(name for name, fault in ZOO.items() if fault.fault_class == PLAYED_MOVES),
}
"""Faults that only cases with moves show; by FEN they would need 100,000 nodes, or never show."""


def case(name: str, fen: str, depth: int, moves: str = "") -> Case:
    game = Game.from_uci(Position.from_fen(fen), moves)
    return Case(name, game.base, ((depth, perft(game.base, depth)),), "made", moves=game.moves)


KINGS = case("kings", "8/3k4/8/8/8/3K4/8/8 w - - 0 1", 3)
START = case("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1)
CASTLED = case("castled", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1, "e1g1")


def test_which_faults_a_case_shows() -> None:
    assert is_shown(ZOO["king-beside-king"], KINGS)
    assert not is_shown(ZOO["king-beside-king"], START)
    assert is_shown(ZOO["castling-not-found"], CASTLED)
    assert not is_shown(ZOO["castling-not-found"], replace(CASTLED, moves=()))
    assert not any(is_shown(fault, KINGS) for fault in ZOO.values() if fault.is_control)
    assert find_shown("king-beside-king", [START, KINGS, CASTLED]) == {"kings"}


def test_narrow_variants_are_tried_in_cases_with_moves_too() -> None:
    taken = case("taken", "4k3/8/8/8/8/6n1/8/4K1RR b K - 0 1", 1, "g3h1 g1h1 e8d8")
    assert find_shown("capture by a black knight leaves the right", [START, taken]) == {"taken"}
    assert find_shown("capture by a black queen leaves the right", [START, taken]) == set()


def test_cases_that_show_most_for_their_cost_come_first() -> None:
    matrix = {
        "king-beside-king": frozenset({"kings"}),
        "castling-not-found": frozenset({"castled"}),
        "castling-sides-swapped": frozenset({"castled"}),
        "pins-forgotten": frozenset(),
    }
    suites = choose_sweeps([KINGS, START, CASTLED], matrix)
    assert [one.name for one in suites["sweep"]][:2] == ["castled", "kings"]
    assert [one.purpose for one in suites["sweep"]][:2] == [
        "castling-not-found, castling-sides-swapped",
        "king-beside-king",
    ]
    assert suites["sweep"].cases[2:] == load_suite(PLAYED).cases
    assert len(suites["chess960-sweep"]) == 0
    assert find_missed(suites, matrix) == (["pins-forgotten"], ["castling-not-found", "castling-sides-swapped"])


@pytest.mark.slow
def test_the_bundled_sweeps_show_every_fault() -> None:
    for fault in ZOO.values():
        if fault.is_control or fault.name in NEVER or fault.name in SET_UP:
            continue
        questions = CHESS960 if fault.demonstration.chess960 else STANDARD
        named = [one for one in questions if fault.name in one.purpose]
        places = [*named, *sorted((one for one in questions if one not in named), key=nodes_of)]
        some = [one for one in places if bool(one.moves) is (fault.name in SHOWN_BY_PLAYING)]
        assert any(is_shown(fault, one) for one in some), fault.name


@pytest.mark.slow
def test_no_control_is_accused_by_the_sweep() -> None:
    for fault in ZOO.values():
        if fault.is_control:
            questions = CHESS960 if fault.demonstration.chess960 else STANDARD
            assert not any(is_shown(fault, one) for one in questions if nodes_of(one) < 1_000), fault.name


def test_a_sweep_is_short() -> None:
    assert len(STANDARD) + len(CHESS960) < 2_000
    assert sum(map(nodes_of, STANDARD)) < 120_000
    assert sum(map(nodes_of, CHESS960)) < 40_000
    assert max(map(nodes_of, [*STANDARD, *CHESS960])) <= 8_000


def test_narrow_variants_are_wrong_in_small_trees() -> None:
    trees = {one.name: one.position for one in small_trees()}
    assert len(trees) == 14
    for kind in ("pawn", "knight", "bishop", "rook", "queen"):
        for color, other in (("white", "black"), ("black", "white")):
            position = trees[f"small tree: {color} {kind} takes h1"]
            question = Case("tree", position, ((4, perft(position, 4)),), "made")
            faults = narrow_faults()
            assert is_shown(faults[f"capture by a {color} {kind} leaves the right"], question)
            assert not is_shown(faults[f"capture by a {other} {kind} leaves the right"], question)
