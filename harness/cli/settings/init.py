"""Settings of `perft-check init`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import SPECS


@dataclass(frozen=True)
class InitSettings:
    """The settings of `perft-check init`."""

    engine: Annotated[
        str | None,
        typer.Option("--engine", "-e", metavar="SPEC", help=f"Engine under test: {SPECS}. Default: a terminal asks."),
    ] = None
    force: Annotated[
        bool, typer.Option("--force", help="Replace a perft-check.toml also where somebody has changed it.")
    ] = False
