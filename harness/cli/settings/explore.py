"""Settings of `perft-check explore`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from ....errors import UsageError
from .shared import AgainstOption, Conflict, MemoryOption, TimeoutOption, VariantOption
from .values import whole

DEFAULT_PORT = 8000


@dataclass(frozen=True)
class ExploreSettings:
    """The settings of `perft-check explore`."""

    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="A FEN in quotes, a name such as kiwipete, a report as JSON, or a suite."
        ),
    ] = "startpos"
    engine: Annotated[
        str | None,
        typer.Option("--engine", "-e", metavar="SPEC", help="Engine to look at. Default: ours, or the report's."),
    ] = None
    against: AgainstOption = ()
    depth: Annotated[
        int | None,
        typer.Option("--depth", metavar="N", parser=whole(1, 99), help="Plies. Default: 3, or the report's."),
    ] = None
    timeout: TimeoutOption = 60
    memory: MemoryOption = None
    chess960: VariantOption = None
    light: Annotated[bool, typer.Option("--light", help="Begin with dark letters on a light ground.")] = False
    serve: Annotated[bool, typer.Option("--serve", help="Show it in a browser, on this machine only.")] = False
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", parser=whole(0, 65535), help="With --serve: the port; 0 takes a free one."),
    ] = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.port is not None and not self.serve:
            raise Conflict("--port is about the page of --serve: leave it out", "--port", "--serve")
        if self.engine in self.against:
            raise UsageError(f"{self.engine} is held against itself: give another engine with -a")
