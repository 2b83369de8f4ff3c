"""The page of the gallery in a browser: everybody can read it, at any width, without scripts, and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from helpers.pages import Opened, sticking_out, written
from perft_check.harness.zoo.gallery import Gallery, gallery
from perft_check.reports.formats.html import HTML

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
VIOLATIONS = """async (rules) => (await axe.run({ runOnly: rules, resultTypes: ['violations'], preload: false }))
    .violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120))}`)"""


@pytest.fixture(scope="module")
def shown() -> Gallery:
    return gallery()


@pytest.fixture
def path(shown: Gallery, tmp_path: Path) -> Path:
    return written(shown, tmp_path / "gallery.html")


def test_nothing_sticks_out_at_any_width(opened: Opened, path: Path) -> None:
    for width in (390, 1280):
        assert sticking_out(opened(path, width=width)) == [], width


@pytest.mark.slow
def test_everybody_can_read_it(opened: Opened, path: Path, axe: str) -> None:
    page = opened(path)
    page.evaluate(axe)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(VIOLATIONS, TAGS) == [], scheme


def test_it_can_be_read_without_scripts(browser: Browser, path: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("article.exhibit").count() == 107
    assert page.get_by_role("link", name="Castling", exact=True).get_attribute("href") == "#family-3"
    assert page.locator("#mate .board svg").first.is_visible()
    context.close()


def test_the_same_gallery_gives_the_same_bytes(shown: Gallery) -> None:
    text = HTML.render(shown)
    assert text == HTML.render(gallery())
    assert "://" not in text.replace("http://www.w3.org/", "")


def test_what_the_page_says_of_an_event(shown: Gallery) -> None:
    text = HTML.render(shown)
    event = text.split('id="ck-double"')[1].split("</article>")[0]
    assert "Two pieces or more give check." in event
    assert "4, the fewest that there can be" in event
    event = text.split('id="ca-prev-incheck-only"')[1].split("</article>")[0]
    assert '<b class="move extra">e1c1 extra</b>: White cannot castle out of check' in event
    assert "Fault <code>castling-from-check</code>, seen in " in event
    assert "chess-rules 1.1.0" in event
    assert "no position of up to 4 has the event" in text.split('id="pin-two-plus"')[1].split("</article>")[0]
