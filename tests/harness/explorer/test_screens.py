"""Snapshots of screens on a small and on a large terminal."""

from __future__ import annotations

import pytest
from helpers.explorers import CASTLES, Driver, check_snapshot, explore

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SIZES = {"80x24": (80, 24), "160x50": (160, 50)}
SCREENS: dict[str, tuple[list[str], list[str]]] = {
    "opened": ([CASTLES, "own:turbo"], []),
    "next": ([CASTLES, "own:turbo"], ["n", "enter"]),
    "followed": ([CASTLES, "own:turbo"], ["f"]),
    "moves": ([CASTLES, "own:turbo"], ["f", "2"]),
    "after": ([CASTLES, "own:turbo"], ["end", "b", "a"]),
    "walk": (["own"], ["3", "full_stop", "full_stop", "full_stop", "full_stop"]),
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
