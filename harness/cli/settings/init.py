"""Settings of `perft-check init`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import EngineOption


@dataclass(frozen=True)
class InitSettings:
    """The settings of `perft-check init`."""

    engine: EngineOption = "own"
    force: Annotated[bool, typer.Option("--force", help="Replace a perft-check.toml that is there.")] = False
