"""All pictures that are made from the program's own data."""

from __future__ import annotations

from pathlib import Path

from pictures import boards, techniques, trees

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def quick_pictures() -> dict[str, str]:
    """Return the pictures that need no walk of a technique, which takes seconds."""
    return {**dict(trees.drawn()), **dict(boards.drawn())}


def pictures() -> dict[str, str]:
    """Return the text of each picture by the name of its file."""
    return {**quick_pictures(), **dict(techniques.drawn())}
