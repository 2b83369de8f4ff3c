"""`perft-check history`: its commands."""

from __future__ import annotations

import typer

from .command import App, require_command, takes
from .settings.history import CompareSettings, ListSettings, PlotSettings, ShowSettings

app = App(name="history")


@app.callback(invoke_without_command=True)
def history(context: typer.Context) -> None:
    """List, show, compare and plot the runs that run --history has kept."""
    require_command(context)


@app.command("list")
@takes(ListSettings)
def history_list_command(settings: ListSettings) -> int:
    """List the runs of a history, the newest last."""
    from .commands import history

    return history.list_runs(settings)


@app.command("show")
@takes(ShowSettings)
def history_show_command(settings: ShowSettings) -> int:
    """Show one run, position by position."""
    from .commands import history

    return history.show(settings)


@app.command("compare")
@takes(CompareSettings)
def history_compare_command(settings: CompareSettings) -> int:
    """Compare two runs position by position; exit with 1 where one is newly broken."""
    from .commands import history

    return history.compare_runs(settings)


@app.command("plot")
@takes(PlotSettings)
def history_plot_command(settings: PlotSettings) -> int:
    """Plot the speed of engines over their runs (needs plotext)."""
    from .commands import history

    return history.plot(settings)
