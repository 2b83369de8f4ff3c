"""SARIF reports, validated with the schema of SARIF 2.1.0."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.made_results import CASES, DIVIDE, FEN, FUZZ, GREEN, MISMATCH, REPLAY, RUN, run_of
from helpers.program import Run
from helpers.readers import sarif
from perft_check.reports.formats import sarif as format_module


def test_a_result_for_each_failure_the_first_of_each_cause_first() -> None:
    run = sarif(RUN)
    found = [(one["ruleId"], one["level"], one["message"]["text"].splitlines()[1]) for one in run["results"]]
    assert found[0] == ("en-passant-along-pin", "error", "MISMATCH  made:wrong  (suites/made.epd:2)")
    assert found[-2:] == [
        ("en-passant-along-pin", "error", "MISMATCH  made:wrong too  (suites/made.epd:3)"),
        ("not-reproduced", "warning", "NOT REPRODUCED  made:once  (suites/made.epd:9)"),
    ]
    assert sorted(rule for rule, _, _ in found[1:-2]) == [
        "crash",
        "references-disagree",
        "rejected-position",
        "timeout",
        "unparseable-output",
    ]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in run["results"])
    assert rules[0]["shortDescription"] == {"text": "En passant along the line of a pin"}
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]


def test_a_result_has_its_location_position_and_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    run = sarif(run_of(MISMATCH))
    (one,) = run["results"]
    assert one["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "suites/made.epd", "uriBaseId": "SRCROOT"},
                "region": {"startLine": 2},
            },
            "logicalLocations": [{"fullyQualifiedName": f"made:wrong: {FEN}", "kind": "position"}],
        }
    ]
    assert run["originalUriBaseIds"] == {"SRCROOT": {"uri": f"{tmp_path.resolve().as_uri()}/"}}
    assert one["properties"] == {
        "fen": FEN,
        "path": ["h8g8", "b2b4"],
        "replay": [f"perft-check divide '{FEN}' 1 -e odd -a own"],
    }


def test_only_files_of_the_project_are_locations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    below = tmp_path / "a b" / "c"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)

    def uri(source: str) -> str:
        (one,) = sarif(run_of(replace(MISMATCH, source=source)))["results"]
        return str(one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])

    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    monkeypatch.delenv("GITHUB_WORKFLOW_REF", raising=False)
    assert uri("x.epd:1") == uri(f"{below}/x.epd:1") == "x.epd"
    for other in ("smoke.epd:1", "../x.epd:1", "x\0.epd:1", f"{tmp_path}/x.epd:1"):
        assert uri(other) == "./"
    assert uri("./smoke.epd:1") == "smoke.epd"
    assert uri("50% # ü\udcff.epd:1") == "50%25%20%23%20%C3%BC%FF.epd"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    assert uri("x.epd:1") == "a%20b/c/x.epd"
    monkeypatch.setenv("GITHUB_WORKSPACE", "/somewhere/else")
    assert uri("x.epd:1") == "x.epd"
    (tmp_path / "link").symlink_to(below)
    assert uri(f"{tmp_path}/link/x.epd:1") == "x.epd"


def test_a_failure_without_a_file_is_located_in_the_configuration_or_else_in_the_workflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workflow = tmp_path / ".github" / "workflows" / "perft.yml"
    workflow.parent.mkdir(parents=True)
    workflow.touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    reference = "owner/repository/.github/workflows/perft.yml@refs/heads/main"

    def place(result: object, configuration: str = "") -> object:
        return sarif(result, configuration)["results"][0]["locations"][0]["physicalLocation"]

    def at(uri: str) -> object:
        return {"artifactLocation": {"uri": uri, "uriBaseId": "SRCROOT"}, "region": {"startLine": 1}}

    bundled = run_of(replace(MISMATCH, source="smoke.epd:3"))
    monkeypatch.delenv("GITHUB_WORKFLOW_REF", raising=False)
    for result in (bundled, FUZZ, DIVIDE):
        assert place(result) == {"artifactLocation": {"uri": "./", "uriBaseId": "SRCROOT"}}
    monkeypatch.setenv("GITHUB_WORKFLOW_REF", reference)
    for result in (bundled, FUZZ, DIVIDE):
        assert place(result) == at(".github/workflows/perft.yml")
        assert place(result, "perft-check.toml") == at("perft-check.toml")
        assert place(result, "../elsewhere.toml") == at(".github/workflows/perft.yml")
    monkeypatch.setenv("GITHUB_WORKFLOW_REF", reference.replace("perft.yml", "gone.yml"))
    assert place(bundled) == {"artifactLocation": {"uri": "./", "uriBaseId": "SRCROOT"}}


@pytest.mark.slow
def test_a_run_locates_failures_of_bundled_suites_in_its_configuration(run: Run, tmp_path: Path) -> None:
    (tmp_path / "perft-check.toml").write_text('engine = "zoo:pins-forgotten"\n')
    run("--max-nodes", "100", "-s", "smoke", "--report", "sarif")
    (document,) = json.loads((tmp_path / "perft-check.sarif").read_text())["runs"]
    places = [one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in document["results"]]
    assert places
    assert set(places) == {"perft-check.toml"}


def test_the_text_of_a_result_begins_with_the_cause() -> None:
    cause = "missing move c4b3: En passant along the line of a pin"
    texts = [one["message"]["text"].splitlines()[0] for one in sarif(RUN)["results"]]
    assert (texts[0], texts[-1]) == (f"{cause}; -1 nodes", "odd was killed; a new process does not")
    assert "odd was killed by SIGSEGV" in texts
    assert [sarif(one)["results"][0]["message"]["text"].splitlines()[0] for one in (FUZZ, DIVIDE)] == [cause, cause]


def test_fingerprints_stay_the_same_when_lines_and_engines_move() -> None:
    def fingerprint(**more: object) -> str:
        (one,) = sarif(run_of(replace(MISMATCH, **more)))["results"]  # type: ignore[arg-type]
        return str(one["partialFingerprints"]["perftCheck/v1"])

    assert fingerprint() == fingerprint(source="suites/made.epd:77", got=3, message="other")
    assert fingerprint() != fingerprint(fen="6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 2")


def test_results_are_limited_to_what_github_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_module, "MAX_RESULTS", 3)
    run = sarif(RUN)
    assert len(run["results"]) == 3
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == "5 failures left out: GitHub shows at most 3 per run"


def test_a_fuzzing_run_and_a_divide() -> None:
    first, second = sarif(FUZZ)["results"]
    assert (first["ruleId"], second["ruleId"], second["level"]) == ("en-passant-along-pin", "not-reproduced", "warning")
    assert first["properties"]["replay"] == [REPLAY]
    (one,) = sarif(DIVIDE)["results"]
    assert one["message"]["text"].startswith("missing move c4b3: En passant along the line of a pin\n")


def test_a_run_without_failures() -> None:
    assert sarif(GREEN)["results"] == sarif(run_of(CASES[9]))["results"] == []
    assert sarif(replace(GREEN, interrupted=True))["invocations"] == [{"executionSuccessful": False, "exitCode": 130}]
