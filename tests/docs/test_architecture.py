"""The packages on the architecture pages are those of import-linter."""

from __future__ import annotations

import re
from pathlib import Path

from docs.blocks import ROOT
from pages.pictures.architecture import layers


def text_of(name: str) -> str:
    return Path(ROOT, "docs", name).read_text(encoding="utf-8")


def first_cells(text: str) -> list[str]:
    """Return the first cell of each row of the first table in a text."""
    table = re.search(r"^\| ---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None
    return [row.split(" | ")[0].removeprefix("| ") for row in table[1].splitlines()]


def packages_in(text: str) -> list[str]:
    """Return the packages and modules in the first table of a text, in order."""
    names = [name for cell in first_cells(text) for name in re.findall(r"`([^`]+)`", cell)]
    return [name.removesuffix("/").removesuffix(".py") for name in names]


def test_the_packages_are_those_of_import_linter() -> None:
    packages = {package for layer in layers() for package in layer}
    assert sorted(packages_in(text_of("architecture.md"))) == sorted(packages)


def test_the_packages_of_the_generator_are_in_order() -> None:
    expected = layers("The layers of the generator")
    listed = iter(packages_in(text_of("kernels.md")))
    assert [{next(listed, "") for _ in layer} for layer in expected] == [set(layer) for layer in expected]
    assert not list(listed)
