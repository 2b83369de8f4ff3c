"""Chromium, driven by Playwright: HTML reports in it, and problems that axe-core and the layout show."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from perft_check.reports.formats.table import HTML

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

PageOpener = Callable[..., "Page"]
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"
OVERFLOWING = """() => [...document.querySelectorAll('body *')].filter((one) => {
    if (one.closest('.sprites, .skip') || one.parentElement.closest('.wide, .chart, svg')) return false;
    const box = one.getBoundingClientRect();
    return box.width > 0 && (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5);
}).map((one) => one.outerHTML.slice(0, 80)).concat(
    document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page scrolls sideways'] : [])"""


def running_browser() -> Iterator[Browser]:
    """Start the browser, and close it at the end. Skip the test if it is not installed."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=THRIFTY)
        yield running
        running.close()


def violations(page: Page, rules: Sequence[str] = TAGS) -> list[str]:
    """Return the violations that axe-core reports, each with its rule and elements; the page must have loaded it."""
    found: list[str] = page.evaluate(_VIOLATIONS, list(rules))
    return found


def write_page(result: object, path: Path) -> Path:
    """Write the HTML report of a result."""
    path.write_bytes("".join(HTML.chunks(result)).encode())
    return path


def overflowing_elements(page: Page) -> list[str]:
    """Open all details; return the elements that extend beyond the window, except those in boxes that scroll."""
    page.evaluate(OPEN_ALL)
    found: list[str] = page.evaluate(OVERFLOWING)
    return found
