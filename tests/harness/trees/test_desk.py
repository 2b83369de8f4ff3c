"""Tree and engines together: what comes from a tree that was left is not taken for the next one."""

from __future__ import annotations

import time

from perft_check.generator.position import Position
from perft_check.harness.asking.client import TimeLimit
from perft_check.harness.engines.registry import open_engine
from perft_check.harness.trees.controller import TreeController
from perft_check.harness.trees.side import Followed

START = Position.start()


def everything(desk: TreeController) -> list[object]:
    """Return what comes until nothing is under way."""
    found: list[object] = []
    while desk.is_busy:
        found += desk.events(1)
        time.sleep(0.01)
    return found


def test_both_answers_come_into_the_tree() -> None:
    """Counts of the starting position."""
    desk = TreeController([open_engine("own"), open_engine("own:turbo")], TimeLimit(60))
    root = desk.plant(START, 3).root
    everything(desk)
    assert [root.count(side) for side in (0, 1)] == [8_902, 8_902]
    desk.close()


def test_following_in_a_tree_that_was_left_leads_nowhere() -> None:
    """Its node is none of the tree that is shown, and another difference may be followed."""
    desk = TreeController([open_engine("own"), open_engine("own:turbo")], TimeLimit(60))
    old = desk.plant(START, 3).root
    everything(desk)
    assert desk.follow(old)
    new = desk.plant(START, 2).root
    assert desk.follow(new)
    followed = [event for event in everything(desk) if isinstance(event, Followed)]
    assert [event.node for event in followed] == [new]
    desk.close()
