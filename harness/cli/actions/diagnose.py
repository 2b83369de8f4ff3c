"""`perft-check diagnose` and `divide --answer`: analyze counts, possibly from the output of an unavailable engine."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ....errors import UsageError
from ....generator.counting.perft import perft
from ....generator.game import Game
from ....reports.terminal import divide as divide_report
from ....reports.terminal.zoo import render_diagnosis
from ....suites.loader import load_suite
from ...checking.comparing import compare_divides, correct_divide
from ...checking.descent.wrong_moves import wrong_moves
from ...checking.dividing import root_moves
from ...checking.pasted import MOST_NODES, PastedCounts, read_counts
from ...engines.asking.session import TimeLimit
from ...engines.base import Divide
from ...engines.opening import open_session
from ...engines.spec import REFERENCE, EngineSpec
from ...engines.stdio.process import ProcessLimits
from ...model.results.diagnosis import Diagnosis
from ...model.results.finding import Cause, Difference, Finding
from ...model.results.positions import DivideFinished, EngineDivide
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupted, catch_interrupts
from ...zoo.diagnosing import Observation
from ...zoo.diagnosing import diagnose as find_faults
from ..output import console
from ..output.compiling import start_engines
from ..output.report_files import Target, report, takes_stdout, write_reports

STDIN = "-"
LARGEST_TEXT = 1_000_000
"""Maximum size of an answer in bytes. A divide with 218 root moves has about 5,000."""


@dataclass(frozen=True)
class Answer:
    """The text of an answer, and its name in messages."""

    text: str
    name: str

    @classmethod
    def read(cls, path: str) -> Answer:
        """Read a file, or standard input if the path is "-". Raises UsageError."""
        name = "stdin" if path == STDIN else path
        try:
            if path == STDIN:
                data = sys.stdin.buffer.read(LARGEST_TEXT + 1)
            else:
                with open(path, "rb") as file:
                    data = file.read(LARGEST_TEXT + 1)
        except OSError as error:
            raise UsageError(f"cannot read {name}: {error.strerror}", path) from None
        if len(data) > LARGEST_TEXT:
            raise UsageError(f"{name} has more than {LARGEST_TEXT:,} bytes: it is not the answer to one question", path)
        return cls(data.decode("utf-8-sig", errors="replace"), name)


def compare_answer(game: Game, depth: int, answer: Answer, targets: Sequence[Target]) -> ExitCode:
    """Print the differences between the counts in an answer and the correct ones. Raises UsageError."""
    position = game.position
    read = _read(answer, game, depth)
    if read.doubt:
        raise UsageError(read.doubt, answer.name)
    got, expected = read.divide, correct_divide(position, read.depth)
    difference = compare_divides(position, read.depth, answer.name, got, REFERENCE, expected)
    wrong = () if got.is_total_only else tuple(wrong_moves(position, got, expected))
    finding = None
    if wrong:
        finding = Finding(cause=Cause.MOVES, fen=position.fen(), chess960=position.chess960, wrong=wrong)
    finished = DivideFinished(
        fen=position.fen(),
        chess960=position.chess960,
        depth=read.depth,
        divides=(
            EngineDivide(answer.name, root_moves(position, got), got.total),
            EngineDivide(REFERENCE, root_moves(position, expected), expected.total),
        ),
        differences=(difference,),
        finding=finding,
    )
    if not takes_stdout(targets):
        rows = [(one, nodes, perft(position, one)) for one, nodes in sorted(read.totals.items())]
        shown = divide_report.render_answer(finished, rows, next_question(game, read.depth, difference))
        console.out().print(shown)
    is_wrong = any(nodes != perft(position, one) for one, nodes in read.totals.items())
    return write_reports(finished, targets, ExitCode.MISMATCH if is_wrong else finished.exit_code)


def next_question(game: Game, depth: int, difference: Difference) -> tuple[str, int] | None:
    """Return the position after the incorrect root move with the fewest leaf nodes, and the depth to ask for.

    Return None if no root move has an incorrect count.
    """
    counted = [one for one in difference.moves if one.got is not None and one.expected is not None]
    if depth == 1 or not counted:
        return None
    move = min(counted, key=lambda one: one.expected or 0)
    after = game.after(game.position.parse_uci(move.uci))
    return str(after.without_moves()), depth - 1


@dataclass(frozen=True)
class DiagnoseRequest:
    """The source of the counts: an answer about a game, a file of positions, or an engine."""

    game: Game | None
    depth: int
    suite: str | None = None
    answer: Answer | None = None
    engine: EngineSpec | None = None
    seconds: float = 20.0
    timeout: float = 600.0
    limits: ProcessLimits = ProcessLimits()  # noqa: RUF009 - immutable


def diagnose(request: DiagnoseRequest, targets: Sequence[Target]) -> ExitCode:
    """Print the known bugs that reproduce the counts. Raises UsageError, EngineError."""
    observations, doubt = _observations(request)
    with catch_interrupts() as interrupt:

        def check() -> None:
            if interrupt.requested:
                raise Interrupted

        try:
            found: Diagnosis = find_faults(observations, request.seconds, check)
        except Interrupted:
            console.err().print("interrupted before the diagnosis was complete")
            return ExitCode.INTERRUPTED
    if doubt and not found.fits:
        raise UsageError(doubt)
    return report(found, render_diagnosis(found), targets, found.exit_code, console.out())


def _observations(request: DiagnoseRequest) -> tuple[list[Observation], str]:
    """Return the counts, and why they may belong to another position, or "". Raises UsageError, EngineError."""
    if request.suite is not None:
        return _of_suite(request.suite), ""
    assert request.game is not None, "a position, unless a file has several"
    if request.engine is not None:
        return [_of_engine(request, request.game, request.engine)], ""
    assert request.answer is not None, "an answer, unless an engine is asked"
    return observations_of(request.answer, request.game, request.depth)


def observations_of(answer: Answer, game: Game, depth: int) -> tuple[list[Observation], str]:
    """Return the counts in an answer, and why they may belong to another position, or "". Raises UsageError."""
    read = _read(answer, game, depth)
    totals = [Observation(game, one, nodes) for one, nodes in read.totals.items() if one != read.depth]
    return [*totals, _of_divide(game, read.depth, read.divide)], read.doubt


def _read(answer: Answer, game: Game, depth: int) -> PastedCounts:
    """Parse the counts in an answer, and print a warning if they contradict each other. Raises UsageError."""
    read = read_counts(answer.text, game.position, depth, answer.name)
    if read.contradiction:
        console.warn(f"{answer.name}: {read.contradiction}: is a line missing or altered?")
    return read


def _of_suite(path: str) -> list[Observation]:
    """Return the observations in a file of positions with the engine's counts. Raises UsageError."""
    observations = []
    for case in load_suite(Path(path)):
        for depth, nodes in case.counts:
            if nodes <= MOST_NODES:
                observations.append(Observation(case.game, depth, nodes))
    if not observations:
        raise UsageError(f"{path} has no counts: add those of the engine, such as ;D1 20 ;D2 400", path)
    return observations


def _of_engine(request: DiagnoseRequest, game: Game, spec: EngineSpec) -> Observation:
    with catch_interrupts() as interrupt:
        runner, limit = console.foreground(interrupt), TimeLimit(request.timeout)
        with open_session(spec, runner, limit, limits=request.limits) as session:
            start_engines([session], interrupt, game.position, request.depth)
            return _of_divide(game, request.depth, session.divide(game, request.depth))


def _of_divide(game: Game, depth: int, counted: Divide) -> Observation:
    """Return a divide as an observation. The count of a root move is multiplied by how often it is listed."""
    if counted.is_total_only:
        return Observation(game, depth, counted.total)
    moves = {text: nodes * (1 + counted.repeated.get(text, 0)) for text, nodes in counted.counts.items()}
    return Observation(game, depth, counted.total, moves)
