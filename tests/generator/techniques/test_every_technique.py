"""All techniques of the registry: suites, generated positions, use as engines, and traces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from helpers.sampling import examples_of
from pages.pictures.techniques import UNTRACED
from pages.pictures.tracing import trace
from perft_check.generator import Position, perft
from perft_check.generator.game import Game
from perft_check.generator.techniques.registry import ENTRIES, NoChess960, count_by, legal_moves
from perft_check.generator.types.moves import Move
from perft_check.generator.types.squares import name_of
from perft_check.harness.engines.base import EngineRejection
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import OWN, TECHNIQUES, open_engine
from perft_check.strategies.mixed import CHESS960_ONLY, NAMES, strategy_named
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.case import Case
from perft_check.suites.loader import load_suite

ALL_BUNDLED = pytest.mark.parametrize("name", ENTRIES)
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
STANDARD_ALONE = {"lookup", "ray-cast"}
SLOW_TO_COMPILE = {*STANDARD_ALONE, "ray-delta"}
EVERY_IN_TIME = pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.slow] * (one in SLOW_TO_COMPILE)) for one in ENTRIES]
)


def cases(most_nodes: int) -> Iterator[tuple[Case, int, int]]:
    """Yield the counts of the bundled suites up to depth 4."""
    for suite in BUNDLED:
        for case in load_suite(bundled_path(suite)):
            for depth, nodes in case.counts:
                if depth <= 4 and nodes <= most_nodes:
                    yield case, depth, nodes


def passes(name: str, most_nodes: int) -> int:
    """Check all counts that a technique supports; return their number."""
    entry, counted = ENTRIES[name], 0
    for case, depth, nodes in cases(most_nodes):
        if case.position.chess960 and not entry.technique.chess960:
            continue
        assert count_by(name, case.position, depth) == nodes, (name, case.position.fen(), depth)
        counted += 1
    return counted


@EVERY_IN_TIME
def test_suites(name: str) -> None:
    assert passes(name, 3_000) > 400


@pytest.mark.long
@ALL_BUNDLED
def test_suites_to_depth_4_without_a_limit(name: str) -> None:
    assert passes(name, 10**9) > 1000


def games_of_all_strategies(number: int, start: int) -> Iterator[Game]:
    """Yield games of every strategy, the same ones each time."""
    for chess960 in (False, True):
        for place, strategy in enumerate(NAMES):
            if strategy in CHESS960_ONLY and not chess960:
                continue
            yield from examples_of(strategy_named(strategy, chess960=chess960), number, start + place)


def differences(examples: Iterator[Game], names: Iterable[str] = ENTRIES) -> tuple[int, list[str]]:
    """Compare the legal moves of techniques, as multisets, with those of the list kernel."""
    number, wrong = 0, list[str]()
    for game in examples:
        number += 1
        position = game.position
        expected = sorted(position.legal_moves)
        for name in names:
            if position.chess960 and not ENTRIES[name].technique.chess960:
                continue
            if sorted(legal_moves(name, position)) != expected or count_by(name, position, 2) != perft(position, 2):
                wrong.append(f"{name}: {position.fen()}")
    return number, wrong


def test_sampled_positions() -> None:
    number, wrong = differences(games_of_all_strategies(16, 1), ENTRIES.keys() - SLOW_TO_COMPILE)
    assert wrong == []
    assert number > 150


@pytest.mark.long
def test_a_hundred_thousand_generated_positions() -> None:
    number, wrong = 0, list[str]()
    start = 1000
    while number < 100_000:
        more, found = differences(games_of_all_strategies(800, start))
        number, start, wrong = number + more, start + 100, wrong + found
    assert wrong == []


SPECIAL = (
    # En passant that uncovers a rook on the rank, with and without an en passant square.
    "8/8/8/KP1p3r/8/8/8/7k w - - 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "8/8/8/8/R3Pp1k/8/8/4K3 b - e3 0 1",
    # A pin; castling through an attacked square, and with only the rook or its path attacked.
    "4k3/8/8/8/4r3/8/4B3/R3K2R w KQ - 0 1",
    "5k2/8/8/8/2r5/8/8/R3K2R w KQ - 0 1",
    "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1",
    # The most moves.
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "QQQQQQQ1/QQQQQQQ1/QQQQQQQ1/8/8/8/6pp/K5bk w - - 0 1",
)


@EVERY_IN_TIME
def test_tricky_positions(name: str) -> None:
    for position in map(Position.from_fen, SPECIAL):
        assert sorted(legal_moves(name, position)) == sorted(position.legal_moves), position.fen()
        assert count_by(name, position, 3) == perft(position, 3), position.fen()


@EVERY_IN_TIME
def test_techniques_as_engines(name: str) -> None:
    engine = open_engine(f"own:{name}")
    assert engine.name == f"own:{name}"
    divide = engine.divide(Game(KIWIPETE), 3, EngineCall())
    assert (divide.total, len(divide.counts), divide.repeated) == (97862, 48, {})
    after = {move: Game(KIWIPETE).after(KIWIPETE.parse_uci(move)) for move in ("e1g1", "a2a4")}
    assert {move: engine.perft(line, 2, EngineCall()) for move, line in after.items()} == {"e1g1": 2059, "a2a4": 2149}


def test_every_technique_is_an_engine() -> None:
    assert [f"own:{name}" for name in ENTRIES] == [*(f"own:{name}" for name in TECHNIQUES), "own:turbo"]
    assert set(OWN) == {"own", "own:two-plies", *(f"own:{name}" for name in ENTRIES)}


@ALL_BUNDLED
def test_chess960_is_counted_or_rejected(name: str) -> None:
    position = Position.from_fen("1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", chess960=True)
    engine = open_engine(f"own:{name}")
    if ENTRIES[name].technique.chess960:
        assert engine.perft(Game(position), 3, EngineCall()) == perft(position, 3)
        return
    assert name in STANDARD_ALONE
    with pytest.raises(NoChess960, match=f"^{name} knows castling of standard chess only$"):
        count_by(name, position, 1)
    with pytest.raises(EngineRejection, match=f"^{name} knows castling of standard chess only$"):
        engine.perft(Game(position), 3, EngineCall())
    with pytest.raises(EngineRejection):
        engine.divide(Game(position), 1, EngineCall())


@pytest.mark.slow
@ALL_BUNDLED
def test_the_trace_contains_the_moves_of_a_rook(name: str) -> None:
    """All moves that the trace keeps are pseudo-legal, and they include each rook move."""
    position = Position.from_fen("4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1")
    walk = trace(name, position)
    assert walk.legal == 16
    stored = {(step.move >> 6 & 63, step.square) for step in walk.steps if step.move is not None and step.kept}
    if name in UNTRACED:
        assert not walk.steps
        return
    rook = {(28, square) for square in (36, 44, 52, 29, 30, 31, 20, 27, 26, 25, 24)}
    assert rook <= stored


def test_the_trace_of_a_linked_list_visits_each_square_of_a_ray() -> None:
    walk = trace("linked-list", Position.from_fen("4k3/4p3/8/8/4R3/8/4P3/4K3 w - - 0 1"))
    visits = [name_of(step.square) for step in walk.steps if step.kind == "visit"]
    assert visits == ["e5", "e6", "e7", "f4", "g4", "h4", "e3", "e2", "d4", "c4", "b4", "a4"]
    written_over = [Move(step.move).uci() for step in walk.steps if step.move is not None and not step.kept]
    assert "e4e2" in written_over
    assert [step.questions for step in walk.steps if step.kind == "visit" and name_of(step.square) == "e2"] == [2]


def test_the_trace_distinguishes_legality_tests_from_visits() -> None:
    """Squares in a trace are from White's view even if Black is to move."""
    walk = trace("ray-cast", Position.from_fen("4k3/8/8/8/3pP3/8/8/K3R3 b - e3 0 1"))
    assert walk.number("test") > walk.number("visit") > 0
    assert "e4" in {name_of(step.square) for step in walk.steps if step.kind == "visit"}
