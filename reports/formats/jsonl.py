"""JSON lines, for programs that read piece by piece: a line for the start, one for each case, one for the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct, UnsetType

from ...generator.events import Event
from ...generator.game import Game
from ...generator.reachability.labels import Label
from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.coverage.code import CodeCoverage, CodeFile, CodeFunction, CodeLine
from ...harness.coverage.model import CurvePoint, FirstReached
from ...harness.coverage.places import SourceFile
from ...harness.engines.spec import short_names
from ...harness.fuzzing.model import Discrepancy, FuzzFinding, FuzzFinished, FuzzStarted, Hit, causes_of_findings
from ...harness.fuzzing.timeline import CampaignTimeline
from ...harness.model.capabilities import Capability, Untried
from ...harness.model.results.events import CaseResult, RunFinished, RunStarted
from ...harness.model.results.finding import Difference, Finding
from ...harness.model.results.verdict import Verdict
from ...suites.case import label
from .base import Format
from .shapes import PROGRAM, UNSET, VERSION, Fields, Shape, to_json

T = TypeVar("T")
Reachability = Literal["reachable", "valid", "impossible"]
Times = dict[str, int]
"""How often each of some things was met."""

_REACHABILITY: Mapping[Label, Reachability] = {
    Label.REACHABLE: "reachable",
    Label.VALID: "valid",
    Label.IMPOSSIBLE: "impossible",
}


class CountFields(Struct, gc=False):
    """One count of a case."""

    depth: int
    expected: int
    """The suite's count."""
    verdict: Verdict
    got: int | None
    """The engine's count; null if it gave none, or was not asked."""
    seconds: float
    """Time that the engine took."""


class CaseFields(Struct, gc=False):
    """One position of a run. There may be a million: such an object is made and written faster than any other."""

    name: str
    suite: str
    source: str
    """Where the case stands: path and line."""
    fen: str
    chess960: bool
    verdict: Verdict
    depth: int
    """The deepest depth compared; of a failure, the depth at which it happened."""
    expected: int | None
    """The suite's count at that depth."""
    got: int | None
    """The engine's count at that depth."""
    references: dict[str, int]
    """The counts of the references at that depth."""
    nodes: int
    """Leaf nodes counted by the engine over all depths."""
    seconds: float
    message: str
    """One sentence about a failure."""
    difference: Difference | None
    finding: Finding | None
    like: str
    """The name of an explained failure with the same symptom, if this one was only counted with its cause."""
    at_first: Verdict | None
    """Of a failure that was not reproduced: the verdict before the engine was asked again."""
    replay: str
    """The file with all that the engine had been asked, or nothing."""
    setup: str
    """What the engine was asked for, as `fuzz --replay` takes it, if it was set up in another way than usual."""
    reachability: Reachability | None
    """What is known of the games that lead to the position; null if nothing is wrong."""
    counts: list[CountFields]


_FOUND_PLACE = Shape(Game, "fen moves chess960", fen=str, moves=list[str], chess960=bool)
_FOUND = Shape(Discrepancy, "check verdict message place finding", place=_FOUND_PLACE)
_FIRST = Shape(Hit, "example strategy") + _FOUND
FUZZ_FINDING = (
    Shape(
        FuzzFinding,
        "name times ordinary_times first pieces_before pieces reproducible is_impossible reachability "
        "is_of_engine replay",
        name=str,
        ordinary_times=int,
        first=_FIRST,
        reachability=Reachability,
    )
    + _FOUND
)
_NOT_TRIED = Shape(Untried, "name title how is_required", name=Capability, title=str)
_CAUSE = Shape(CauseGroup, "title positions ordinary_positions failures", ordinary_positions=int, failures=list[str])

