"""The pages list the report formats of the program, with the commands that support them."""

from __future__ import annotations

import re

import pytest
from docs.blocks import ROOT
from perft_check.harness.checking.covering import CoverFinished
from perft_check.harness.cli.program import run_command_line
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.model.results.bench import BenchFinished
from perft_check.harness.model.results.divide import ConsistencyFinished, DivideFinished
from perft_check.harness.model.results.events import RunFinished
from perft_check.harness.zoo.results import Score
from perft_check.reports.formats.base import Format
from perft_check.reports.formats.html import HTML
from perft_check.reports.formats.table import FORMATS, formats_of

REPORTS = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
IN_CI = (ROOT / "docs" / "in-ci.md").read_text(encoding="utf-8")
RESULTS = {
    "run": RunFinished,
    "fuzz": FuzzFinished,
    "cover": CoverFinished,
    "divide": DivideFinished,
    "divide --self-consistency": ConsistencyFinished,
    "bench": BenchFinished,
    "zoo score": Score,
}
"""The type of result of each command with `--report`."""
ROW = re.compile(r"^\| `(\w+)` \| (`[\w.-]+`|stdout, after the text) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
"""A row of the table: a format, its default name, its commands and its readers."""


def names_in(text: str) -> list[str]:
    """Return the texts in backticks."""
    return re.findall(r"`([^`]+)`", text)


def commands_of(one: Format) -> set[str]:
    """Return the commands that support a format."""
    return {command for command, result in RESULTS.items() if one.supports(result)}


def test_the_table_has_each_format_with_its_name_and_commands() -> None:
    listed = {kind: (name, set(names_in(commands))) for kind, name, commands in ROW.findall(REPORTS)}
    assert listed == {
        one.name: (f"`{one.default_path}`" if one.default_path else "stdout, after the text", commands_of(one))
        for one in FORMATS
    }


def test_the_table_of_pages_has_each_command_that_writes_one() -> None:
    table = REPORTS.split("| page of | contents |\n")[1].split("\n\n")[0]
    named = {name for row in table.splitlines() for name in names_in(row.split(" | ")[0])}
    assert named == commands_of(HTML)


def test_the_page_on_ci_has_the_formats_of_run() -> None:
    (sentence,) = re.findall(r"`run`\s+supports\s+the\s+formats\s([^;]*);", IN_CI)
    assert set(names_in(sentence)) == set(formats_of(RunFinished))


def test_the_help_has_all_formats(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["run", "--help"]) == 0
    (kinds,) = re.findall(r"a KIND \(([^)]+)\)", " ".join(capfd.readouterr().out.split()))
    assert set(kinds.split(", ")) == {one.name for one in FORMATS}
