"""What a worker process keeps for its tasks, and which tasks it stops."""

from __future__ import annotations

from perft_check.harness.work.tasks import Message, TaskContext


class Thing:
    """Something that is opened, stopped and closed."""

    def __init__(self) -> None:
        self.is_closed = self.is_stopped = False

    def stop(self) -> None:
        self.is_stopped = True

    def close(self) -> None:
        self.is_closed = True


def begun(number: int) -> TaskContext:
    """Return the context of a process that has begun a task."""
    context = TaskContext(lambda _message: None)
    assert context.begin(number)
    return context


def test_a_thing_is_opened_once_and_closed_at_the_end() -> None:
    context = begun(1)
    first = context.keep("engine", Thing)
    assert context.begin(2)
    assert context.keep("engine", Thing) is first
    context.close()
    assert first.is_closed


def test_messages_have_the_number_of_their_task() -> None:
    sent: list[Message] = []
    context = TaskContext(sent.append)
    for number in (3, 5):
        context.begin(number)
        context.tell("begun")
    assert sent == [Message(3, "begun"), Message(5, "begun")]


def test_only_the_task_with_the_number_is_stopped() -> None:
    context, thing = begun(1), Thing()
    with context.stopping(thing.stop):
        context.stop(2)
        is_stopped_by_another = thing.is_stopped
        context.stop(1)
    assert (is_stopped_by_another, thing.is_stopped) == (False, True)
    assert not context.begin(2)
    assert context.begin(3)


def test_a_task_that_is_stopped_before_it_can_be_ends_once_it_can() -> None:
    context, thing, last = begun(1), Thing(), Thing()
    context.stop(1)
    with context.stopping(thing.stop):
        assert thing.is_stopped
    context.stop_all()
    assert not context.begin(2)
    with context.stopping(last.stop):
        assert last.is_stopped


def test_a_task_that_has_ended_is_not_stopped() -> None:
    context, thing = begun(1), Thing()
    with context.stopping(thing.stop):
        pass
    context.stop(1)
    context.stop_all()
    assert not thing.is_stopped
