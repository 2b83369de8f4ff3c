"""HTML: a self-contained page with boards. Jinja2 and python-chess are imported lazily."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.divide import DivideFinished
from ...harness.model.results.events import RunFinished
from ...harness.report_context import ReportContext
from .base import Format


def _page(module: str, function: str, result: object, made: ReportContext | None) -> Iterator[str]:
    """Yield the page returned by a function in `reports/html/` in chunks."""
    chunks: Iterator[str] = getattr(import_module(f"...html.{module}", __name__), function)(result).chunks(made)
    return chunks


HTML = Format(
    "html",
    ".html",
    {
        RunFinished: partial(_page, "run", "run_page"),
        DivideFinished: partial(_page, "divide", "divide_page"),
        FuzzFinished: partial(_page, "fuzz", "fuzz_page"),
    },
    takes_circumstances=True,
)
