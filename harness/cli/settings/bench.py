"""Settings of `perft-check bench`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import ReportOption, TimeoutOption
from .values import whole


@dataclass(frozen=True)
class BenchSettings:
    """The settings of `perft-check bench`."""

    engines: Annotated[
        tuple[str, ...],
        typer.Option(
            "--engine", "-e", metavar="SPEC", help="Engine to time; may be repeated. Default: own, own:turbo."
        ),
    ] = ()
    techniques: Annotated[
        bool, typer.Option("--techniques", help="Compare all our techniques: speed, table bytes, squares visited.")
    ] = False
    positions: Annotated[
        tuple[str, ...],
        typer.Option(
            "--position",
            "-p",
            metavar="POSITION",
            help="A FEN in quotes or a name; may be repeated. Default: start, Kiwipete and CPW 3 to 6.",
        ),
    ] = ()
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", parser=whole(1, 99), help="How often each count is repeated.")
    ] = 3
    timeout: TimeoutOption = 60
    reports: ReportOption = ()
