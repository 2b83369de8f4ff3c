"""A browser window for the tests of pages, which are skipped without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.browsers import PageOpener, write_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def window(browser: Browser) -> Page:
    """One window for all tests, since a new one takes a second."""
    return browser.new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()


@pytest.fixture
def opened(window: Page, tmp_path: Path) -> Iterator[PageOpener]:
    """Open the page of a result or a file; nothing may be requested or logged, and only the page's script may run.

    `blocks` are words of messages that a test expects.
    """
    troubles: list[str] = []
    paths: list[Path] = []
    expected: list[str] = []

    def note(text: str) -> None:
        if not any(words in text for words in expected):
            troubles.append(text)

    def is_at_hand(url: str) -> bool:
        return url == paths[-1].as_uri() or url.startswith("data:")

    listeners = {
        "console": lambda message: note(message.text),
        "pageerror": lambda error: note(str(error)),
        "dialog": lambda dialog: note(dialog.message),
        "request": lambda request: None if is_at_hand(request.url) else note(request.url),
    }

    def open_page(result: object, width: int = 1000, blocks: str | None = None) -> Page:
        path = tmp_path / f"page-{len(paths)}.html"
        paths.append(result if isinstance(result, Path) else write_page(result, path))
        expected.extend([blocks] if blocks else [])
        window.set_viewport_size({"width": width, "height": 800})
        window.emulate_media(color_scheme="light")
        window.goto(paths[-1].as_uri())
        return window

    for event, listener in listeners.items():
        window.on(event, listener)  # type: ignore[call-overload]
    yield open_page
    for event, listener in listeners.items():
        window.remove_listener(event, listener)
    assert troubles == []
