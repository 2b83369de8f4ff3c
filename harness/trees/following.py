"""From a node down to the wrong move: the descent, in a thread of its own, which asks both sides meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...generator.line import Line
from ..checking.descent.descending import descend
from ..engines.base import EngineError
from ..model.results.events import Finding
from ..model.shutdown import Interrupted
from .jobs import failure_of
from .node import Node, NodeFailure
from .side import Side, give_way


@dataclass(frozen=True)
class Followed:
    """A difference has been followed down from a node."""

    node: Node
    found: Finding | NodeFailure | None
    """The cause; None where the sides agree below the node."""
    is_stopped: bool = False


def follow(node: Node, sides: Sequence[Side], tell: Callable[[object], None]) -> None:
    """Follow the difference below a node, and tell `Followed`, or an exception of ours, when it is done."""

    def work() -> None:
        give_way()
        engine, reference = sides
        with engine.lock, reference.lock:
            tell(_followed(node, engine, reference))

    threading.Thread(target=work, daemon=True, name="descent").start()


def _followed(node: Node, engine: Side, reference: Side) -> object:
    for side in (engine, reference):
        side.caller.resume()
    try:
        for side in (engine, reference):
            side.start()
        return Followed(node, descend(Line(node.position), node.depth, engine.asker, reference.asker))
    except Interrupted:
        return Followed(node, None, is_stopped=True)
    except EngineError as error:
        return Followed(node, failure_of(error))
    except Exception as fault:
        return fault
