"""The command line: each command with the function that carries it out, its settings, and a sentence about it.

Everything heavy is imported with the function, so that `--help` is instant.
"""

from __future__ import annotations

import sys
from textwrap import fill
from typing import Annotated, Any

import typer
from typer.main import get_command

from .command import App, require_command
from .output.streams import width_of
from .settings.bench import BenchSettings
from .settings.count import CountSettings, WorkerSettings
from .settings.cover import CoverSettings
from .settings.engine import DoctorSettings, InitSettings, UciSettings
from .settings.fuzz import FuzzSettings
from .settings.position import DivideSettings, ExploreSettings, MovesSettings, PerftSettings
from .settings.run import RunSettings
from .settings.suites import BundledSettings, MakeSettings, SuiteSettings, VerifySettings
from .settings.zoo import ExplainSettings, FaultSettings, FaultsSettings, ScoreSettings

DEFAULT_COMMAND = "run"
suites = App("List, show, verify and make suites.", name="suites")
suites.add("list", "suites.list_suites", BundledSettings)
suites.add("show", "suites.show", SuiteSettings)
suites.add("verify", "suites.verify", VerifySettings)
suites.add("make", "suites.make", MakeSettings)

zoo = App("Faults that engines have had, seeded into a right generator.", name="zoo")
zoo.add("list", "zoo.list_faults", FaultsSettings)
zoo.add(
    "show",
    "zoo.show",
    FaultSettings,
    "Show one fault: its story, the engines that had it, and a position that shows it.",
)
zoo.add(
    "serve",
    "serving.serve_fault",
    FaultSettings,
    "Run an engine with this fault: it speaks UCI over stdin and stdout.",
    numpy=False,
)
zoo.add("score", "zoo.score", ScoreSettings)

app = App("Find the wrong move in a chess move generator. Without a command: run the default suites.")
app.add("run", "run.main", RunSettings)
app.add("perft", "perft.main", PerftSettings)
app.add("divide", "divide.main", DivideSettings)
app.add("explore", "explore.main", ExploreSettings)
app.add("moves", "moves.main", MovesSettings)
app.add("count", "count.main", CountSettings)
app.add("worker", "serving.work", WorkerSettings)
app.add("bench", "bench.main", BenchSettings)
app.add("fuzz", "fuzz.main", FuzzSettings)
app.add("cover", "cover.main", CoverSettings)
app.add("explain", "explain.main", ExplainSettings, configured=False)
app.add("doctor", "doctor.main", DoctorSettings)
app.add("init", "init.main", InitSettings, configured=False)
app.add("uci", "serving.be_engine", UciSettings, configured=False, numpy=False)
app.add_typer(suites)
app.add_typer(zoo)


def _show_version(context: typer.Context, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from .failures import facts_for_reports

        (name, version), *facts = facts_for_reports()
        print(f"{name} {version}")  # scripts read this line
        for name, value in facts:
            print(fill(f"{name}: {value}", width_of(sys.stdout), subsequent_indent="  "))
        raise typer.Exit


@app.callback()
def begin(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Show versions and machine, and exit."),
    ] = False,
) -> None:
    """Raise UsageError where the command is missing."""
    require_command(context)


program: Any = get_command(app)
