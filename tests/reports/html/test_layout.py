"""How pages look at any width, and that everybody can read them: axe-core has nothing to complain about."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from helpers.each import check_each
from helpers.made_pages import FUZZ, RESULTS, RUN, run_of

from .conftest import Opened

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (360, 800, 1600)
STICKING_OUT = """() => [...document.querySelectorAll('body *')].filter((one) => {
    if (one.closest('.sprites, .skip') || one.parentElement.closest('.wide, .chart, svg')) return false;
    const box = one.getBoundingClientRect();
    return box.width > 0 && (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5);
}).map((one) => one.outerHTML.slice(0, 80))"""
OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"
VIOLATIONS = """async (rules) => (await axe.run({ runOnly: rules }))
    .violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120))}`)"""


def _long() -> list[Any]:
    endless = "x" * 3000
    result = replace(RUN.results[1], name=endless, message=endless, source=endless)
    crashed = replace(RUN.results[4], name=endless, message=endless)
    started = replace(FUZZ.started, engine=endless)
    return [run_of(result, crashed), replace(FUZZ, started=started)]


@pytest.mark.parametrize("name", RESULTS)
def test_nothing_sticks_out(opened: Opened, name: str) -> None:
    page = opened(RESULTS[name])
    page.evaluate(OPEN_ALL)

    def fits(width: int) -> None:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert page.evaluate(STICKING_OUT) == []

    check_each(fits, WIDTHS)


@pytest.mark.parametrize("result", _long(), ids=["run", "fuzz"])
def test_endless_words_are_broken(opened: Opened, result: object) -> None:
    page = opened(result, width=360)
    page.evaluate(OPEN_ALL)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate(STICKING_OUT) == []


@pytest.mark.parametrize("name", RESULTS)
def test_everybody_can_read_it(opened: Opened, axe: str, name: str) -> None:
    page = opened(RESULTS[name])
    page.evaluate(OPEN_ALL)
    page.evaluate(axe)
    page.emulate_media(color_scheme="light")
    assert page.evaluate(VIOLATIONS, TAGS) == []
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(VIOLATIONS, ["color-contrast"]) == []


def test_boards_are_of_a_size_to_look_at(opened: Opened) -> None:
    page = opened(RUN)

    def is_square(width: int) -> None:
        page.set_viewport_size({"width": width, "height": 800})
        box = page.locator(".board > svg").first.bounding_box()
        assert box is not None
        assert box["width"] == box["height"]
        assert 260 <= box["width"] <= 320

    check_each(is_square, WIDTHS)
