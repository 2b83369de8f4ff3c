"""`perft-check explore`: the trees of two engines on the screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing

from rich.text import Text

from ....errors import UsageError
from ...engines.asking.session import TimeLimit
from ...engines.opening import REFERENCE, open_session
from ...engines.spec import EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...model.results.verdict import ExitCode
from ...model.shutdown import catch_interrupts
from ...trees.starting_points import StartingPoint
from .. import dialogue
from ..options import FASTEST
from ..output import console
from ..output.compiling import get_engines_ready

EXTRA = "explore"
TIMEOUT = 60.0


def engines_of(
    start: StartingPoint, engine: EngineSpec | None, against: Sequence[EngineSpec], report: str
) -> tuple[EngineSpec, Sequence[EngineSpec]]:
    """Return the engine and its references, which a report may name for a starting point if the user names none.

    A report may come from others: a program that it names is started only if the user says so. Raises UsageError.
    """
    if engine is not None or start.engine is None:
        return EngineSpec(FASTEST) if engine is None else engine, against
    beside = () if against or start.reference is None else (start.reference,)
    foreign = [repr(spec) for spec in dict.fromkeys((start.engine, *beside)) if not EngineSpec(spec).is_code_of_ours]
    if foreign:
        _ask_to_start(" and ".join(foreign), report)
    return EngineSpec(start.engine), against or [EngineSpec(spec) for spec in beside]


def _ask_to_start(programs: str, report: str) -> None:
    """Raise UsageError unless the user allows programs to be started that a report names. Raises Interrupted."""
    if dialogue.is_possible():
        console.err().print(Text(f"{report}, which may come from others, names {programs}"), soft_wrap=True)
        if (dialogue.ask("start that? [y/N] ") or "").lower() in ("y", "yes"):
            return
    raise UsageError(f"{report} names {programs}, and no report starts a program: name your engine with -e")


def explore(
    starting_points: Sequence[StartingPoint],
    engine: EngineSpec,
    against: Sequence[EngineSpec] = (),
    *,
    timeout: float = TIMEOUT,
    memory: int | None = None,
    light: bool = False,
) -> ExitCode:
    """Show the explorer at these positions until the user ends it. Raises UsageError."""
    if os.environ.get("TERM") == "dumb" and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal whose cursor moves, and TERM is dumb")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal: stdin and stdout are to be one")
    from ...explorer.app import Explorer
    from ...trees.controller import TreeController

    specs, limits = _specs(engine, against), ProcessLimits.of_mebibytes(memory)
    sessions = [open_session(spec, limit=TimeLimit(timeout), limits=limits) for spec in specs]
    if len(against) > 1:
        console.err().print(f"explore shows one reference: {against[0]}", style="dim")
    if not engine.is_own and (line := sessions[0].engine.notice()) is not None:
        console.err().print(line, style="dim")
    with closing(TreeController(sessions)) as desk, catch_interrupts() as interrupt:
        get_engines_ready(specs, interrupt)
        explorer = Explorer(desk, starting_points, light, interrupt)
        explorer.run()
    for text in dict.fromkeys(explorer.copied) if sys.stdout.isatty() else ():
        console.out().print(text, soft_wrap=True)
    return ExitCode(explorer.return_code or 0)


def _specs(engine: EngineSpec, against: Sequence[EngineSpec]) -> list[EngineSpec]:
    """Return the engine and, if there is one, what it is compared with."""
    if against:
        return [engine, against[0]]
    return [engine] if engine.is_own else [engine, REFERENCE]
