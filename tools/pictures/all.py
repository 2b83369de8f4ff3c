"""All pictures that are made from the program's own data."""

from __future__ import annotations

from pathlib import Path

from pictures import techniques

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"


def pictures() -> dict[str, str]:
    """Return the text of each picture by the name of its file."""
    return dict(techniques.drawn())
