"""TAP 14, the Test Anything Protocol: a test point for each position and depth, diagnostics as YAML."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ...harness.fuzzing.model import FuzzFinished
from ...harness.model.results.divide import DivideFinished
from ...harness.model.results.events import RunFinished
from .base import Format
from .parts.points import SHOWN_BOARDS, Point, Points, points_of_divide, points_of_fuzz, points_of_run
from .parts.visible import one_line

TAP = Format("tap", ".tap")
LONGEST_LINE = 1_000


@TAP.writes(RunFinished)
def _run(finished: RunFinished) -> Iterator[str]:
    return _document(points_of_run(finished))


@TAP.writes(FuzzFinished)
def _fuzz(finished: FuzzFinished) -> Iterator[str]:
    return _document(points_of_fuzz(finished))


@TAP.writes(DivideFinished)
def _divide(finished: DivideFinished) -> Iterator[str]:
    return _document(points_of_divide(finished))


def _document(points: Points) -> Iterator[str]:
    """Yield the whole document. An interrupted run bails out after the last point that was tested."""
    planned = sum(group.totals().outcomes.total() for group in points.groups)
    yield "TAP version 14\n"
    yield f"1..{planned}\n" if planned else "1..0 # SKIP nothing to run\n"
    for name, value in points.facts:
        yield f"# {name}: {_line(value)}\n"
    boards, number = iter(range(SHOWN_BOARDS)), 0
    for group in points.groups:
        for point in group.points():
            number += 1
            if not (points.interrupted and point.kind == "unfinished"):
                yield _point(number, f"{group.name}: {point.name}", point, boards)
    if points.interrupted:
        yield "Bail out! interrupted\n"


def _point(number: int, name: str, point: Point, boards: Iterator[int]) -> str:
    ok = "ok" if point.outcome in ("passed", "skipped") else "not ok"
    skip = f" # SKIP {_escape(point.message or point.kind)}" if point.outcome == "skipped" else ""
    return f"{ok} {number} - {_escape(name)}{skip}\n" + ("" if ok == "ok" else _diagnostics(point, boards))


def _diagnostics(point: Point, boards: Iterator[int]) -> str:
    """Return the explanation as a block of YAML.

    Each line of it is a string in quotes, as in JSON, so that none can end the block.
    """
    has_board = point.board is not None and next(boards, None) is not None
    file, line = point.place
    at = ["at:", f"  file: {_quote(file)}", *([f"  line: {line}"] if line else [])]
    lines = [
        f"message: {_quote(point.message or point.kind)}",
        "severity: fail",
        f"verdict: {_quote(point.kind)}",
        *(at if file else []),
        "explanation:",
        *(f"  - {_quote(line)}" for line in point.text(has_board).split("\n")),
    ]
    return "".join(f"  {line}\n" for line in ("---", *lines, "..."))


def _quote(text: str) -> str:
    return json.dumps(_line(text), ensure_ascii=False)


def _escape(text: str) -> str:
    return _line(text).replace("\\", "\\\\").replace("#", "\\#")


def _line(text: str) -> str:
    return one_line(text, LONGEST_LINE)
