"""The pages of the detection score have the form that `perft-check zoo score --report` writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.made_outcomes import OUTCOMES
from perft_check.harness.cli.program import run_command_line
from perft_check.harness.zoo.running import Results

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PAGES = ("detection.md", "detection-strategies.md")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the page of a few outcomes made by hand."""
    folder = tmp_path_factory.mktemp("score")
    results = Results(folder / "score.jsonl")
    for outcome in OUTCOMES:
        results.keep(outcome, 2)
    assert (
        run_command_line(
            ["zoo", "score", "--no-hunt", "--results", str(folder / "score.jsonl"), f"--report={folder / 'page.md'}"]
        )
        == 0
    )
    return folder


def words_of(page: Path) -> list[str]:
    """Return the paragraphs that say what the figures mean: they have no figure of their own."""
    paragraphs = page.read_text(encoding="utf-8").split("\n\n")
    return [one for one in paragraphs if one.startswith(("*Reached*", "A family is", "Medians", "The strategies and"))]


def test_the_words_are_those_of_the_report(made: Path) -> None:
    assert len(words_of(made / "page.md")) == 4
    for name in PAGES:
        assert words_of(BENCHMARKS / name) == words_of(made / "page.md"), name
