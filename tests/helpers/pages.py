"""Pages in a browser: written, opened, and what sticks out of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from perft_check.reports.formats.html import HTML

if TYPE_CHECKING:
    from playwright.sync_api import Page

Opened = Callable[..., "Page"]
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"
STICKING_OUT = """() => [...document.querySelectorAll('body *')].filter((one) => {
    if (one.closest('.sprites, .skip') || one.parentElement.closest('.wide, .chart, svg')) return false;
    const box = one.getBoundingClientRect();
    return box.width > 0 && (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5);
}).map((one) => one.outerHTML.slice(0, 80)).concat(
    document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page scrolls sideways'] : [])"""


def written(result: object, path: Path) -> Path:
    """Write the page of a result."""
    path.write_bytes("".join(HTML.chunks(result)).encode())
    return path


def sticking_out(page: Page) -> list[str]:
    """Return what stands outside the window with everything open, but for boxes that scroll."""
    page.evaluate(OPEN_ALL)
    found: list[str] = page.evaluate(STICKING_OUT)
    return found
