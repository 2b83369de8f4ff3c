"""Options of `perft-check fuzz`."""

from __future__ import annotations

from typing import Annotated

import typer

from ....errors import UsageError
from ... import values
from ...engines.spec import EngineSpec
from .. import options
from ..checks import (
    Conflict,
    check_memory,
    check_self_consistency,
    read_baseline,
    read_engine,
    refuse_unattended_self_test,
    reject,
)

CLOCKS = "clocks"


def fuzz(
    context: typer.Context,
    engine: Annotated[
        list[str] | None,
        options.engine_option(f"Engine under test: {options.SPECS}. Default: own."),
    ] = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    against: options.AgainstOption = None,
    examples: Annotated[
        int | None,
        typer.Option(
            "--examples",
            "-n",
            parser=options.checked(values.count(1)),
            metavar="N",
            help="Number of positions: 5000, 1M. Default: as many as take a minute, or 10k with --careful.",
        ),
    ] = None,
    time: options.TimeOption = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=options.checked(values.whole(0)),
            metavar="N",
            help="Random seed. The same seed and --examples give the same report; with --time, the same positions.",
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="How to generate positions: templates, placements, mutations, walks, games, locked, sequences or "
            "castlings; may be repeated. Default: all.",
        ),
    ] = None,
    chess960: options.VariantOption = None,
    impossible: Annotated[
        bool, typer.Option("--impossible", help="Also generate positions and clocks that no game can reach.")
    ] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar=CLOCKS, help="Compare FENs without halfmove clock and move number."),
    ] = None,
    convention: Annotated[
        list[str] | None,
        typer.Option("--convention", metavar="NAME=VALUE", help="How the engine lists moves by GenType (see doctor)."),
    ] = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth",
            parser=options.checked(values.whole(1, values.DEEPEST_FUZZ)),
            metavar="PLIES",
            help=f"Depth of the counts, from 1 to {values.DEEPEST_FUZZ}.",
        ),
    ] = values.FUZZ_DEPTH,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="FILE", help="Suite file to which every finding is added.")
    ] = None,
    coverage: options.CoverageOption = False,
    report: Annotated[
        list[str] | None, options.report_option("html", "md", "json", "jsonl", "junit", "sarif", "github", "lcov")
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option("--replay", metavar="POSITION", help="Check this position only: a FEN; 'moves ...' may follow."),
    ] = None,
    self_consistency: options.SelfConsistencyOption = False,
    baseline: options.BaselineOption = None,
    update_baseline: options.UpdateBaselineOption = False,
    careful: options.CarefulOption = False,
    fail_fast: options.FailFastOption = False,
    fail_not_reproduced: options.FailNotReproducedOption = False,
    require_all: options.RequireAllOption = False,
    jobs: options.JobsOption = None,
    timeout: options.TimeoutOption = 10,
    memory: options.MemoryOption = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show all statistics, and each rare event that was covered.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only the summary line and the findings.")] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Generate positions until an answer is incorrect; then minimize and explain the failure."""
    named, others = read_engine(context, engine, option, name, against)
    tested = EngineSpec("own") if named is None else named
    check_memory(memory, tested, *others)
    if examples is not None and time is not None:
        raise Conflict("--examples and --time cannot be combined: leave one out", "examples", "time")
    for text in ignore or ():
        if text != CLOCKS:
            raise UsageError(f"--ignore {text!r}: only {CLOCKS} can be ignored", text)
    if convention and tested.is_kernel:
        why = "--convention describes the lists of your engine: name it with -e"
        raise Conflict(why, "convention", "engine")
    if replay is not None:
        given = {
            "examples": examples is not None,
            "time": time is not None,
            "strategy": strategy,
            "impossible": impossible,
            "corpus": corpus is not None,
            "coverage": coverage,
            "baseline": baseline is not None,
            "update_baseline": update_baseline,
            "report": report,
            "fail_fast": fail_fast,
            "fail_not_reproduced": fail_not_reproduced,
            "require_all": require_all,
        }
        reject("checks one position only", "replay", given)
    check_self_consistency(self_consistency, others)
    if named is None:
        refuse_unattended_self_test()
    known = read_baseline(baseline, update_baseline)
    from ...fuzzing.plan import make_fuzz_plan
    from ..actions import fuzz as action

    plan = make_fuzz_plan(
        tested,
        others,
        seed=seed,
        jobs=jobs,
        examples=examples,
        seconds=time,
        strategies=strategy or (),
        chess960=chess960,
        depth=depth,
        impossible=impossible,
        ignore_clocks=bool(ignore),
        convention=convention or (),
        careful=careful or replay is not None,
        self_consistency=self_consistency,
        fail_fast=fail_fast,
        require_all=require_all,
        coverage=coverage,
        timeout=timeout,
        memory=memory,
    )
    if replay is not None:
        return action.replayed_game(replay, chess960, plan, is_named=named is not None)
    output = action.Output(corpus, fail_not_reproduced, verbose, quiet, known, update_baseline)
    targets = action.reports_of(report or (), (tested, *others), output, coverage=coverage)
    return action.fuzz_engine(plan, output, targets, is_named=named is not None)
