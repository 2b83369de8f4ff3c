"""The curve of the score, in a terminal and as a picture."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from helpers.made_outcomes import OUTCOMES, caught, missed, score_of
from perft_check.reports import charts
from perft_check.reports.charts import Axes, spread
from perft_check.reports.terminal.parts.drawings import CurveText
from rich.console import Console

SVG = "{http://www.w3.org/2000/svg}"
AXES = Axes(10.0, 3)


def test_the_axis_of_time_is_logarithmic() -> None:
    assert [AXES.across(seconds) for seconds in (0.02, 0.1, 1.0, 10.0, 10.5)] == pytest.approx([0, 0, 0.5, 1, 1])
    assert AXES.second_ticks == [0.1, 0.2, 0.5, 1, 2, 5, 10]
    assert Axes(60.0, 3).second_ticks[-3:] == [10, 20, 50]


def test_a_small_budget_has_an_axis_too() -> None:
    axes = Axes(0.1, 1)
    assert (axes.shortest, axes.second_ticks) == (0.01, [0.01, 0.02, 0.05, 0.1])


@pytest.mark.parametrize(
    ("families", "ticks"),
    [
        (1, [0, 1]),
        (5, [0, 1, 2, 3, 4, 5]),
        (13, [0, 5, 10]),
        (26, [0, 10, 20]),
        (99, [0, 20, 40, 60, 80]),
        (700, [0, 200, 400, 600]),
    ],
)
def test_ticks_of_families_are_round(families: int, ticks: list[int]) -> None:
    assert Axes(1.0, families).family_ticks == ticks


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ([5, 50], [5, 50]),
        ([50, 50, 50], [50, 60, 70]),
        ([50, 5, 51], [50, 5, 60]),
        ([100, 100, 100], [80, 90, 100]),
        ([99, 85, 100], [90, 80, 100]),
        ([], []),
    ],
)
def test_labels_make_room_for_each_other(wanted: list[float], places: list[float]) -> None:
    assert spread(wanted, 10, 0, 100) == places


def drawn(*, encoding: str = "utf-8") -> list[str]:
    console = Console(width=100, file=io.TextIOWrapper(io.BytesIO(), encoding=encoding), color_system=None)
    score = score_of(*OUTCOMES)
    with console.capture() as capture:
        console.print(CurveText(score.curves, Axes(score.budget, score.families)))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_the_drawing_of_a_terminal() -> None:
    empty = "     │"
    assert drawn() == [
        "families detected, of 3",
        "   3 │",
        *[empty] * 3,
        "   2 │                                      ⢠⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤⠤ fuzz 2",
        *["     │                                      ⢸"] * 4,
        "   1 │                     ⡖⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠊     ⡖⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒⠒ smoke 1",
        *["     │                     ⡇                      ⡇"] * 3,
        "   0 │⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣇⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀⠇",
        "      0.1      0.2         0.5      1       2           5        10 seconds a fault",
    ]


def test_the_drawing_of_a_terminal_without_unicode() -> None:
    lines = drawn(encoding="ascii")
    assert lines[5] == "   2 |                                      ********************** fuzz 2"
    assert all(line.isascii() for line in lines)


def test_the_picture() -> None:
    text = charts.score_document(score_of(*OUTCOMES))
    root = ET.fromstring(text)
    lines = {path.get("data-name"): path.get("d") for path in root.iter(f"{SVG}path")}
    # 0.5 s, 2 s and 3 s between 0.1 s at 64 and 10 s at 620; a third of 324 up for each family.
    assert lines == {"fuzz": "M64 376.0H258.3V268.0H425.7V160.0H620", "smoke": "M64 376.0H474.6V268.0H620"}
    words = [node.text for node in root.iter(f"{SVG}text")]
    assert words[0] == "Families detected, of 3"
    assert words[-2:] == ["fuzz 2", "smoke 1"]
    assert "seconds for each fault (logarithmic)" in words
    assert root.findtext(f"{SVG}desc") == "Of 3 families, within 10 seconds for each fault: fuzz 2, smoke 1."
    assert "prefers-color-scheme:dark" in text
    assert text == charts.score_document(score_of(*OUTCOMES))


def test_what_was_detected_before_the_axis_begins_stands_at_its_edge() -> None:
    text = charts.score_document(score_of(caught("pins-forgotten", 0.02), caught("king-beside-king", 1.0)))
    assert 'd="M64 214.0H342.0V52.0H620"' in text


def test_a_picture_without_a_detection() -> None:
    assert 'd="M64 376.0H620"' in charts.score_document(score_of(missed("pins-forgotten")))


def test_many_lines_have_different_looks() -> None:
    names = ("fuzz", "games", "walks", "cpw", "known", "smoke", "standard", "chess960", "special")
    root = ET.fromstring(charts.score_document(score_of(*(missed("pins-forgotten", strategy=name) for name in names))))
    style = root.findtext(f"{SVG}style") or ""
    assert ".line.s8{stroke-dasharray:7 4}" in style
    heights = [float(node.get("y", "")) for node in root.iter(f"{SVG}text")][-len(names) :]
    assert all(below - above >= 17 for above, below in pairwise(heights))
