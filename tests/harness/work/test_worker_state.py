"""What a worker keeps for a run, and which tasks it stops."""

from __future__ import annotations

from perft_check.harness.work.worker_state import UnderWay, WorkerState


class Thing:
    """Something that is opened, stopped and closed."""

    def __init__(self) -> None:
        self.is_closed = self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True

    def close(self) -> None:
        self.is_closed = True


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


def test_tasks_are_stopped_by_their_numbers() -> None:
    here, one, other = WorkerState(), Thing(), Thing()
    with here.stopping("run", UnderWay(1, one.stop)), here.stopping("run", UnderWay(2, other.stop)):
        here.stop("another", None)
        here.stop("run", frozenset({2}))
        assert (one.is_stopped, other.is_stopped) == (False, True)
        here.stop("run", None)
        assert one.is_stopped


def test_a_task_that_is_stopped_before_it_can_be_ends_once_it_can() -> None:
    here, thing, other = WorkerState(), Thing(), Thing()
    with here.working("run", 1), here.working("run", 2):
        here.stop("run", frozenset({1}))
        with here.stopping("run", UnderWay(1, thing.stop)):
            assert thing.is_stopped
        with here.stopping("run", UnderWay(2, other.stop)):
            assert not other.is_stopped
    with here.working("run", 1), here.stopping("run", UnderWay(1, other.stop)):
        assert not other.is_stopped


def test_a_task_that_has_ended_is_not_stopped() -> None:
    here, thing = WorkerState(), Thing()
    with here.stopping("run", UnderWay(1, thing.stop)):
        pass
    here.stop("run", None)
    assert not thing.is_stopped
