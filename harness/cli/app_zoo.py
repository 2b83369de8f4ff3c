"""`perft-check zoo`: its options."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Optional

import typer

from .options import exit_with, parse_time

app = typer.Typer(help="Faults that engines have had, seeded into a right generator.", no_args_is_help=True)


@app.command("list")
def zoo_list_command(
    theme: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[CLASS]", help="Only faults of this class."),
    ] = None,
) -> None:
    """List the faults."""
    from .commands import zoo

    exit_with(partial(zoo.list_faults, theme))


FaultArgument = Annotated[str, typer.Argument(metavar="FAULT", help="The name of a fault.")]


@app.command("show")
def zoo_show_command(fault: FaultArgument) -> None:
    """Show what is wrong with one fault, who had it, and where it shows."""
    from .commands import zoo

    exit_with(partial(zoo.show, fault))


@app.command("serve")
def zoo_serve_command(fault: FaultArgument) -> None:
    """Be an engine with this fault: speak UCI over stdin and stdout."""
    from .commands import zoo

    exit_with(partial(zoo.serve, fault))


@app.command("score")
def zoo_score_command(
    theme: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[CLASS]", help="Only faults of this class."),
    ] = None,
    strategy: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="fuzz, games, walks, cpw, known or a bundled suite; may be repeated. Default: fuzz.",
        ),
    ] = None,
    budget: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(metavar="TIME", parser=parse_time, help="For each hunt: 60, 60s, 2m. Default: 60s."),
    ] = None,
    seeds: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option(min=1, help="Hunts of each fault, each with its own seed. Default: 1."),
    ] = None,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--jobs", "-j", min=1, max=64, help="Hunts side by side. Default: 1."),
    ] = None,
    results: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--results",
            metavar="FILE",
            help="Keep outcomes there; what is there is not hunted again, and stands for options that are left out.",
        ),
    ] = None,
    report: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--report", metavar="FILE", help="Write FILE.md, .json, .svg or .csv; may be repeated."),
    ] = None,
    hunting: Annotated[bool, typer.Option("--hunt/--no-hunt", help="Hunt what the results lack.")] = True,
) -> None:
    """Measure how many of the faults are caught, how soon, and how well they are explained."""
    from .commands import score

    options = score.Options(
        theme=theme,
        strategies=tuple(strategy or ()),
        seconds=budget,
        seeds=seeds,
        jobs=jobs,
        results=results,
        reports=tuple(report or ()),
        hunting=hunting,
    )
    exit_with(partial(score.main, options))
