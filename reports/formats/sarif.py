"""SARIF 2.1.0 for code scanning: a result for each failure, at its line in the suite.

GitHub code scanning rejects results without a physical location. A failure outside the project's files, such as one in
a bundled suite, is therefore located in perft-check's configuration file, otherwise in the workflow that runs
perft-check, otherwise in the project folder.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import quote

from ... import __version__
from ...harness.explaining.examples import rule_texts
from ...harness.explaining.rules import Rule
from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.capabilities import sentence_of
from ...harness.model.results.events import RunFinished
from ...harness.model.results.finding import SuspiciousLines
from ...harness.model.results.positions import DivideFinished
from ...harness.model.results.verdict import ExitCode
from ...harness.report_context import Project, ReportContext
from ..failure import Failure, failures_of
from ..text import one_line, visible
from .base import Format

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_RESULTS = 5_000
"""GitHub shows at most this many results per run, and rejects files with 25,000."""
LONGEST_TEXT = 2_000
LONGEST_TITLE = 250
ROOT = "SRCROOT"
PROJECT_FOLDER = "./"

_OF_CHESS = "The engine breaks or overlooks this rule of chess: {}."
_OF_COUNT = "The engine gave no correct answer, and no single rule of chess explains it: {}."


def log(result: RunFinished | FuzzFinished | DivideFinished, made: ReportContext | None) -> str:
    """Return a SARIF log of one run, with a result for each failure."""
    failures = failures_of(result)
    shown = failures.first(MAX_RESULTS)
    rules = list(dict.fromkeys(one.rule for one in shown))
    numbers = {name: number for number, (name, _) in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "perft-check", "version": __version__, "rules": [_rule(*rule) for rule in rules]}},
        "columnKind": "unicodeCodePoints",
        **({} if made is None else {"originalUriBaseIds": {ROOT: {"uri": made.project.uri}}}),
        "invocations": [_invocation(result.exit_code, failures.total - len(shown), sentence_of(failures.untried))],
        "results": [_result(one, numbers, made) for one in shown],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _invocation(code: ExitCode, left_out: int, not_tried: str) -> dict[str, Any]:
    """Return the invocation: the exit status, the number of omitted failures, and the untested capabilities."""
    ended = {"executionSuccessful": code in (ExitCode.AGREE, ExitCode.MISMATCH, ExitCode.ENGINE_FAILED)}
    notes = {
        "warning": f"{left_out:,} failures left out: GitHub shows at most {MAX_RESULTS:,} per run" if left_out else "",
        "note": f"not tried: {not_tried}" if not_tried else "",
    }
    notifications = [{"level": level, "message": {"text": text}} for level, text in notes.items() if text]
    return {
        **ended,
        "exitCode": int(code),
        **({"toolExecutionNotifications": notifications} if notifications else {}),
    }


def _rule(name: str, title: str) -> dict[str, Any]:
    is_of_chess = name in {rule.value for rule in Rule}
    shown = one_line(title, LONGEST_TITLE)
    help_text = (_OF_CHESS if is_of_chess else _OF_COUNT).format(shown)
    if is_of_chess:
        rule = rule_texts()[Rule(name)]
        help_text += f" {rule.text} ({rule.source})"
    return {
        "id": name,
        "shortDescription": {"text": shown},
        "fullDescription": {"text": help_text},
        "help": {"text": help_text},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["chess", "rule of chess" if is_of_chess else "no rule known"]},
    }


def _result(failure: Failure, rules: dict[str, int], made: ReportContext | None) -> dict[str, Any]:
    rule, _ = failure.rule
    project = None if made is None else made.project
    file = None if project is None else project.inside(failure.file)
    return {
        "ruleId": rule,
        "ruleIndex": rules[rule],
        "level": "error" if failure.is_failure else "warning",
        "message": {"text": "\n".join(one_line(line, LONGEST_TEXT) for line in failure.lines)},
        "locations": [_location(failure, file, (project and project.default_file) or PROJECT_FOLDER)],
        **_related_locations(failure, project),
        "partialFingerprints": {"perftCheck/v1": _fingerprint(failure, file)},
        "properties": {
            "fen": failure.fen,
            "path": [one_line(move, LONGEST_TEXT) for move in failure.path],
            "replay": [visible(command) for command in failure.commands if len(command) <= LONGEST_TEXT],
        },
    }


def _location(failure: Failure, file: str | None, default_file: str) -> dict[str, Any]:
    """Return the location of a failure: a line in the user's suite or the default file, and the position."""
    position = {"fullyQualifiedName": f"{one_line(failure.where, LONGEST_TEXT)}: {failure.fen}", "kind": "position"}
    uri = quote((default_file if file is None else file).encode(errors="surrogateescape"))
    line = 1 if file is None else failure.line or 1
    region = {} if uri == PROJECT_FOLDER else {"region": {"startLine": line}}
    physical = {"artifactLocation": {"uri": uri, "uriBaseId": ROOT}, **region}
    return {"physicalLocation": physical, "logicalLocations": [position]}


def _related_locations(failure: Failure, project: Project | None) -> dict[str, Any]:
    """Return the field with the suspicious lines of the engine's source that belong to the project, if any."""
    places = () if failure.finding is None or project is None else failure.finding.suspicious
    inside = [(one, file) for one in places if project is not None and (file := project.inside(one.path)) is not None]
    related = [_related(number, place, file) for number, (place, file) in enumerate(inside, 1)]
    return {"relatedLocations": related} if related else {}


def _related(number: int, place: SuspiciousLines, file: str) -> dict[str, Any]:
    source = {"uri": quote(file.encode(errors="surrogateescape")), "uriBaseId": ROOT}
    region = {"startLine": place.first, "endLine": place.last}
    text = f"suspicious line (score {place.score:.2f}): {one_line(place.text, LONGEST_TEXT)}"
    physical = {"artifactLocation": source, "region": region}
    return {"id": number, "message": {"text": text}, "physicalLocation": physical}


def _fingerprint(failure: Failure, file: str | None) -> str:
    """Return a hash that depends on neither the line number nor the engine's path."""
    rule, _ = failure.rule
    parts = (rule, failure.fen, *failure.path, file or "")
    return hashlib.sha256("\0".join(parts).encode(errors="backslashreplace")).hexdigest()[:32]


SARIF = Format(
    "sarif", ".sarif", dict.fromkeys((RunFinished, FuzzFinished, DivideFinished), log), takes_circumstances=True
)
