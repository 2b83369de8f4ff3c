"""The report of a fuzzing run as JSON, for other programs; like the report in words it tells nothing of time."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ..generator.events import Event
from ..harness.fuzzing.model import Discrepancy, Find, FuzzFinished
from .json import FORMAT


def render(finished: FuzzFinished) -> str:
    """Return the report as a JSON document, indented, with a final newline."""
    started, coverage = finished.started, finished.coverage
    met = dict(coverage.events)
    document = {
        "format": FORMAT,
        "perft_check": started.version,
        "engine": started.engine,
        "references": list(started.references),
        "checks": list(started.checks),
        "seed": started.seed,
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "is_cut_short": finished.is_cut_short,
        "failure": finished.failure,
        "examples": coverage.examples,
        "strategies": dict(coverage.strategies),
        "labels": dict(coverage.labels),
        "events": {event.label: met.get(event.value, 0) for event in Event},
        "finds": [_find(find) for find in finished.finds],
    }
    return json.dumps(document, indent=2) + "\n"


def _find(find: Find) -> dict[str, Any]:
    first = find.first
    return {
        "name": find.discrepancy.name,
        "times": find.times,
        "first": {"example": first.example, "strategy": first.strategy, **_discrepancy(first.discrepancy)},
        "pieces_before": find.pieces_before,
        "pieces": find.pieces,
        "comes_again": find.comes_again,
        "is_impossible": find.is_impossible,
        "is_of_engine": find.is_of_engine,
        "replay": find.replay,
        **_discrepancy(find.discrepancy),
    }


def _discrepancy(found: Discrepancy) -> dict[str, Any]:
    base, finding = found.line.base, found.finding
    return {
        "check": found.check,
        "verdict": found.verdict.value,
        "message": found.message,
        "place": {"fen": base.fen(), "moves": found.line.uci_moves(), "chess960": base.chess960},
        "finding": None if finding is None else {**asdict(finding), "cause": finding.cause.value},
    }
