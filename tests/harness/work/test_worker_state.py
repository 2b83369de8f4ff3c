"""What a worker keeps for a run, and when it is closed."""

from __future__ import annotations

import pytest
from perft_check.harness.work import worker_state
from perft_check.harness.work.worker_state import IDLE_SECONDS, UnderWay, WorkerState


class Thing:
    """Something that is opened, stopped and closed."""

    def __init__(self) -> None:
        self.is_closed = self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True

    def close(self) -> None:
        self.is_closed = True


class SetClock:
    """Time as the test wants it."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    perf_counter = monotonic


def test_a_thing_is_opened_once_for_a_run_and_closed_at_its_end() -> None:
    here = WorkerState()
    first = here.keep("run", "engine", Thing)
    assert here.keep("run", "engine", Thing) is first
    other = here.keep("other", "engine", Thing)
    assert other is not first
    here.end("run")
    here.end("run")  # a client may say it twice
    assert (first.is_closed, other.is_closed) == (True, False)
    here.end_all()
    assert other.is_closed


def test_what_nobody_waits_for_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SetClock()
    monkeypatch.setattr(worker_state, "time", clock)
    here, wanted, unwanted = WorkerState(), Thing(), Thing()
    kept = here.keep("run", "engine", Thing)
    with (
        here.working("run", 1),
        here.stopping("run", UnderWay(1, wanted.stop, lambda: True)),
        here.stopping("run", UnderWay(2, unwanted.stop, lambda: False)),
    ):
        clock.now = 10 * IDLE_SECONDS
        here.sweep()
        assert (wanted.is_stopped, unwanted.is_stopped) == (False, True)
        assert not kept.is_closed  # the run has tasks
    clock.now += IDLE_SECONDS / 2
    here.sweep()
    assert not kept.is_closed
    clock.now += IDLE_SECONDS
    here.sweep()
    assert kept.is_closed


def test_tasks_are_stopped_by_their_numbers() -> None:
    here, one, other = WorkerState(), Thing(), Thing()
    with (
        here.stopping("run", UnderWay(1, one.stop, lambda: True)),
        here.stopping("run", UnderWay(2, other.stop, lambda: True)),
    ):
        here.stop("another", None)
        here.stop("run", frozenset({2}))
        assert (one.is_stopped, other.is_stopped) == (False, True)
        here.stop("run", None)
        assert one.is_stopped


def test_a_task_that_is_stopped_before_it_can_be_ends_once_it_can() -> None:
    here, thing, other = WorkerState(), Thing(), Thing()
    with here.working("run", 1), here.working("run", 2):
        here.stop("run", frozenset({1}))
        with here.stopping("run", UnderWay(1, thing.stop, lambda: True)):
            assert thing.is_stopped
        with here.stopping("run", UnderWay(2, other.stop, lambda: True)):
            assert not other.is_stopped
    with here.working("run", 1), here.stopping("run", UnderWay(1, other.stop, lambda: True)):
        assert not other.is_stopped


def test_a_task_that_is_there_twice_is_stopped_twice() -> None:
    """A scheduler that is started anew hands it out while the first is under way."""
    here, first, second = WorkerState(), Thing(), Thing()
    with here.stopping("run", UnderWay(1, second.stop, lambda: True)):
        with here.stopping("run", UnderWay(1, first.stop, lambda: False)):
            here.sweep()
            assert (first.is_stopped, second.is_stopped) == (True, False)
        here.stop("run", frozenset({1}))
        assert second.is_stopped


def test_a_task_that_has_ended_is_not_stopped() -> None:
    here, thing = WorkerState(), Thing()
    with here.stopping("run", UnderWay(1, thing.stop, lambda: True)):
        pass
    here.stop("run", None)
    assert not thing.is_stopped


def test_the_dashboard_shows_how_much_a_second() -> None:
    here = WorkerState()
    assert here.metrics() == {}
    here.note(pieces=2, nodes=10)
    here.busy_seconds = 4.0
    assert here.metrics() == {"pieces": 2, "nodes": 10, "pieces_a_second": 0.5, "nodes_a_second": 2.5}
