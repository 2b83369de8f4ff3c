"""`perft-check run`: check an engine against suites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import RenderableType

from ....reports.live.bars import Live
from ....reports.terminal import run as terminal
from ....suites.case import Suite
from ...checking.running.last_failures import LastFailures, only_failed
from ...checking.running.plan import LIMIT, RunPlan
from ...checking.running.runner import run
from ...checking.running.selection import Selection
from ...engines.asking.session import TimeLimit
from ...engines.opening import arbiter_for, open_engine
from ...engines.spec import EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...engines.types.own import KernelOptions
from ...model.results.events import RunFinished
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, Interrupted, catch_interrupts
from ...model.values import EXPLAINED
from ..dialogue import tell_what_was_tested, wants_to_look
from ..output import console
from ..output.compiling import get_engines_ready
from ..output.report_files import Target, report
from ..output.working_folder import restore_folder


@dataclass(frozen=True)
class Text:
    """How the text of a run is written."""

    concise: bool = False
    durations: int = 0
    verbose: bool = False
    quiet: bool = False

    def render(self, finished: RunFinished) -> RenderableType:
        """Return the text of a run."""
        if self.concise:
            return terminal.render_concise(finished, self.durations)
        return terminal.render(finished, self.verbose, self.quiet, self.durations)


@dataclass(frozen=True)
class Failed:
    """The positions that failed in the last run, and what is done about them."""

    known: LastFailures
    alone: bool = False
    first: bool = False

    def choose(self, suites: Mapping[Path, Suite], engine: str) -> Mapping[Path, Suite]:
        """Return what failed last time if nothing else is asked for, or all if nothing did, and say so."""
        if not self.alone:
            return suites
        failed = {path: only_failed(suite, self.known.names(path)) for path, suite in suites.items()}
        chosen, every = (sum(map(len, one.values())) for one in (failed, suites))
        if not chosen:
            console.say(f"--lf: no failure of {engine} is known in these suites, so all positions are checked")
            return suites
        one = "the one position that failed" if chosen == 1 else f"the {chosen:,} positions that failed"
        console.say(f"--lf: only {one} last time; {every - chosen:,} left out")
        return {path: suite for path, suite in failed.items() if suite.cases}

    def names(self, suites: Mapping[Path, Suite]) -> frozenset[tuple[str, str]]:
        """Return the cases that go before all others, by suite and name."""
        if not self.first:
            return frozenset()
        return frozenset((suite.name, name) for path, suite in suites.items() for name in self.known.names(path))


def run_suites(
    plan: RunPlan,
    paths: Mapping[str, Path],
    engines: Sequence[EngineSpec],
    *,
    text: Text,
    targets: Sequence[Target],
    failures: LastFailures,
    is_named: bool,
) -> tuple[RunFinished, ExitCode]:
    """Run, report, and return how it ended. Raises EngineError.

    `paths` are those of the suites by their names; `is_named` says whether the user has named the engine.
    """
    with catch_interrupts() as interrupt:
        with suppress(Interrupted):  # the run says how far it has come
            get_engines_ready([spec for spec in engines if spec.is_own], interrupt)
        finished = follow(plan, interrupt, text.quiet)
        restore_folder()
        failures.keep(finished, paths)
        status = report(finished, text.render(finished), targets, finished.exit_code, console.out())
        if not is_named and status is ExitCode.AGREE:
            tell_what_was_tested()
        return finished, status


def offer_explorer(finished: RunFinished, engines: Sequence[EngineSpec], *, memory: int | None, quiet: bool) -> None:
    """Show the failures of a run in the explorer, if there is somebody who wants to see them. Raises UsageError."""
    if wants_to_look(finished, is_quiet=quiet):
        from ...trees.starting_points import starting_point_of_case
        from .explore import explore

        places = [starting_point_of_case(result, engines[0]) for result in finished.failures]
        explore(places, engines[0], engines[1:2], memory=memory)


def make_plan(
    selection: Selection,
    suites: Sequence[Suite],
    references: Sequence[EngineSpec] = (),
    *,
    seconds: float | None = None,
    require_all: bool = False,
    fail_fast: bool = False,
    fails_not_reproduced: bool = False,
    explain: int = EXPLAINED,
    jobs: int = 1,
    first: frozenset[tuple[str, str]] = frozenset(),
    limit: TimeLimit = LIMIT,
    memory: int | None = None,
    hash_bytes: int | None = None,
) -> RunPlan:
    """Return the plan for suites; the cases `first`, by suite and name, are checked before the others."""
    limits = ProcessLimits.of_mebibytes(memory)
    resources = KernelOptions(hash_bytes=hash_bytes)
    return RunPlan(
        engine=partial(open_engine, selection.engine, limits, resources),
        suites=tuple(suites),
        references=tuple(partial(open_engine, spec, limits, resources) for spec in references),
        arbiter=arbiter_for,
        seconds=seconds,
        require_all=require_all,
        fail_fast=fail_fast,
        fails_not_reproduced=fails_not_reproduced,
        insists_on_chess960=selection.chess960 is True,
        explain=explain,
        jobs=jobs,
        first=first,
        limit=limit,
        shorter=selection.shorter,
        left_out=selection.left_out,
    )


def follow(plan: RunPlan, interrupt: Interrupt, quiet: bool = False) -> RunFinished:
    """Run a plan with its live display on stderr; return how it ended. Raises EngineError."""
    with Live(console.err(), quiet) as live:
        for event in run(plan, interrupt):
            with interrupt.failing(OSError):
                live.handle(event)
    assert isinstance(event, RunFinished), "the last event of a run"
    return event
