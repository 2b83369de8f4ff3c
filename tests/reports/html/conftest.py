"""A browser for the tests of pages: Debian's Chromium, driven by Playwright. Without it these tests are skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from perft_check.reports.formats.html import HTML

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = shutil.which("chromium")
AXE = Path(os.environ.get("PERFT_CHECK_NODE_MODULES", "none"), "axe-core", "axe.min.js")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Open the page of a result in a window of its own; nothing may be requested, logged or run but our script.

    `blocks` are words of messages that a test expects.
    """
    contexts: list[BrowserContext] = []
    troubles: list[str] = []

    def open_page(result: object, width: int = 1000, blocks: str = "", **options: Any) -> Page:
        def note(text: str) -> None:
            if not blocks or blocks not in text:
                troubles.append(text)

        path = tmp_path / f"page-{len(contexts)}.html"
        path.write_bytes("".join(HTML.pieces(result)).encode())
        context = browser.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: note(message.text))
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: note(dialog.message))
        page.on("request", lambda request: None if request.url in (path.as_uri(), "data:,") else note(request.url))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed")
    return AXE.read_text(encoding="utf-8")
