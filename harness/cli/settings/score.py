"""Settings of `perft-check zoo score`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import JobsOption, ReportOption
from .values import seconds, whole

ThemeArgument = Annotated[str | None, typer.Argument(metavar="CLASS", help="Only faults of this class.")]


@dataclass(frozen=True)
class ScoreSettings:
    """The settings of `perft-check zoo score`; methods, seconds, seeds and jobs may be left to the results."""

    theme: ThemeArgument = None
    methods: Annotated[
        tuple[str, ...],
        typer.Option(
            "--method",
            metavar="NAME",
            help="fuzz, games, walks, served, cpw, known or a bundled suite; may be repeated. Default: fuzz.",
        ),
    ] = ()
    seconds: Annotated[
        float | None,
        typer.Option(
            "--budget",
            metavar="TIME",
            parser=seconds(0.1, endless=False),
            help="For each hunt: 60, 60s, 2m. Default: 60s.",
        ),
    ] = None
    seeds: Annotated[
        int | None,
        typer.Option(
            "--seeds", metavar="N", parser=whole(1), help="Hunts of each fault, each with its own seed. Default: 1."
        ),
    ] = None
    jobs: JobsOption = None
    results: Annotated[
        str | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="Keep outcomes there. Those that it has are not hunted again; options left out are as they were.",
        ),
    ] = None
    reports: ReportOption = ()
    hunting: Annotated[bool, typer.Option("--hunt/--no-hunt", help="Hunt what the results lack.")] = True
