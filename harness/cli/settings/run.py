"""Settings of `perft-check run`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..options import option
from ..value_types import SPEC, SUITE, ValueType, count, whole
from .shared import (
    SPECS,
    AgainstOption,
    CarefulOption,
    ExactOption,
    ExplainOption,
    FailFastOption,
    FailNotReproducedOption,
    HashOption,
    HistoryOption,
    JobsOption,
    MaxNodesOption,
    MemoryOption,
    ReportOption,
    RequireAllOption,
    SchedulerOption,
    TimeOption,
    TimeoutOption,
    VariantOption,
    check_table,
    reject_here,
)

MEASURED = frozenset(
    {
        *("against", "suites", "max_depth", "max_nodes", "pattern", "chess960", "careful", "explain", "fail_fast"),
        *("seconds", "timeout", "min_speed", "jobs", "scheduler", "memory", "hash", "exact", "watch"),
    }
)
"""Settings of a run that change what is compared, or how fast: `--history` keeps them with the run."""
NOT_MEASURED = frozenset({"engine", "require_all", "fail_not_reproduced", "reports", "history", "verbose", "quiet"})
"""Those that change neither; the engine is kept by itself. Each setting is in one of the two."""


@dataclass(frozen=True)
class RunSettings:
    """Check an engine against suites; this is the default command."""

    engine: Annotated[
        str | None, option("--engine", "-e", type=SPEC, help=f"Engine under test: {SPECS}. Default: own.")
    ] = None
    against: AgainstOption = ()
    suites: Annotated[
        tuple[str, ...],
        option("--suite", "-s", type=SUITE, help="Suite; may be repeated. Default: smoke and chess960-special."),
    ] = ()
    max_depth: Annotated[
        int | None,
        option("--max-depth", type=whole(0, metavar="PLIES"), help="Leave deeper counts out."),
    ] = None
    max_nodes: MaxNodesOption = None
    seconds: TimeOption = None
    require_all: RequireAllOption = False
    fail_fast: FailFastOption = False
    fail_not_reproduced: FailNotReproducedOption = False
    pattern: Annotated[
        str | None, option("--filter", type=ValueType("REGEX"), help="Only positions whose name or FEN matches.")
    ] = None
    reports: ReportOption = ()
    history: HistoryOption = None
    explain: ExplainOption = True
    careful: CarefulOption = False
    jobs: JobsOption = None
    scheduler: SchedulerOption = None
    timeout: TimeoutOption = 10
    min_speed: Annotated[
        int,
        option(
            "--min-speed",
            type=count(1, metavar="NODES"),
            help="Nodes a second that an engine must make beyond the timeout: 50000, 50k.",
        ),
    ] = 50_000
    memory: MemoryOption = None
    hash: HashOption = None
    exact: ExactOption = False
    chess960: VariantOption = None
    watch: Annotated[
        bool,
        option("--watch", help="Run again whenever the engine or a suite changes, what failed last time first."),
    ] = False
    verbose: Annotated[bool, option("--verbose", "-v", help="A row for every position.")] = False
    quiet: Annotated[bool, option("--quiet", "-q", help="Failures and the last line only.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        check_table(self.hash, self.exact, self.tested, *self.against)
        reject_here(self.scheduler, {"--jobs": self.jobs is not None, "--hash": self.hash is not None})

    @property
    def tested(self) -> str:
        """The SPEC of the engine under test; our own generator where nobody has named one."""
        return "own" if self.engine is None else self.engine
