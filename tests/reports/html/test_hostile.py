"""Hostile texts of engines and files are shown and have no effect."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers.browsers import PageOpener, overflowing_elements
from helpers.each import check_each
from helpers.made_pages import RESULTS, RUN, poisoned, run_of
from perft_check.reports.formats.table import HTML
from perft_check.reports.html.components import LONGEST, displayable


@pytest.mark.slow
def test_hostile_texts_execute_nothing(opened: PageOpener) -> None:
    def is_harmless(name: str) -> None:
        page = opened(poisoned(RESULTS[name]), width=360)
        assert page.evaluate("typeof hit") == "undefined"
        assert page.locator("img, iframe, object, a:not(.skip)").count() == 0
        assert page.locator("script").count() == 1
        assert page.locator("main").inner_text().count("</script><script>hit=1</script>") > 2
        assert "{{ 7 * 7 }}" in page.locator("main").inner_text()
        assert overflowing_elements(page) == []

    check_each(is_harmless, RESULTS)


def test_even_unescaped_markup_would_execute_nothing(opened: PageOpener) -> None:
    page = opened(RUN, blocks="Content Security Policy")
    markup = '<p id=through style="color:red" onclick="hit=1">through</p>'
    page.evaluate("(markup) => document.body.insertAdjacentHTML('beforeend', markup)", markup)
    page.locator("#through").click()
    assert page.evaluate("typeof hit") == "undefined"


def test_invisible_characters_are_escaped() -> None:
    assert displayable("a\0b\x1b\ud800\u2028\u202e\ufeff") == r"a\x00b\x1b\ud800\u2028\u202e\ufeff"
    assert displayable("tab\tline\nnaïve 象 \U0001f600") == "tab\tline\nnaïve 象 \U0001f600"


def test_long_text_is_shortened() -> None:
    long = run_of(replace(RUN.results[4], message="m" * 1_000_000, name="n" * 1_000_000))
    text = "".join(HTML.chunks(long))
    assert len(displayable("m" * 1_000_000)) == LONGEST
    assert len(text) < 200_000
    text.encode()
