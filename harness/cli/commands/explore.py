"""`perft-check explore`: the trees of two engines on the screen, or in a browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from ....errors import UsageError
from ...engines.asker import TimeLimit
from ...engines.base import Engine
from ...engines.kinds.own import compile_notice
from ...engines.registry import arbiter_for, open_engine
from ...engines.stdio.process import Limits
from ...model.results.verdict import ExitCode
from ...model.shutdown import catch_interrupts
from ...trees.places import Place, places_of
from ..output import console
from ..output.extras import require
from ..settings.explore import DEFAULT_PORT, ExploreSettings
from ..settings.position import FASTEST

EXTRA = "explore"


def main(settings: ExploreSettings) -> ExitCode:
    """Show the explorer until the user ends it. Raises UsageError, SuiteError."""
    require("textual", EXTRA, "explore")
    places = places_of(settings.position, settings.chess960)
    if settings.depth is not None:
        places = tuple(replace(place, depth=settings.depth) for place in places)
    if settings.serve:
        for engine in _engines(places, settings):
            engine.close()  # a page that says what is wrong with it would be too late
        return _serve(settings)
    return explore(places, settings)


def explore(places: Sequence[Place], settings: ExploreSettings) -> ExitCode:
    """Show the explorer at these places, with the engines of the settings or those of the places. Raises UsageError."""
    if os.environ.get("TERM") == "dumb" and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal whose cursor moves, and TERM is dumb; --serve shows it in a browser")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) and "TEXTUAL_DRIVER" not in os.environ:
        raise UsageError("explore needs a terminal: stdin and stdout are to be one; --serve shows it in a browser")
    from ...explorer.app import Explorer
    from ...trees.desk import Desk

    engines = _engines(places, settings)
    if len(settings.against) > 1:
        console.err().print(f"explore shows one reference: {settings.against[0]}", style="dim")
    for line in (engines[0].notice(), compile_notice("generate")):
        if line is not None:
            console.err().print(line, style="dim")
    with closing(Desk(engines, TimeLimit(settings.timeout))) as desk, catch_interrupts() as interrupt:
        explorer = Explorer(desk, places, settings.light, interrupt)
        explorer.run()
    for text in dict.fromkeys(explorer.copied) if sys.stdout.isatty() else ():
        console.out().print(text, soft_wrap=True)
    return ExitCode(explorer.return_code or 0)


def _engines(places: Sequence[Place], settings: ExploreSettings) -> list[Engine]:
    """Return the engine and, if there is one, what it is compared with. Raises UsageError."""
    limits = Limits.of_mebibytes(settings.memory)
    named = places[0].engine if settings.engine is None else settings.engine
    engine = open_engine(FASTEST if named is None else named, limits)
    beside = next(iter(settings.against), None if settings.engine else places[0].reference)
    if beside is not None:
        return [engine, open_engine(beside, limits)]
    return [engine] if engine.is_own else [engine, arbiter_for(engine)]


def _serve(settings: ExploreSettings) -> ExitCode:
    require("textual_serve", EXTRA, "explore --serve")
    from ...explorer.serving import serve

    port = DEFAULT_PORT if settings.port is None else settings.port
    return serve(_words(settings), port, lambda line: console.err().print(line, soft_wrap=True))


def _words(settings: ExploreSettings) -> list[str]:
    """Return the words of the command that shows the explorer itself."""
    given: dict[str, object] = {
        "--engine": settings.engine,
        "--against": next(iter(settings.against), None),
        "--depth": settings.depth,
        "--timeout": settings.timeout,
        "--memory": settings.memory,
    }
    options = [word for name, value in given.items() if value is not None for word in (name, str(value))]
    variant = {None: [], True: ["--chess960"], False: ["--standard"]}[settings.chess960]
    return ["explore", "--no-config", *options, *variant, *["--light"] * settings.light, "--", settings.position]
