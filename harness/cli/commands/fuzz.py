"""`perft-check fuzz`: drawn positions, faults found, reduced, explained and kept."""

from __future__ import annotations

from typing import Annotated

import typer

from ....errors import UsageError
from ...engines.spec import EngineSpec
from ...model import values
from .. import options
from ..checks import Conflict, check_self_consistency, read_engines, reject

CLOCKS = "clocks"


def fuzz(
    context: typer.Context,
    engine: Annotated[
        list[str] | None,
        options.engine_option(
            f"Engine under test; may be repeated, to fuzz several side by side: {options.SPECS}. Default: own."
        ),
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
            help="Positions to examine: 5000, 1M. Default: a minute, or 10k with --careful.",
        ),
    ] = None,
    time: options.TimeOption = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=options.checked(values.whole(0)),
            metavar="N",
            help="Same seed and number of examples, same report; with --time, the same positions.",
        ),
    ] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="templates, placements, mutations, walks, games, locked, sequences or castlings; may be repeated.",
        ),
    ] = None,
    chess960: options.VariantOption = None,
    impossible: Annotated[
        bool, typer.Option("--impossible", help="Draw positions and clocks, too, to which no game can lead.")
    ] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar=CLOCKS, help="Compare FENs without halfmove clock and move number."),
    ] = None,
    convention: Annotated[
        list[str] | None,
        typer.Option("--convention", metavar="NAME=VALUE", help="How the engine lists moves by GenType; see doctor."),
    ] = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth",
            parser=options.checked(values.whole(1, values.DEEPEST_FUZZ)),
            metavar="PLIES",
            help=f"How deep an engine is asked to count, 1 to {values.DEEPEST_FUZZ}.",
        ),
    ] = values.FUZZ_DEPTH,
    corpus: Annotated[
        str | None, typer.Option("--corpus", metavar="FILE", help="Suite file to which every find is added.")
    ] = None,
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage", help="Let the engine's own code guide what is drawn: which of its branches were reached."
        ),
    ] = False,
    keep_cover: options.KeepCoverOption = None,
    report: options.ReportOption = None,
    replay: Annotated[
        str | None,
        typer.Option("--replay", metavar="POSITION", help="Examine this one: a FEN, with 'moves ...' if any."),
    ] = None,
    self_consistency: options.SelfConsistencyOption = False,
    careful: options.CarefulOption = False,
    fail_fast: options.FailFastOption = False,
    fail_not_reproduced: options.FailNotReproducedOption = False,
    require_all: options.RequireAllOption = False,
    jobs: options.JobsOption = None,
    timeout: options.TimeoutOption = 10,
    memory: options.MemoryOption = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="All figures, and every rare event that was met.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the line that sums up, and the finds.")] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Draw positions until something is wrong; reduce it, explain it, keep it."""
    named, others = read_engines(context, engine, option, name, against)
    tested = tuple(dict.fromkeys(named or (EngineSpec("own"),)))
    if examples is not None and time is not None:
        raise Conflict("--examples and --time: give one of them", "examples", "time")
    for text in ignore or ():
        if text != CLOCKS:
            raise UsageError(f"--ignore {text!r}: only {CLOCKS} can be ignored", text)
    if convention and any(spec.is_own for spec in tested):
        why = "--convention is about the lists of another engine: give it with -e, or leave it out"
        raise Conflict(why, "convention", "engine")
    if keep_cover is not None and not coverage:
        why = "--keep-cover keeps lines by what they reach in the engine's code: add --coverage"
        raise Conflict(why, "keep_cover", "coverage")
    if len(tested) > 1:
        for parameter, flag, value in (("replay", "--replay", replay), ("keep_cover", "--keep-cover", keep_cover)):
            if value is not None:
                raise Conflict(f"{flag} is for one engine: name one with -e", parameter, "engine")
    if replay is not None:
        given = {
            "examples": examples is not None,
            "time": time is not None,
            "strategy": strategy,
            "impossible": impossible,
            "corpus": corpus is not None,
            "coverage": coverage,
            "keep_cover": keep_cover is not None,
            "report": report,
            "fail_fast": fail_fast,
            "fail_not_reproduced": fail_not_reproduced,
            "require_all": require_all,
        }
        reject("examines one position and draws none", "replay", given)
    check_self_consistency(self_consistency, others)
    if not named:
        from ..dialogue import refuse_unattended

        refuse_unattended()
    from ...fuzzing.plan import make_plans
    from ..actions import fuzz as action

    plans = make_plans(
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
        return action.replayed_game(replay, chess960, plans[0], is_named=bool(named))
    output = action.Output(corpus, keep_cover, fail_not_reproduced, verbose, quiet)
    targets = action.reports_of(report or (), tested, others, output, coverage=coverage)
    return action.fuzz_engines(plans, output, targets, is_named=bool(named))
