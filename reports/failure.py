"""A failure, as every report describes it: the cause, the facts, the commands that reproduce it.

Terminals, JUnit and the pytest plugin show it with a board, SARIF and annotations of GitHub as lines of text.
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
from ..harness.model.capabilities import Untried
from ..harness.model.results.divide import DivideFinished
from ..harness.model.results.events import CaseResult, RunFinished
from ..harness.model.results.finding import Finding
from ..harness.model.results.verdict import Verdict
from ..suites.case import label
from .board import ShownBoard
from .facts.fuzz import GENERATED
from .facts.run import style_of
from .finding import (
    SHOWN_MOVES,
    path_text,
    render_cause,
    render_difference,
    render_finding,
    sentence,
    set_up_by,
    totals_of,
)
from .layout import Indented
from .text import again, count, counts, unreachable, whole

T = TypeVar("T")
Lines = tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """One failure."""

    verdict: Verdict
    finding: Finding | None
    message: str
    """What the program says about it, in a sentence; may be empty."""
    head: str
    """The verdict and the place on one line."""
    where: str
    """The name of the position, or what led to it."""
    fen: str
    facts: Lines
    """The position, and what is known of its counts."""
    commands: Lines
    """The commands that reproduce it."""
    is_failure: bool = True
    """Whether it counts for the exit status."""
    file: str = ""
    """The suite file as the user has named it, if there is one."""
    line: int | None = None
    path: Lines = ()
    """The moves from the position down to the fault, as UCI text."""

    @property
    def title(self) -> str:
        """The broken rule and the move, or the verdict if no rule is known."""
        is_explained = self.finding is not None and self.verdict is not Verdict.NOT_REPRODUCED
        return self.finding.headline_with_move if self.finding is not None and is_explained else self.verdict.value

    @property
    def rule(self) -> tuple[str, str]:
        """The rule of chess, or the verdict if no rule is known: a name that never changes, and a title."""
        if self.finding is None or self.verdict is Verdict.NOT_REPRODUCED:
            return self.verdict.value.replace(" ", "-"), self.verdict.value.capitalize()
        wrong = self.finding.state or self.finding.wrong
        return (wrong[0].rule, wrong[0].title) if wrong else WRONG_COUNT

    @property
    def summary(self) -> str:
        """The cause and the message on one line, the cause first: lists of failures show the beginning alone."""
        cause = "" if self.finding is None else self.finding.headline_with_move
        told = self.message if cause in self.message else "; ".join(filter(None, (cause, self.message)))
        return told or self.verdict.value

    @property
    def lines(self) -> Lines:
        """All that is known: the cause, the facts, a sentence for each wrong move, the commands."""
        found = () if self.finding is None else _finding_lines(self.finding)
        commands = (f"again: {command}" for command in self.commands)
        return tuple(filter(None, [self.summary, self.head, *self.facts, *found, *commands]))


WRONG_COUNT = ("wrong-count", "Wrong count")


def failure_of_case(result: CaseResult, finished: RunFinished) -> Failure:
    """Return the failure of a position that does not agree with the engine of a run."""
    file, line = result.file_and_line
    name = label(result.suite, result.name)
    return Failure(
        verdict=result.verdict,
        finding=result.finding,
        message=result.message,
        head=f"{result.verdict.value.upper()}  {name}  ({result.source})",
        where=name,
        fen=result.fen,
        facts=(result.fen, counts(result)),
        commands=commands_of_case(result, finished.started.engine),
        is_failure=result.verdict.is_failure or (finished.fails_not_reproduced and result.at_first is not None),
        file=file,
        line=line,
        path=_path(result.finding),
    )


def failure_of_finding(finding: FuzzFinding, finished: FuzzFinished) -> Failure:
    """Return the failure that a fuzzing run has found."""
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
    """Return the one failure of engines that differ."""
    return Failure(
        verdict=Verdict.MISMATCH,
        finding=finished.finding,
        message="",
        head="",
        where=f"depth {finished.depth}",
        fen=finished.fen,
        facts=(finished.fen, *map(totals_of, finished.differences)),
        commands=divide_commands(finished),
        path=_path(finished.finding),
    )


def divide_commands(finished: DivideFinished) -> Lines:
    """Return the command that reproduces each difference."""
    return tuple(difference_command(one) for one in finished.differences if one.differs)


def _path(finding: Finding | None) -> Lines:
    return () if finding is None else tuple(uci for uci, _ in finding.path)


def _finding_lines(finding: Finding) -> Iterator[str]:
    """Yield how the fault is reached, where it is, and a sentence for each wrong move."""
    if finding.path:
        yield f"after {path_text(finding)}"
    yield f"in {finding.fen}"
    yield set_up_by(finding)
    if finding.note != finding.headline_with_move:
        yield finding.note
    for move in (*finding.state, *finding.wrong)[:SHOWN_MOVES]:
        yield sentence(move).plain


@dataclass(frozen=True)
class Failures:
    """The failures of a result: the simplest of each cause, then the others, cause by cause."""

    total: int
    all: Iterator[Failure]
    """Made one at a time."""
    untried: Sequence[Untried] = ()
    """What the engine was not asked for."""

    def first(self, most: int) -> list[Failure]:
        """Return the first failures, at most `most`."""
        return list(islice(self.all, most))


def failures_of(result: RunFinished | FuzzFinished | DivideFinished) -> Failures:
    """Return the failures of a result, those that were not reproduced last."""
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
    """Return one finding: what is wrong, on which board, why, and the command that reproduces it."""
    return render_discrepancy(number, finding.discrepancy, facts_of(finding), finding.replay, finding.reproducible)


def facts_of(finding: FuzzFinding) -> str:
    """Return what found it, how often, how small it was made, and whether it is reproducible."""
    facts = f"check: {finding.discrepancy.check}; seen in {count(finding.times, 'position')}"
    strategy = GENERATED.get(finding.first.strategy, finding.first.strategy)
    facts += f", first in number {finding.first.example:,} ({strategy}); {count(finding.pieces, 'piece')}"
    if finding.pieces < finding.pieces_before:
        facts += f", reduced from {finding.pieces_before}"
    facts += _way_to_see_it_again(finding)
    return f"{facts}{unreachable(finding.label)}"


def _way_to_see_it_again(finding: FuzzFinding) -> str:
    if not finding.discrepancy.history:
        return "" if finding.reproducible else "; a new process does not show it"
    asked = f"all {count(len(finding.discrepancy.history), 'position')} since the start"
    if finding.reproducible:
        return f"; this position alone may not show it: the replay asks for {asked}"
    return f"; a new process does not show it, nor one that is asked for {asked}, as the replay does"


def render_discrepancy(
    number: int, found: Discrepancy, facts: str = "", replay: str = "", reproducible: bool = True
) -> RenderableType:
    """Return one discrepancy: what is wrong, on which board and why."""
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
        parts.append(whole(("in ", "dim"), str(found.game)))
        parts.append(Indented(ShownBoard(found.game.base.fen())))
    if replay:
        parts.append(again(replay))
    return Group(*parts)


def title_of(found: Discrepancy) -> str:
    """Return what is wrong in one line."""
    title = found.finding.headline_with_move if found.finding is not None else found.verdict.value
    return title + " of the reference" * found.reference_failed


def render_failure(result: CaseResult, engine: str) -> RenderableType:
    """Return the facts about one position that does not agree with `engine`."""
    style = style_of(result.verdict)
    head = Text.assemble((f"{result.verdict.value.upper()}", style), f"  {label(result.suite, result.name)}")
    head.append(f"  ({result.source}{unreachable(result.reachability)})", style="dim")
    body: list[RenderableType] = [whole(result.fen)]
    if told := counts(result):
        body.append(Text(told))
    if result.message:
        body.append(Text(result.message, style=style, overflow="fold"))
    if result.finding is not None:
        body.append(render_finding(result.finding))
    elif result.difference is not None:
        body.append(render_difference(result.difference))
    body += map(again, commands_of_case(result, engine))
    return Group(head, Indented(*body))
