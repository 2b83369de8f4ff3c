"""The description of failures in reports: the cause, the facts and the commands that reproduce them.

Terminals, JUnit and the pytest plugin show failures with a board; SARIF and GitHub annotations contain only lines of
text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeVar

from rich.console import Group, RenderableType
from rich.text import Text

from ..harness.checking.causes import CauseGroup, causes_of_run
from ..harness.engines.command_lines import commands_of_case, difference_command
from ..harness.fuzzing.model import Discrepancy, FuzzFinding, FuzzFinished, causes_of_findings
from ..harness.model.capabilities import UntriedCapability
from ..harness.model.results.events import CaseResult, RunFinished
from ..harness.model.results.finding import Finding
from ..harness.model.results.positions import DivideFinished
from ..harness.model.results.verdict import Verdict
from ..suites.case import label
from .board import MarkedBoard
from .content.fuzz import GENERATED
from .content.run import style_of
from .finding import (
    SHOWN_MOVES,
    describe_totals,
    path_in_san,
    remarks,
    render_cause,
    render_difference,
    render_finding,
    sentence,
)
from .layout import Indented
from .text import count, describe_counts, reproduce_line, unreachable, unwrapped

T = TypeVar("T")
Lines = tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """A failure of a run, a fuzzing run or a divide, ready to be reported."""

    verdict: Verdict
    finding: Finding | None
    message: str
    """A sentence about the failure from the engine or perft-check, possibly empty."""
    head: str
    """The verdict, and the name and source of the position, on one line."""
    where: str
    """The name of the position, or the check or depth that failed."""
    fen: str
    facts: Lines
    """The position and any known counts."""
    commands: Lines
    """The commands that reproduce the failure."""
    is_failure: bool = True
    """Whether the failure affects the exit status."""
    file: str = ""
    """The suite file as given by the user, if there is one."""
    line: int | None = None
    path: Lines = ()
    """The UCI moves from the position down to the fault."""

    @property
    def title(self) -> str:
        """The broken rule and the move, or the verdict if no rule is known."""
        is_explained = self.finding is not None and self.verdict is not Verdict.NOT_REPRODUCED
        return self.finding.headline_with_move if self.finding is not None and is_explained else self.verdict.value

    @property
    def rule(self) -> tuple[str, str]:
        """The stable ID and the title of the broken rule, or of the verdict if no rule is known."""
        if self.finding is None or self.verdict is Verdict.NOT_REPRODUCED:
            return self.verdict.value.replace(" ", "-"), self.verdict.value.capitalize()
        wrong = self.finding.state or self.finding.wrong
        return (wrong[0].rule, wrong[0].title) if wrong else WRONG_COUNT

    @property
    def summary(self) -> str:
        """The cause and the message on one line. The cause comes first, because lists of failures may be truncated."""
        cause = "" if self.finding is None else self.finding.headline_with_move
        text = self.message if cause in self.message else "; ".join(filter(None, (cause, self.message)))
        return text or self.verdict.value

    @property
    def lines(self) -> Lines:
        """The cause, the facts, a sentence for each wrong move and the commands, one per line."""
        found = () if self.finding is None else _finding_lines(self.finding)
        commands = (f"reproduce: {command}" for command in self.commands)
        return tuple(filter(None, [self.summary, self.head, *self.facts, *found, *commands]))


WRONG_COUNT = ("wrong-count", "Wrong count")


def failure_of_case(result: CaseResult, finished: RunFinished) -> Failure:
    """Return the failure for a position with a mismatch in a run."""
    file, line = result.file_and_line
    name = label(result.suite, result.name)
    return Failure(
        verdict=result.verdict,
        finding=result.finding,
        message=result.message,
        head=f"{result.verdict.value.upper()}  {name}  ({result.source})",
        where=name,
        fen=result.fen,
        facts=(result.fen, describe_counts(result)),
        commands=commands_of_case(result, finished.started.engine),
        is_failure=result.verdict.is_failure or (finished.fails_not_reproduced and result.at_first is not None),
        file=file,
        line=line,
        path=_path(result.finding),
    )


def failure_of_finding(finding: FuzzFinding, finished: FuzzFinished) -> Failure:
    """Return the failure for a finding of a fuzzing run."""
    found = finding.discrepancy
    return Failure(
        verdict=finding.verdict,
        finding=found.finding,
        message=found.message or ("" if found.finding else found.name),
        head=f"{finding.verdict.value.upper()}  {found.name}  (check: {found.check})",
        where=f"check {found.check}",
        fen=found.game.base.fen(),
        facts=(str(found.game),),
        commands=(finding.replay,),
        is_failure=finding.reproducible or finished.fails_not_reproduced,
        path=tuple(found.game.uci_moves()),
    )


def failure_of_divide(finished: DivideFinished) -> Failure:
    """Return the failure for a divide in which engines differ."""
    return Failure(
        verdict=Verdict.MISMATCH,
        finding=finished.finding,
        message="",
        head="",
        where=f"depth {finished.depth}",
        fen=finished.fen,
        facts=(finished.fen, *map(describe_totals, finished.differences)),
        commands=divide_commands(finished),
        path=_path(finished.finding),
    )


def divide_commands(finished: DivideFinished) -> Lines:
    """Return a command for each difference that reproduces it."""
    return tuple(difference_command(one) for one in finished.differences if one.differs)


def _path(finding: Finding | None) -> Lines:
    return () if finding is None else tuple(uci for uci, _ in finding.path)


def _finding_lines(finding: Finding) -> Iterator[str]:
    """Yield the path to the fault, its position, and a sentence for each wrong move."""
    if finding.path:
        yield f"after {path_in_san(finding)}"
    yield f"in {finding.fen}"
    yield from remarks(finding)
    for move in (*finding.state, *finding.wrong)[:SHOWN_MOVES]:
        yield sentence(move).plain


@dataclass(frozen=True)
class Failures:
    """The failures of a result: the simplest one of each cause, then the others, grouped by cause."""

    total: int
    all: Iterator[Failure]
    """All failures, which are created lazily."""
    untried: Sequence[UntriedCapability] = ()
    """The engine's capabilities that were not tested."""

    def first(self, limit: int) -> list[Failure]:
        """Return the first `limit` failures, or all if there are fewer."""
        return list(islice(self.all, limit))


