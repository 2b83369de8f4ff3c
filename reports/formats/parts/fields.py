"""The fields of results in JSON. `schema.json` describes them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from json import JSONEncoder
from json.encoder import encode_basestring_ascii
from typing import Any, TypeVar

from ....generator.events import Event
from ....harness.checking.causes import CauseGroup, causes_of_run
from ....harness.fuzzing.causes import causes_of_finds
from ....harness.fuzzing.course.model import Course
from ....harness.fuzzing.model import Discrepancy, Find, FuzzFinished
from ....harness.model.capabilities import Untried
from ....harness.model.results.events import CaseResult, CountResult, Finding, RunFinished
from ....harness.model.results.verdict import Verdict
from ...text import label

T = TypeVar("T")
Fields = dict[str, Any]

VERSION = 1
"""Raised when a field changes its meaning; new fields may come at any time."""

encoded = JSONEncoder(check_circular=False).encode
"""Returns fields as JSON on one line."""
_quoted = encode_basestring_ascii
"""Returns a text as JSON, in a third of the time."""
_VERDICTS = {verdict: encoded(verdict.value) for verdict in Verdict}


def run_start_fields(finished: RunFinished) -> Fields:
    """Return what is known of a run before its first count."""
    started = finished.started
    return {
        "engine": started.engine,
        "references": list(started.references),
        "suites": [asdict(suite) for suite in started.suites],
    }


def run_end_fields(finished: RunFinished) -> Fields:
    """Return how a run ended."""
    return {
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "out_of_time": finished.out_of_time,
        "seconds": round(finished.seconds, 6),
        "nodes": finished.nodes,
        "verdicts": {verdict.value: finished.count(verdict) for verdict in Verdict if finished.count(verdict)},
        "not_tried": list(map(_untried, finished.untried)),
        "causes": [_cause(group, _name_of_case) for group in causes_of_run(finished.failures)],
    }


def case_text(result: CaseResult) -> str:
    """Return one position of a run as JSON on one line.

    Only of a failure it says what is known of the games that lead to it.
    """
    fields = _agreed_text(result) if result.verdict is Verdict.AGREE else encoded(_case_fields(result))[1:-1]
    return f'{{{fields}, "counts": [{", ".join(map(_count_text, result.counts))}]}}'


def _agreed_text(result: CaseResult) -> str:
    """Return what `_case_fields` has of a position on which all agree, in half of the time."""
    references = encoded(dict(result.references)) if result.references else "{}"
    return (
        f'"name": {_quoted(result.name)}, "suite": {_quoted(result.suite)}, "source": {_quoted(result.source)}, '
        f'"fen": {_quoted(result.fen)}, "chess960": {"true" if result.chess960 else "false"}, "verdict": "agree", '
        f'"depth": {result.depth}, "expected": {_number(result.expected)}, "got": {_number(result.got)}, '
        f'"references": {references}, "nodes": {result.nodes}, "seconds": {result.seconds:.6f}, '
        f'"message": {_quoted(result.message)}, "difference": null, "finding": null, "at_first": null, '
        f'"replay": "", "setup": {_quoted(result.setup)}, "reachability": null'
    )


def _count_text(one: CountResult) -> str:
    """Return a count as JSON. There may be 300,000, for which the encoder needs three times as long."""
    return (
        f'{{"depth": {one.depth}, "expected": {one.expected}, "verdict": {_VERDICTS[one.verdict]}, '
        f'"got": {_number(one.got)}, "seconds": {one.seconds:.6f}}}'
    )


def _number(number: int | None) -> int | str:
    return "null" if number is None else number


def find_text(find: Find) -> str:
    """Return one find of a fuzzing run as JSON on one line."""
    return encoded(_find_fields(find))


def _case_fields(result: CaseResult) -> Fields:
    failed = result.verdict.is_failure or result.at_first is not None
    return {  # one by one: `asdict` and `vars` would copy all fields of a hundred thousand cases
        "name": result.name,
        "suite": result.suite,
        "source": result.source,
        "fen": result.fen,
        "chess960": result.chess960,
        "verdict": result.verdict.value,
        "depth": result.depth,
        "expected": result.expected,
        "got": result.got,
        "references": dict(result.references),
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "message": result.message,
        "difference": result.difference and asdict(result.difference),
        "finding": finding_fields(result.finding),
        "at_first": result.at_first and result.at_first.value,
        "replay": result.replay,
        "setup": result.setup,
        "reachability": result.reachability.name.lower() if failed else None,
    }


def finding_fields(finding: Finding | None) -> Fields | None:
    """Return the cause of a wrong count."""
    return None if finding is None else {**asdict(finding), "cause": finding.cause.value}


def fuzz_start_fields(finished: FuzzFinished) -> Fields:
    """Return what is known of a fuzzing run before its first example."""
    started = finished.started
    return {
        "engine": started.engine,
        "references": list(started.references),
        "checks": list(started.checks),
        "seed": started.seed,
    }


def fuzz_end_fields(finished: FuzzFinished) -> Fields:
    """Return how a fuzzing run ended, and what it has met."""
    coverage = finished.coverage
    met = dict(coverage.events)
    return {
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "is_cut_short": finished.is_cut_short,
        "failure": finished.failure,
        "examples": coverage.examples,
        **({} if finished.before is None else {"examples_before": finished.before}),
        "strategies": dict(coverage.strategies),
        **({"sweep": {"asked": finished.swept, "questions": sweep}} if (sweep := finished.started.sweep) else {}),
        "labels": dict(coverage.labels),
        "events": {event.label: met.get(event.value, 0) for event in Event},
        "chance_of_new_event": coverage.chance_of_new_event,
        "not_tried": list(map(_untried, finished.untried)),
        "causes": [_cause(group, _name_of_find) for group in causes_of_finds(finished.finds)],
        **({} if finished.told_course is None else {"course": _course(finished, finished.told_course)}),
    }


def _untried(one: Untried) -> Fields:
    """Return what was not tried."""
    capability = one.capability
    return {"name": capability.value, "title": capability.title, "how": one.how, "is_required": one.is_required}


def _course(finished: FuzzFinished, course: Course) -> Fields:
    """Return the course of a run. Other runs have no such field: of them one seed gives the same bytes."""
    seconds = finished.seconds
    figures = {
        "seconds": seconds,
        "positions_a_second": finished.coverage.examples / seconds if seconds else None,
        "cpu_seconds": course.cpu_seconds,
        "engine_cpu_seconds": course.engine_cpu_seconds,
        "engine_share": course.engine_share,
        "drawing_seconds": course.seconds,
        "latest_seconds": course.latest_seconds,
        "new_events_a_minute": course.new_events_a_minute,
        "new_pairs_a_minute": course.new_pairs_a_minute,
        "last_new_event": course.last_new_event,
        "last_new_pair": course.last_new_pair,
    }
    return {
        **{name: None if figure is None else round(figure, 6) for name, figure in figures.items()},
        "pairs_met": len(course.pairs),
        "first_met": {Event(event).label: round(seconds, 6) for event, seconds in course.events},
    }


def _find_fields(find: Find) -> Fields:
    first = find.first
    return {
        "name": find.discrepancy.name,
        "times": find.times,
        "ordinary_times": find.ordinary,
        "first": {"example": first.example, "strategy": first.strategy, **_discrepancy(first.discrepancy)},
        "pieces_before": find.pieces_before,
        "pieces": find.pieces,
        "comes_again": find.comes_again,
        "is_impossible": find.is_impossible,
        "reachability": find.label.name.lower(),
        "is_of_engine": find.is_of_engine,
        "replay": find.replay,
        **_discrepancy(find.discrepancy),
        "verdict": find.verdict.value,
    }


def _discrepancy(found: Discrepancy) -> Fields:
    base = found.line.base
    return {
        "check": found.check,
        "verdict": found.verdict.value,
        "message": found.message,
        "place": {"fen": base.fen(), "moves": found.line.uci_moves(), "chess960": base.chess960},
        "finding": finding_fields(found.finding),
    }


def _cause(group: CauseGroup[T], name: Callable[[T], str]) -> Fields:
    """Return a cause: what is wrong, how much it breaks, and the failures that it accounts for, the simplest first."""
    return {
        "title": group.title,
        "positions": group.positions,
        "ordinary_positions": group.ordinary,
        "failures": [name(member) for member in group.members],
    }


def _name_of_case(result: CaseResult) -> str:
    return label(result.suite, result.name)


def _name_of_find(find: Find) -> str:
    return f"{find.discrepancy.name}: {find.discrepancy.line}"
