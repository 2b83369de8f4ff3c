"""Settings of `perft-check run`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .shared import (
    AgainstOption,
    Chess960Option,
    EngineOption,
    ExplainOption,
    MaxNodesOption,
    MemoryOption,
    ReportOption,
    TimeoutOption,
)


@dataclass(frozen=True)
class RunSettings:
    """The settings of `perft-check run`."""

    engine: EngineOption = "own"
    against: AgainstOption = ()
    suites: Annotated[
        tuple[str, ...],
        typer.Option("--suite", "-s", metavar="NAME|FILE", help="Suite; may be repeated. Default: smoke."),
    ] = ()
    max_depth: Annotated[int | None, typer.Option(min=0, help="Leave deeper counts out.")] = None
    max_nodes: MaxNodesOption = None
    seconds: Annotated[
        float | None,
        typer.Option("--time", min=0, metavar="SECONDS", help="Stop after this time and report what is done."),
    ] = None
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first failure.")] = False
    pattern: Annotated[
        str | None, typer.Option("--filter", metavar="REGEX", help="Only positions whose name or FEN matches.")
    ] = None
    reports: ReportOption = ()
    explain: ExplainOption = True
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Engines to run side by side.")] = 1
    timeout: TimeoutOption = 10.0
    min_speed: Annotated[
        float, typer.Option(min=1, metavar="NODES", help="Nodes a second that an engine must make beyond the timeout.")
    ] = 50_000.0
    memory: MemoryOption = None
    chess960: Chess960Option = False
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="A row for every position.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Failures and the last line only.")] = False
