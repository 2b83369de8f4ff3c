"""`perft-check count` and `perft-check worker`: a large count by pieces, here or on a cluster."""

from __future__ import annotations

from typing import Annotated

import typer

from ....errors import UsageError
from ... import values
from ...engines.spec import EngineSpec
from .. import options
from ..checks import Conflict, check_table, read_engine, reject


def count(
    context: typer.Context,
    position: options.PositionArgument,
    depth: options.DepthArgument,
    split: Annotated[
        int | None,
        typer.Option(
            "--split",
            parser=options.checked(values.whole(1, 98)),
            metavar="PLY",
            help="Cut the tree there: equal positions are one. Default: where there are 1,000 or more.",
        ),
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="FILE", help="Keep pieces and results there. Default: a name of its own."),
    ] = None,
    engine: options.EngineOption = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    verify: Annotated[
        float,
        typer.Option(
            "--verify",
            parser=options.checked(values.share()),
            metavar="SHARE",
            show_default=False,
            help="Count so many again: 5%, 0.05.",
        ),
    ] = 0.0,
    against: options.AgainstOption = None,
    positions: Annotated[
        int | None,
        typer.Option(
            "--positions",
            parser=options.checked(values.count(1)),
            metavar="N",
            help="Of a piece. Default: as takes a second.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Count on a Dask cluster: see perft-check worker."),
    ] = None,
    jobs: options.JobsOption = None,
    threads: options.ThreadsOption = None,
    hash: options.HashOption = None,
    timeout: options.TimeoutOption = 10,
    chess960: options.VariantOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    json: options.JsonOption = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Count a large tree by pieces, kept in a file: a count that was stopped goes on."""
    if depth < 2:
        raise UsageError(f"a count by pieces needs a depth of 2 or more, not {depth}: perft-check perft")
    if split is not None and split >= depth:
        raise Conflict(f"--split {split} leaves nothing to count at depth {depth}: cut it earlier", "split")
    if against and not verify:
        why = "-a counts pieces again: say with --verify how many, such as --verify 5%"
        raise Conflict(why, "verify", "against")
    named, others = read_engine(context, engine, option, name, against)
    tested = EngineSpec(options.FASTEST) if named is None else named
    check_table(hash, tested)
    if scheduler is not None:
        given = {"jobs": jobs is not None, "threads": threads is not None, "hash": hash is not None}
        reject("works with what the workers have", "scheduler", given)
    if jobs is not None:
        reject("counts in processes of one thread each", "jobs", {"threads": threads is not None})
    from ....suites.positions import resolve_position
    from ...engines.opening import references_of
    from ..actions import count as action

    if scheduler is not None:
        action.check_cluster(scheduler)
    plan = action.CountPlan(
        position=resolve_position(position, chess960),
        depth=depth,
        engine=tested,
        references=references_of(tested, others),
        split=split,
        ledger=ledger,
        verify=verify,
        positions=positions,
        scheduler=scheduler,
        jobs=jobs,
        threads=threads,
        hash_bytes=hash,
        timeout=timeout,
    )
    return action.count(plan, quiet=quiet, json=json)


def worker(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Of the scheduler: tcp://HOST:8786, as dask scheduler prints it.")
    ],
    threads: options.ThreadsOption = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="In reports. Default: host and process number.")
    ] = None,
    hash: options.HashOption = None,
    insecure: Annotated[
        bool,
        typer.Option("--insecure", help="Join another machine's scheduler without TLS: anybody may run programs here."),
    ] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Count what a Dask scheduler hands out."""
    check_table(hash, options.FASTEST)
    from ..actions.serving import work

    return work(address, threads, name, hash, insecure=insecure)
