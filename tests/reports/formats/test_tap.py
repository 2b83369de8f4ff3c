"""TAP reports, read by tap.py, and by the tap-parser of npm where that is installed."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

from helpers.made_results import DIVIDE, FUZZ, HOSTILE, RUN, hostile, run_of
from helpers.node_modules import needs, path_in
from helpers.readers import written
from tap.parser import Parser


def lines(text: str) -> list[Any]:
    """Return the lines of a report as tap.py reads them; none may be unknown to it."""
    found = list(Parser().parse_text(text))
    assert "unknown" not in {line.category for line in found}
    return found


def points(result: object) -> list[Any]:
    found = lines(written("tap", result))
    (plan,) = (line for line in found if line.category == "plan")
    tests = [line for line in found if line.category == "test"]
    assert [line.number for line in tests] == list(range(1, plan.expected_tests + 1))
    return tests


def test_a_test_point_for_each_position_and_depth() -> None:
    found = points(RUN)
    assert len(found) == 36
    assert [line.number for line in found if not line.ok] == [5, 8, 11, 14, 17, 20, 23]
    assert sum(line.skip for line in found) == 18
    assert found[4].description == "- made: wrong, depth 2"
    assert found[5].directive.reason == "not counted: mismatch before"


def test_the_document() -> None:
    text = written("tap", run_of(RUN.results[0], RUN.results[3]))
    assert text.splitlines() == [
        "TAP version 14",
        "1..6",
        "# perft_check: 1.2.3",
        "# engine: odd",
        "# reference: own",
        "ok 1 - made: right, depth 1",
        "ok 2 - made: right, depth 2",
        "ok 3 - made: right, depth 3",
        "ok 4 - made: dead, depth 1",
        "not ok 5 - made: dead, depth 2",
        "  ---",
        '  message: "odd was killed by SIGSEGV"',
        "  severity: fail",
        '  verdict: "crash"',
        "  at:",
        '    file: "suites/made.epd"',
        "    line: 4",
        "  explanation:",
        '    - "CRASH  made:dead  (suites/made.epd:4; looks reachable)"',
        '    - "  6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1"',
        '    - "  at depth 2"',
        '    - "  odd was killed by SIGSEGV"',
        "    - \"  again: perft-check perft '6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1' 2 -e odd\"",
        "  ...",
        "ok 6 - made: dead, depth 3 # SKIP not counted: crash before",
    ]


def test_the_explanation_is_yaml() -> None:
    failed = points(RUN)[4].yaml_block
    assert failed["at"] == {"file": "suites/made.epd", "line": 2}
    assert failed["verdict"] == "mismatch"
    assert "  missing move: En passant along the line of a pin" in failed["explanation"]


def test_an_interrupted_run_bails_out() -> None:
    found = lines(written("tap", replace(RUN, interrupted=True)))
    assert (found[-1].category, found[-1].reason) == ("bail", "interrupted")
    numbers = [line.number for line in found if line.category == "test"]
    assert numbers[-1] == 30  # those that were not counted have no line
    assert found[1].expected_tests == 36


def test_nothing_to_run() -> None:
    assert written("tap", run_of()).splitlines()[1] == "1..0 # SKIP nothing to run"


def test_a_fuzzing_run_and_a_divide() -> None:
    assert [(line.ok, line.skip) for line in points(FUZZ)] == [(True, False), (False, False), (True, True)]
    assert [line.ok for line in points(DIVIDE)] == [False]


def test_nothing_from_outside_is_read_as_tap() -> None:
    for text in HOSTILE:
        run, fuzz, divide = hostile(text)
        assert [line.ok for line in points(run)].count(False) == 2
        assert [line.ok for line in points(fuzz)].count(False) == 3
        assert [line.ok for line in points(divide)] == [False]


@needs("tap-parser")
def test_tap_parser_reads_names_as_they_are(tmp_path: Path) -> None:
    name = r"a # TODO \# \\ b"
    (tmp_path / "all.tap").write_text(written("tap", run_of(*(replace(one, name=name) for one in RUN.results[1:2]))))
    command = ["node", str(path_in("tap-parser", "bin", "cmd.cjs")), "-j", "all.tap"]
    with (tmp_path / "all.tap").open() as report:
        done = subprocess.run(command[:3], stdin=report, capture_output=True, text=True, check=False)
    events = json.loads(done.stdout)
    tests = [event[1] for event in events if event[0] == "assert"]
    assert [one["name"] for one in tests] == [f"made: {name}, depth {depth}" for depth in (1, 2, 3)]
    assert [one["ok"] for one in tests] == [True, False, True]
    assert tests[1]["diag"]["at"] == {"file": "suites/made.epd", "line": 2}
    (complete,) = (event[1] for event in events if event[0] == "complete")
    assert (complete["count"], complete["fail"], complete["skip"], complete["failures"][0]["id"]) == (3, 1, 1, 2)
