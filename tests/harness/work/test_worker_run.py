"""What a worker keeps for a run, and which tasks it stops."""

from __future__ import annotations

from perft_check.harness.work.executor import WorkerRun


class Thing:
    """Something that is opened, stopped and closed."""

    def __init__(self) -> None:
        self.is_closed = self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True

    def close(self) -> None:
        self.is_closed = True


def test_a_thing_is_opened_once_for_a_run_and_closed_at_its_end() -> None:
    run = WorkerRun()
    first = run.keep("engine", Thing)
    assert run.keep("engine", Thing) is first
    other = WorkerRun().keep("engine", Thing)
    assert other is not first
    run.close()
    assert (first.is_closed, other.is_closed) == (True, False)


def test_tasks_are_stopped_by_their_numbers() -> None:
    run, one, other = WorkerRun(), Thing(), Thing()
    with run.stopping(1, one.stop), run.stopping(2, other.stop):
        run.stop({2})
        assert (one.is_stopped, other.is_stopped) == (False, True)
        run.stop_all()
        assert one.is_stopped


def test_a_task_that_is_stopped_before_it_can_be_ends_once_it_can() -> None:
    run, thing, other, last = WorkerRun(), Thing(), Thing(), Thing()
    run.stop({1})
    assert (run.is_ended(1), run.is_ended(2)) == (True, False)
    with run.stopping(1, thing.stop):
        assert thing.is_stopped
    with run.stopping(2, other.stop):
        assert not other.is_stopped
    run.stop_all()
    with run.stopping(3, last.stop):
        assert last.is_stopped


def test_a_task_that_has_ended_is_not_stopped() -> None:
    run, thing = WorkerRun(), Thing()
    with run.stopping(1, thing.stop):
        pass
    run.stop({1})
    run.stop_all()
    assert not thing.is_stopped
