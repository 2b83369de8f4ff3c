"""Settings of `perft-check zoo score`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import parse_time

ThemeArgument = Annotated[str | None, typer.Argument(metavar="[CLASS]", help="Only faults of this class.")]


@dataclass(frozen=True)
class ScoreSettings:
    """The settings of `perft-check zoo score`; strategies, seconds, seeds and jobs may be left to the results."""

    theme: ThemeArgument = None
    strategies: Annotated[
        tuple[str, ...],
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="fuzz, games, walks, cpw, known or a bundled suite; may be repeated. Default: fuzz.",
        ),
    ] = ()
    seconds: Annotated[
        float | None,
        typer.Option("--budget", metavar="TIME", parser=parse_time, help="For each hunt: 60, 60s, 2m. Default: 60s."),
    ] = None
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Hunts of each fault, each with its own seed. Default: 1.")
    ] = None
    jobs: Annotated[int | None, typer.Option("--jobs", "-j", min=1, max=64, help="Hunts side by side. Default: 1.")] = (
        None
    )
    results: Annotated[
        str | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="Keep outcomes there. Those that it has are not hunted again; options left out are as they were.",
        ),
    ] = None
    reports: Annotated[
        tuple[str, ...],
        typer.Option("--report", metavar="FILE", help="Write FILE.md, .json, .svg or .csv; may be repeated."),
    ] = ()
    hunting: Annotated[bool, typer.Option("--hunt/--no-hunt", help="Hunt what the results lack.")] = True
