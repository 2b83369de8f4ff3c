"""Tree and engines together: what comes from a tree that was left is not taken for the next one."""

from __future__ import annotations

import time

from perft_check.generator.position import Position
from perft_check.harness.asking.client import TimeLimit
from perft_check.harness.engines.registry import open_engine
from perft_check.harness.trees.controller import TreeController
from perft_check.harness.trees.side import Followed

START = Position.start()


def everything(controller: TreeController) -> list[object]:
    """Return what comes until nothing is under way."""
    found: list[object] = []
    while controller.is_busy:
        found += controller.events(1)
        time.sleep(0.01)
    return found


def test_both_answers_come_into_the_tree() -> None:
    """Counts of the starting position."""
    controller = TreeController([open_engine("own"), open_engine("own:turbo")], TimeLimit(60))
    root = controller.plant(START, 3).root
    everything(controller)
    assert [root.count(side) for side in (0, 1)] == [8_902, 8_902]
    controller.close()


def test_following_in_a_tree_that_was_left_leads_nowhere() -> None:
    """Its node is none of the tree that is shown, and another difference may be followed."""
    controller = TreeController([open_engine("own"), open_engine("own:turbo")], TimeLimit(60))
    old = controller.plant(START, 3).root
    everything(controller)
    assert controller.follow(old)
    new = controller.plant(START, 2).root
    assert controller.follow(new)
    followed = [event for event in everything(controller) if isinstance(event, Followed)]
    assert [event.node for event in followed] == [new]
    controller.close()
