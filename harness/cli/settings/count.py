"""Settings of `perft-check count` and `perft-check worker`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from ....errors import UsageError
from ..options import OWN, argument, option
from ..value_types import FILE, ValueType, count, share, whole
from . import shared
from .position import FASTEST

if TYPE_CHECKING:
    from ...engines.kinds.own import KernelOptions


@dataclass(frozen=True)
class CountSettings:
    """Count a large tree by pieces, kept in a file: a count that was stopped goes on."""

    position: shared.PositionArgument
    depth: shared.DepthArgument
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
    engine: shared.EngineOption = FASTEST
    options: shared.UciOptionsOption = ()
    names: shared.NamesOption = ()
    verify: Annotated[
        float,
        option("--verify", type=share(), show_default=False, help="Count so many again: 5%, 0.05."),
    ] = 0.0
    against: shared.AgainstOption = ()
    positions: Annotated[
        int | None,
        option("--positions", type=count(1), help="Of a piece. Default: as takes a second."),
    ] = None
    scheduler: Annotated[
        str | None,
        option("--scheduler", type=ValueType("ADDRESS"), help="Count on a Dask cluster: see perft-check worker."),
    ] = None
    jobs: shared.JobsOption = None
    threads: shared.ThreadsOption = None
    hash: shared.HashOption = None
    timeout: shared.TimeoutOption = 10
    chess960: shared.VariantOption = None
    quiet: Annotated[bool, option("--quiet", "-q", help="Show no progress.")] = False
    json: shared.JsonOption = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.depth < 2:
            raise UsageError(f"a count by pieces needs a depth of 2 or more, not {self.depth}: perft-check perft")
        if self.split is not None and self.split >= self.depth:
            why = f"--split {self.split} leaves nothing to count at depth {self.depth}: cut it earlier"
            raise shared.Conflict(why, "--split")
        if self.against and not self.verify:
            why = "-a counts pieces again: say with --verify how many, such as --verify 5%"
            raise shared.Conflict(why, "--verify", "--against")
        shared.check_options(self.options, self.engine)
        shared.check_table(self.hash, self.engine)
        if self.scheduler is not None:
            given = {
                "--jobs": self.jobs is not None,
                "--threads": self.threads is not None,
                "--hash": self.hash is not None,
            }
            shared.reject("works with what the workers have", "--scheduler", given)
        if self.jobs is not None:
            shared.reject("counts in processes of one thread each", "--jobs", {"--threads": self.threads is not None})

    @property
    def resources(self) -> KernelOptions:
        """What the kernels may use; threads share a table."""
        from ...engines.kinds.own import KernelOptions

        return KernelOptions(1, self.hash)


@dataclass(frozen=True)
class WorkerSettings:
    """Count what a Dask scheduler hands out."""

    address: Annotated[str, argument("ADDRESS", help="Of the scheduler: tcp://HOST:8786, as dask scheduler prints it.")]
    threads: shared.ThreadsOption = None
    name: Annotated[
        str | None, option("--name", type=ValueType("NAME"), help="In reports. Default: host and process number."), OWN
    ] = None
    hash: shared.HashOption = None
    insecure: Annotated[
        bool,
        option("--insecure", help="Join another machine's scheduler without TLS: anybody may run programs here."),
    ] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.check_table(self.hash, FASTEST)
