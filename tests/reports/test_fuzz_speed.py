"""The speed of a fuzzing run in all reports, and its absence if the report must depend on the seed alone."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from helpers.made_results import FUZZ
from helpers.printed import printed
from helpers.readers import json_document, json_lines, rendered
from perft_check.harness.fuzzing.model import FuzzFinished, FuzzProgress, FuzzStarted
from perft_check.reports.live import FuzzLive
from perft_check.reports.terminal.fuzz import render
from rich.console import Console

MET = replace(FUZZ.coverage, strategies=(("pipelined", 1_215_000),))
TIMED = replace(FUZZ, coverage=MET, seconds=60.75, depends_on_time=True)
REPEATABLE = replace(TIMED, depends_on_time=False)
SPEED = "20.0 k positions a second, 1 min 01 s"
FORMATS = ("json", "jsonl", "md", "html", "junit", "sarif", "github")


def test_the_speed_in_words() -> None:
    for verbose in (False, True):
        assert f"speed: {SPEED}" in printed(render(TIMED, verbose=verbose))
    assert f"- speed: {SPEED}" in rendered("md", TIMED)
    assert f"<dt>speed</dt><dd>{SPEED}</dd>" in rendered("html", TIMED)


@pytest.mark.parametrize("name", FORMATS)
def test_a_repeatable_run_reports_no_times(name: str) -> None:
    other = replace(REPEATABLE, seconds=1.0)
    assert rendered(name, REPEATABLE) == rendered(name, other)
    assert printed(render(REPEATABLE)) == printed(render(other))


def test_json_contains_the_figures() -> None:
    course = json_document(TIMED, is_strict=True)["course"]
    assert course == {"seconds": 60.75, "positions_a_second": 20_000.0}
    assert json_lines(TIMED, is_strict=True)[-1]["course"] == course
    empty = replace(TIMED, seconds=0.0)
    assert json_document(empty, is_strict=True)["course"]["positions_a_second"] is None
    assert "course" not in json_document(REPEATABLE, is_strict=True)


def shown(*events: FuzzStarted | FuzzProgress | FuzzFinished, is_terminal: bool = True) -> str:
    file = StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=160, color_system=None, legacy_windows=False)
    with FuzzLive(console) as live:
        for event in events:
            live.handle(event)
    return file.getvalue()


STARTED = replace(FUZZ.started, examples=None, possible_events=tuple(range(112)))
PROGRESS = FuzzProgress(1_215_000, 60.75, 2, "fuzzing", events=3)


def test_the_status_line() -> None:
    line = "fuzzing: 1,215,000 positions, 20.0 k/s, 2 kinds of faults, 3 of 112 rare events occurred"
    assert line in shown(STARTED, PROGRESS)
    assert "fuzzing: 0 positions" in shown(STARTED, FuzzProgress(0, 0.0, 0, "fuzzing"))


def test_the_speed_is_shown_unless_the_report_contains_it() -> None:
    assert shown(STARTED, PROGRESS, TIMED, is_terminal=False) == ""
    assert shown(STARTED, PROGRESS, REPEATABLE, is_terminal=False) == f"{SPEED}\n"
    assert shown(TIMED).splitlines() == []
