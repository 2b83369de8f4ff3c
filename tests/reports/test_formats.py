"""The types of results that each format supports."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from perft_check.errors import UsageError
from perft_check.harness.checking.covering import CoverFinished
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.model.results.events import RunFinished
from perft_check.harness.model.results.positions import DivideFinished
from perft_check.harness.zoo.score import Score
from perft_check.reports.formats.base import Format
from perft_check.reports.formats.table import FORMATS, formats_of


@dataclass
class ResultOfTest:
    """A type that is not a result of any command."""

    text: str


def test_the_formats_of_each_result() -> None:
    of_run = ["md", "json", "html", "jsonl", "junit", "sarif", "github"]
    assert list(formats_of(RunFinished)) == of_run
    assert list(formats_of(FuzzFinished)) == [*of_run, "lcov"]
    assert list(formats_of(CoverFinished)) == ["json", "lcov"]
    assert list(formats_of(DivideFinished)) == ["md", "json", "html", "junit", "sarif", "github"]
    assert list(formats_of(Score)) == ["md", "json"]
    assert formats_of(ResultOfTest) == {}


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_other_results_are_rejected(one: Format) -> None:
    with pytest.raises(UsageError) as refusal:
        one.render(ResultOfTest("mate"))
    assert str(refusal.value) == f"the format {one.name!r} does not support ResultOfTest"
