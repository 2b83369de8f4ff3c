"""Interaction with a page: open a cause, and copy, with mouse and keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.browsers import PageOpener, write_page
from helpers.made_pages import RUN
from helpers.made_results import FEN

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_cause_can_be_opened_with_keys(opened: PageOpener) -> None:
    page = opened(RUN)
    assert page.locator(".cause[open]").count() == 1
    second = page.locator(".cause").nth(1)
    second.locator("> summary").focus()
    page.keyboard.press("Enter")
    assert second.get_attribute("open") is not None
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.cause').id") == "cause-2"


@pytest.mark.parametrize("clipboard", [True, False])
def test_one_click_copies(opened: PageOpener, clipboard: bool) -> None:
    page = opened(RUN)
    if not clipboard:
        page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator(".cause").first.get_by_role("button", name="Copy the FEN").first.click()
    page.wait_for_function("document.getElementById('notice').textContent === 'FEN copied'")
    page.evaluate("document.querySelector('main').prepend(document.createElement('textarea'))")
    page.locator("textarea").focus()
    page.keyboard.press("Control+V")
    assert page.input_value("textarea") == FEN


def test_a_page_is_complete_without_javascript(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(write_page(RUN, tmp_path / "page.html").as_uri())
    assert page.locator(".cause").count() == 4
    assert page.locator("#cause-1").get_by_text(FEN, exact=True).first.is_visible()
    page.context.close()
