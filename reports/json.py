"""The report as JSON: everything that a run found, for other programs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from ..harness.model.events import CaseResult, RunFinished
from ..harness.model.verdict import Verdict

FORMAT = 1
"""Raised when a field changes its meaning; new fields may come at any time."""


def render(finished: RunFinished) -> str:
    """Return the report as a JSON document, indented, with a final newline."""
    started = finished.started
    document = {
        "format": FORMAT,
        "perft_check": started.version,
        "engine": started.engine,
        "references": list(started.references),
        "suites": [asdict(suite) for suite in started.suites],
        "exit_code": int(finished.exit_code),
        "interrupted": finished.interrupted,
        "out_of_time": finished.out_of_time,
        "seconds": round(finished.seconds, 6),
        "nodes": finished.nodes,
        "verdicts": {verdict.value: finished.count(verdict) for verdict in Verdict if finished.count(verdict)},
        "results": [_result(result) for result in finished.results],
    }
    return json.dumps(document, indent=2) + "\n"


def _result(result: CaseResult) -> dict[str, Any]:
    fields = asdict(result)
    fields["verdict"] = result.verdict.value
    fields["seconds"] = round(result.seconds, 6)
    fields["references"] = dict(result.references)
    if result.finding is not None:
        fields["finding"]["cause"] = result.finding.cause.value
    return fields
