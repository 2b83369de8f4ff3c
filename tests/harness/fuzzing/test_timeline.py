"""The timeline of a run, with a fake clock."""

from __future__ import annotations

import pytest
from perft_check.harness.fuzzing.timeline import (
    CampaignTimeline,
    CpuTime,
    EventsMet,
    TimelineRecorder,
)


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
