"""Options of `perft-check bench`."""

from __future__ import annotations

from typing import Annotated

import typer

from ... import values
from .. import completion, options
from ..checks import Conflict, read_engines, reject


def bench(
    context: typer.Context,
    engine: Annotated[
        list[str] | None, options.engine_option("Engine to time; may be repeated. Default: own, own:turbo.")
    ] = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    techniques: Annotated[
        bool,
        typer.Option(
            "--techniques",
            help="Compare perft-check's move generation techniques: speed, table bytes.",
        ),
    ] = False,
    position: Annotated[
        list[str] | None,
        typer.Option(
            "--position",
            "-p",
            metavar="POSITION",
            autocompletion=completion.positions,
            help="A quoted FEN or a name; may be repeated. Default: startpos, kiwipete and cpw-3 to cpw-6.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            parser=options.checked(values.seconds(0.1, endless=False)),
            metavar="TIME",
            help="Total time of the benchmark; --compare stops as soon as it is clear which engine is faster.",
        ),
    ] = values.BENCH_SECONDS,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            parser=options.checked(values.whole(1, 99)),
            metavar="N",
            help="Depth of every count. Default: as deep as the slowest engine can count in its time.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            parser=options.checked(values.whole(1, 99)),
            metavar="N",
            help="Number of times each count is repeated. "
            f"Default: {values.BENCH_ROUNDS}; with --compare until the time is up.",
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="SPEC", help="Compare with another engine, such as an older build: uci:./old."
        ),
    ] = None,
    fail_below: Annotated[
        float | None,
        typer.Option(
            "--fail-below",
            parser=options.checked(values.factor(0.01, 100)),
            metavar="RATIO",
            help="With --compare, exit with status 1 if the engine's relative speed is lower: 0.95.",
        ),
    ] = None,
    timeout: options.TimeoutOption = 60,
    report: Annotated[list[str] | None, options.report_option("md", "json")] = None,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Measure the counting speed of engines."""
    others = [compare] if compare is not None else []
    tested, compared = read_engines(context, engine, option, name, others)
    if compare is None and fail_below is not None:
        raise Conflict("--fail-below needs --compare SPEC", "fail_below", "compare")
    if compare is not None and len(tested) != 1:
        raise Conflict("--compare needs exactly one engine under test: name it with -e", "compare", "engine")
    if compare is not None:
        reject("cannot be combined with --techniques", "compare", {"techniques": techniques})
        if rounds is not None and rounds < values.LEAST_GUARD_ROUNDS:
            least = f"use {values.LEAST_GUARD_ROUNDS} or more"
            why = f"--rounds {rounds} is too few to distinguish a difference from noise: {least}"
            raise Conflict(why, "rounds", "compare")
    from ...checking.benching import BenchPlan
    from ...model.results.bench import BenchFinished
    from ..actions import bench as action
    from ..output.report_files import report_targets

    targets = report_targets(report, BenchFinished, (*tested, *compared))
    if compared:
        plan = BenchPlan(seconds, rounds, values.GUARD_SECONDS, depth, compared[0], fail_below)
    else:
        plan = BenchPlan(seconds, rounds or values.BENCH_ROUNDS, values.SHORTEST_COUNT_SECONDS, depth)
    return action.bench(tested, position or (), plan, timeout, targets, techniques=techniques)
