"""The controller of trees; answers about a previous tree are ignored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from perft_check.generator.position import Position
from perft_check.harness.engines.opening import open_session
from perft_check.harness.trees.controller import TreeController
from perft_check.harness.trees.engine_pane import Followed
from perft_check.harness.trees.jobs import DividedNode

START = Position.start()
Opened = Callable[..., TreeController]


@pytest.fixture
def opened() -> Iterator[Opened]:
    """Return a function that opens engines, which are closed after the test."""
    with ExitStack() as stack:
        yield lambda *specs: stack.enter_context(closing(TreeController([*map(open_session, specs)])))


def everything(controller: TreeController) -> list[object]:
    """Return the events until the controller is idle."""
    found: list[object] = []
    while controller.is_busy:
        found += controller.events(1)
        time.sleep(0.01)
    return found


def test_both_answers_are_recorded(opened: Opened) -> None:
    controller = opened("own", "own:turbo")
    root = controller.start_tree(START, 3).root
    everything(controller)
    assert [root.count(side) for side in (0, 1)] == [8_902, 8_902]


def test_following_in_a_previous_tree_is_ignored(opened: Opened) -> None:
    """Its node does not belong to the current tree, in which another difference may be followed."""
    controller = opened("own", "own:turbo")
    old = controller.start_tree(START, 3).root
    everything(controller)
    assert controller.follow(old)
    new = controller.start_tree(START, 2).root
    assert controller.follow(new)
    followed = [event for event in everything(controller) if isinstance(event, Followed)]
    assert [event.node for event in followed] == [new]


def test_a_stop_drops_a_waiting_question(opened: Opened) -> None:
    """Otherwise the next question would wait for its time limit."""
    controller = opened("own")
    (side,) = controller.panes
    with side.lock:
        root = controller.start_tree(START, 3).root
        while side.waiting:
            time.sleep(0.01)
        controller.stop()
    assert everything(controller) == [DividedNode(root, 0, None)]


def test_a_stop_drops_a_waiting_descent(opened: Opened) -> None:
    """The descent waits for an engine that is answering another question."""
    controller = opened("own", "own:turbo")
    root = controller.start_tree(START, 3).root
    everything(controller)
    with controller.panes[1].lock:
        controller.follow(root)
        controller.stop()
    assert everything(controller) == [Followed(root, None, is_stopped=True)]
