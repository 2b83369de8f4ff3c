"""What a fault gets wrong in a position: wrong moves there, or a move that it plays wrongly."""

from __future__ import annotations

from ....generator.line import Line
from ....generator.position import Position
from ...asking.client import CallRunner, EngineClient
from ...checking.descent.descending import descend
from ...engines.base import EngineError
from ...engines.kinds.python_chess import PythonChessEngine
from ...model.results.events import Finding
from ..engine import ZooEngine
from ..fault import Fault


def shown_by(fault: Fault, position: Position) -> Finding | None:
    """Return what a fault that runs as an engine gets wrong in a position; None for nothing, and where it crashes."""
    caller = CallRunner()
    asked, right = (
        EngineClient(ZooEngine(fault.name), caller),
        EngineClient(PythonChessEngine(), caller, is_reference=True),
    )
    line = Line(position)
    try:
        here = descend(line, 1, asked, right)
        if here is not None and here.wrong:
            return here
        below = descend(line, 2, asked, right)
    except EngineError:
        return None
    return below if below is not None and below.state else None


def shown_at_home(fault: Fault) -> Finding | None:
    """Return what a fault that runs as an engine gets wrong in the position that shows it by design."""
    shows, caller = fault.shows, CallRunner()
    asked, right = (
        EngineClient(ZooEngine(fault.name), caller),
        EngineClient(PythonChessEngine(), caller, is_reference=True),
    )
    return descend(shows.line, shows.depth, asked, right)
