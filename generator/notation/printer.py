"""What prints values in Hypothesis' failing examples and in IPython, as far as our values need it."""

from __future__ import annotations

from typing import Protocol


class Printer(Protocol):
    """Prints the text of a value among other values."""

    def text(self, text: str, /) -> None:
        """Print a text that is not broken."""
