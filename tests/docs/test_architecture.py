"""The packages that the architecture pages name are those of import-linter."""

from __future__ import annotations

import re
from pathlib import Path

from docs.blocks import ROOT
from pages.pictures.architecture import PHRASES, layers


def text_of(name: str) -> str:
    return Path(ROOT, "docs", name).read_text(encoding="utf-8")


def first_cells(text: str) -> list[str]:
    """Return the first cell of each row of the first table in a text."""
    table = re.search(r"^\| ---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None
    return [row.split(" | ")[0].removeprefix("| ") for row in table[1].splitlines()]


def rooms_in(text: str) -> list[str]:
    """Return the rooms and modules that the first table in a text names, in their order."""
    names = [name for cell in first_cells(text) for name in re.findall(r"`([^`]+)`", cell)]
    return [name.removesuffix("/").removesuffix(".py") for name in names]


def test_its_rooms_are_those_of_import_linter() -> None:
    rooms = {room for layer in layers() for room in layer}
    assert sorted(rooms_in(text_of("architecture.md"))) == sorted(rooms)
    assert PHRASES.keys() == rooms, "say in tools/pages/pictures/architecture.py what the room is for"


def test_the_rooms_of_the_generator_stand_in_the_order_of_import_linter() -> None:
    expected = layers("The rooms and modules of the generator")
    listed = iter(rooms_in(text_of("kernels.md")))
    assert [{next(listed, "") for _ in layer} for layer in expected] == [set(layer) for layer in expected]
    assert not list(listed)