NAMES = Annotated[dict[str, str], Meta(description="What engine and references are called, by their SPECs.")]
RUN_START = PROGRAM + Shape(RunStarted, "engine references names suites", names=NAMES)
RUN_END = Shape(
    RunFinished,
    "exit_code interrupted out_of_time seconds nodes verdicts not_tried causes",
    verdicts=Times,
    not_tried=[_NOT_TRIED],
    causes=[_CAUSE],
)
FUZZ_START = PROGRAM + Shape(FuzzStarted, "engine references names checks seed", names=NAMES)
_COURSE = Shape(
    CampaignTimeline,
    "seconds positions_a_second cpu_seconds engine_cpu_seconds engine_share drawing_seconds latest_seconds "
    "new_events_a_minute new_pairs_a_minute last_new_event last_new_pair pairs_met first_met",
    seconds=Annotated[float, Meta(description="How long the run took, start and reductions included.")],
    positions_a_second=float | None,
    drawing_seconds=Annotated[float, Meta(description="How long positions were drawn.")],
    pairs_met=int,
    first_met=dict[str, float],
)
_LINE = Shape(CodeLine, "line branches by_suites by_fuzzing")
_FUNCTION = Shape(CodeFunction, "name is_entered lines", lines=[_LINE])
_FILE = Shape(SourceFile, "path is_source absence") + Shape(CodeFile, "functions", functions=[_FUNCTION])
_FIRST_REACHED = Shape(
    FirstReached,
    "place position depth by_suite",
    place=Annotated[str, Meta(description="Where the branch is: path and line.")],
    position=Annotated[str, Meta(description="The FEN, and the moves from there.")],
)
CODE = Shape(
    CodeCoverage,
    "branches knows_unreached by_suites by_fuzzing lines lines_reached curve firsts files",
    curve=list[CurvePoint],
    firsts=[_FIRST_REACHED],
    files=[_FILE],
)
FUZZ_END = Shape(
    FuzzFinished,
    "exit_code interrupted is_cut_short failure examples strategies sweep labels events "
    "chance_of_new_event not_tried causes course code",
    code=(CODE, UnsetType),
    examples=int,
    strategies=Times,
    sweep=Annotated[Times, Meta(description="How far the sweep came: questions that were asked, of how many.")]
    | UnsetType,
    labels=Times,
    events=Annotated[Times, Meta(description="How many positions met each rare event.")],
    chance_of_new_event=Annotated[float, Meta(ge=0, le=1)],
    not_tried=[_NOT_TRIED],
    causes=[_CAUSE],
    course=(_COURSE, UnsetType),
)


def _lines(kind: str, documents: Iterable[str]) -> Iterator[str]:
    """Yield JSON objects as lines, with what they are as their first fields."""
    for document in documents:
        yield f'{{"format":{VERSION},"kind":"{kind}",{document[1:]}\n'


def _run_lines(finished: RunFinished) -> Iterator[str]:
    yield from _lines("run-start", [to_json(run_start(finished))])
    yield from _lines("case", map(case_text, finished.results))
    yield from _lines("case", map(case_text, finished.not_begun))
    yield from _lines("run-end", [to_json(run_end(finished))])


def run_start(finished: RunFinished) -> Fields:
    """Return what is known of a run before its first count."""
    return RUN_START.of(finished.started, **_start_fields(finished.started))


def run_end(finished: RunFinished) -> Fields:
    """Return how a run ended."""
    return RUN_END.of(
        finished,
        seconds=round(finished.seconds, 6),
        verdicts={verdict.value: finished.count(verdict) for verdict in Verdict if finished.count(verdict)},
        not_tried=list(map(_not_tried, finished.untried)),
        causes=[_cause(group, lambda one: label(one.suite, one.name)) for group in causes_of_run(finished.failures)],
    )


def case_text(result: CaseResult) -> str:
    """Return one position of a run as JSON on one line.

    Only a failure has what is known of the games that lead to it.
    """
    failed = result.verdict.is_failure or result.at_first is not None
    case = CaseFields(
        name=result.name,
        suite=result.suite,
        source=result.source,
        fen=result.fen,
        chess960=result.chess960,
        verdict=result.verdict,
        depth=result.depth,
        expected=result.expected,
        got=result.got,
        references=dict(result.references),
        nodes=result.nodes,
        seconds=round(result.seconds, 6),
        message=result.message,
        difference=result.difference,
        finding=result.finding,
        like=result.like,
        at_first=result.at_first,
        replay=result.replay,
        setup=result.setup,
        reachability=_REACHABILITY[result.reachability] if failed else None,
        counts=[  # `round` would take twice as long, and there may be millions
            CountFields(depth, expected, verdict, got, int(seconds * 1e6 + 0.5) / 1e6)
            for depth, expected, verdict, got, seconds in result.counts
        ],
    )
    return to_json(case)


