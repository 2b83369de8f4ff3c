"""Screens of the explorer: snapshots, marks on the board, lists by GenType, and engines that misbehave."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import chess
import pytest
from fakes import lists
from helpers.explorers import CASTLES, Driver, check_snapshot, explore
from helpers.fakes import moody
from helpers.processes import PATIENCE, children_of, processes_called_with
from perft_check.generator.position import Position
from perft_check.generator.types.squares import squares_in
from perft_check.harness.explorer.board_view import attacked_squares, pinned_squares
from perft_check.harness.trees.controller import StartingPoint
from perft_check.harness.trees.engine_pane import ComparedList
from perft_check.suites.bundled import bundled_path
from perft_check.suites.loader import load_suite

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
SCREENS: dict[str, tuple[list[str], list[str]]] = {
    "opened": ([CASTLES, "own:turbo"], []),
    "next": ([CASTLES, "own:turbo"], ["n", "enter"]),
    "followed": ([CASTLES, "own:turbo"], ["f"]),
    "moves": ([CASTLES, "own:turbo"], ["f", "2"]),
    "after": ([CASTLES, "own:turbo"], ["end", "b", "a"]),
    "help": (["own"], ["question_mark"]),
    "turned": (["own"], ["v"]),
}
"""Engines and keys by the name of the screen."""


@pytest.mark.parametrize("size", ["80x24", pytest.param("160x50", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SCREENS)
def test_screen(name: str, size: str) -> None:
    """The screen matches its snapshot."""
    engines, keys = SCREENS[name]

    async def drive(at: Driver) -> None:
        await at.press(*keys)
        check_snapshot(f"{name}-{size}", at.screen)

    explore(drive, engines, KIWIPETE, depth=3 if name == "followed" else 2, size=SIZES[size])


PROMOTES = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
"""A position with promotions by push and by capture, for which generators have different conventions."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["by_capture", "by_square", "classic"])
def test_a_correct_generator_is_not_accused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Each convention lists promotions differently."""
    shutil.copy(str(lists.__file__), tmp_path / "lists.py")
    monkeypatch.chdir(tmp_path)
    seen: list[str] = []

    async def drive(at: Driver) -> None:
        await at.press("2")
        for _ in range(5):
            await at.press("g")
            seen.append(at.words)

    app = explore(drive, [f"python:lists:{name}", "own:turbo"], PROMOTES, depth=1)
    assert any("CAPTURES: " in words and " has " in words for words in seen)
    compared = [answer for answer in app.view.lists.values() if isinstance(answer, ComparedList)]
    assert len(compared) >= 4
    assert all(answer.wrong == () for answer in compared)


@pytest.mark.slow
def test_a_wrong_list_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator lists en passant with quiet moves instead of captures."""
    shutil.copy(str(lists.__file__), tmp_path / "lists.py")
    monkeypatch.chdir(tmp_path)

    async def drive(at: Driver) -> None:
        await at.press("2", "g")
        assert "-e5d6 exd6" in " ".join(at.words.split()), at.words

    explore(drive, ["python:lists:quiet_en_passant", "own:turbo"], "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", depth=1)


QUEEN = "4k3/8/8/3q4/8/8/8/4K3 w - - 0 1"
"""The position in which the moody engine misbehaves."""


@pytest.mark.slow
@pytest.mark.parametrize(("mood", "verdict"), [("crash", "crash"), ("hang", "timeout"), ("garbage", "timeout")])
def test_the_verdict_is_shown_and_the_screen_stays_responsive(mood: str, verdict: str) -> None:
    """The reference's counts are shown, keys work, and the engine counts other positions."""

    async def drive(at: Driver) -> None:
        assert at.words.startswith(f"{verdict} (u asks again): moody.py ")
        assert at.controller.tree.root.count(1) == 96
        assert verdict[:7] in at.lines[2], "in the place of the count"
        await at.press("down", "enter", "f", "n", "2", "1", "home", "u")
        assert at.words.startswith(f"{verdict} (u asks again): moody.py ")
        at.app.navigator.open(StartingPoint("without a queen", Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 2))
        await at.settle()
        assert [at.controller.tree.root.count(side) for side in (0, 1)] == [25, 25]
        assert at.lines[0].startswith(" 0 differences known")

    explore(drive, [moody(mood), "own:turbo"], QUEEN, seconds=5)


@pytest.mark.slow
def test_a_miscount_is_shown_at_its_move() -> None:
    """The engine counts one leaf too many below its first move."""

    async def drive(at: Driver) -> None:
        await at.press("n")
        assert at.app.view.cursor.kind == "count"
        assert at.lines[2].endswith("│ 7  .  .  .  .  .  .  .  .")
        assert "+1" in at.lines[2]

    explore(drive, [moody("slip"), "own:turbo"], QUEEN, seconds=5)


@pytest.mark.slow
def test_a_program_that_is_not_an_engine_is_reported() -> None:
    """The program ends immediately; the counts of the reference are shown."""

    async def drive(at: Driver) -> None:
        assert at.words.startswith("crash (u asks again): true exited with status 0")
        assert at.controller.tree.root.count(1) == 3

    explore(drive, ["uci:true", "own:turbo"], QUEEN, depth=1, seconds=5)


@pytest.mark.slow
def test_no_process_is_left_behind() -> None:
    """A hanging engine is terminated when the explorer ends."""
    spec = moody("hang")

    def engines() -> set[int]:
        return {*children_of(os.getpid())} & {*processes_called_with("moody.py")}

    async def drive(at: Driver) -> None:
        at.app.navigator.open(StartingPoint("queen", Position.from_fen(QUEEN), 1))
        end = time.monotonic() + PATIENCE
        while not engines():
            assert time.monotonic() < end, "the engine is not asked"
            await at._pilot.pause(0.05)
        await at.strike("q")

    explore(drive, [spec, "own:turbo"], "4k3/8/8/8/8/8/8/4K3 w - - 0 1", seconds=600)
    assert not engines()


POSITIONS = [case.position for suite in ("smoke", "special", "standard") for case in load_suite(bundled_path(suite))]


@pytest.mark.parametrize("start", range(50))
def test_marks_are_those_of_python_chess(start: int) -> None:
    """Every fiftieth position of three suites is compared."""
    for position in POSITIONS[start::50]:
        board = chess.Board(position.fen(castling="shredder"), chess960=True)
        assert set(squares_in(position.checkers)) == set(board.checkers()), position
        king = board.king(board.turn)
        assert king is not None, "every position has its kings"
        own = chess.SquareSet(board.occupied_co[board.turn])
        assert pinned_squares(position) == {
            square for square in own if square != king and board.is_pinned(board.turn, square)
        }
        seen = board.copy()
        seen.remove_piece_at(king)
        assert attacked_squares(position) == {
            square for square in chess.SQUARES if seen.is_attacked_by(not board.turn, square)
        }, position
