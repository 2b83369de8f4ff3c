"""Pictures look the same in Chromium and in librsvg, and load nothing."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from helpers.browsers import PageOpener
from helpers.made_results import FUZZ, RUN
from pages.pictures.svg import board_document
from pages.pictures.terminal import CELL, LINE, picture, report_picture
from perft_check.reports.board import board_text
from perft_check.reports.html.board import MARGIN, SQUARE, board_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SVG = "{http://www.w3.org/2000/svg}"
DOCS = Path(__file__).parents[3] / "docs"
RUN_AND_FINDINGS = pytest.mark.parametrize("text", [report_picture(RUN), report_picture(FUZZ)], ids=["run", "fuzz"])
INK = """async ({source, width, height, boxes}) => {
    const image = new Image(width, height);
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const pen = canvas.getContext('2d', {willReadFrequently: true});
    pen.drawImage(image, 0, 0, width, height);
    return boxes.map(([left, top, wide, high]) => {
        const {data} = pen.getImageData(left, top, wide, high);
        const differs = (x, y) => [0, 1, 2].some((c) => Math.abs(data[4 * (y * wide + x) + c] - data[c]) > 90);
        const inked = [...Array(wide).keys()].filter((x) => [...Array(high).keys()].some((y) => differs(x, y)));
        return inked.length ? [left + inked[0], left + inked[inked.length - 1]] : null;
    });
}"""
"""Return, for each box, the first and the last column with a pixel that differs from the one in its corner."""
Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
Ink = tuple[int, int] | None
"""The first and the last column of pixels that differ from the background; None if none does."""


def draw_with_librsvg(picture: str, path: Path) -> str:
    """Draw a picture with librsvg; return the data URL of the PNG. Skip the test without librsvg."""
    program = shutil.which("rsvg-convert")
    if program is None:
        pytest.skip("librsvg's rsvg-convert is not installed")
    path.write_text(picture, encoding="utf-8")
    done = subprocess.run([program, path], capture_output=True, check=True)
    return data_url(done.stdout, "image/png")


def data_url(content: bytes, kind: str) -> str:
    """Return a picture as a data URL, so that a page can read its pixels."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def ink_of(page: Page, source: str, size: tuple[int, int], boxes: list[Box]) -> list[Ink]:
    """Return the columns with ink in boxes of the picture at a URL."""
    asked = {"source": source, "width": size[0], "height": size[1], "boxes": boxes}
    return [None if one is None else (one[0], one[1]) for one in page.evaluate(INK, asked)]


def words_of(text: str) -> list[tuple[str, Box]]:
    """Return the words of a terminal picture and their cells."""
    words = [one for one in ElementTree.fromstring(text).iter(f"{_SVG}text") if one.get("textLength")]
    found = []
    for word in words:
        left, width = float(word.attrib["x"]), float(word.attrib["textLength"])
        top = int(word.attrib["y"]) - 18
        found.append((word.text or "", (round(left) - 3, top + 2, round(width) + 5, LINE - 3)))
    return found


def ink_by_both(opened: PageOpener, folder: Path, text: str, boxes: list[Box]) -> tuple[list[Ink], list[Ink]]:
    """Return the positions of ink in boxes, as drawn by Chromium and librsvg."""
    of_librsvg = draw_with_librsvg(text, folder / "picture.svg")
    path = folder / "empty.html"
    path.write_text("<!DOCTYPE html><html lang='en'><title>empty</title><link rel='icon' href='data:,'>")
    root = ElementTree.fromstring(text)
    size = int(root.attrib["width"]), int(root.attrib["height"])
    page = opened(path)
    of_chromium = data_url(text.encode(), "image/svg+xml")
    return ink_of(page, of_chromium, size, boxes), ink_of(page, of_librsvg, size, boxes)


def are_close(one: Ink, other: Ink, most: int) -> bool:
    """Return True if ink starts at the same position within a pixel, and ends within a tolerance."""
    return one is not None and other is not None and abs(one[0] - other[0]) <= 1 and abs(one[1] - other[1]) <= most


@RUN_AND_FINDINGS
def test_words_are_at_the_same_positions(opened: PageOpener, tmp_path: Path, text: str) -> None:
    words = words_of(text)
    assert len(words) > 50
    chromium, librsvg = ink_by_both(opened, tmp_path, text, [box for _, box in words])
    apart = [
        (word, one, other)
        for (word, box), one, other in zip(words, chromium, librsvg, strict=True)
        if not are_close(one, other, 1 + box[2] // 50)
    ]
    assert apart == []


def test_file_letters_are_below_their_files(opened: PageOpener, tmp_path: Path) -> None:
    text = picture(board_text("8/8/8/8/8/8/8/K6k", {"a1": "red"}))
    grounds = [one for one in ElementTree.fromstring(text).iter(f"{_SVG}rect") if one.get("fill")][-8:]
    letters = words_of(text)[-8:]
    assert [letter for letter, _ in letters] == list("abcdefgh")
    for inks in ink_by_both(opened, tmp_path, text, [box for _, box in letters]):
        for ink, ground in zip(inks, grounds, strict=True):
            assert ink is not None
            middle = float(ground.attrib["x"]) + 1.5 * CELL
            assert abs((ink[0] + ink[1]) / 2 - middle) < 1.5


def test_labels_and_pieces_of_a_board_are_at_the_same_positions(opened: PageOpener, tmp_path: Path) -> None:
    board = board_of("r7/8/8/8/8/8/8/K6k w - - 0 1")
    assert board is not None
    text = board_document(board, "Two kings and a rook", size=390)
    files = [(MARGIN + SQUARE * file, 377, SQUARE, 12) for file in range(8)]
    pieces = [(MARGIN + SQUARE * file + 1, MARGIN + SQUARE * row + 1, 43, 43) for file, row in ((0, 0), (0, 7), (7, 7))]
    chromium, librsvg = ink_by_both(opened, tmp_path, text, [*files, *pieces])
    assert all(are_close(one, other, 1) for one, other in zip(chromium, librsvg, strict=True))
    for (left, _, width, _), ink in zip([*files, *pieces], chromium, strict=True):
        assert ink is not None
        assert abs((ink[0] + ink[1]) / 2 - (left + width / 2)) < 2.5


@pytest.mark.slow
def test_pictures_of_the_pages_load_nothing(opened: PageOpener) -> None:
    pictures = sorted(DOCS.rglob("*.svg"))
    assert len(pictures) > 5
    for path in pictures:
        opened(path)
