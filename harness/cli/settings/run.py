"""Settings of `perft-check run`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ...engines.spec import EngineSpec
from ...model import values
from ..options import option
from ..value_types import SPEC, OneOf, count, whole
from . import shared

FULL, CONCISE = "full", "concise"
"""How the text of a run is written."""


@dataclass(frozen=True)
class RunSettings:
    """Check an engine against suites; this is the default command."""

    engine: Annotated[
        str | None, option("--engine", "-e", type=SPEC, help=f"Engine under test: {shared.SPECS}. Default: own.")
    ] = None
    options: shared.UciOptionsOption = ()
    names: shared.NamesOption = ()
    against: shared.AgainstOption = ()
    suites: shared.SuitesOption = ()
    quick: shared.QuickOption = False
    max_depth: shared.MaxDepthOption = None
    max_nodes: shared.MaxNodesOption = None
    seconds: shared.TimeOption = None
    require_all: shared.RequireAllOption = False
    fail_fast: shared.FailFastOption = False
    fail_not_reproduced: shared.FailNotReproducedOption = False
    last_failed: Annotated[
        bool, option("--last-failed", "--lf", help="Only positions that failed last time; all where none did.")
    ] = False
    failed_first: Annotated[
        bool, option("--failed-first", "--ff", help="All positions, those first that failed last time.")
    ] = False
    pattern: shared.FilterOption = None
    reports: shared.ReportOption = ()
    explain: shared.ExplainOption = values.EXPLAINED
    jobs: shared.JobsOption = None
    timeout: shared.TimeoutOption = 10
    min_speed: Annotated[
        int,
        option(
            "--min-speed",
            type=count(1, metavar="NODES"),
            help="Nodes a second that an engine must make beyond the timeout: 50000, 50k.",
        ),
    ] = 50_000
    memory: shared.MemoryOption = None
    hash: shared.HashOption = None
    chess960: shared.VariantOption = None
    format: Annotated[
        str,
        option(
            "--format",
            type=OneOf(FULL, CONCISE),
            help=f"{CONCISE}: one line a failure, file:line: what is wrong, for editors and grep.",
        ),
    ] = FULL
    durations: Annotated[
        int | None,
        option("--durations", type=whole(1), help="Show the N positions that took the engine longest."),
    ] = None
    verbose: Annotated[bool, option("--verbose", "-v", help="A row for every position.")] = False
    quiet: Annotated[bool, option("--quiet", "-q", help="Failures and the last line only.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.check_options(self.options, self.engine)
        shared.check_quick(self.quick, self.suites)
        if self.last_failed and self.failed_first:
            raise shared.Conflict(
                "--lf runs nothing but what failed: leave out --ff", "--last-failed", "--failed-first"
            )
        shared.check_table(self.hash, self.tested, *self.against)

    @property
    def tested(self) -> EngineSpec:
        """The SPEC of the engine under test; our own generator where nobody has named one."""
        return EngineSpec("own" if self.engine is None else self.engine)
