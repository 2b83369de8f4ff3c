"""`perft-check bench`: how fast engines count, side by side, and against an older one."""

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
        bool, typer.Option("--techniques", help="Compare all our techniques: speed, table bytes, squares visited.")
    ] = False,
    position: Annotated[
        list[str] | None,
        typer.Option(
            "--position",
            "-p",
            metavar="POSITION",
            autocompletion=completion.positions,
            help="A FEN in quotes or a name; may be repeated. Default: start, Kiwipete and CPW 3 to 6.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            parser=options.checked(values.seconds(0.1, endless=False)),
            metavar="TIME",
            help="What the bench takes in all; with --compare it ends as soon as it is clear which engine is faster.",
        ),
    ] = values.BENCH_SECONDS,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            parser=options.checked(values.whole(1, 99)),
            metavar="N",
            help="Count every position so deep. Default: as deep as the slowest engine can in the time that it has.",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            parser=options.checked(values.whole(1, 99)),
            metavar="N",
            help="How often each count is repeated. "
            f"Default: {values.BENCH_ROUNDS}; with --save or --compare until the time is over.",
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Write the figures to this file, with own:turbo's beside them."),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare", metavar="FILE|SPEC", help="Compare with saved figures, or with another engine: uci:./old."
        ),
    ] = None,
    fail_below: Annotated[
        float | None,
        typer.Option(
            "--fail-below",
            parser=options.checked(values.factor(0.01, 100)),
            metavar="RATIO",
            help="With --compare: exit with 1 if the engine is slower than this: 0.95.",
        ),
    ] = None,
    timeout: options.TimeoutOption = 60,
    report: options.ReportOption = None,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Time how fast engines count, side by side."""
    others = [compare] if compare is not None else []
    tested, compared = read_engines(context, engine, option, name, others)
    if compare is None and fail_below is not None:
        raise Conflict("--fail-below says how fast against another: give --compare", "fail_below", "compare")
    if compare is not None and len(tested) != 1:
        raise Conflict("--compare holds one engine against another: name one with -e", "compare", "engine")
    if save is not None or compare is not None:
        mode, least = "compare" if save is None else "save", values.LEAST_GUARD_ROUNDS
        reject("is for engines", mode, {"techniques": techniques})
        if rounds is not None and rounds < least:
            why = f"--rounds {rounds}: to tell a difference from noise, give {least} or more"
            raise Conflict(why, "rounds", mode)
    from ...model.results.bench import BenchFinished
    from ..actions import bench as action
    from ..output.report_files import report_targets

    targets = report_targets(report, BenchFinished, tested, [file for file in (save, compare) if file])
    request = action.Request(
        engines=tested,
        positions=position or (),
        techniques=techniques,
        seconds=seconds,
        depth=depth,
        rounds=rounds,
        save=save,
        compare=compared[0] if compared else None,
        fail_below=fail_below,
        timeout=timeout,
    )
    return action.bench(request, targets)
