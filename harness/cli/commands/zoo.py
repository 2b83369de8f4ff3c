"""Options of `perft-check explain` and `perft-check zoo`."""

from __future__ import annotations

from typing import Annotated

import typer

from ... import values
from .. import completion, options

ThemeArgument = Annotated[
    str | None,
    typer.Argument(metavar="CLASS", autocompletion=completion.fault_classes, help="Only faults of this class."),
]
FaultArgument = Annotated[
    str, typer.Argument(metavar="FAULT", autocompletion=completion.faults, help="The name of a fault.")
]


def explain(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE", autocompletion=completion.rules, help="Name of a rule, such as pinned. Default: list all."
        ),
    ] = None,
) -> int:
    """Explain a rule of chess that a report cites, with a board and examples; without a rule, list all."""
    from ....reports.terminal import rules as terminal
    from ...explaining.examples import find_rule, rule_texts
    from ...model.results.verdict import ExitCode
    from ..output import console

    if rule is None:
        console.out().print(terminal.rule_table(rule_texts().values()))
        return ExitCode.AGREE
    found = find_rule(rule)
    from ...zoo.catalogue import ZOO  # slow to import: it loads python-chess

    faults = [fault for fault in ZOO.values() if found.rule.value in fault.rules]
    console.out().print(terminal.render(found, faults))
    return ExitCode.AGREE


def list_faults(theme: ThemeArgument = None) -> int:
    """List the faults."""
    from ..actions import zoo as action

    return action.list_faults(theme)


def show(fault: FaultArgument) -> int:
    """Show a fault: its story, the engines that had it, and a position in which it occurs."""
    from ..actions import zoo as action

    return action.show(fault)


def serve(fault: FaultArgument) -> int:
    """Run a UCI engine that has this fault."""
    from ..actions.serving import serve_fault

    return serve_fault(fault)


def score(
    theme: ThemeArgument = None,
    method: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help="fuzz, games, walks, served, cpw, known or a bundled suite; may be repeated. Default: fuzz.",
        ),
    ] = None,
    budget: Annotated[
        float,
        typer.Option(
            "--budget",
            parser=options.checked(values.seconds(0.1, endless=False)),
            metavar="TIME",
            help="Time limit of each hunt: 60, 60s, 2m.",
        ),
    ] = 60.0,
    seeds: Annotated[
        int,
        typer.Option(
            "--seeds",
            parser=options.checked(values.whole(1)),
            metavar="N",
            help="Number of hunts for each fault, each with its own seed.",
        ),
    ] = 1,
    jobs: options.JobsOption = None,
    results: Annotated[
        str | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="File of the outcomes. Hunts that it contains are not repeated.",
        ),
    ] = None,
    report: Annotated[list[str] | None, options.report_option("md", "json")] = None,
    hunt: Annotated[bool, typer.Option("--hunt/--no-hunt", help="Hunt the faults that the results lack.")] = True,
    config: options.ConfigOption = None,
    no_config: options.NoConfigOption = False,
) -> int:
    """Measure how many faults are found, how quickly, and how well they are explained."""
    from ..actions import zoo as action

    methods = tuple(dict.fromkeys(method or [action.DEFAULT_STRATEGY]))
    return action.score(action.Request(theme, methods, budget, seeds, jobs or 1, results, report or (), hunt))
