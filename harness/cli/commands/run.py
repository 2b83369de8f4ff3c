"""Options of `perft-check run` and `perft-check cover`."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

import typer

from ....errors import UsageError
from ... import values
from ...engines.spec import EngineSpec, references_of
from .. import completion, options
from ..checks import (
    check_memory,
    check_quick,
    check_table,
    read_baseline,
    read_engine,
    refuse_unattended_self_test,
    reject,
)


def run(
    context: typer.Context,
    engine: Annotated[
        list[str] | None, options.engine_option(f"Engine under test: {options.SPECS}. Default: own.")
    ] = None,
    option: options.UciOptionsOption = None,
    name: options.NamesOption = None,
    against: options.AgainstOption = None,
    suite: options.SuitesOption = None,
    quick: options.QuickOption = False,
    max_depth: options.MaxDepthOption = None,
    max_nodes: options.MaxNodesOption = None,
    time: options.TimeOption = None,
    require_all: options.RequireAllOption = False,
    fail_fast: options.FailFastOption = False,
    fail_not_reproduced: options.FailNotReproducedOption = False,
    filter: options.FilterOption = None,
    report: Annotated[
        list[str] | None, options.report_option("html", "md", "json", "jsonl", "junit", "sarif", "github")
    ] = None,
    baseline: options.BaselineOption = None,
    update_baseline: options.UpdateBaselineOption = False,
    explain: options.ExplainOption = values.EXPLAINED,
    coverage: options.CoverageOption = False,
    jobs: options.JobsOption = None,
    timeout: options.TimeoutOption = 10,
    memory: options.MemoryOption = None,
    hash: options.HashOption = None,
    chess960: options.VariantOption = None,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            parser=options.one_of("full", "concise"),
            metavar="full|concise",
            autocompletion=completion.words("full", "concise"),
            help="concise: one line per failure, as file:line: message, for editors and grep.",
        ),
    ] = "full",
    durations: Annotated[
        int | None,
        typer.Option(
            "--durations",
            parser=options.checked(values.whole(1)),
            metavar="N",
            help="Show the N slowest positions.",
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show a row for each position.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only failures and the summary line.")] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Check an engine against suites (the default command)."""
    named, others = read_engine(context, engine, option, name, against)
    tested = EngineSpec("own") if named is None else named
    check_quick(quick, suite)
    check_table(hash, tested, *others)
    check_memory(memory, tested, *others)
    if coverage:
        reject("needs explanations", "coverage", {"explain": explain == 0})
    if named is None:
        refuse_unattended_self_test()
    from ...checking.running.plan import LIMIT, RunPlan
    from ...checking.running.selection import Selection
    from ...engines.opening import open_session
    from ...engines.stdio.process import ProcessLimits
    from ...engines.types.own import KernelOptions
    from ...model.results.events import RunFinished
    from ..actions import run as action
    from ..output import console
    from ..output.report_files import report_targets

    known = read_baseline(baseline, update_baseline)
    targets = report_targets(
        report, RunFinished, (tested, *others), [*(suite or ()), *([baseline] if baseline else [])]
    )
    selection = Selection(tested, suite or (), quick, max_depth, max_nodes, filter, chess960)
    suites = selection.load(console.say)  # before Ctrl-C is caught: reading a suite from a pipe may block
    references = references_of(tested, others)
    opened = partial(open_session, limits=ProcessLimits.of_mebibytes(memory), resources=KernelOptions(hash_bytes=hash))
    plan = RunPlan(
        engine=partial(opened, tested, insists_on_chess960=chess960 is True),
        suites=suites,
        references=tuple(partial(opened, spec, is_reference=True) for spec in references),
        arbiter=partial(open_session, tested.default_reference),
        seconds=time,
        require_all=require_all,
        fail_fast=fail_fast,
        fails_not_reproduced=fail_not_reproduced,
        explain=explain,
        jobs=jobs or 1,
        limit=replace(LIMIT, seconds=timeout),
        left_out=selection.left_out,
    )
    return action.run_suites(
        plan,
        (tested, *references),
        text=action.TextOptions(format == "concise", durations or 0, verbose, quiet),
        targets=targets,
        is_named=named is not None,
        baseline=known,
        updates_baseline=update_baseline,
        coverage=coverage,
    )


def cover(
    context: typer.Context,
    engine: Annotated[list[str] | None, options.engine_option(f"Engine under test: {options.SPECS}.")] = None,
    option: options.UciOptionsOption = None,
    name: options.NameOption = None,
    suite: options.SuitesOption = None,
    quick: options.QuickOption = False,
    max_depth: options.MaxDepthOption = None,
    max_nodes: options.MaxNodesOption = None,
    filter: options.FilterOption = None,
    chess960: options.VariantOption = None,
    report: Annotated[list[str] | None, options.report_option("json", "lcov")] = None,
    timeout: options.TimeoutOption = 10,
    memory: options.MemoryOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show all lines that were never reached.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only the summary line.")] = False,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Show which code of an engine the suites reach."""
    tested, _ = read_engine(context, engine, option, name)
    check_quick(quick, suite)
    if tested is None:
        raise UsageError("cover needs an engine: add -e SPEC")
    check_memory(memory, tested)
    from ...checking.covering import CoverFinished
    from ...checking.running.plan import LIMIT
    from ...checking.running.selection import Selection
    from ...engines.stdio.process import ProcessLimits
    from ..actions import cover as action
    from ..output import console
    from ..output.report_files import report_targets

    targets = report_targets(report, CoverFinished, [tested], suite or ())
    suites = Selection(tested, suite or (), quick, max_depth, max_nodes, filter, chess960).load(console.say)
    return action.cover(
        tested,
        suites,
        targets,
        limit=replace(LIMIT, seconds=timeout),
        limits=ProcessLimits.of_mebibytes(memory),
        verbose=verbose,
        quiet=quiet,
    )
