"""JUnit reports, parsed by junitparser and validated with the schema of Jenkins' xUnit plugin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from helpers.made_results import CASES, DIVIDE, FINDING_LINES, FUZZ, GREEN, MISMATCH, RUN, case, run_of
from helpers.readers import junit, junit_schema, rendered
from junitparser import JUnitXml, TestCase
from perft_check.harness.model.results.verdict import Verdict

PINNED = "missing move c4b3: En passant along the line of a pin"


def outcomes(report: JUnitXml) -> list[tuple[str, str]]:
    """Return the name and outcome of each test."""
    ends = [(one.name, one.result[0] if one.result else None) for suite in report for one in suite]
    return [
        (name, "passed" if end is None else f"{type(end).__name__} {end.type}: {end.message}") for name, end in ends
    ]


def named(report: JUnitXml, name: str) -> TestCase:
    return next(one for suite in report for one in suite if one.name == name)


def test_a_test_case_for_each_position_and_depth() -> None:
    report = junit(RUN)
    assert outcomes(report) == [
        ("right, depth 1", "passed"),
        ("right, depth 2", "passed"),
        ("right, depth 3", "passed"),
        ("wrong, depth 1", "passed"),
        ("wrong, depth 2", f"Failure mismatch: {PINNED}; -1 nodes"),
        ("wrong, depth 3", "Skipped unfinished: not counted after mismatch"),
        ("wrong too, depth 1", "passed"),
        ("wrong too, depth 2", f"Failure mismatch: {PINNED}; -1 nodes"),
        ("wrong too, depth 3", "Skipped unfinished: not counted after mismatch"),
        ("dead, depth 1", "passed"),
        ("dead, depth 2", "Error crash: odd was killed by SIGSEGV"),
        ("dead, depth 3", "Skipped unfinished: not counted after crash"),
        ("slow, depth 1", "passed"),
        ("slow, depth 2", "Error timeout: odd has not answered within 3 seconds"),
        ("slow, depth 3", "Skipped unfinished: not counted after timeout"),
        ("garbage, depth 1", "passed"),
        ("garbage, depth 2", "Error unparseable output: odd prints no count"),
        ("garbage, depth 3", "Skipped unfinished: not counted after unparseable output"),
        ("refused, depth 1", "passed"),
        ("refused, depth 2", "Error rejected position: odd refuses the position"),
        ("refused, depth 3", "Skipped unfinished: not counted after rejected position"),
        ("split, depth 1", "passed"),
        ("split, depth 2", "Failure references disagree: the references are split"),
        ("split, depth 3", "Skipped unfinished: not counted after references disagree"),
        ("once, depth 1", "passed"),
        ("once, depth 2", "Skipped not reproduced: odd was killed; a new process does not"),
        ("once, depth 3", "Skipped unfinished: not counted after not reproduced"),
        *((f"chess960, depth {depth}", f"Skipped not compared: {CASES[9].message}") for depth in (1, 2, 3)),
        *((f"stopped, depth {depth}", "Skipped unfinished: stopped after depth 1") for depth in (1, 2, 3)),
        *((f"left, depth {depth}", "Skipped unfinished: not begun") for depth in (1, 2, 3)),
    ]
    (suite,) = report
    assert (suite.name, suite.tests, suite.failures, suite.errors, suite.skipped) == ("made", 36, 3, 4, 18)
    assert suite._elem.get("file") == "suites/made.epd"
    assert [(one.name, one.value) for one in suite.properties()] == [
        ("perft_check", "1.2.3"),
        ("engine", "odd"),
        ("reference", "own"),
    ]


@pytest.mark.parametrize("result", [RUN, DIVIDE, FUZZ, GREEN], ids=["run", "divide", "fuzz", "green"])
def test_the_report_of_each_command_is_valid_for_jenkins(result: object) -> None:
    if not (schema := junit_schema()):
        pytest.skip("the schema of Jenkins' xUnit plugin is not here (PERFT_CHECK_JUNIT_XSD): NO REPORT IS VALIDATED")
    schema.validate(rendered("junit", result))


def test_totals_are_those_that_junitparser_counts() -> None:
    report = junit(RUN)
    (suite,) = report
    totals = (suite.tests, suite.failures, suite.errors, suite.skipped, suite.time)
    suite.update_statistics()
    assert (suite.tests, suite.failures, suite.errors, suite.skipped, suite.time) == totals


def test_the_text_of_a_failure_is_that_of_the_terminal() -> None:
    failed = named(junit(RUN), "wrong, depth 2")
    assert (failed.classname, failed.time) == ("made", 0.25)
    assert failed.result[0].text.splitlines() == [
        "MISMATCH  made:wrong  (suites/made.epd:2)",
        "  6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
        "  depth 2: 256 nodes, the suite says 257",
        "  -1 nodes",
        *(f"  {line}" for line in FINDING_LINES),
        "  reproduce: perft-check divide '6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1' 1 -e odd -a own",
    ]


def test_beyond_a_hundred_failures_the_text_has_no_board() -> None:
    failures = [replace(MISMATCH, name=f"w{number}") for number in range(102)]
    report = junit(run_of(*failures))
    assert "[k]" in named(report, "w99, depth 2").result[0].text
    assert named(report, "w100, depth 2").result[0].text.splitlines() == [
        "missing move c4b3: En passant along the line of a pin; -1 nodes",
        "MISMATCH  made:w100  (suites/made.epd:2)",
        "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
        "depth 2: 256 nodes, the suite says 257",
        "after Kg8 b4",
        "in 6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1",
        "c4b3 (cxb3) missing: The pawn stays on the line of its pin.",
        "reproduce: perft-check divide '6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1' 1 -e odd -a own",
    ]


def test_equal_names_are_distinguished() -> None:
    report = junit(run_of(case("a", Verdict.AGREE), case("a", Verdict.AGREE, 7), case("b", Verdict.AGREE)))
    names = [one.name for suite in report for one in suite]
    assert names[0::3] == ["a (suites/made.epd:1), depth 1", "a (suites/made.epd:7), depth 1", "b, depth 1"]


def test_a_failure_after_the_moves_of_a_case_is_a_separate_test() -> None:
    right = case("played", Verdict.AGREE)
    report = junit(run_of(replace(right, verdict=Verdict.MISMATCH, message="after the moves e2e4: 19 nodes")))
    assert outcomes(report)[3] == ("played, after its moves", "Failure mismatch: after the moves e2e4: 19 nodes")


def test_failures_not_reproduced_fail_with_the_option() -> None:
    report = junit(replace(RUN, fails_not_reproduced=True))
    assert isinstance(named(report, "once, depth 2").result[0].type, str)
    assert outcomes(report)[25][1].startswith("Error not reproduced: ")


def test_a_file_outside_of_the_project_is_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for source in ("smoke.epd:3", "/elsewhere/x.epd:3", "../x.epd:3"):
        (suite,) = junit(run_of(case("a", Verdict.AGREE, source=source)))
        assert suite._elem.get("file") is None
    monkeypatch.chdir(tmp_path)
    (suite,) = junit(run_of(case("a", Verdict.AGREE, source=f"{tmp_path}/mine/x.epd:3")))
    assert suite._elem.get("file") == "mine/x.epd"


def test_a_fuzzing_run_and_a_divide() -> None:
    assert outcomes(junit(FUZZ)) == [
        ("fen", "passed"),
        (
            "moves, finding 1: missing en-passant-along-pin",
            f"Failure mismatch: {PINNED}",
        ),
        ("counts, finding 2: crash", "Skipped not reproduced: odd has died"),
    ]
    assert outcomes(junit(replace(FUZZ, failure="odd is gone")))[-1] == ("the run", "Error crash: odd is gone")
    assert outcomes(junit(DIVIDE)) == [("depth 3 against reference 1: own", f"Failure mismatch: {PINNED}; -1 nodes")]
