"""A result as problems with places, which annotations of code show, and what is known about each in a few lines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from ....harness.checking.causes import CauseGroup, causes_of_run
from ....harness.engines.command_lines import commands_of_case, difference_command
from ....harness.fuzzing.model import Find, FuzzFinished, causes_of_finds
from ....harness.model.capabilities import Untried
from ....harness.model.results.divide import DivideFinished
from ....harness.model.results.events import CaseResult, RunFinished
from ....harness.model.results.finding import Finding
from ....harness.model.results.verdict import Verdict
from ....suites.bundled import EVERY
from ....suites.case import label
from ...finding import SHOWN_MOVES, path_text, sentence, set_up_by, totals_of
from ...text import counts

Lines = tuple[str, ...]


def case_lines(result: CaseResult, engine: str) -> Lines:
    """Return the facts about a position that does not agree with `engine`, and the commands that show it again."""
    head = f"{result.verdict.value.upper()}  {label(result.suite, result.name)}  ({result.source})"
    told = [head, result.fen, counts(result), result.message, *_finding_lines(result.finding)]
    return _with_commands(told, commands_of_case(result, engine))


def find_lines(find: Find) -> Lines:
    """Return the facts about a find of the fuzzer, and the command that shows it again."""
    found = find.discrepancy
    told = [f"{find.verdict.value.upper()}  {found.name}  (check: {found.check})", f"in {found.line}", found.message]
    return _with_commands([*told, *_finding_lines(found.finding)], (find.replay,))


def divide_lines(finished: DivideFinished) -> Lines:
    """Return the facts about engines that differ, and the commands that show it again."""
    counted = map(totals_of, finished.differences)
    return _with_commands([finished.fen, *counted, *_finding_lines(finished.finding)], divide_commands(finished))


def divide_commands(finished: DivideFinished) -> Lines:
    """Return the command that shows each difference again."""
    return tuple(difference_command(one) for one in finished.differences if one.differs)


def _with_commands(told: list[str], commands: Lines) -> Lines:
    return (*filter(None, told), *(f"again: {command}" for command in commands))


def _finding_lines(finding: Finding | None) -> Iterator[str]:
    """Yield the cause: what is wrong, the way to it, where it is, and a sentence for each wrong move."""
    if finding is None:
        return
    yield finding.headline_with_move
    if finding.path:
        yield f"after {path_text(finding)}"
    yield f"in {finding.fen}"
    yield set_up_by(finding)
    if finding.note != finding.headline_with_move:
        yield finding.note
    for move in (*finding.state, *finding.wrong)[:SHOWN_MOVES]:
        yield sentence(move).plain


_BUNDLED_FILES = frozenset(f"{name}.epd" for name in EVERY)
"""How results name the files of bundled suites, which are in no project."""

LONGEST_PATH = 4_096


@dataclass(frozen=True)
class ProjectRoot:
    """The folder of the project, without links on the way to it."""

    path: str

    @classmethod
    def here(cls) -> ProjectRoot:
        """Return the workspace of GitHub Actions where that has the working folder in it, else the working folder."""
        here, workspace = os.path.realpath("."), os.environ.get("GITHUB_WORKSPACE", "")
        root = cls(os.path.realpath(workspace)) if workspace and "\0" not in workspace else cls(here)
        return root if root._relative(here) is not None else cls(here)

    def inside(self, file: str) -> str | None:
        """Return the path of a user's own file from the root on, with slashes; None for any other file."""
        if file in _BUNDLED_FILES or not _can_be(file):
            return None
        folder, name = os.path.split(os.path.abspath(file))
        return self._relative(os.path.join(os.path.realpath(folder), name))

    @property
    def uri(self) -> str:
        """The folder as a URI, which ends in a slash."""
        return Path(self.path).as_uri().rstrip("/") + "/"

    def _relative(self, path: str) -> str | None:
        relative = Path(path)
        return relative.relative_to(self.path).as_posix() if relative.is_relative_to(self.path) else None


def _can_be(file: str) -> bool:
    """Tell whether the system can have a file of this name at all."""
    try:
        return b"\0" not in os.fsencode(file) and 0 < len(file) <= LONGEST_PATH
    except UnicodeEncodeError:
        return False


