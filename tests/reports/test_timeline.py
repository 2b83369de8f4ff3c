"""The course of a fuzzing run in every report, and what is left out where one seed gives the same bytes."""

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
from perft_check.reports.facts.fuzz import facts_of_timeline, timeline_facts
from perft_check.reports.live.fuzz import FuzzLive
from perft_check.reports.terminal.fuzz import render
from rich.console import Console

FIRST_MET = ((Event.MATE.value, 0.5), (Event.EP_LEGAL.value, 0.05), (Event.STALEMATE.value, 3.25))
COURSE = CampaignTimeline(60.0, tuple(sorted(FIRST_MET, key=lambda one: one[1])), (0.5, 31.0, 58.5), 61.25, 48.4)
MET = Coverage(tuple((event, 7) for event, _ in sorted(FIRST_MET)), (("asked ahead", 1_215_000),), ())
TIMED = replace(FUZZ, coverage=MET, seconds=60.75, timeline=COURSE, depends_on_time=True)
REPEATABLE = replace(TIMED, depends_on_time=False)
SAID = [
    "speed: 20.0 k positions a second",
    "inside the engine: 79 % of 61 s of CPU time",
    "rare events met for the first time: 0 a minute in the last 30.0 s, the last one after 3.25 s",
    "pairs of them in one position: 4.0 a minute in the last 30.0 s, the last one after 58.5 s",
]
SPEED = "20.0 k positions a second, 1 min 01 s; 79 % of CPU time in the engine"
FORMATS = ("json", "jsonl", "md", "html", "junit", "sarif", "github")


def test_the_facts_in_words() -> None:
    assert [f"{name}: {value}" for name, value in timeline_facts(TIMED)] == SAID
    lines = printed(render(TIMED, verbose=True))
    at = lines.index(SAID[0])
    assert lines[at : at + 4] == SAID
    assert "\n".join(f"- {line}" for line in SAID) in rendered("md", TIMED)
    assert [f"<dt>{line.replace(': ', '</dt><dd>')}</dd>" in rendered("html", TIMED) for line in SAID] == [True] * 4


def test_what_is_not_known_is_left_out() -> None:
    alone = replace(COURSE, engine_cpu_seconds=None)
    assert [name for name, _ in facts_of_timeline(alone)] == [
        "rare events met for the first time",
        "pairs of them in one position",
    ]
    assert facts_of_timeline(CampaignTimeline(0.0)) == ()
    short = replace(COURSE, seconds=0.5, cpu_seconds=0.625, engine_cpu_seconds=0.5, pairs=(), events=((3, 0.25),))
    assert facts_of_timeline(short) == (
        ("inside the engine", "80 % of 0.62 s of CPU time"),
        ("rare events met for the first time", "0 a minute in the last 0.25 s, the last one after 0.25 s"),
    )


@pytest.mark.parametrize("name", FORMATS)
def test_a_run_that_a_seed_repeats_tells_of_no_time(name: str) -> None:
    other = replace(REPEATABLE, seconds=1.0, timeline=None)
    assert rendered(name, REPEATABLE) == rendered(name, other)
    assert printed(render(REPEATABLE)) == printed(render(other))


def test_json_has_the_figures() -> None:
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
        "new_pairs_a_minute": 4.0,
        "last_new_event": 3.25,
        "last_new_pair": 58.5,
        "pairs_met": 3,
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
PROGRESS = FuzzProgress(1_215_000, 60.75, 2, "fuzzing", COURSE)


def test_the_line_that_moves() -> None:
    line = (
        "fuzzing: 1,215,000 positions, 20.0 k/s, 2 kinds of faults, 3 of 112 rare events met, the last "
        "new one 57 s ago, 79 % of CPU time in the engine"
    )
    assert line in shown(STARTED, PROGRESS)
    later = replace(COURSE, seconds=200.0, engine_cpu_seconds=None)
    assert "3 of 112 rare events met, the last new one 3 min 17 s ago" in shown(
        STARTED, replace(PROGRESS, timeline=later)
    )
    assert "fuzzing: 0 positions" in shown(STARTED, FuzzProgress(0, 0.0, 0, "fuzzing", CampaignTimeline(0.0)))


def test_a_pipe_gets_the_speed_alone() -> None:
    """And none where the report has it."""
    assert shown(STARTED, PROGRESS, TIMED, is_terminal=False) == ""
    assert shown(STARTED, PROGRESS, REPEATABLE, is_terminal=False) == f"{SPEED}\n"


def test_a_terminal_gets_what_the_report_leaves_out() -> None:
    assert shown(REPEATABLE).splitlines() == [SPEED]
    assert shown(REPEATABLE, verbose=True).splitlines() == [SPEED, *SAID[1:]]
    assert shown(TIMED, verbose=True).splitlines() == []
