"""The timeline of a fuzzing run in all reports, and its absence if the report must depend on the seed alone."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from helpers.made_results import FUZZ
from helpers.printed import printed
from helpers.readers import json_document, json_lines, rendered
from perft_check.generator.events import Event
from perft_check.harness.fuzzing.model import Coverage, FuzzFinished, FuzzProgress, FuzzStarted
from perft_check.harness.fuzzing.timeline import CampaignTimeline
from perft_check.reports.content.fuzz import facts_of_timeline, timeline_facts
from perft_check.reports.live.fuzz import FuzzLive
from perft_check.reports.terminal.fuzz import render
from rich.console import Console

FIRST_SEEN = ((Event.MATE.value, 0.5), (Event.EP_LEGAL.value, 0.05), (Event.STALEMATE.value, 3.25))
TIMELINE = CampaignTimeline(60.0, tuple(sorted(FIRST_SEEN, key=lambda one: one[1])), 61.25, 48.4)
MET = Coverage(tuple((event, 7) for event, _ in sorted(FIRST_SEEN)), (("pipelined", 1_215_000),), ())
TIMED = replace(FUZZ, coverage=MET, seconds=60.75, timeline=TIMELINE, depends_on_time=True)
REPEATABLE = replace(TIMED, depends_on_time=False)
LINES = [
    "speed: 20.0 k positions a second",
    "inside the engine: 79 % of 61 s of CPU time",
    "new rare events: 0 a minute in the last 30.0 s, the latest after 3.25 s",
]
SPEED = "20.0 k positions a second, 1 min 01 s; 79 % of CPU time in the engine"
FORMATS = ("json", "jsonl", "md", "html", "junit", "sarif", "github")


def test_the_figures_in_words() -> None:
    assert [f"{name}: {value}" for name, value in timeline_facts(TIMED)] == LINES
    lines = printed(render(TIMED, verbose=True))
    at = lines.index(LINES[0])
    assert lines[at : at + 3] == LINES
    assert "\n".join(f"- {line}" for line in LINES) in rendered("md", TIMED)
    assert [f"<dt>{line.replace(': ', '</dt><dd>')}</dd>" in rendered("html", TIMED) for line in LINES] == [True] * 3


def test_unknown_figures_are_left_out() -> None:
    alone = replace(TIMELINE, engine_cpu_seconds=None)
    assert [name for name, _ in facts_of_timeline(alone)] == [
        "new rare events",
    ]
    assert facts_of_timeline(CampaignTimeline(0.0)) == ()
    short = replace(TIMELINE, seconds=0.5, cpu_seconds=0.625, engine_cpu_seconds=0.5, events=((3, 0.25),))
    assert facts_of_timeline(short) == (
        ("inside the engine", "80 % of 0.62 s of CPU time"),
        ("new rare events", "0 a minute in the last 0.25 s, the latest after 0.25 s"),
    )


@pytest.mark.parametrize("name", FORMATS)
def test_a_repeatable_run_reports_no_times(name: str) -> None:
    other = replace(REPEATABLE, seconds=1.0, timeline=None)
    assert rendered(name, REPEATABLE) == rendered(name, other)
    assert printed(render(REPEATABLE)) == printed(render(other))


def test_json_contains_the_figures() -> None:
    course = json_document(TIMED, is_strict=True)["course"]
    assert course == {
        "seconds": 60.75,
        "positions_a_second": 20_000.0,
        "cpu_seconds": 61.25,
        "engine_cpu_seconds": 48.4,
        "engine_share": 0.790204,
        "drawing_seconds": 60.0,
        "latest_seconds": 30.0,
        "new_events_a_minute": 0.0,
        "last_new_event": 3.25,
        "first_met": {"ep-legal": 0.05, "mate": 0.5, "stalemate": 3.25},
    }
    assert list(course["first_met"]) == ["ep-legal", "mate", "stalemate"]
    assert json_lines(TIMED, is_strict=True)[-1]["course"] == course
    empty = replace(TIMED, timeline=CampaignTimeline(0.0), seconds=0.0)
    assert json_document(empty, is_strict=True)["course"]["new_events_a_minute"] is None
    assert "course" not in json_document(REPEATABLE, is_strict=True)


def shown(*events: FuzzStarted | FuzzProgress | FuzzFinished, is_terminal: bool = True, verbose: bool = False) -> str:
    file = StringIO()
    console = Console(file=file, force_terminal=is_terminal, width=160, color_system=None, legacy_windows=False)
    with FuzzLive(console, verbose=verbose) as live:
        for event in events:
            live.handle(event)
    return file.getvalue()


STARTED = replace(FUZZ.started, examples=None, possible_events=tuple(range(112)))
PROGRESS = FuzzProgress(1_215_000, 60.75, 2, "fuzzing", TIMELINE)


def test_the_status_line() -> None:
    line = (
        "fuzzing: 1,215,000 positions, 20.0 k/s, 2 kinds of faults, 3 of 112 rare events occurred, the last "
        "new one 57 s ago, 79 % of CPU time in the engine"
    )
    assert line in shown(STARTED, PROGRESS)
    later = replace(TIMELINE, seconds=200.0, engine_cpu_seconds=None)
    assert "3 of 112 rare events occurred, the last new one 3 min 17 s ago" in shown(
        STARTED, replace(PROGRESS, timeline=later)
    )
    assert "fuzzing: 0 positions" in shown(STARTED, FuzzProgress(0, 0.0, 0, "fuzzing", CampaignTimeline(0.0)))


def test_a_pipe_shows_only_the_speed() -> None:
    """The speed is not shown if the report contains it."""
    assert shown(STARTED, PROGRESS, TIMED, is_terminal=False) == ""
    assert shown(STARTED, PROGRESS, REPEATABLE, is_terminal=False) == f"{SPEED}\n"


def test_a_terminal_shows_what_the_report_leaves_out() -> None:
    assert shown(REPEATABLE).splitlines() == [SPEED]
    assert shown(REPEATABLE, verbose=True).splitlines() == [SPEED, *LINES[1:]]
    assert shown(TIMED, verbose=True).splitlines() == []
