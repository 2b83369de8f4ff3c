"""The site in Chromium, opened as files: with several widths, light and dark, with and without scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from docs.blocks import ROOT
from docs.site.conftest import Shown
from helpers.browsers import violations
from helpers.each import check_each

pytestmark = pytest.mark.slow

WIDTHS = (390, 800, 1200, 1600)
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
SCROLLED_BY_KEYS = """[...document.querySelectorAll('pre > code')].every(
    (code) => code.scrollWidth <= code.clientWidth || code.hasAttribute('tabindex'))"""
COLUMN = """(name) => {
    const table = [...document.querySelectorAll('table')].find(
        (one) => [...one.tHead.rows[0].cells].some((cell) => cell.innerText.trim().startsWith(name)));
    const column = [...table.tHead.rows[0].cells].findIndex((cell) => cell.innerText.trim().startsWith(name));
    return [...table.tBodies[0].rows].map((row) => row.cells[column].innerText.trim());
}"""
NAVIGATION: list[dict[str, Any]] = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
SECTIONS = {name: entry for section in NAVIGATION for name, entry in section.items()}


def pages_of(section: str) -> list[str]:
    """Return the pages of a section of the navigation."""
    return [str(Path(page).with_suffix(".html")) for page in _named_in(SECTIONS[section])]


def _named_in(entry: str | list[Any]) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    return [page for one in entry for named in one.values() for page in _named_in(named)]


def is_readable(shown: Shown, axe: str, name: str) -> None:
    """Fail if a page scrolls sideways, or if axe-core reports a violation, with any width or scheme."""
    page = shown(name)
    page.evaluate(axe)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(FITS)  # the theme moves its menu
        page.wait_for_function(SCROLLED_BY_KEYS)  # and makes wide code focusable
        assert violations(page) == [], width
    page.emulate_media(color_scheme="dark")
    page.reload()
    page.wait_for_selector("body[data-md-color-scheme=slate]")
    page.evaluate(axe)
    assert violations(page, ["color-contrast"]) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_pages_are_accessible(shown: Shown, axe: str, section: str) -> None:
    check_each(lambda name: is_readable(shown, axe, name), pages_of(section))


def test_pages_of_files_are_accessible(shown: Shown, axe: str, site: Path) -> None:
    smallest = sorted((site / "repository").rglob("*.html"), key=lambda path: -path.stat().st_size)
    of_each_language = {Path(path.stem).suffix: str(path.relative_to(site)) for path in smallest}
    check_each(lambda name: is_readable(shown, axe, name), of_each_language.values())


def test_a_click_on_a_header_sorts_the_table(shown: Shown) -> None:
    page = shown("repository/benchmarks/detection.html")
    as_made = page.evaluate(COLUMN, "positions")
    numbers = sorted((one for one in as_made if one != "-"), key=lambda text: int(text.replace(",", "")))
    dashes = [one for one in as_made if one == "-"]
    assert len(numbers) > 50
    head = page.get_by_role("columnheader").filter(has=page.get_by_role("button", name="positions")).first
    for sort, expected in (("ascending", numbers), ("descending", numbers[::-1])):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == sort
        assert page.evaluate(COLUMN, "positions") == [*expected, *dashes]


def test_the_search_works_without_a_server(shown: Shown) -> None:
    page = shown("index.html")
    box = page.get_by_role("textbox", name="Search")
    box.click()
    page.get_by_text("Type to start searching").wait_for()  # the index is loaded
    box.press_sequentially("speed guard")
    first = page.locator(".md-search-result__item").first
    first.wait_for()
    assert "Check a change" in first.inner_text()


@pytest.mark.parametrize("width", WIDTHS)
def test_pages_work_without_scripts(shown: Shown, width: int) -> None:
    def reads(name: str) -> None:
        page = shown(name, width, scripts=False)
        assert page.get_by_role("heading", level=1).is_visible()
        assert page.evaluate(FITS)

    check_each(reads, [name for section in SECTIONS for name in pages_of(section)])
