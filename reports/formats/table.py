"""The table of all report formats. A new format requires a module in this package and an entry here."""

from __future__ import annotations

from typing import Any

from .base import Format
from .github import GITHUB
from .html import HTML
from .json import JSON
from .jsonl import JSONL
from .junit import JUNIT
from .lcov import LCOV
from .markdown import MARKDOWN
from .sarif import SARIF

FORMATS = (MARKDOWN, JSON, HTML, JSONL, JUNIT, SARIF, GITHUB, LCOV)


def formats_of(kind: type[Any]) -> dict[str, Format]:
    """Return the formats that support a result type, by name."""
    return {one.name: one for one in FORMATS if one.supports(kind)}
