"""HTML: one page for people, with boards, that needs nothing else; Jinja2 and python-chess are loaded as it is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.machine import Circumstances
from ...harness.model.results.divide import ConsistencyFinished, DivideFinished
from ...harness.model.results.events import RunFinished
from ...harness.model.results.perft import PerftFinished
from ...harness.zoo.results import Score
from .base import Format

if TYPE_CHECKING:
    from ..html.page import Page


class PageFormat(Format):
    """The format whose writers return pages."""

    def pieces(self, result: Any, made: Circumstances | None = None) -> Iterator[str]:
        """Yield the text of a page in pieces. Raises UsageError for a result without a page."""
        return cast("Page", self._write(result)).pieces(made)


HTML = PageFormat("html", ".html")

_PAGES: Mapping[type, tuple[str, str]] = {
    RunFinished: ("run", "pages"),
    DivideFinished: ("divide", "pages"),
    ConsistencyFinished: ("divide", "consistency_pages"),
    FuzzFinished: ("fuzz", "pages"),
    PerftFinished: ("divide", "perft_pages"),
    Score: ("fuzz", "score_pages"),
}
"""For each kind of result the module of `reports/html/` that makes its page, and the function there."""


def _write(module: str, function: str, result: object) -> Page:
    made: Page = getattr(import_module(f"...html.{module}", __name__), function)(result)
    return made


for kind, place in _PAGES.items():
    HTML.writes(kind)(partial(_write, *place))
