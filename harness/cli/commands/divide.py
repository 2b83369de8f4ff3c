"""`perft-check divide`: the count below each root move; where the engine differs from another, down to the rule."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing

from ....generator.position import Position
from ....reports.terminal import divide as terminal
from ....reports.terminal.divide import render_consistency as render_consistency
from ....suites.positions import resolve_position
from ...asking.client import CallRunner, EngineClient, TimeLimit
from ...checking.consistency import check_consistency
from ...checking.dividing import root_moves, run_divide
from ...engines.base import Divide
from ...engines.registry import open_engine
from ...engines.stdio.process import ProcessLimits
from ...model.results.divide import ConsistencyFinished, DivideFinished
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupted, catch_interrupts
from ..output import console
from ..output.report_files import Target, parse_target, takes_stdout, write_reports, written_beside
from ..settings.position import DivideSettings


def main(settings: DivideSettings) -> ExitCode:
    """Print the divide, with references that of all engines or the differences. Raises UsageError, EngineError."""
    specs = (settings.engine, *settings.references)
    position = resolve_position(settings.position, settings.chess960)
    limits = ProcessLimits.of_mebibytes(settings.memory)
    result = ConsistencyFinished if settings.self_consistency else DivideFinished
    reports = (*settings.reports, *["json=-"] * settings.json)
    targets = written_beside([parse_target(text, result) for text in reports], specs)
    with ExitStack() as stack:
        engines = [stack.enter_context(closing(open_engine(spec, limits, settings.means))) for spec in specs]
        caller = console.foreground(stack.enter_context(catch_interrupts()))
        askers = [EngineClient(engine, caller, TimeLimit(settings.timeout)) for engine in engines]
        try:
            for asker in askers:
                console.start_engine(asker)
            if settings.self_consistency:
                return _check_consistency(position, settings, targets, askers[0])
            return _compare(position, settings, targets, askers)
        except Interrupted:
            return _report_interruption(position, settings, caller)


def _compare(
    position: Position, settings: DivideSettings, targets: Sequence[Target], askers: list[EngineClient]
) -> ExitCode:
    """Print the divide of the only engine, or how the first one differs from the others, as it becomes known."""
    for event in run_divide(position, settings.depth, askers, settings.explain):
        if not takes_stdout(targets):
            console.out().print(terminal.render(event))
    assert isinstance(event, DivideFinished), "the last event of a divide"
    return write_reports(event, targets, event.exit_code)


def _check_consistency(
    position: Position, settings: DivideSettings, targets: Sequence[Target], asker: EngineClient
) -> ExitCode:
    """Print under which root moves an engine contradicts itself."""
    finished = check_consistency(position, settings.depth, asker)
    if not takes_stdout(targets):
        console.out().print(render_consistency(finished))
    return write_reports(finished, targets, finished.exit_code)


def _report_interruption(position: Position, settings: DivideSettings, caller: CallRunner) -> ExitCode:
    """Print the root moves that are complete."""
    found = Divide.of(caller.task.root_moves)
    if found.counts and not settings.json:
        console.out().print(terminal.root_moves(root_moves(position, found)))
    total = len(position.legal_moves)
    console.err().print(f"interrupted: {len(found.counts)} of {total} root moves")
    return ExitCode.INTERRUPTED
