"""Interaction with a page: search, filter, sort, open, copy and print, with mouse and keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.browsers import PageOpener, write_page
from helpers.made_pages import FUZZ, LONG_RUN, RUN
from helpers.made_results import FEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def found(page: Page) -> list[str]:
    """Return the names in the table."""
    return page.locator(".explorer tbody th .named span").all_inner_texts()


def test_search_filter_and_sort(opened: PageOpener) -> None:
    page = opened(LONG_RUN)
    assert page.inner_text("#found") == "126 positions"
    assert page.inner_text("#page") == "page 1 of 2"
    assert len(found(page)) == 100
    page.get_by_role("button", name="Next").click()
    assert len(found(page)) == 26
    page.get_by_role("combobox", name="Verdict").select_option("mismatch (3)")
    assert found(page) == ["pawn", "other-pawn", "rook"]
    head = page.get_by_role("columnheader", name="position", exact=True)
    head.get_by_role("button").click()
    assert (found(page), head.get_attribute("aria-sort")) == (["other-pawn", "pawn", "rook"], "ascending")
    head.get_by_role("button").click()
    assert (found(page), head.get_attribute("aria-sort")) == (["rook", "pawn", "other-pawn"], "descending")
    page.get_by_role("combobox", name="Verdict").select_option("all")
    page.locator("#search").fill("ROW-11")
    assert page.inner_text("#found") == "11 positions"
    page.get_by_role("columnheader", name="total nodes").get_by_role("button").click()
    assert page.locator(".explorer tbody tr").first.locator("td").nth(5).inner_text() == "1,011"
    page.locator("#search").fill("no such position")
    assert (page.inner_text("#found"), found(page)) == ("0 positions", [])


def test_a_cause_can_be_opened_with_keys(opened: PageOpener) -> None:
    page = opened(RUN)
    assert page.locator(".cause[open]").count() == 1
    second = page.locator(".cause").nth(1)
    second.locator("> summary").focus()
    page.keyboard.press("Enter")
    assert second.get_attribute("open") is not None
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.cause').id") == "cause-2"
    page.get_by_role("button", name="Close all").first.click()
    assert page.locator(".cause[open]").count() == 0
    page.get_by_role("button", name="Open all").first.click()
    assert page.locator("section:has(#causes) .cause[open]").count() == 3


def test_causes_can_be_searched(opened: PageOpener) -> None:
    page = opened(FUZZ)
    page.locator("[data-for=cause] input").fill("STATUS 3")
    assert [cause.is_visible() for cause in page.locator(".cause").all()] == [False, True]


@pytest.mark.parametrize("clipboard", [True, False])
def test_one_click_copies(opened: PageOpener, clipboard: bool) -> None:
    page = opened(RUN)
    if not clipboard:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator(".cause").first.get_by_role("button", name="Copy the FEN").first.click()
    page.wait_for_function("document.getElementById('notice').textContent === 'FEN copied'")
    page.locator("#search").focus()
    page.keyboard.press("Control+V")
    assert page.input_value("#search") == FEN


def test_the_button_for_light_and_dark(opened: PageOpener) -> None:
    page = opened(RUN)
    colors = [page.evaluate("getComputedStyle(document.body).backgroundColor")]
    page.get_by_role("button", name="Dark").click()
    colors.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    page.get_by_role("button", name="Light").click()
    assert (colors[0], colors[1]) == ("rgb(255, 255, 255)", "rgb(20, 23, 28)")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == colors[0]


def test_everything_is_open_in_print(opened: PageOpener) -> None:
    page = opened(RUN)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".cause[open]").count() == 1
    assert page.pdf(format="A4").startswith(b"%PDF")


def test_failures_are_visible_without_javascript(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(write_page(RUN, tmp_path / "page.html").as_uri())
    assert page.get_by_text("This table of 6 positions needs JavaScript.").is_visible()
    assert page.locator(".cause").count() == 4
    assert page.locator("#cause-1").get_by_text(FEN, exact=True).first.is_visible()
    page.context.close()
