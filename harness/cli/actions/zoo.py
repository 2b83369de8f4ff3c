"""`perft-check zoo`: list and show faults, and hunt them to measure how many a suite or a fuzzer detects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from ....errors import UsageError, concerning, did_you_mean
from ....reports.board import board_text
from ....reports.live import ScoreLive
from ....reports.terminal.zoo import fault_table, properties, render, summary
from ....reports.text import count
from ...engines.command_lines import command_line, repeat_option
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, catch_interrupts
from ...zoo.catalogue import faults_of, find_fault
from ...zoo.fault import Fault
from ...zoo.hunt import STRATEGIES, OutcomeFile, hunts, run_hunts
from ...zoo.score import Hunt, Score, score_of
from ..output import console
from ..output.report_files import Target, check_distinct, parse_target, report

DEFAULT_STRATEGY = "fuzz"


def list_faults(theme: str | None) -> ExitCode:
    """Print a table of all faults or of one class. Raises UsageError for an unknown class."""
    faults = faults_of(theme)
    console.out().print(fault_table(faults))
    console.err().print(summary(faults), style="dim")
    return ExitCode.AGREE


def show(name: str) -> ExitCode:
    """Print a fault: its story, the engines that had it, and a position in which it occurs. Raises UsageError."""
    fault, out = find_fault(name), console.out()
    out.print(Text(fault.story, style="bold"))
    if fault.demonstration.fen.count("/") == 7:  # one fault concerns a board with nine ranks
        out.print(board_text(fault.demonstration.fen))
    out.print(properties(fault))
    return ExitCode.AGREE


@dataclass(frozen=True)
class Request:
    """The options of a score."""

    theme: str | None
    methods: Sequence[str]
    seconds: float
    seeds: int
    jobs: int
    results: str | None
    reports: Sequence[str]
    hunting: bool
    """Whether to hunt the faults that the results lack."""


def score(request: Request) -> ExitCode:
    """Hunt faults, write reports, and return the exit status. Raises UsageError, EngineCrash."""
    faults = _faults(request.theme)
    for name in request.methods:
        if name not in STRATEGIES:
            raise UsageError(f"--method {name!r}: {did_you_mean(name, STRATEGIES)}", name)
    targets = check_distinct([parse_target(text, Score) for text in request.reports], filter(None, [request.results]))
    with concerning(request.results):
        done = OutcomeFile(None if request.results is None else Path(request.results))
    todo = hunts(faults, request.methods, request.seeds, request.seconds)
    missing = [task for task in todo if task not in done.by_hunt] if request.hunting else []
    with catch_interrupts() as interrupt:
        with ScoreLive(console.err(), len(todo) - len(missing), len(todo)) as live, interrupt.failing(OSError):
            for event in run_hunts(missing, done, request.jobs, interrupt):
                live.handle(event)
        return _report(request, targets, todo, done, interrupt)


def _report(
    request: Request,
    targets: Sequence[Target],
    todo: Sequence[Hunt],
    done: OutcomeFile,
    interrupt: Interrupt,
) -> ExitCode:
    """Report the completed hunts, and print how to resume."""
    outcomes = tuple(done.by_hunt[task] for task in todo if task in done.by_hunt)
    status = ExitCode.INTERRUPTED if interrupt.requested else ExitCode.AGREE
    command = _command(request)
    if outcomes:
        score = score_of(
            outcomes,
            planned=len(todo),
            seeds=request.seeds,
            budget=request.seconds,
            jobs=done.jobs(outcome.hunt for outcome in outcomes),
            command=command,
        )
        status = report(score, render(score), targets, status, console.out())
    elif not interrupt.requested:
        status = ExitCode.NOTHING_TO_RUN
    if len(outcomes) < len(todo):
        console.err().print(_rest(len(outcomes), len(todo), request.results, command), soft_wrap=True)
    return status


def _faults(theme: str | None) -> list[Fault]:
    """Return the faults of a class, or all. Controls, which cannot be detected, are left out. Raises UsageError."""
    faults = [one for one in faults_of(theme) if not one.is_control]
    if not faults:
        raise UsageError(f"class {theme!r} has only controls, which are not hunted: name another class")
    return faults


def _command(request: Request) -> str:
    """Return the command line that reproduces this score."""
    words = [] if request.theme is None else [request.theme]
    words += repeat_option("--method", request.methods)
    words += ["--budget", f"{request.seconds:g}s", "--seeds", str(request.seeds), "-j", str(request.jobs)]
    words += [] if request.results is None else ["--results", request.results]
    return command_line("zoo", "score", *words, *repeat_option("--report", request.reports))


def _rest(done: int, planned: int, results: str | None, command: str) -> str:
    """Return a sentence with the number of completed hunts and how to resume."""
    progress = f"{done:,} of {count(planned, 'hunt')} done"
    if results is None:
        return f"{progress}; to be able to continue, save them with --results FILE"
    return f"{progress}; to continue: {command}"
