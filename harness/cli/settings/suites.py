"""Settings of `perft-check suites verify`, `suites make` and `suites gallery`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import (
    AgainstOption,
    Conflict,
    JobsOption,
    MaxNodesOption,
    ReportOption,
    SchedulerOption,
    reject_here,
)
from .values import whole


@dataclass(frozen=True)
class VerifySettings:
    """The settings of `perft-check suites verify`."""

    suites: Annotated[
        tuple[str, ...],
        typer.Argument(metavar="SUITE", help="Bundled suites or files. Default: all bundled ones."),
    ] = ()
    against: AgainstOption = ()
    max_nodes: MaxNodesOption = None


@dataclass(frozen=True)
class MakeSettings:
    """The settings of `perft-check suites make`."""

    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where to write the EPD files.")]
    seed: Annotated[int, typer.Option("--seed", metavar="N", parser=whole(0), help="Same seed, same suites.")] = 2026
    from_zoo: Annotated[
        bool,
        typer.Option(
            "--from-zoo", help="Choose smoke, the special suites and the sweeps by the faults that they show: minutes."
        ),
    ] = False
    sweep: Annotated[bool, typer.Option("--sweep", help="Choose the sweeps alone by the faults that they show.")] = (
        False
    )
    jobs: JobsOption = None
    scheduler: SchedulerOption = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        reject_here(self.scheduler, {"--jobs": self.jobs is not None})
        if self.scheduler is not None and not (self.from_zoo or self.sweep):
            raise Conflict("--scheduler is for --from-zoo and --sweep, which take long: leave it out", "--scheduler")


@dataclass(frozen=True)
class GallerySettings:
    """The settings of `perft-check suites gallery`."""

    reports: ReportOption = ()
