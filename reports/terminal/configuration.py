"""The configuration in force: a row for each option, with where its value comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...harness.model.results.listing import ConfigurationShown, InForce
from ..text import whole
from .parts.table import ReportTable


def heading(shown: ConfigurationShown) -> str:
    """Return the line that says which file and profile are in force."""
    profile = f", profile {_printable(shown.profile)}" if shown.profile is not None else ""
    return f"perft-check {shown.command}: {shown.file or 'no configuration file'}{profile}"


def options_table(shown: ConfigurationShown) -> ReportTable:
    """Return the options with their values and sources."""
    table = ReportTable()
    table.add_columns("key", "value", "from")
    for option in shown.options:
        table.add_row(option.key, whole(value_text(option)), option.source)
    return table


def value_text(option: InForce) -> str:
    """Return a value on one line: "-" where it is not set."""
    value = option.value
    if value is None or value == []:
        return "-"
    if isinstance(value, list):
        return ", ".join(_quote(value))
    return str(value).lower() if isinstance(value, bool) else _printable(str(value))


def _quote(texts: list[str]) -> Iterator[str]:
    """Yield texts, in quotes where they could be taken for two."""
    for text in texts:
        yield json.dumps(text) if "," in text else _printable(text)


def _printable(text: str) -> str:
    return text if text.isprintable() and text else json.dumps(text)
