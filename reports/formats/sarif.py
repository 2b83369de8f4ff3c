"""SARIF 2.1.0 for code scanning: a result for each problem, at the line of the suite that shows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ... import __version__
from ...harness.explaining.examples import rule_texts
from ...harness.explaining.rules import Rule
from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.capabilities import sentence_of
from ...harness.model.results.divide import DivideFinished
from ...harness.model.results.events import RunFinished
from ...harness.model.results.verdict import ExitCode
from ..visible import one_line, visible
from .base import Format
from .parts.problems import (
    ProblemKind,
    Problems,
    ProjectRoot,
    ReportedProblem,
    problems_of_divide,
    problems_of_fuzz,
    problems_of_run,
)

SARIF = Format("sarif", ".sarif")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST = 5_000
"""GitHub shows so many results of a run, and refuses a file with 25,000."""
LONGEST_TEXT = 2_000
LONGEST_TITLE = 250
ROOT = "SRCROOT"

_OF_CHESS = "perft-check has found an engine that breaks or overlooks this rule of chess: {}."
_OF_COUNT = "The engine gave no answer that agrees with the suite, and no single rule is known as the cause: {}."


@SARIF.writes(RunFinished)
def _run(finished: RunFinished) -> str:
    return _log(problems_of_run(finished), finished.exit_code)


@SARIF.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> str:
    return _log(problems_of_fuzz(finished), finished.exit_code)


@SARIF.writes(DivideFinished)
def _divide(finished: DivideFinished) -> str:
    return _log(problems_of_divide(finished), finished.exit_code)


def _log(problems: Problems, code: ExitCode) -> str:
    root, shown = ProjectRoot.here(), problems.first(MOST)
    kinds = list(dict.fromkeys(one.kind for one in shown))
    rules = {kind.name: number for number, kind in enumerate(kinds)}
    run = {
        "tool": {"driver": {"name": "perft-check", "version": __version__, "rules": [_rule(kind) for kind in kinds]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"uri": root.uri}},
        "invocations": [_invocation(code, problems.total - len(shown), sentence_of(problems.untried))],
        "results": [_result(one, rules, root) for one in shown],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _invocation(code: ExitCode, left_out: int, not_tried: str) -> dict[str, Any]:
    """Return how the program ended, how many problems are not in the file, and what the engine was not asked for."""
    ended = {"executionSuccessful": code in (ExitCode.AGREE, ExitCode.MISMATCH, ExitCode.ENGINE_FAILED)}
    notes = {
        "warning": f"{left_out:,} more problems are left out: GitHub shows {MOST:,} of a run" if left_out else "",
        "note": f"not tried: {not_tried}" if not_tried else "",
    }
    told = [{"level": level, "message": {"text": text}} for level, text in notes.items() if text]
    return {**ended, "exitCode": int(code), **({"toolExecutionNotifications": told} if told else {})}


def _rule(kind: ProblemKind) -> dict[str, Any]:
    is_of_chess = kind.name in {rule.value for rule in Rule}
    title = one_line(kind.title, LONGEST_TITLE)
    help_text = (_OF_CHESS if is_of_chess else _OF_COUNT).format(title)
    if is_of_chess:
        rule = rule_texts()[Rule(kind.name)]
        help_text += f" {rule.text} ({rule.source})"
    return {
        "id": kind.name,
        "shortDescription": {"text": title},
        "fullDescription": {"text": help_text},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["chess", "rule of chess" if is_of_chess else "no rule known"]},
    }


def _result(problem: ReportedProblem, rules: dict[str, int], root: ProjectRoot) -> dict[str, Any]:
    lines = "\n".join(one_line(line, LONGEST_TEXT) for line in problem.lines)
    file = root.inside(problem.file)
    return {
        "ruleId": problem.kind.name,
        "ruleIndex": rules[problem.kind.name],
        "level": "error" if problem.is_failure else "warning",
        "message": {"text": f"{one_line(problem.title, LONGEST_TEXT)}\n{lines}"},
        "locations": [_location(problem, file)],
        "partialFingerprints": {"perftCheck/v1": _fingerprint(problem, file)},
        "properties": {
            "fen": problem.fen,
            "path": [one_line(move, LONGEST_TEXT) for move in problem.path],
            "replay": [visible(command) for command in problem.commands if len(command) <= LONGEST_TEXT],
        },
    }


def _location(problem: ReportedProblem, file: str | None) -> dict[str, Any]:
    """Return the line of the user's own suite, and the position."""
    place = {"fullyQualifiedName": f"{one_line(problem.where, LONGEST_TEXT)}: {problem.fen}", "kind": "position"}
    if file is None:
        return {"logicalLocations": [place]}
    uri = quote(file.encode(errors="surrogateescape"))
    physical = {"artifactLocation": {"uri": uri, "uriBaseId": ROOT}, "region": {"startLine": problem.line or 1}}
    return {"physicalLocation": physical, "logicalLocations": [place]}


def _fingerprint(problem: ReportedProblem, file: str | None) -> str:
    """Return what stays the same when the line moves and when the engine is called by another path."""
    parts: Sequence[str] = (problem.kind.name, problem.fen, *problem.path, file or "")
    return hashlib.sha256("\0".join(parts).encode(errors="backslashreplace")).hexdigest()[:32]
