"""The picture of docs/explore.md: the screen of the explorer after a descent to the cause of a difference.

The colors are those of the installed version of textual.
"""

from __future__ import annotations

import asyncio

from perft_check.harness.engines.asking.session import TimeLimit
from perft_check.harness.engines.opening import open_session
from perft_check.harness.explorer.app import Explorer
from perft_check.harness.trees.controller import StartingPoint, TreeController
from perft_check.suites.positions import resolve_position
from rich.console import Group
from rich.text import Text

from .terminal import picture

FILE = "docs/explore.svg"
ENGINES = ("zoo:castling-through-attack", "own:turbo")


def draw_screen() -> str:
    """Return the picture."""
    return picture(asyncio.run(_screen()), "perft-check explore kiwipete")


async def _screen() -> Group:
    """Return the screen as text."""
    desk = TreeController([open_session(spec, limit=TimeLimit(60)) for spec in ENGINES])
    explorer = Explorer(desk, StartingPoint("kiwipete", resolve_position("kiwipete"), 3))
    async with explorer.run_test(size=(100, 28)) as pilot:
        await _quiet(desk)
        await pilot.press("f")
        await _quiet(desk)
        await pilot.pause(1)
        strips = explorer.screen._compositor.render_strips()
    desk.close()
    lines = (Text.assemble(*((one.text, one.style or "") for one in strip), no_wrap=True) for strip in strips)
    return Group(*lines)


async def _quiet(desk: TreeController) -> None:
    while desk.is_busy:
        await asyncio.sleep(0.05)
