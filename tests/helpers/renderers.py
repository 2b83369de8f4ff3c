"""Pictures as two programs draw them: Chromium, and librsvg, on which many other programs rest."""

from __future__ import annotations

import base64
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

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
"""Where the columns of pixels begin and end, in each box, that differ from the pixel in its corner."""
Box = tuple[int, int, int, int]
"""Left, top, width and height in pixels."""
Ink = tuple[int, int] | None
"""The first and the last column of pixels that differ from the ground; None where none does."""


def drawn_by_librsvg(picture: str, path: Path) -> str:
    """Return a picture that librsvg has drawn, as the address of a PNG. The test is skipped without librsvg."""
    program = shutil.which("rsvg-convert")
    if program is None:
        pytest.skip("librsvg's rsvg-convert is not installed")
    path.write_text(picture, encoding="utf-8")
    done = subprocess.run([program, path], capture_output=True, check=True)
    return address(done.stdout, "image/png")


def address(content: bytes, kind: str) -> str:
    """Return a picture as an address, so that a page may look at its pixels."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def ink_of(page: Page, source: str, size: tuple[int, int], boxes: list[Box]) -> list[Ink]:
    """Return where there is ink in boxes of the picture at an address."""
    asked = {"source": source, "width": size[0], "height": size[1], "boxes": boxes}
    return [None if one is None else (one[0], one[1]) for one in page.evaluate(INK, asked)]
