"""JSON Lines: a line for the start, one for each case or finding, and one for the end.

A `Shape` lists the fields of a JSON object in order. Shapes are used to write JSON and JSON Lines, and to generate the
published schema (`tools/pages/json_schema.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, UnsetType

from ...generator.events import Event
from ...generator.game import Game
from ...generator.reachability.classification import Reachability
from ...harness.checking.causes import CauseGroup, causes_of_run
from ...harness.coverage.code import CodeCoverage, CodeFile, CodeFunction, CodeLine
from ...harness.coverage.model import FirstReached
from ...harness.coverage.source_files import SourceFile
from ...harness.engines.spec import short_names
from ...harness.fuzzing.model import (
    Discrepancy,
    FuzzFinding,
    FuzzFinished,
    FuzzSpeed,
    FuzzStarted,
    Hit,
    causes_of_findings,
)
from ...harness.model.capabilities import Capability, UntriedCapability
from ...harness.model.results.events import CaseResult, RunFinished, RunStarted
from ...harness.model.results.finding import Difference, Finding
from ...harness.model.results.verdict import Verdict
from ...suites.case import label
from .base import Format

VERSION = 1
"""The format version, which increases when the meaning of a field changes; new fields may be added at any time."""
Fields = dict[str, Any]
UNSET = msgspec.UNSET
"""The value of a field that is omitted."""


def _as_text(value: object) -> str:
    """Return an `EngineSpec` as a plain string. Raises NotImplementedError for any other type."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


_encode = msgspec.json.Encoder(enc_hook=_as_text).encode


class Shape:
    """Describes a JSON object that represents a result."""

    def __init__(self, source: type, names: str, /, **types: Any) -> None:
        """Create a shape from the names of attributes of `source` and of computed fields, whose types are in `types`.

        In `types`, `[X]` means a list of X, `{str: X}` a dictionary with values of type X, and `(X, Y)` X or Y. A field
        that may be UNSET is missing from some objects.
        """
        self.name, self.description = ("", "") if source is object else (source.__name__, source.__doc__ or "")
        self.sources: dict[str, type] = dict.fromkeys(names.split(), source)
        """The fields in order, each with the class that documents it."""
        self.types = types

    def __add__(self, other: Shape) -> Shape:
        """Return a shape with the fields of both."""
        both = Shape(object, "", **self.types | other.types)
        both.name, both.description = self.name or other.name, self.description or other.description
        both.sources = self.sources | other.sources
        return both

    def of(self, result: object, /, **computed: object) -> Fields:
        """Return the fields of a result: `computed` fields, and attributes of the result for all others."""
        fields = {name: computed[name] if name in computed else getattr(result, name) for name in self.sources}
        return {name: value for name, value in fields.items() if value is not UNSET}


PROGRAM = Shape(object, "perft_check", perft_check=Annotated[str, msgspec.Meta(description="Version of perft-check.")])
"""The first field of each document."""


def to_json(value: object) -> str:
    """Return a value as JSON on one line, in ASCII, which every terminal can show.

    msgspec's encoder is not used, because it writes UTF-8 and rejects lone surrogates, which file names may contain.
    """
    try:
        encoded = _encode(value)
    except UnicodeEncodeError:
        encoded = b"\xff"
    if encoded.isascii():
        return encoded.decode()
    return json.dumps(msgspec.to_builtins(value, enc_hook=_as_text), separators=(",", ":"))


def to_indented_json(value: object) -> str:
    """Return a value as indented JSON in ASCII, with the indentation of a field of an object."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=_as_text), indent=2).replace("\n", "\n  ")


T = TypeVar("T")
ReachabilityName = Literal["reachable", "valid", "impossible"]
Times = dict[str, int]
"""Counts by name."""

_REACHABILITY: Mapping[Reachability, ReachabilityName] = {
    Reachability.REACHABLE: "reachable",
    Reachability.VALID: "valid",
    Reachability.IMPOSSIBLE: "impossible",
}


class CountFields(Struct, gc=False):
    """One count of a case."""

    depth: int
    expected: int
    """The suite's count."""
    verdict: Verdict
    got: int | None
    """The engine's count, or null if there is none."""
    seconds: float
    """The time that the engine took."""


class CaseFields(Struct, gc=False):
    """One position of a run. There may be a million; msgspec structs are the fastest to create and to encode."""

    name: str
    suite: str
    source: str
    """The path and line of the case."""
    fen: str
    chess960: bool
    verdict: Verdict
    depth: int
    """The greatest depth that was compared, or the depth of the failure."""
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
    """The name of an explained failure with the same symptoms, if this one was not explained itself."""
    at_first: Verdict | None
    """For a failure that was not reproduced: its verdict before the retry."""
    replay: str
    """The path of the file with all earlier questions to the engine, or "" if there is none."""
    setup: str
    """The game in the form accepted by `fuzz --replay`, if the position was set up in an unusual way."""
    reachability: ReachabilityName | None
    """Whether a game can lead to the position; null if nothing is wrong."""
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
        reachability=ReachabilityName,
    )
    + _FOUND
)
_NOT_TRIED = Shape(UntriedCapability, "name title how is_required", name=Capability, title=str)
_CAUSE = Shape(CauseGroup, "title positions ordinary_positions failures", ordinary_positions=int, failures=list[str])

