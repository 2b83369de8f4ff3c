"""The table of all report formats. A new format requires a module in this package and an entry here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from typing import Any

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.events import RunFinished
from ...harness.model.results.positions import DivideFinished
from ...harness.report_context import ReportContext
from .base import Format
from .github import GITHUB
from .json import JSON
from .jsonl import JSONL
from .junit import JUNIT
from .lcov import LCOV
from .markdown import MARKDOWN
from .sarif import SARIF


def _page(function: str, result: object, made: ReportContext | None) -> Iterator[str]:
    """Yield the page that a function of `reports/html/pages.py` returns, which imports Jinja2 and python-chess."""
    chunks: Iterator[str] = getattr(import_module("...html.pages", __name__), function)(result).chunks(made)
    return chunks


HTML = Format(
    "html",
    ".html",
    {
        RunFinished: partial(_page, "run_page"),
        DivideFinished: partial(_page, "divide_page"),
        FuzzFinished: partial(_page, "fuzz_page"),
    },
    takes_circumstances=True,
)
"""Self-contained pages with boards."""
FORMATS = (MARKDOWN, JSON, HTML, JSONL, JUNIT, SARIF, GITHUB, LCOV)


def formats_of(kind: type[Any]) -> dict[str, Format]:
    """Return the formats that support a result type, by name."""
    return {one.name: one for one in FORMATS if one.supports(kind)}
