"""`perft-check zoo`: its commands."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from .command import App, exit_with, require_command, takes
from .settings.score import ScoreSettings, ThemeArgument

app = App(name="zoo")

FaultArgument = Annotated[str, typer.Argument(metavar="FAULT", help="The name of a fault.")]


@app.callback(invoke_without_command=True)
def zoo(context: typer.Context) -> None:
    """Faults that engines have had, seeded into a right generator."""
    require_command(context)


@app.command("list")
def zoo_list_command(theme: ThemeArgument = None) -> None:
    """List the faults."""
    from .commands import zoo

    exit_with(partial(zoo.list_faults, theme))


@app.command("show")
def zoo_show_command(fault: FaultArgument) -> None:
    """Show one fault: its story, the engines that had it, and a position that shows it."""
    from .commands import zoo

    exit_with(partial(zoo.show, fault))


@app.command("serve")
def zoo_serve_command(fault: FaultArgument) -> None:
    """Run an engine with this fault: it speaks UCI over stdin and stdout."""
    from .commands import serve

    exit_with(partial(serve.serve, fault))


@app.command("score")
@takes(ScoreSettings)
def zoo_score_command(settings: ScoreSettings) -> int:
    """Measure how many of the faults are caught, how soon, and how well they are explained."""
    from .commands import score

    return score.main(settings)
