"""Settings of the commands of `perft-check suites`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..options import OWN, argument, option
from ..value_types import whole
from . import shared


@dataclass(frozen=True)
class BundledSettings:
    """List the bundled suites."""


@dataclass(frozen=True)
class SuiteSettings:
    """Show the positions of a suite."""

    suite: Annotated[str, argument("SUITE", help="A bundled suite or a file.")]


@dataclass(frozen=True)
class VerifySettings:
    """Check every count of suites with generators that are not ours (default: python-chess and Stockfish)."""

    suites: Annotated[
        tuple[str, ...],
        argument("SUITE", help="Bundled suites or files. Default: all bundled ones."),
    ] = ()
    against: shared.AgainstOption = ()
    max_nodes: shared.MaxNodesOption = None


@dataclass(frozen=True)
class MakeSettings:
    """Make the bundled suites anew; every count verified by python-chess and Stockfish."""

    folder: Annotated[str, argument("FOLDER", help="Where to write the EPD files.")]
    seed: Annotated[int, option("--seed", type=whole(0), help="Same seed, same suites."), OWN] = 2026
    from_zoo: Annotated[
        bool,
        option(
            "--from-zoo", help="Choose smoke, the special suites and the sweeps by the faults that they show: minutes."
        ),
    ] = False
    sweep: Annotated[bool, option("--sweep", help="Choose the sweeps alone by the faults that they show.")] = False
    jobs: shared.JobsOption = None
    scheduler: shared.SchedulerOption = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.reject_here(self.scheduler, {"--jobs": self.jobs is not None})
        if self.scheduler is not None and not (self.from_zoo or self.sweep):
            raise shared.Conflict(
                "--scheduler is for --from-zoo and --sweep, which take long: leave it out", "--scheduler"
            )


@dataclass(frozen=True)
class GallerySettings:
    """Write a page of all rare events: a small position of each, and what goes wrong there (gallery.html)."""

    reports: shared.ReportOption = ()