def failures_of(result: RunFinished | FuzzFinished | DivideFinished) -> Failures:
    """Return the failures of a result; those that were not reproduced come last."""
    if isinstance(result, DivideFinished):
        return Failures(int(result.differs), iter([failure_of_divide(result)] if result.differs else []))
    if isinstance(result, RunFinished):
        cases = [*_by_cause(causes_of_run(result.failures)), *result.not_reproduced]
        return Failures(len(cases), (failure_of_case(one, result) for one in cases), result.untried)
    findings = _by_cause(causes_of_findings(result.findings))
    return Failures(len(findings), (failure_of_finding(one, result) for one in findings), result.untried)


def _by_cause(groups: Sequence[CauseGroup[T]]) -> list[T]:
    return [*(group.simplest for group in groups), *chain(*(group.members[1:] for group in groups))]


def render_fuzz_finding(number: int, finding: FuzzFinding) -> RenderableType:
    """Return a numbered finding with an explanation, a board and the command that reproduces it."""
    return render_discrepancy(
        number, finding.discrepancy, discovery_facts(finding), finding.replay, finding.reproducible
    )


def discovery_facts(finding: FuzzFinding) -> str:
    """Return text that says how a finding was discovered, how far it was reduced, and whether it is reproducible."""
    facts = f"check: {finding.discrepancy.check}; occurs in {count(finding.times, 'position')}"
    strategy = GENERATED.get(finding.first.strategy, finding.first.strategy)
    facts += f", first in position {finding.first.example:,} ({strategy}); {count(finding.pieces, 'piece')}"
    if finding.pieces < finding.pieces_before:
        facts += f", reduced from {finding.pieces_before}"
    facts += _reproduction_note(finding)
    return f"{facts}{unreachable(finding.label)}"


def _reproduction_note(finding: FuzzFinding) -> str:
    if not finding.discrepancy.history:
        return "" if finding.reproducible else "; not reproduced in a new process"
    history = f"all {count(len(finding.discrepancy.history), 'position')} since the process started"
    if finding.reproducible:
        return f"; this position alone may not reproduce it, so the command below replays {history}"
    return f"; not reproduced in a new process, even by replaying {history}"


def render_discrepancy(
    number: int, found: Discrepancy, facts: str = "", replay: str = "", reproducible: bool = True
) -> RenderableType:
    """Return a numbered discrepancy with an explanation and a board."""
    title = (title_of(found), "bold red") if reproducible else (f"not reproduced: {title_of(found)}", "bold yellow")
    parts: list[RenderableType] = [
        Text.assemble((f"{number}. ", "bold"), title, overflow="fold"),
        Text(facts or f"check: {found.check}", style="dim", overflow="fold"),
    ]
    if found.message and (found.finding is None or found.message != found.finding.note):
        parts.append(Text(found.message, overflow="fold"))
    if found.finding is not None:
        parts.append(render_cause(found.finding))
    else:
        parts.append(unwrapped(("in ", "dim"), str(found.game)))
        parts.append(Indented(MarkedBoard(found.game.base.fen())))
    if replay:
        parts.append(reproduce_line(replay))
    return Group(*parts)


def title_of(found: Discrepancy) -> str:
    """Return a one-line title that names the error."""
    title = found.finding.headline_with_move if found.finding is not None else found.verdict.value
    return title + " of the reference" * found.reference_failed


def render_failure(result: CaseResult, engine: str) -> RenderableType:
    """Return the report about a position with an incorrect answer from `engine`."""
    style = style_of(result.verdict)
    head = Text.assemble((f"{result.verdict.value.upper()}", style), f"  {label(result.suite, result.name)}")
    head.append(f"  ({result.source}{unreachable(result.reachability)})", style="dim")
    body: list[RenderableType] = [unwrapped(result.fen)]
    if counts := describe_counts(result):
        body.append(Text(counts))
    if result.message:
        body.append(Text(result.message, style=style, overflow="fold"))
    if result.finding is not None:
        body.append(render_finding(result.finding))
    elif result.difference is not None:
        body.append(render_difference(result.difference))
    body += map(reproduce_line, commands_of_case(result, engine))
    return Group(head, Indented(*body))
