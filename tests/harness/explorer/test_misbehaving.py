"""Engines that crash, hang or miscount: the verdict is shown, and the explorer continues."""

from __future__ import annotations

import os
import time

import pytest
from helpers.explorers import Driver, explore
from helpers.fakes import moody
from helpers.processes import PATIENCE, children_of, processes_called_with
from perft_check.generator.position import Position
from perft_check.harness.trees.starting_points import StartingPoint

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
        assert at.words.startswith("crash (u asks again): true ended with status 0")
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
