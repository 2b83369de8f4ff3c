"""`perft-check divide`: count the leaf nodes below each root move, and trace differences to the broken rule."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from ....generator.game import Game
from ....generator.kernels.generate import generate
from ....generator.kernels.machine.jit import specializations_of
from ....generator.kernels.play import board_after
from ....generator.kernels.tables import tables
from ....reports.terminal import divide as terminal
from ...checking.dividing import root_moves, run_divide
from ...engines.asking.runner import CallRunner
from ...engines.asking.session import EngineSession, TimeLimit
from ...engines.base import Divide
from ...engines.opening import open_session
from ...engines.stdio.process import ProcessLimits
from ...engines.types.own import KernelOptions
from ...fuzzing.suspicious_lines import LineSuspector
from ...model.results.finding import Finding
from ...model.results.positions import DivideFinished
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupted, catch_interrupts
from ..output import console
from ..output.compiling import start_engines
from ..output.report_files import Target, takes_stdout, write_reports


def divide(
    game: Game,
    depth: int,
    engines: Sequence[str],
    targets: Sequence[Target],
    *,
    resources: KernelOptions,
    timeout: float,
    limits: ProcessLimits,
    explains: bool,
    coverage: bool,
) -> ExitCode:
    """Print the divide of the first engine, or its differences from the others.

    `resources` are those of perft-check's kernels for each count. Raises UsageError, EngineError.
    """
    with ExitStack() as stack:
        interrupt = stack.enter_context(catch_interrupts())
        caller, limit = console.foreground(interrupt), TimeLimit(timeout)
        sessions = [
            stack.enter_context(open_session(spec, caller, limit, limits=limits, resources=resources))
            for spec in engines
        ]
        try:
            listing = specializations_of([type(tables())], generate, board_after)
            start_engines(sessions, interrupt, game.position, depth, listing)
            suspector = None
            if coverage:
                suspector = stack.enter_context(LineSuspector(open_session(engines[0], caller, limit, limits=limits)))
                suspector.start()
            return _compare(game, depth, sessions, targets, explains, suspector)
        except Interrupted:
            return _report_interruption(game, caller, targets)


def _compare(
    game: Game,
    depth: int,
    sessions: list[EngineSession],
    targets: Sequence[Target],
    explains: bool,
    suspector: LineSuspector | None,
) -> ExitCode:
    """Print the divide of a single engine, or the differences between the first engine and the others."""

    def suspect(finding: Finding) -> Finding:
        return finding if suspector is None else suspector.suspect(finding, game.base)

    for event in run_divide(game, depth, sessions, explains, suspect):
        if not takes_stdout(targets):
            console.out().print(terminal.render(event))
    assert isinstance(event, DivideFinished), "the last event of a divide"
    return write_reports(event, targets, event.exit_code)


def _report_interruption(game: Game, caller: CallRunner, targets: Sequence[Target]) -> ExitCode:
    """Print the root moves that were counted before the interrupt."""
    found, position = Divide.of(caller.latest.root_moves), game.position
    if found.counts and not takes_stdout(targets):
        console.out().print(terminal.root_moves(root_moves(position, found)))
    total = len(position.legal_moves)
    console.err().print(f"interrupted: {len(found.counts)} of {total} root moves counted")
    return ExitCode.INTERRUPTED
