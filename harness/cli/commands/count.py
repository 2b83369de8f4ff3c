"""Options of `perft-check count` and `perft-check worker`."""

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
            help="Ply at which the tree is cut, merging equal positions. Default: the first with 1,000 positions.",
        ),
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option("--ledger", metavar="FILE", help="File of the results. Default: a name derived from the count."),
    ] = None,
    engine: options.EngineOption = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    positions: Annotated[
        int | None,
        typer.Option(
            "--positions",
            parser=options.checked(values.count(1)),
            metavar="N",
            help="Positions in each piece. Default: as many as take one second.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Count on a Dask cluster (see perft-check worker)."),
    ] = None,
    threads: options.ThreadsOption = None,
    hash: options.HashOption = None,
    timeout: options.TimeoutOption = 10,
    chess960: options.VariantOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not show progress.")] = False,
    json: options.JsonOption = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Count a large tree in pieces, saving each result, so that an interrupted count can be continued."""
    if depth < 2:
        raise UsageError(f"count needs a depth of 2 or more, not {depth}: use perft-check perft")
    if split is not None and split >= depth:
        raise Conflict(f"--split {split} must be less than the depth, {depth}", "split")
    named, _ = read_engine(context, engine, option, name)
    tested = EngineSpec(options.FASTEST) if named is None else named
    check_table(hash, tested)
    if scheduler is not None:
        given = {"threads": threads is not None, "hash": hash is not None}
        reject("uses the resources of its workers", "scheduler", given)
    from ....suites.positions import resolve_position
    from ..actions import count as action

    if scheduler is not None:
        action.check_cluster(scheduler)
    plan = action.CountPlan(
        position=resolve_position(position, chess960),
        depth=depth,
        engine=tested,
        split=split,
        ledger=ledger,
        positions=positions,
        scheduler=scheduler,
        threads=threads,
        hash_bytes=hash,
        timeout=timeout,
    )
    return action.count(plan, quiet=quiet, json=json)


def worker(
    address: Annotated[
        str,
        typer.Argument(metavar="ADDRESS", help="The scheduler: tcp://HOST:8786, as printed by dask scheduler."),
    ],
    threads: options.ThreadsOption = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Name of this worker in reports. Default: host and process ID."),
    ] = None,
    hash: options.HashOption = None,
    insecure: Annotated[
        bool,
        typer.Option("--insecure", help="Allow a remote scheduler without TLS, so that anyone may run programs here."),
    ] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Join a Dask cluster as a worker, which counts pieces."""
    check_table(hash, EngineSpec(options.FASTEST))
    from ..actions.serving import work

    return work(address, threads, name, hash, insecure=insecure)
