"""Settings of `perft-check run`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..options import option
from ..value_types import SPEC, SUITE, ValueType, count, whole
from . import shared

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
        str | None, option("--engine", "-e", type=SPEC, help=f"Engine under test: {shared.SPECS}. Default: own.")
    ] = None
    against: shared.AgainstOption = ()
    suites: Annotated[
        tuple[str, ...],
        option("--suite", "-s", type=SUITE, help="Suite; may be repeated. Default: smoke and chess960-special."),
    ] = ()
    max_depth: Annotated[
        int | None,
        option("--max-depth", type=whole(0, metavar="PLIES"), help="Leave deeper counts out."),
    ] = None
    max_nodes: shared.MaxNodesOption = None
    seconds: shared.TimeOption = None
    require_all: shared.RequireAllOption = False
    fail_fast: shared.FailFastOption = False
    fail_not_reproduced: shared.FailNotReproducedOption = False
    pattern: Annotated[
        str | None, option("--filter", type=ValueType("REGEX"), help="Only positions whose name or FEN matches.")
    ] = None
    reports: shared.ReportOption = ()
    history: shared.HistoryOption = None
    explain: shared.ExplainOption = True
    careful: shared.CarefulOption = False
    jobs: shared.JobsOption = None
    scheduler: shared.SchedulerOption = None
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
    exact: shared.ExactOption = False
    chess960: shared.VariantOption = None
    watch: Annotated[
        bool,
        option("--watch", help="Run again whenever the engine or a suite changes, what failed last time first."),
    ] = False
    verbose: Annotated[bool, option("--verbose", "-v", help="A row for every position.")] = False
    quiet: Annotated[bool, option("--quiet", "-q", help="Failures and the last line only.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.check_table(self.hash, self.exact, self.tested, *self.against)
        shared.reject_here(self.scheduler, {"--jobs": self.jobs is not None, "--hash": self.hash is not None})

    @property
    def tested(self) -> str:
        """The SPEC of the engine under test; our own generator where nobody has named one."""
        return "own" if self.engine is None else self.engine
