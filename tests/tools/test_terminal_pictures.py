"""Pictures of terminals: positions of words and boards, and portable SVG."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from helpers.made_pages import RUN, poisoned
from helpers.made_results import FEN
from pages.pictures.terminal import CELL, LEFT, picture, report_picture
from perft_check.reports.board import MarkedBoard
from perft_check.reports.layout import Indented, SideBySide
from rich.console import Group
from rich.text import Text

_SVG = "{http://www.w3.org/2000/svg}"


def words(text: str) -> list[tuple[str, float]]:
    found = [one for one in ElementTree.fromstring(text).iter(f"{_SVG}text") if one.get("textLength")]
    return [(one.text or "", (float(one.attrib["x"]) - LEFT) / CELL) for one in found]


def test_words_are_in_their_columns_and_no_text_has_a_space() -> None:
    text = picture(Group(Text("  two  words"), Text("寿司 next")))
    assert [(word, round(column)) for word, column in words(text)] == [
        ("two", 2),
        ("words", 7),
        ("寿司", 0),
        ("next", 5),
    ]
    assert not any(re.search(r"\s|\xa0", word) for word, _ in words(report_picture(RUN)))


def test_a_long_command_is_not_cut() -> None:
    long = "x" * 300
    text = picture(Text(long, no_wrap=True, overflow="ignore"))
    assert words(text) == [(long, 0.0)]
    assert int(ElementTree.fromstring(text).attrib["width"]) > 300 * CELL


def test_a_board_is_drawn_in_its_space() -> None:
    text = picture(Indented(SideBySide(MarkedBoard(FEN), Text("beside"))))
    (board,) = [one for one in ElementTree.fromstring(text).iter(f"{_SVG}g") if one.get("class") == "drawn"]
    assert board.attrib["transform"].startswith(f"translate({LEFT + 2 * CELL:.2f} 48)")
    assert [(word, round(column, 2)) for word, column in words(text)] == [("beside", 31)]
    assert "Board: White: Kg1, Ba2, b4. Black: Kg8, c4." in text


def test_colors_of_text_and_ground() -> None:
    text = picture(Text.assemble(("odd", "bold red on color(228)"), ("dim", "dim"), ("turned", "reverse")))
    assert "fill:#cc555a;font-weight:bold" in text
    assert text.count('fill="#ffff87"') == 1
    assert "fill:#9ea09e" in text
    assert 'fill="#c5c8c6"' in text


def test_the_picture_has_a_title_and_loads_nothing() -> None:
    root = ElementTree.fromstring(report_picture(RUN))
    assert root[0].text == "perft-check run: odd"
    assert (root[1].text or "").startswith("1 of 6 positions agree")
    assert "://" not in report_picture(RUN).replace("http://www.w3.org/2000/svg", "")


def test_pictures_with_hostile_texts_are_valid() -> None:
    text = report_picture(poisoned(RUN))
    ElementTree.fromstring(text)
    assert "<script" not in text
    assert "\0" not in text
