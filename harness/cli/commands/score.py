"""`perft-check zoo score`: hunt the faults of the zoo, and tell how many were caught."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.measure import Measurement

from ....errors import UsageError, did_you_mean
from ....reports import score_csv, score_json, score_markdown
from ....reports.curve import svg as curve
from ....reports.live.score import ScoreLive
from ....reports.terminal.score import render, score_table
from ....reports.text import count
from ...model.interrupt import catch_interrupts
from ...model.verdict import ExitCode
from ...zoo.catalogue import faults_of
from ...zoo.fault import Fault
from ...zoo.hunting.hunt import STRATEGIES
from ...zoo.hunting.results import Results
from ...zoo.hunting.running import carry_out, hunts
from ...zoo.hunting.score import Score
from .. import console
from ..report_files import Formats, Target, distinct, parse_target, report, usable_path

FORMATS: Formats[Score] = {
    "md": score_markdown.render,
    "json": score_json.render,
    "svg": curve.render,
    "csv": score_csv.render,
}
DEFAULT_STRATEGY = "fuzz"
DEFAULT_SECONDS = 60.0


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    theme: str | None
    strategies: tuple[str, ...]
    """None, here and in the next three: as the results have it."""
    seconds: float | None
    seeds: int | None
    jobs: int | None
    results: str | None
    reports: tuple[str, ...]
    hunting: bool
    """Whether to hunt what the results lack."""


@dataclass(frozen=True)
class _Settings:
    """What was not said is taken from the results, so that they can be reported and resumed."""

    strategies: tuple[str, ...]
    seconds: float
    seeds: int
    jobs: int


def main(options: Options) -> ExitCode:
    """Hunt, report, and return the exit status. Raises UsageError, EngineCrash."""
    faults = _faults(options.theme)
    targets = distinct([_target(text) for text in options.reports], filter(None, [options.results]))
    done = Results(None if options.results is None else Path(options.results))
    settings = _settled(options, done)
    todo = hunts(faults, settings.strategies, settings.seeds, settings.seconds)
    missing = [task for task in todo if task not in done.by_hunt] if options.hunting else []
    with catch_interrupts() as interrupt, ScoreLive(console.err(), len(todo) - len(missing), len(todo)) as live:
        for event in carry_out(missing, done, settings.jobs, interrupt):
            live.handle(event)
    outcomes = tuple(done.by_hunt[task] for task in todo if task in done.by_hunt)
    status = ExitCode.INTERRUPTED if interrupt.requested else ExitCode.AGREE
    command = _command(options, settings)
    if outcomes:
        jobs = done.jobs(outcome.hunt for outcome in outcomes)
        picture, table = (_beside_the_page(targets, kind) for kind in ("svg", "csv"))
        score = Score(outcomes, len(todo), settings.seeds, settings.seconds, jobs, command, picture, table)
        status = _show(score, targets, status)
    elif not interrupt.requested:
        status = ExitCode.NOTHING_TO_RUN
    if len(outcomes) < len(todo):
        console.err().print(_rest(len(outcomes), len(todo), options.results, command), soft_wrap=True)
    return status


def _faults(theme: str | None) -> list[Fault]:
    """Return the faults of a class, or all; controls are not to be caught."""
    faults = [one for one in faults_of(theme) if not one.control]
    if not faults:
        raise UsageError(f"class {theme!r} has controls only, which nobody is to catch: give another one")
    return faults


def _target(text: str) -> Target[Score]:
    """Read FILE, whose suffix says the format, or KIND=PATH as elsewhere. Raises UsageError."""
    if "=" in text:
        return parse_target(text, FORMATS)
    kind = Path(text).suffix.removeprefix(".")
    if kind not in FORMATS:
        raise UsageError(f"--report {text!r}: name a file that ends in {', '.join(f'.{one}' for one in FORMATS)}")
    return Target(FORMATS[kind], usable_path(text, f"--report {text!r}"))


def _settled(options: Options, done: Results) -> _Settings:
    """Return what was asked for, else what the results have, else our own choice. Raises UsageError."""
    for name in options.strategies:
        if name not in STRATEGIES:
            raise UsageError(f"--strategy {name!r}: {did_you_mean(name, STRATEGIES)}")
    budgets = sorted({task.seconds for task in done.by_hunt})
    if options.seconds is None and len(budgets) > 1:
        several = " and ".join(f"{seconds:g}s" for seconds in budgets)
        raise UsageError(f"{options.results} has hunts of {several}: say which with --budget")
    seconds = options.seconds or (budgets[0] if budgets else DEFAULT_SECONDS)
    kept = [task for task in done.by_hunt if task.seconds == seconds]
    found = {task.strategy for task in kept}
    return _Settings(
        strategies=tuple(dict.fromkeys(options.strategies))
        or tuple(name for name in STRATEGIES if name in found)
        or (DEFAULT_STRATEGY,),
        seconds=seconds,
        seeds=options.seeds or max((task.seed for task in kept), default=1),
        jobs=options.jobs or max(done.jobs(kept), default=1),
    )


def _show(score: Score, targets: Sequence[Target[Score]], status: ExitCode) -> ExitCode:
    """Print the score, with every figure whole, and write the reports; return the exit status."""
    out = console.out()
    out.width = max(out.width, Measurement.get(out, out.options.update(max_width=1000), score_table(score)).maximum)
    return report(score, render(score), targets, status, out, console.err())


def _beside_the_page(targets: Sequence[Target[Score]], kind: str) -> str | None:
    """Return the path of the first report of a kind, as seen from the first page."""
    pages, others = ([target.path for target in targets if target.write is FORMATS[name]] for name in ("md", kind))
    if not pages or not others or "-" in (pages[0], others[0]):
        return None
    return Path(os.path.relpath(others[0], Path(pages[0]).parent)).as_posix()


def _command(options: Options, settings: _Settings) -> str:
    """Return the command line that makes this score."""
    words = ["perft-check", "zoo", "score", *([] if options.theme is None else [options.theme])]
    for name in settings.strategies:
        words += ["--strategy", name]
    words += ["--budget", f"{settings.seconds:g}s", "--seeds", str(settings.seeds), "-j", str(settings.jobs)]
    if options.results is not None:
        words += ["--results", options.results]
    for text in options.reports:
        words += ["--report", text]
    return shlex.join(words)


def _rest(done: int, planned: int, results: str | None, command: str) -> str:
    """Tell what was not hunted, and how it is."""
    said = f"{done:,} of {count(planned, 'hunt')} done"
    if results is None:
        return f"{said}; with --results FILE they are kept, and the next run goes on"
    return f"{said}; to go on: {command}"
