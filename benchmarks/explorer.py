"""Measure how long the explorer takes to open a large tree, and to respond to each key while engines count.

    python benchmarks/explorer.py [--engine SPEC] [--keys N]

Textual runs without a terminal. The response time ends when the effect of the key has been drawn.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time

from perft_check.harness.engines.asking.session import TimeLimit
from perft_check.harness.engines.opening import open_session
from perft_check.harness.explorer.app import Explorer
from perft_check.harness.trees.controller import StartingPoint, TreeController
from perft_check.suites.positions import resolve_position

ROWS = 1 + 20 + 400 + 8_902 + 197_281
KEYS = ("down", "down", "enter", "down", "pagedown", "n", "2", "1", "b", "a", "v", "up", "left", "up")


class Pulse:
    """Measures how long the event loop is blocked, as the time between two turns of a task that is always ready."""

    def __init__(self) -> None:
        self._task = asyncio.get_running_loop().create_task(self._beat())
        self.gaps: list[float] = []

    async def _beat(self) -> None:
        last = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            self.gaps.append(now - last)
            last = now

    def longest(self) -> float:
        """Return the longest gap since the last call, in seconds."""
        gaps, self.gaps = self.gaps, []
        return max(gaps, default=0.0)


async def measure(engine: str, keys: int) -> None:
    """Open trees and press keys, and print the times."""
    start = StartingPoint("startpos", resolve_position("startpos"), 4)
    open_session("own:turbo").start()  # compiles and caches the kernel
    legal_moves = start.position.legal_moves
    assert len(legal_moves) == 20, "compiles the generator"
    began = time.perf_counter()
    desk = TreeController([open_session(spec, limit=TimeLimit(600)) for spec in (engine, "own:turbo")])
    explorer = Explorer(desk, start)
    async with explorer.run_test(size=(160, 50)):
        await _drawn(explorer)
        print(f"tree of 197,281 leaf nodes: on the screen after {1000 * (time.perf_counter() - began):.0f} ms")
        pulse = Pulse()
        while _counts(desk):
            await asyncio.sleep(0.01)
        print(f"  both engines finished after {1000 * (time.perf_counter() - began):.0f} ms; {_blocked(pulse)}")
        await _one(explorer, "home")
        began = time.perf_counter()
        await _one(explorer, "asterisk")
        opening: list[float] = []
        while desk.tree.rows < ROWS:
            opening.append(await _one(explorer, "down"))
        print(f"{desk.tree.rows:,} rows open after {time.perf_counter() - began:.2f} s; {_blocked(pulse)}")
        print(f"  while opening: {_summary(opening)}")
        busy: list[float] = []
        while _counts(desk):
            busy.append(await _one(explorer, KEYS[len(busy) % len(KEYS)]))
        print(f"all counted after {time.perf_counter() - began:.2f} s; {_blocked(pulse)}")
        print(f"  while counting: {_summary(busy)}")
        explorer.navigator.open(StartingPoint("startpos", start.position, 12))
        _blocked(pulse)
        counting = [await _one(explorer, KEYS[number % len(KEYS)]) for number in range(keys)]
        assert _counts(desk), "twelve plies take hours"
        print(f"while both engines count twelve plies: {_summary(counting)}; {_blocked(pulse)}")
        explorer.navigator.open(StartingPoint("startpos", start.position, 3))
        while _counts(desk):
            await asyncio.sleep(0.01)
        _blocked(pulse)
        quiet = [await _one(explorer, KEYS[number % len(KEYS)]) for number in range(keys)]
        print(f"afterwards: {_summary(quiet)}; {_blocked(pulse)}")
    desk.close()


def _counts(desk: TreeController) -> bool:
    return desk.is_busy


async def _drawn(explorer: Explorer) -> None:
    """Wait until the screen is up to date."""
    done = asyncio.get_running_loop().create_future()
    explorer.screen.call_after_refresh(done.set_result, None)
    await done


async def _one(explorer: Explorer, key: str) -> float:
    """Press a key; return the seconds until its effect is drawn."""
    began = time.perf_counter()
    explorer.simulate_key(key)
    await asyncio.sleep(0.002)  # the key passes through messages of the app and the screen
    await _drawn(explorer)
    return time.perf_counter() - began


def _blocked(pulse: Pulse) -> str:
    return f"the event loop was blocked for at most {1000 * pulse.longest():.0f} ms"


def _summary(seconds: list[float]) -> str:
    if not seconds:
        return "no key"
    ms = [1000 * one for one in seconds]
    return f"{len(ms)} keys, median {statistics.median(ms):.1f} ms, longest {max(ms):.1f} ms"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--engine", default="uci:stockfish")
    options.add_argument("--keys", type=int, default=160)
    given = options.parse_args()
    asyncio.run(measure(given.engine, given.keys))
