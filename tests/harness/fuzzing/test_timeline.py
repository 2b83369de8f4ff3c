"""The timeline of a run, with a fake clock and with real runs."""

from __future__ import annotations

import json
import re
import resource
import time
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.planted import make_plan
from helpers.program import Run
from helpers.terminal import plain_lines, run_on_terminal
from perft_check.harness.fuzzing import campaign
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.fuzzing.timeline import (
    CampaignTimeline,
    CpuTime,
    EventsMet,
    TimelineRecorder,
)
from perft_check.harness.shutdown import Interrupt


class HalfBusyClock:
    """A clock, and a process that has worked half of the time since zero."""

    def __init__(self) -> None:
        self.now = 100.0

    def time(self) -> float:
        return self.now

    def cpu(self) -> float:
        return self.now / 2


def test_the_timeline_of_a_run_with_two_processes() -> None:
    clock = HalfBusyClock()
    recorder = TimelineRecorder(clock.time, clock.cpu)
    assert recorder.timeline() == CampaignTimeline(0.0, cpu_seconds=50.0)
    clock.now = 104.0
    recorder.begin()
    clock.now = 105.0
    recorder.begin()  # the second process: time counts from the first one
    recorder.record(EventsMet((3, 5)))
    clock.now = 110.0
    recorder.record(EventsMet((5, 9)))
    recorder.record(CpuTime(41, 2.5, 1.5))
    recorder.record(CpuTime(42, 3.0, None))
    clock.now = 112.0
    recorder.record(CpuTime(41, 4.0, 2.5))
    recorder.end()
    clock.now = 120.0
    events = ((3, 1.0), (5, 1.0), (9, 6.0))
    assert recorder.timeline() == CampaignTimeline(8.0, events, 60.0 + 4.0 + 3.0, 2.5)
    assert recorder.timeline(among={9}).events == ((9, 6.0),)


def test_rates_are_computed_for_the_end_of_a_run() -> None:
    timeline = CampaignTimeline(8.0, ((3, 1.0), (5, 4.0), (9, 6.0)), 10.0, 7.5)
    assert timeline.latest_seconds == 4.0
    assert (timeline.new_events_a_minute, timeline.last_new_event) == (15.0, 6.0)
    assert timeline.engine_share == 0.75
    long = CampaignTimeline(600.0, ((3, 1.0), (5, 540.0), (9, 541.0)))
    assert long.latest_seconds == 60.0
    assert long.new_events_a_minute == 1.0


def test_unknown_figures_are_none() -> None:
    nothing = CampaignTimeline(0.0)
    assert (nothing.new_events_a_minute, nothing.last_new_event, nothing.engine_share) == (None, None, None)
    assert CampaignTimeline(1.0, cpu_seconds=2.0).engine_share is None
    assert CampaignTimeline(1.0, engine_cpu_seconds=0.0).engine_share is None


@pytest.mark.parametrize("seconds", [0.0, 0.5, 60.0])
def test_a_run_without_events_has_rates_of_zero(seconds: float) -> None:
    assert CampaignTimeline(seconds).new_events_a_minute == (0.0 if seconds else None)


MOVES = """\
import os, time
import chess

def moves(fen):
    listed = [move.uci() for move in chess.Board(fen).legal_moves]
    with open(f"used-{os.getpid()}", "w") as file:
        file.write(str(time.process_time()))
    return listed
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MOVES)
    return tmp_path


def used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.slow
def test_the_cpu_time_of_the_engine_is_that_of_its_processes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    *_, last = campaign.fuzz(replace(make_plan("python:mine:moves", ("own:turbo",), 12), depth=1), Interrupt())
    assert isinstance(last, FuzzFinished)
    timeline = last.timeline
    assert timeline is not None
    assert timeline.engine_cpu_seconds is not None
    told = [float(file.read_text()) for file in folder.glob("used-*")]
    assert last.coverage.examples == 12
    assert 0 < sum(told) - 0.03 * len(told) <= timeline.engine_cpu_seconds < timeline.cpu_seconds
    assert timeline.cpu_seconds <= time.process_time() + used_by_children()
    assert dict(timeline.events).keys() == dict(last.coverage.events).keys()
    assert timeline.last_new_event == max(dict(timeline.events).values()) <= timeline.seconds
    assert last.reported_timeline is None


def test_one_seed_gives_the_same_bytes_in_every_report(fuzz: Run, tmp_path: Path) -> None:
    kinds = ("json", "jsonl", "md", "html")
    reports = [word for kind in kinds for word in ("--report", kind)]
    sampled = ("--strategy", "placements", "--strategy", "walks", "--depth", "1")
    written = []
    for seed, jobs in (("5", "1"), ("5", "2"), ("6", "1")):
        done = fuzz("-e", "own:turbo", "-n", "30", "--seed", seed, "-j", jobs, *sampled, *reports)
        assert done.returncode == 0, done.stderr
        written.append([done.stdout.encode()] + [(tmp_path / f"perft-check.{kind}").read_bytes() for kind in kinds])
    assert written[0] == written[1]
    one, other = json.loads(written[0][1]), json.loads(written[2][1])
    assert (one.pop("seed"), other.pop("seed")) == (5, 6)
    assert one != other
    assert "course" not in one


def test_a_terminal_shows_new_events_and_the_share_of_the_engine(folder: Path) -> None:
    engine = ("-e", "python:mine:moves", "--careful")
    words = ["fuzz", *engine, "-n", "40", "--depth", "1", "-j", "1", "--seed", "1", "-v"]
    status, sampled = run_on_terminal(words, folder, columns=140)
    assert status == 0
    text = "\n".join(plain_lines(sampled))
    assert re.search(
        r"fuzzing: \d+ of 40 positions, .*, \d+ of \d+ rare events occurred, the last new one \d s ago", text
    )
    assert re.search(r"^inside the engine: \d+ % of [\d.]+ s of CPU time$", text, re.MULTILINE)
    assert re.search(
        r"^new rare events: [\d,.]+ a minute in the last \d+\.\d+ s, the latest after ",
        text,
        re.MULTILINE,
    )
