"""docs/techniques.md says of each technique what its file says."""

from __future__ import annotations

from pathlib import Path

from techniques_page import sections

PAGE = Path(__file__).parents[2] / "docs" / "techniques.md"


def test_the_page_has_every_section() -> None:
    assert PAGE.read_text().endswith(sections() + "\n"), "remake it: cd tools && python -m techniques_page"
