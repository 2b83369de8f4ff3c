"""Rows, nodes and differences of a tree, compared with naive traversals of all nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perft_check.generator.position import Position
from perft_check.harness.engines.base import Divide
from perft_check.harness.engines.opening import open_session
from perft_check.harness.trees.controller import TreeController
from perft_check.harness.trees.engine_pane import DividedNode, Followed
from perft_check.harness.trees.tree import Node, Tree

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def shown(node: Node) -> Iterator[Node]:
    """Yield the visible nodes by a full traversal."""
    yield node
    for child in node.children or () if node.is_open else ():
        yield from shown(child)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 400), st.booleans()), max_size=30))
def test_rows_match_a_traversal(steps: list[tuple[int, bool]]) -> None:
    """Branches are opened and closed in any order."""
    tree = Tree(Position.from_fen(KIWIPETE), 3, 1)
    tree.open(tree.root)
    known = [tree.root, *(tree.root.children or ())]
    for number, opens in steps:
        node = known[number % len(known)]
        if opens:
            tree.open(node)
            known += node.children or ()
        else:
            tree.close(node)
    rows = list(shown(tree.root))
    assert tree.rows == len(rows)
    for place in range(0, len(rows), 7):
        assert tree.row(place) is rows[place]
        assert tree.row_of(rows[place]) == place


def test_the_moves_are_those_of_python_chess() -> None:
    """Two plies of Kiwipete are compared; leaves have no children."""
    tree = Tree(Position.from_fen(KIWIPETE), 2, 1)
    tree.open(tree.root)
    board = chess.Board(KIWIPETE)
    assert sorted(child.uci for child in tree.root.children or ()) == sorted(move.uci() for move in board.legal_moves)
    for child in tree.root.children or ():
        assert tree.open(child)
        board.push_uci(child.uci)
        assert {below.uci for below in child.children or ()} == {move.uci() for move in board.legal_moves}
        assert child.position.fen().split()[0] == board.board_fen()
        board.pop()
    leaf = tree.find(["e2a6", "b4c3"])
    assert not tree.open(leaf)
    assert leaf.san == "bxc3"


def divide(**counts: int) -> Divide:
    """Return a divide of these moves."""
    return Divide(counts, {}, sum(counts.values()))


def told(got: Divide, expected: Divide) -> Tree:
    """Return a tree of two kings of depth 2, with these answers at the root."""
    tree = Tree(Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), 2, 2)
    tree.open(tree.root)
    tree.record(tree.root, 0, got)
    tree.record(tree.root, 1, expected)
    return tree


RIGHT = divide(e1d1=5, e1d2=5, e1e2=5, e1f1=5, e1f2=5)


def test_equal_divides_do_not_differ() -> None:
    tree = told(RIGHT, RIGHT)
    assert tree.root.wrong == 0
    assert tree.next_difference(tree.root) is None


def test_each_kind_of_difference() -> None:
    """Moves are missing, extra or counted differently; the root has the total number."""
    got = Divide({"e1d1": 5, "e1e2": 6, "e1f1": 5, "e1f2": 5, "a1a2": 1}, {"e1f1": 1}, 27)
    tree = told(got, RIGHT)
    kinds = {child.text: child.kind for child in tree.root.children or () if child.kind}
    assert kinds == {"e1d2": "missing", "e1e2": "count", "a1a2": "extra", "e1f1": "duplicate"}
    assert tree.root.wrong == 4
    assert not tree.find(["a1a2"]).can_be_played
    assert not tree.open(tree.find(["a1a2"]))


def test_differences_are_visited_in_the_order_of_rows() -> None:
    """They are visited forward and backward, with wrap-around; innermost differences replace those above them."""
    tree = told(divide(e1d1=5, e1d2=5, e1e2=6, e1f1=4, e1f2=5), RIGHT)
    first, second = tree.find(["e1e2"]), tree.find(["e1f1"])
    assert tree.next_difference(tree.root) is first
    assert tree.next_difference(first) is second
    assert tree.next_difference(second) is first
    assert tree.next_difference(second, -1) is first
    assert tree.next_difference(first, -1) is second
    tree.open(first)
    tree.record(first, 0, divide(e8d8=1, e8d7=1, e8e7=1, e8f7=1, e8f8=1, e8g8=1))
    tree.record(first, 1, divide(e8d8=1, e8d7=1, e8e7=1, e8f7=1, e8f8=1))
    below = tree.next_difference(tree.root)
    assert below is not None
    assert (below.text, below.kind) == ("e8g8", "extra")
    assert tree.root.wrong == 2
    tree.record(first, 0, None)
    assert tree.root.wrong == 2
    assert tree.next_difference(tree.root) is first


def test_differences_that_cancel_out_are_found() -> None:
    """One move has an extra leaf node, and another one is missing one."""
    tree = told(divide(e1d1=5, e1d2=5, e1e2=6, e1f1=4, e1f2=5), RIGHT)
    assert tree.root.count(0) == tree.root.count(1)
    assert tree.root.wrong == 2


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
