"""Settings of `perft-check doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ....errors import UsageError


@dataclass(frozen=True)
class DoctorSettings:
    """The settings of `perft-check doctor`."""

    engine: Annotated[
        str | None, typer.Option("--engine", "-e", metavar="SPEC", help="Show how this engine is understood.")
    ] = None
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE.json", help="Save that as a descriptor, to be used as -e FILE.json."),
    ] = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.save is not None and self.engine is None:
            raise UsageError("--save needs --engine: it saves how that engine is understood")
        if self.save is not None and not self.save.endswith(".json"):
            raise UsageError(f"--save {self.save!r}: name a file that ends in .json, as -e wants it")
