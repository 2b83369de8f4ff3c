"""The fields of results in JSON. `schema.json` describes them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from json import JSONEncoder
from typing import Any, TypeVar

from ....generator.events import Event
from ....harness.checking.causes import CauseGroup, causes_of_run
from ....harness.fuzzing.causes import causes_of_finds
from ....harness.fuzzing.model import Discrepancy, Find, FuzzFinished
from ....harness.model.results.events import CaseResult, CountResult, Finding, RunFinished
from ....harness.model.results.verdict import Verdict
from ...text import label

T = TypeVar("T")
Fields = dict[str, Any]

VERSION = 1
"""Raised when a field changes its meaning; new fields may come at any time."""

encoded = JSONEncoder(check_circular=False).encode
"""Returns fields as JSON on one line."""


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
        "causes": [_cause(group, _name_of_case) for group in causes_of_run(finished.results)],
    }


def case_fields(result: CaseResult) -> Fields:
    """Return one position of a run. Only of a failure it says what is known of the games that lead to it."""
    failed = result.verdict.is_failure or result.at_first is not None
    return {
        **vars(result),  # `asdict` would copy all fields of a hundred thousand cases
        "verdict": result.verdict.value,
        "at_first": result.at_first and result.at_first.value,
        "seconds": round(result.seconds, 6),
        "references": dict(result.references),
        "difference": result.difference and asdict(result.difference),
        "finding": finding_fields(result.finding),
        "reachability": result.reachability.name.lower() if failed else None,
        "counts": [_count(one) for one in result.counts],
    }


def _count(one: CountResult) -> Fields:
    return {
        "depth": one.depth,
        "expected": one.expected,
        "verdict": one.verdict.value,
        "got": one.got,
        "seconds": round(one.seconds, 6),
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
        "strategies": dict(coverage.strategies),
        "labels": dict(coverage.labels),
        "events": {event.label: met.get(event.value, 0) for event in Event},
        "causes": [_cause(group, _name_of_find) for group in causes_of_finds(finished.finds)],
    }


def find_fields(find: Find) -> Fields:
    """Return one find of a fuzzing run."""
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
