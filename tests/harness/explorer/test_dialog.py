"""Keys that arrive before a dialog has disappeared have no effect."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from perft_check.harness.explorer.dialogs import HelpScreen
from textual.app import App

pytestmark = pytest.mark.slow


def test_a_dialog_is_dismissed_once() -> None:
    async def leave_twice() -> list[None]:
        left: list[None] = []
        app: App[None] = App()
        async with app.run_test() as pilot:
            dialog = HelpScreen()
            await app.push_screen(dialog, left.append)
            dialog.dismiss(None)
            dialog.dismiss(None)
            await pilot.pause()
            assert app.screen is not dialog
        return left

    with ThreadPoolExecutor() as apart:  # the browser of other tests has its loop in this thread
        assert apart.submit(asyncio.run, leave_twice()).result() == [None]
