"""The typer application: all commands, in the order in which `--help` lists them."""

from __future__ import annotations

import sys
from textwrap import fill
from typing import Annotated, Any

import typer
from typer.main import get_command

from .command import Command, Group
from .commands import bench, count, engine, fuzz, position, run, suites, zoo
from .output.streams import width_of

DEFAULT_COMMAND = "run"
app = typer.Typer(
    cls=Group,
    help="Find the wrong move in a chess move generator. Without a command, run the default suites.",
    rich_markup_mode=None,  # plain text fits any width
    context_settings={"help_option_names": ["-h", "--help"]},
)
suites_app = typer.Typer(name="suites", cls=Group, help="List, show and make suites.", rich_markup_mode=None)
zoo_app = typer.Typer(
    name="zoo", cls=Group, help="Faults from real engines, seeded into a correct generator.", rich_markup_mode=None
)
for group, name, function in (
    (app, "run", run.run),
    (app, "perft", position.perft),
    (app, "divide", position.divide),
    (app, "diagnose", position.diagnose),
    (app, "explore", position.explore),
    (app, "moves", position.moves),
    (app, "count", count.count),
    (app, "worker", count.worker),
    (app, "bench", bench.bench),
    (app, "fuzz", fuzz.fuzz),
    (app, "cover", run.cover),
    (app, "explain", zoo.explain),
    (app, "doctor", engine.doctor),
    (app, "init", engine.init),
    (app, "uci", engine.uci),
    (suites_app, "list", suites.list_suites),
    (suites_app, "show", suites.show),
    (suites_app, "make", suites.make),
    (zoo_app, "list", zoo.list_faults),
    (zoo_app, "show", zoo.show),
    (zoo_app, "serve", zoo.serve),
    (zoo_app, "score", zoo.score),
):
    group.command(name, cls=Command)(function)
app.add_typer(suites_app)
app.add_typer(zoo_app)


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
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show versions and facts about this machine."
        ),
    ] = False,
) -> None:
    """Handle the options that come before a command."""


program: Any = get_command(app)
