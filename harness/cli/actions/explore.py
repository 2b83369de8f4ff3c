"""`perft-check explore`: browse the trees of two engines in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing

from ....errors import UsageError, UserError
from ....suites.positions import resolve_position
from ...engines.asking.session import TimeLimit
from ...engines.opening import open_session
from ...engines.spec import REFERENCE, EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...model.results.verdict import ExitCode
from ...shutdown import catch_interrupts
from ...trees.controller import StartingPoint
from ..output import console
from ..output.compiling import get_engines_ready

EXTRA = "explore"
TIMEOUT = 60.0


def starting_point_of(text: str, chess960: bool | None, depth: int) -> StartingPoint:
    """Return the starting point that `text` names: a FEN or the name of a position. Raises UsageError."""
    try:
        position = resolve_position(text, chess960)
    except UserError:
        if os.path.isfile(text):
            why = f"{text} is a file, not a position: give a quoted FEN, or a name such as kiwipete"
            raise UsageError(why, text) from None
        raise
    return StartingPoint(text if "/" not in text else "position", position, depth)


def explore(
    start: StartingPoint,
    engine: EngineSpec,
    against: Sequence[EngineSpec] = (),
    *,
    timeout: float = TIMEOUT,
    memory: int | None = None,
    light: bool = False,
) -> ExitCode:
    """Show the explorer at a position until the user quits. Raises UsageError."""
    if os.environ.get("TERM") == "dumb" and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a full-screen terminal, but TERM is dumb: set TERM, or use another terminal")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal: do not redirect stdin or stdout")
    from ...explorer.app import Explorer
    from ...trees.controller import TreeController

    specs, limits = _specs(engine, against), ProcessLimits.of_mebibytes(memory)
    sessions = [open_session(spec, limit=TimeLimit(timeout), limits=limits) for spec in specs]
    if len(against) > 1:
        console.err().print(f"explore shows only one reference: {against[0]}", style="dim")
    if not engine.is_kernel and (line := sessions[0].engine.notice()) is not None:
        console.err().print(line, style="dim")
    with closing(TreeController(sessions)) as desk, catch_interrupts() as interrupt:
        get_engines_ready(specs, interrupt)
        explorer = Explorer(desk, start, light, interrupt)
        explorer.run()
    for text in dict.fromkeys(explorer.copied) if sys.stdout.isatty() else ():
        console.out().print(text, soft_wrap=True)
    return ExitCode(explorer.return_code or 0)


def _specs(engine: EngineSpec, against: Sequence[EngineSpec]) -> list[EngineSpec]:
    """Return the engine and its reference, if any."""
    if against:
        return [engine, against[0]]
    return [engine] if engine.is_kernel else [engine, REFERENCE]
