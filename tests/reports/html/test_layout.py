"""The layout of pages at any width, and their accessibility according to axe-core."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers.browsers import OPEN_ALL, PageOpener, overflowing_elements, violations
from helpers.each import check_each
from helpers.made_pages import DIVIDE, FUZZ, RESULTS, RUN, case, run_of
from perft_check.harness.model.results.verdict import Verdict

WIDTHS = (360, 400, 800, 1200, 1600)
OF_ALL_COLORS = ("run", "covered fuzz")
"""Pages that together use all colors."""
LARGEST = 4_865_609_000
BROADEST = run_of(
    *RUN.results,
    case(
        "a-name-of-some-length",
        Verdict.UNPARSEABLE,
        suite="chess960-special",
        fen="r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        expected=LARGEST,
        got=LARGEST,
        nodes=LARGEST,
        seconds=1234.5678,
    ),
)
"""A run whose table has the longest verdict, the longest name of a bundled suite, and large numbers."""
SCROLLED = """[...document.querySelectorAll('.wide')].filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.getAttribute('aria-label'))"""
"""JavaScript that returns tables that have to be scrolled to see the last column."""


@pytest.mark.slow
def test_nothing_overflows_at_any_width(opened: PageOpener) -> None:
    def fits(name: str) -> None:
        page = opened(RESULTS[name])
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert overflowing_elements(page) == [], width

    check_each(fits, RESULTS)


@pytest.mark.parametrize("width", [400, 1200, 1600])
def test_no_column_is_cut_off(opened: PageOpener, width: int) -> None:
    names = ("zoo:pins-forgotten", "own:two-plies", "python-chess")
    divides = tuple(replace(one, engine=name) for one, name in zip(DIVIDE.divides, names, strict=True))
    for result in (BROADEST, FUZZ, RESULTS["timed fuzz"], replace(DIVIDE, divides=divides)):
        assert opened(result, width=width).evaluate(SCROLLED) == []


@pytest.mark.slow
def test_pages_are_accessible(opened: PageOpener, axe: str) -> None:
    def is_readable(name: str) -> None:
        page = opened(RESULTS[name])
        page.evaluate(f"{OPEN_ALL};{axe}")
        assert violations(page) == []
        if name in OF_ALL_COLORS:
            page.emulate_media(color_scheme="dark")
            assert violations(page, ["color-contrast"]) == []

    check_each(is_readable, RESULTS)
