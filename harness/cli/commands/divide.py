"""`perft-check divide`: the count below each root move; where the engine differs from another, down to the rule."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from ....generator.kernels.generate import generate
from ....generator.kernels.machine.preparing import forms_of
from ....generator.kernels.play import board_after
from ....generator.kernels.tables import tables
from ....generator.line import Line
from ....generator.position import Position
from ....reports.terminal import divide as terminal
from ....reports.terminal.divide import render_consistency as render_consistency
from ....suites.positions import resolve_line
from ...checking.consistency import check_consistency
from ...checking.dividing import root_moves, run_divide
from ...engines.asking.runner import CallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...engines.base import Divide
from ...engines.kinds.own import quickest
from ...engines.stdio.process import ProcessLimits
from ...model.results.divide import ConsistencyFinished, DivideFinished
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupted, catch_interrupts
from ..estimating import check_depth, check_duration
from ..output import console
from ..output.compiling import start_engines
from ..output.report_files import Target, parse_target, takes_stdout, write_reports, written_beside
from ..output.sessions import open_sessions
from ..settings.position import DivideSettings


def main(settings: DivideSettings) -> ExitCode:
    """Print the divide, with references that of all engines or the differences. Raises UsageError, EngineError."""
    line = resolve_line(settings.position, settings.chess960, settings.moves)
    if settings.engine is None and settings.hash is None and not settings.references:
        settings = replace(settings, engine=quickest(settings.depth))
    specs = (settings.tested, *settings.references)
    limits = ProcessLimits.of_mebibytes(settings.memory)
    result = ConsistencyFinished if settings.self_consistency else DivideFinished
    reports = (*settings.reports, *["json=-"] * settings.json)
    targets = written_beside([parse_target(text, result) for text in reports], specs)
    with ExitStack() as stack:
        interrupt = stack.enter_context(catch_interrupts())
        caller, limit = console.foreground(interrupt), TimeLimit(settings.timeout)
        sessions = stack.enter_context(open_sessions(specs, caller, limit, limits=limits, resources=settings.resources))
        try:
            listing = forms_of([type(tables())], generate, board_after)
            start_engines(sessions, interrupt, line.position, settings.depth, listing)
            check_depth(settings.depth, sessions)
            check_duration(line, settings.depth, sessions, settings.timeout)
            if settings.self_consistency:
                return _check_consistency(line, settings, targets, sessions[0])
            return _compare(line, settings, targets, sessions)
        except Interrupted:
            return _report_interruption(line.position, settings, caller)


def _compare(
    line: Line, settings: DivideSettings, targets: Sequence[Target], sessions: list[EngineSession]
) -> ExitCode:
    """Print the divide of the only engine, or how the first one differs from the others, as it becomes known."""
    for event in run_divide(line, settings.depth, sessions, settings.explain > 0):
        if not takes_stdout(targets):
            console.out().print(terminal.render(event))
    assert isinstance(event, DivideFinished), "the last event of a divide"
    return write_reports(event, targets, event.exit_code)


def _check_consistency(
    line: Line, settings: DivideSettings, targets: Sequence[Target], session: EngineSession
) -> ExitCode:
    """Print under which root moves an engine contradicts itself."""
    finished = check_consistency(line, settings.depth, session)
    if not takes_stdout(targets):
        console.out().print(render_consistency(finished))
    return write_reports(finished, targets, finished.exit_code)


def _report_interruption(position: Position, settings: DivideSettings, caller: CallRunner) -> ExitCode:
    """Print the root moves that are complete."""
    found = Divide.of(caller.latest.root_moves)
    if found.counts and not settings.json:
        console.out().print(terminal.root_moves(root_moves(position, found)))
    total = len(position.legal_moves)
    console.err().print(f"interrupted: {len(found.counts)} of {total} root moves")
    return ExitCode.INTERRUPTED
