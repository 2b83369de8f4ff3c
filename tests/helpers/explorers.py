"""Run the explorer without a terminal: press keys, and read the screen as text."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from helpers.terminal import compare_with_snapshot
from perft_check.generator.position import Position
from perft_check.harness.engines.asking.session import TimeLimit
from perft_check.harness.engines.opening import open_session
from perft_check.harness.explorer.app import Explorer
from perft_check.harness.trees.controller import StartingPoint, TreeController
from textual.pilot import Pilot

SNAPSHOTS = Path(__file__).parents[1] / "harness" / "explorer" / "snapshots"
CASTLING = "4k3/8/b7/8/8/8/8/4K2R w K - 0 1"
"""White may not castle, because the bishop attacks f1; an engine that castles through attacks does."""
CASTLES = "zoo:castling-through-attack"

PRESSED: set[str] = set()
"""All keys that tests have pressed."""

Drive = Callable[["Driver"], Awaitable[None]]


class Driver:
    """Presses keys, clicks, and reads the screen."""

    def __init__(self, app: Explorer, controller: TreeController, pilot: Pilot[None]) -> None:
        self.app, self.controller, self._pilot = app, controller, pilot

    async def press(self, *keys: str) -> None:
        """Press keys one by one, each time waiting until its effect is drawn."""
        for key in keys:
            await self.strike(key)
            await self.settle()

    async def strike(self, key: str) -> None:
        """Press a key without waiting."""
        PRESSED.add(key)
        await self._pilot.press(key)

    async def settle(self) -> None:
        """Wait until the engines are idle and the screen is up to date."""
        while (
            self.controller.is_busy
            or self.app.navigator.is_busy
            or not all(one.is_finished for one in self.app.workers)
        ):
            await self._pilot.pause(0.02)
        for _ in range(3):  # drawing may change the layout, which is then drawn again
            await self._pilot.pause()

    async def click(self, widget: str, column: int, row: int, times: int = 1) -> None:
        """Click into a widget, and wait until the effect is drawn."""
        await self._pilot.click(widget, offset=(column, row), times=times)
        await self.settle()

    async def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal."""
        await self._pilot.resize_terminal(columns, rows)
        await self.settle()

    @property
    def lines(self) -> list[str]:
        """The lines of the screen."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(part.text for part in strip).rstrip() for strip in strips]

    @property
    def screen(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines) + "\n"

    @property
    def cursor(self) -> str:
        """The moves to the node under the cursor, separated by spaces."""
        return " ".join(node.uci for node in self.app.view.cursor.path)

    @property
    def board(self) -> list[str]:
        """The ranks of the board from the top, and the legend below."""
        column = next(line.index("│") for line in self.lines if "│" in line)
        return [line[column + 1 :].strip() for line in self.lines[1:11]]

    @property
    def words(self) -> str:
        """The text next to the tree, on one line."""
        column = next(line.index("│") for line in self.lines if "│" in line)
        return " ".join(" ".join(line[column + 1 : 79].strip() for line in self.lines[12:-1]).split())


def explore(
    drive: Drive,
    engines: Sequence[str] = (CASTLES, "own:turbo"),
    fen: str = CASTLING,
    *,
    depth: int = 2,
    size: tuple[int, int] = (80, 24),
    seconds: float = 60,
) -> Explorer:
    """Open the explorer, call `drive`, and close it."""

    async def run() -> Explorer:
        at = StartingPoint("position", Position.from_fen(fen, None), depth)
        controller = TreeController([open_session(spec, limit=TimeLimit(seconds)) for spec in engines])
        try:
            app = Explorer(controller, at)
            async with app.run_test(size=size) as pilot:
                driver = Driver(app, controller, pilot)
                await driver.settle()
                await drive(driver)
        finally:
            controller.close()
        return app

    with ThreadPoolExecutor(1) as elsewhere:  # in this thread, the browser of another test may run an event loop
        return elsewhere.submit(asyncio.run, run()).result()


def check_snapshot(name: str, screen: str) -> None:
    """Compare a screen with its snapshot."""
    compare_with_snapshot(SNAPSHOTS / f"{name}.txt", screen)