@dataclass(frozen=True)
class ProblemKind:
    """What is wrong, as a rule that many problems may break."""

    name: str
    """A short name that stays the same: that of a rule of chess, or of a verdict."""
    title: str


@dataclass(frozen=True)
class ReportedProblem:
    """One thing that is wrong."""

    kind: ProblemKind
    title: str
    """What is wrong, on one line."""
    where: str
    """The name of the position, or what led to it."""
    fen: str
    lines: Lines
    """All that is known, the commands that show it again included."""
    commands: Lines
    is_failure: bool = True
    """Whether it counts for the exit status."""
    file: str = ""
    """The suite file, as the user has named it; "" where there is none."""
    line: int | None = None
    path: tuple[str, ...] = ()
    """The moves from the position down to the fault, as UCI text."""


@dataclass(frozen=True)
class Problems:
    """The problems of a result: the first of each cause, then the others, cause by cause."""

    total: int
    all: Iterator[ReportedProblem]
    """Made as they are asked for."""
    untried: Sequence[Untried] = ()
    """What the engine was not asked for."""

    def first(self, most: int) -> list[ReportedProblem]:
        """Return up to `most` of them."""
        return list(islice(self.all, most))


WRONG_COUNT = ProblemKind("wrong-count", "Wrong count")


def problems_of_run(finished: RunFinished) -> Problems:
    """Return the failures of a run, and last those that were not reproduced."""
    groups = causes_of_run(finished.failures)
    others = [member for group in groups for member in group.members[1:]]
    results = [*(group.simplest for group in groups), *others, *finished.not_reproduced]
    return Problems(len(results), (_of_case(one, finished) for one in results), finished.untried)


def _of_case(result: CaseResult, finished: RunFinished) -> ReportedProblem:
    file, line = result.file_and_line
    engine = finished.started.engine
    return ReportedProblem(
        kind=_kind(result.finding, result.verdict),
        title=_title(result.finding, result.verdict),
        where=label(result.suite, result.name),
        fen=result.fen,
        lines=case_lines(result, engine),
        commands=commands_of_case(result, engine),
        is_failure=result.verdict.is_failure or (finished.fails_not_reproduced and result.at_first is not None),
        file=file,
        line=line,
        path=_path(result.finding),
    )


def problems_of_fuzz(finished: FuzzFinished) -> Problems:
    """Return the finds of a fuzzing run."""
    groups: Sequence[CauseGroup[Find]] = causes_of_finds(finished.finds)
    finds = [*(group.simplest for group in groups), *chain(*(group.members[1:] for group in groups))]
    return Problems(len(finds), (_of_find(find, finished) for find in finds), finished.untried)


def _of_find(find: Find, finished: FuzzFinished) -> ReportedProblem:
    found = find.discrepancy
    return ReportedProblem(
        kind=_kind(found.finding, find.verdict),
        title=_title(found.finding, find.verdict),
        where=f"check {found.check}",
        fen=found.line.base.fen(),
        lines=find_lines(find),
        commands=(find.replay,),
        is_failure=find.comes_again or finished.fails_not_reproduced,
        path=tuple(found.line.uci_moves()),
    )


def problems_of_divide(finished: DivideFinished) -> Problems:
    """Return the one problem of engines that differ, or none."""
    verdict, finding = Verdict.MISMATCH, finished.finding
    problem = ReportedProblem(
        kind=_kind(finding, verdict),
        title=_title(finding, verdict),
        where=f"depth {finished.depth}",
        fen=finished.fen,
        lines=divide_lines(finished),
        commands=divide_commands(finished),
        path=_path(finding),
    )
    return Problems(1, iter([problem])) if finished.differs else Problems(0, iter(()))


def _kind(finding: Finding | None, verdict: Verdict) -> ProblemKind:
    if finding is None or verdict is Verdict.NOT_REPRODUCED:
        return ProblemKind(verdict.value.replace(" ", "-"), verdict.value.capitalize())
    wrong = finding.state or finding.wrong
    return ProblemKind(wrong[0].rule, wrong[0].title) if wrong else WRONG_COUNT


def _title(finding: Finding | None, verdict: Verdict) -> str:
    return verdict.value if finding is None or verdict is Verdict.NOT_REPRODUCED else finding.headline_with_move


def _path(finding: Finding | None) -> tuple[str, ...]:
    return () if finding is None else tuple(uci for uci, _ in finding.path)
