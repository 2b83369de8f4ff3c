"""Debian's Chromium, driven by Playwright, and what axe-core says of a page in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
THRIFTY = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--no-zygote",
    "--disable-extensions",
    "--renderer-process-limit=1",
)
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
_VIOLATIONS = """async (rules) => (await axe.run({ runOnly: rules, resultTypes: ['violations'], preload: false }))
    .violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120))}`)"""


def running_browser() -> Iterator[Browser]:
    """Start the browser, and end it; the test is skipped where it is not installed."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=THRIFTY)
        yield running
        running.close()


def violations(page: Page, rules: Sequence[str] = TAGS) -> list[str]:
    """Return what axe-core, which the page has loaded, does not like: the rule, and the elements."""
    found: list[str] = page.evaluate(_VIOLATIONS, list(rules))
    return found
