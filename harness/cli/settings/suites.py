"""Settings of `perft-check suites verify` and `suites make`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import AgainstOption, JobsOption, MaxNodesOption
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
            "--from-zoo", help="Choose smoke and the special suites anew, by the faults that they show: minutes."
        ),
    ] = False
    jobs: JobsOption = None