NAMES = Annotated[dict[str, str], Meta(description="The names of the engine and its references, by SPEC.")]
RUN_START = PROGRAM + Shape(RunStarted, "engine references names suites", names=NAMES)
RUN_END = Shape(
    RunFinished,
    "exit_code interrupted out_of_time seconds nodes verdicts fixed not_tried causes",
    verdicts=Times,
    not_tried=[_NOT_TRIED],
    causes=[_CAUSE],
)
FUZZ_START = PROGRAM + Shape(FuzzStarted, "engine references names checks seed", names=NAMES)
_SPEED = Shape(FuzzSpeed, "seconds positions_a_second")
_LINE = Shape(CodeLine, "line branches by_suites by_fuzzing")
_FUNCTION = Shape(CodeFunction, "name is_entered lines", lines=[_LINE])
_FILE = Shape(SourceFile, "path is_source absence") + Shape(CodeFile, "functions", functions=[_FUNCTION])
_FIRST_REACHED = Shape(
    FirstReached,
    "place position depth by_suite",
    place=Annotated[str, Meta(description="The path and line of the branch.")],
    position=Annotated[str, Meta(description="The FEN and the moves from there.")],
)
CODE = Shape(
    CodeCoverage,
    "branches knows_unreached by_suites by_fuzzing lines lines_reached firsts files",
    firsts=[_FIRST_REACHED],
    files=[_FILE],
)
FUZZ_END = Shape(
    FuzzFinished,
    "exit_code interrupted is_cut_short failure fixed examples strategies sweep events "
    "chance_of_new_event not_tried causes course code",
    code=(CODE, UnsetType),
    examples=int,
    strategies=Times,
    sweep=Annotated[Times, Meta(description="Questions of the sweep that were asked, and their total.")] | UnsetType,
    events=Annotated[Times, Meta(description="The number of positions in which each rare event occurred.")],
    chance_of_new_event=Annotated[float, Meta(ge=0, le=1)],
    not_tried=[_NOT_TRIED],
    causes=[_CAUSE],
    course=(_SPEED, UnsetType),
)


def _lines(kind: str, documents: Iterable[str]) -> Iterator[str]:
    """Yield JSON objects as lines, with `format` and `kind` as their first fields."""
    for document in documents:
        yield f'{{"format":{VERSION},"kind":"{kind}",{document[1:]}\n'


def _run_lines(finished: RunFinished) -> Iterator[str]:
    yield from _lines("run-start", [to_json(run_start(finished))])
    yield from _lines("case", map(case_text, finished.results))
    yield from _lines("case", map(case_text, finished.not_begun))
    yield from _lines("run-end", [to_json(run_end(finished))])


def run_start(finished: RunFinished) -> Fields:
    """Return the fields that are known before the first count of a run."""
    return RUN_START.of(finished.started, **_start_fields(finished.started))


def run_end(finished: RunFinished) -> Fields:
    """Return the fields about the end of a run."""
    return RUN_END.of(
        finished,
        seconds=round(finished.seconds, 6),
        verdicts={verdict.value: finished.count(verdict) for verdict in Verdict if finished.count(verdict)},
        not_tried=list(map(_not_tried, finished.untried)),
        causes=[_cause(group, lambda one: label(one.suite, one.name)) for group in causes_of_run(finished.failures)],
    )


def case_text(result: CaseResult) -> str:
    """Return one position of a run as JSON on one line.

    `reachability` is given only for failures.
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
        counts=[  # `round` takes twice as long, and there may be millions of counts
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
    """Return the fields that are known before the first position of a fuzzing run."""
    return FUZZ_START.of(finished.started, **_start_fields(finished.started))


def _start_fields(started: RunStarted | FuzzStarted) -> Fields:
    return {"perft_check": started.version, "names": short_names((started.engine, *started.references))}


def fuzz_end(finished: FuzzFinished) -> Fields:
    """Return the fields about the end of a fuzzing run.

    Times are included only if they determined what was examined. Otherwise, the same seed produces the same bytes.
    """
    coverage, sweep = finished.coverage, finished.started.sweep
    positions = dict(coverage.events)
    return FUZZ_END.of(
        finished,
        examples=coverage.examples,
        strategies=dict(coverage.strategies),
        sweep={"asked": finished.swept, "questions": sweep} if sweep else UNSET,
        events={event.label: positions.get(event.value, 0) for event in Event},
        chance_of_new_event=coverage.chance_of_new_event,
        not_tried=list(map(_not_tried, finished.untried)),
        causes=[
            _cause(group, lambda one: f"{one.discrepancy.name}: {one.discrepancy.game}")
            for group in causes_of_findings(finished.findings)
        ],
        course=_SPEED.of(finished.speed) if finished.depends_on_time else UNSET,
        code=UNSET if finished.code is None else code_fields(finished.code),
    )


def code_fields(code: CodeCoverage) -> Fields:
    """Return the lines of an engine's code that were reached, and the position that first reached each branch."""
    summary = code.summary
    firsts = [
        _FIRST_REACHED.of(one, place=str(summary.locations[one.counter]), position=str(one.game))
        for one in summary.firsts
    ]
    return CODE.of(code, firsts=firsts, files=list(map(_file, code.files)))


def _file(file: CodeFile) -> Fields:
    functions = [_FUNCTION.of(one, lines=list(map(_LINE.of, one.lines))) for one in file.functions]
    return _FILE.of(file.source, functions=functions)


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


def _not_tried(one: UntriedCapability) -> Fields:
    return _NOT_TRIED.of(one, name=one.capability, title=one.capability.title)


def _cause(group: CauseGroup[T], name: Callable[[T], str]) -> Fields:
    """Return the fields of a cause, with its failures in order of simplicity."""
    return _CAUSE.of(group, ordinary_positions=group.ordinary, failures=[name(member) for member in group.members])


JSONL = Format("jsonl", ".jsonl", {RunFinished: _run_lines, FuzzFinished: _fuzz_lines})
