"""`perft-check explore`: the trees of two engines on the screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from rich.text import Text

from ....errors import UsageError, require
from ...engines.asking.session import TimeLimit
from ...engines.opening import REFERENCE, open_session
from ...engines.spec import EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...model.results.verdict import ExitCode
from ...model.shutdown import catch_interrupts
from ...trees.places import Place, places_of
from .. import dialogue
from ..output import console
from ..output.compiling import get_engines_ready
from ..settings.position import FASTEST, ExploreSettings

EXTRA = "explore"


def main(settings: ExploreSettings) -> ExitCode:
    """Show the explorer until the user ends it. Raises UsageError, SuiteError."""
    require("textual", EXTRA, "explore")
    places = places_of(settings.position, settings.chess960)
    if settings.depth is not None:
        places = tuple(replace(place, depth=settings.depth) for place in places)
    settings = _with_engines(places[0], settings)
    return explore(places, settings)


def _with_engines(place: Place, settings: ExploreSettings) -> ExploreSettings:
    """Return the settings with the engines that a report names for a place, where the user names none.

    A report may come from others: a program that it names is started only if the user says so. Raises UsageError.
    """
    if settings.engine is not None or place.engine is None:
        return settings
    beside = () if settings.against or place.reference is None else (place.reference,)
    foreign = [repr(spec) for spec in dict.fromkeys((place.engine, *beside)) if not EngineSpec(spec).is_code_of_ours]
    if foreign:
        _ask_to_start(" and ".join(foreign), settings.position)
    return replace(settings, engine=place.engine, against=settings.against or beside)


def _ask_to_start(programs: str, report: str) -> None:
    """Raise UsageError unless the user allows programs to be started that a report names. Raises Interrupted."""
    if dialogue.is_possible():
        console.err().print(Text(f"{report}, which may come from others, names {programs}"), soft_wrap=True)
        if (dialogue.ask("start that? [y/N] ") or "").lower() in ("y", "yes"):
            return
    raise UsageError(f"{report} names {programs}, and no report starts a program: name your engine with -e")


def explore(places: Sequence[Place], settings: ExploreSettings) -> ExitCode:
    """Show the explorer at these places, with the engines of the settings. Raises UsageError."""
    if os.environ.get("TERM") == "dumb" and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal whose cursor moves, and TERM is dumb")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal: stdin and stdout are to be one")
    from ...explorer.app import Explorer
    from ...trees.controller import TreeController

    specs, limits = _specs(settings), ProcessLimits.of_mebibytes(settings.memory)
    sessions = [open_session(spec, limit=TimeLimit(settings.timeout), limits=limits) for spec in specs]
    if len(settings.against) > 1:
        console.err().print(f"explore shows one reference: {settings.against[0]}", style="dim")
    if not specs[0].is_own and (line := sessions[0].engine.notice()) is not None:
        console.err().print(line, style="dim")
    with closing(TreeController(sessions)) as desk, catch_interrupts() as interrupt:
        get_engines_ready(specs, interrupt)
        explorer = Explorer(desk, places, settings.light, interrupt)
        explorer.run()
    for text in dict.fromkeys(explorer.copied) if sys.stdout.isatty() else ():
        console.out().print(text, soft_wrap=True)
    return ExitCode(explorer.return_code or 0)


def _specs(settings: ExploreSettings) -> list[EngineSpec]:
    """Return the engine and, if there is one, what it is compared with."""
    engine = EngineSpec(FASTEST if settings.engine is None else settings.engine)
    if settings.against:
        return [engine, EngineSpec(settings.against[0])]
    return [engine] if engine.is_own else [engine, REFERENCE]
