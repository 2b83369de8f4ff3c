"""Settings of `perft-check count` and `perft-check worker`."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated

from ....errors import UsageError
from ..options import argument, option
from ..value_types import FILE, ValueType, count, memory, share, whole
from .position import FASTEST
from .shared import (
    AgainstOption,
    Conflict,
    DepthArgument,
    EngineOption,
    ExactOption,
    HashOption,
    JobsOption,
    JsonOption,
    PositionArgument,
    SchedulerOption,
    ThreadsOption,
    TimeoutOption,
    VariantOption,
    check_table,
    reject,
    reject_here,
)

if TYPE_CHECKING:
    from ...engines.kinds.own import KernelOptions


@dataclass(frozen=True)
class CountSettings:
    """Count a large tree by pieces, kept in a file: a count that was stopped goes on."""

    position: PositionArgument
    depth: DepthArgument
    split: Annotated[
        int | None,
        option(
            "--split",
            type=whole(1, 98, metavar="PLY"),
            help="Cut the tree there: equal positions are one. Default: where there are 1,000 or more.",
        ),
    ] = None
    ledger: Annotated[
        str | None,
        option("--ledger", type=FILE, help="Keep pieces and results there. Default: a name of its own."),
    ] = None
    engine: EngineOption = FASTEST
    verify: Annotated[
        float,
        option("--verify", type=share(), show_default=False, help="Count so many again: 5%, 0.05."),
    ] = 0.0
    against: AgainstOption = ()
    positions: Annotated[
        int | None,
        option("--positions", type=count(1), help="Of a piece. Default: as takes a second."),
    ] = None
    export: Annotated[
        str | None,
        option("--export", type=FILE, help="Write all results as JSON lines, with where each comes from."),
    ] = None
    scheduler: SchedulerOption = None
    jobs: JobsOption = None
    threads: ThreadsOption = None
    hash: HashOption = None
    exact: ExactOption = False
    cut_memory: Annotated[
        int | None,
        option(
            "--cut-memory", type=memory(1 << 20), help="Memory for the cut; what is more goes to the disk. Default: 1G."
        ),
    ] = None
    timeout: TimeoutOption = inf
    chess960: VariantOption = None
    quiet: Annotated[bool, option("--quiet", "-q", help="Show no progress.")] = False
    json: JsonOption = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.depth < 2:
            raise UsageError(f"a count by pieces needs a depth of 2 or more, not {self.depth}: perft-check perft")
        if self.split is not None and self.split >= self.depth:
            raise UsageError(f"--split {self.split} leaves nothing to count at depth {self.depth}: cut it earlier")
        if self.against and not self.verify:
            why = "-a counts pieces again: say with --verify how many, such as --verify 5%"
            raise Conflict(why, "--verify", "--against")
        check_table(self.hash, self.exact, self.engine)
        given = {
            "--jobs": self.jobs is not None,
            "--threads": self.threads is not None,
            "--hash": self.hash is not None,
        }
        reject_here(self.scheduler, given)
        if self.jobs is not None:
            reject("counts in processes of one thread each", "--jobs", {"--threads": self.threads is not None})

    @property
    def means(self) -> KernelOptions:
        """What the kernels may use; threads share a table."""
        from ...engines.kinds.own import KernelOptions

        return KernelOptions(1, self.hash, self.exact)


@dataclass(frozen=True)
class WorkerSettings:
    """Count what a Dask scheduler hands out."""

    address: Annotated[str, argument("ADDRESS", help="Of the scheduler: tcp://HOST:8786, as dask scheduler prints it.")]
    threads: ThreadsOption = None
    name: Annotated[
        str | None, option("--name", type=ValueType("NAME"), help="In reports. Default: host and process number.")
    ] = None
    hash: HashOption = None
    exact: ExactOption = False
    insecure: Annotated[
        bool,
        option("--insecure", help="Join another machine's scheduler without TLS: anybody may run programs here."),
    ] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        check_table(self.hash, self.exact, FASTEST)