def _fuzz_lines(finished: FuzzFinished) -> Iterator[str]:
    yield from _lines("fuzz-start", [to_json(fuzz_start(finished))])
    yield from _lines("finding", map(finding_text, finished.findings))
    yield from _lines("fuzz-end", [to_json(fuzz_end(finished))])


def fuzz_start(finished: FuzzFinished) -> Fields:
    """Return what is known of a fuzzing run before its first example."""
    return FUZZ_START.of(finished.started, **_start_fields(finished.started))


def _start_fields(started: RunStarted | FuzzStarted) -> Fields:
    return {"perft_check": started.version, "names": short_names((started.engine, *started.references))}


def fuzz_end(finished: FuzzFinished) -> Fields:
    """Return how a fuzzing run ended, with times only if they have decided what was examined.

    Otherwise one seed gives the same bytes.
    """
    coverage, sweep, course = finished.coverage, finished.started.sweep, finished.reported_timeline
    met = dict(coverage.events)
    return FUZZ_END.of(
        finished,
        examples=coverage.examples,
        strategies=dict(coverage.strategies),
        sweep={"asked": finished.swept, "questions": sweep} if sweep else UNSET,
        labels=dict(coverage.labels),
        events={event.label: met.get(event.value, 0) for event in Event},
        chance_of_new_event=coverage.chance_of_new_event,
        not_tried=list(map(_not_tried, finished.untried)),
        causes=[
            _cause(group, lambda one: f"{one.discrepancy.name}: {one.discrepancy.game}")
            for group in causes_of_findings(finished.findings)
        ],
        course=UNSET if course is None else _course(finished, course),
        code=UNSET if finished.code is None else code_fields(finished.code, with_times=finished.depends_on_time),
    )


def code_fields(code: CodeCoverage, *, with_times: bool = True) -> Fields:
    """Return what was reached of an engine's code, line by line, and by which position first."""
    summary = code.summary
    firsts = [
        _FIRST_REACHED.of(one, place=str(summary.places[one.place]), position=str(one.game)) for one in summary.firsts
    ]
    curve = [replace(one, seconds=round(one.seconds, 6)) for one in summary.curve] if with_times else []
    return CODE.of(code, curve=curve, firsts=firsts, files=list(map(_file, code.files)))


def _file(file: CodeFile) -> Fields:
    functions = [_FUNCTION.of(one, lines=list(map(_LINE.of, one.lines))) for one in file.functions]
    return _FILE.of(file.source, functions=functions)


def _course(finished: FuzzFinished, course: CampaignTimeline) -> Fields:
    seconds = finished.seconds
    fields = _COURSE.of(
        course,
        seconds=seconds,
        positions_a_second=finished.coverage.examples / seconds if seconds else None,
        drawing_seconds=course.seconds,
        pairs_met=len(course.pairs),
        first_met={Event(event).label: round(seconds, 6) for event, seconds in course.events},
    )
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in fields.items()}


def finding_text(finding: FuzzFinding) -> str:
    """Return one finding of a fuzzing run as JSON on one line."""
    fields = FUZZ_FINDING.of(
        finding,
        name=finding.discrepancy.name,
        ordinary_times=finding.plausible_count,
        first=_FIRST.of(finding.first, **_discrepancy_fields(finding.first.discrepancy)),
        reachability=_REACHABILITY[finding.label],
        **_discrepancy_fields(finding.discrepancy) | {"verdict": finding.verdict},
    )
    return to_json(fields)


def _discrepancy_fields(found: Discrepancy) -> Fields:
    base = found.game.base
    place = {"fen": base.fen(), "moves": found.game.uci_moves(), "chess960": base.chess960}
    return _FOUND.of(found, place=place)


def _not_tried(one: Untried) -> Fields:
    return _NOT_TRIED.of(one, name=one.capability, title=one.capability.title)


def _cause(group: CauseGroup[T], name: Callable[[T], str]) -> Fields:
    """Return a cause: what is wrong, how much it breaks, and the failures that it accounts for, the simplest first."""
    return _CAUSE.of(group, ordinary_positions=group.ordinary, failures=[name(member) for member in group.members])


JSONL = Format("jsonl", ".jsonl", {RunFinished: _run_lines, FuzzFinished: _fuzz_lines})
