"""Reports as users ask for them: by kind, by ending, several at once, and what GitHub Actions makes of the output."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from helpers.program import WIDE, Run
from helpers.readers import our_schema, sarif_schema
from junitparser import JUnitXml

PINNED = "4r1k1/8/8/8/8/8/4B3/4K3 w - - 0 1"
SUITE = f'{PINNED} ;D1 4 ;D2 64 ;id "a pin"\nk7/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3 ;id "two kings"\n'
WRONG = ["-s", "mine.epd", "-e", "zoo:pins-forgotten"]
ACTIONS = {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": "", "GITHUB_STEP_SUMMARY": ""}


@pytest.fixture(autouse=True)
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ACTIONS:
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "mine.epd").write_text(SUITE)


def asked(*targets: str) -> list[str]:
    return [word for target in targets for word in ("--report", target)]


def test_each_kind_alone_has_a_default_name(run: Run, tmp_path: Path) -> None:
    kinds = {"junit": "xml", "sarif": "sarif", "jsonl": "jsonl", "json": "json", "md": "md"}
    done = run(*WRONG, *asked(*kinds))
    assert done.returncode == 1
    assert sorted(os.listdir(tmp_path)) == sorted(["mine.epd", *(f"perft-check.{ending}" for ending in kinds.values())])
    (tests,) = JUnitXml.fromfile(str(tmp_path / "perft-check.xml"))
    assert (tests.tests, tests.failures, tests.skipped) == (3, 1, 1)
    assert tests._elem.get("file") == "mine.epd"
    document = json.loads((tmp_path / "perft-check.sarif").read_text())
    sarif_schema().validate(document)
    (found,) = document["runs"][0]["results"]
    assert (found["ruleId"], found["locations"][0]["physicalLocation"]["region"]) == ("pinned", {"startLine": 1})
    our_schema().validate(json.loads((tmp_path / "perft-check.json").read_text()))
    for line in (tmp_path / "perft-check.jsonl").read_text().splitlines():
        our_schema().validate(json.loads(line))


def test_the_extension_selects_the_kind(run: Run, tmp_path: Path) -> None:
    run(*WRONG, *asked("a.xml", "c.sarif", "d.jsonl", "junit=e.txt"))
    starts = {name: (tmp_path / name).read_text()[:12] for name in ("a.xml", "c.sarif", "d.jsonl", "e.txt")}
    assert starts == {
        "a.xml": "<?xml versio",
        "c.sarif": '{\n  "$schema',
        "d.jsonl": '{"format":1,',
        "e.txt": "<?xml versio",
    }


def test_a_kind_is_a_kind_also_where_a_file_has_its_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "junit").write_text("mine")
    run(*WRONG, *asked("junit"))
    assert (tmp_path / "junit").read_text() == "mine"
    assert (tmp_path / "perft-check.xml").exists()


@pytest.mark.slow
def test_fuzz_and_divide_write_them_too(run: Run, tmp_path: Path) -> None:
    small = ["--examples", "40", "--seed", "1", "-j", "1", "--strategy", "games"]
    assert run("fuzz", "-e", "zoo:pins-forgotten", *small, *asked("junit", "jsonl")).returncode == 1
    assert [suite.name for suite in JUnitXml.fromfile(str(tmp_path / "perft-check.xml"))] == ["fuzz"]
    assert run("divide", PINNED, "1", "-e", "zoo:pins-forgotten", "-a", "own", *asked("sarif")).returncode == 1
    sarif_schema().validate(json.loads((tmp_path / "perft-check.sarif").read_text()))


def test_annotations_follow_the_text_and_the_summary_is_appended(run: Run, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("# Before\n")
    done = run(*WRONG, *asked("github"), **ACTIONS | WIDE | {"GITHUB_STEP_SUMMARY": str(summary)})
    assert done.returncode == 1
    *text, annotation, notice = done.stdout.splitlines()
    assert notice.startswith("::notice title=not tried::counts deeper than 1, taking moves back (")
    assert text[-1].startswith("1 of 2 positions agree, 1 mismatch")
    assert annotation.startswith(
        "::error file=mine.epd,line=1,title=extra move e2a6%3A Pinned piece leaves its line (and 8 more)%3A mine%3A"
    )
    assert f"%0Areproduce: perft-check divide '{PINNED}' 1 -e zoo:pins-forgotten " in annotation
    told = summary.read_text()
    assert told.startswith("# Before\n# perft-check: zoo:pins-forgotten\n")
    assert "| mine | 2 | 1 | 1 | 1 |" in told
    assert "```\nperft-check divide '" in told


def test_annotations_may_go_to_a_file(run: Run, tmp_path: Path) -> None:
    done = run(*WRONG, *asked("github=notes.txt", "json=-"))
    assert json.loads(done.stdout)["exit_code"] == 1
    assert (tmp_path / "notes.txt").read_text().startswith("::error file=mine.epd,line=1,")


def test_a_summary_that_cannot_be_written_does_not_hide_the_result(run: Run, tmp_path: Path) -> None:
    lost = str(tmp_path / "no" / "summary.md")
    done = run(*WRONG, *asked("github"), **ACTIONS | {"GITHUB_STEP_SUMMARY": lost})
    assert done.returncode == 1
    assert "perft-check: cannot write the job summary" in done.stderr
    assert done.stdout.splitlines()[-2].startswith("::error file=mine.epd,line=1,")
    done = run("-s", "mine.epd", "--max-depth", "1", *asked("github"), **ACTIONS | {"GITHUB_STEP_SUMMARY": lost})
    assert done.returncode == 2


def test_a_green_run_has_a_summary_and_no_annotation_but_what_was_not_tried(run: Run, tmp_path: Path) -> None:
    summary = {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")}
    done = run("-s", "mine.epd", "--max-depth", "1", *asked("github"), **ACTIONS | summary)
    (annotation,) = (line for line in done.stdout.splitlines() if line.startswith("::"))
    assert done.returncode == 0
    assert annotation.startswith("::notice title=not tried::counts deeper than 1, taking moves back (")
    told = (tmp_path / "summary.md").read_text()
    assert "No faults." in told
    assert "Not tried: counts deeper than 1, taking moves back (" in told


def test_names_of_suites_are_no_commands_for_a_runner(run: Run, tmp_path: Path) -> None:
    (tmp_path / "::error::x.epd").write_text(SUITE.replace("a pin", "::error::y ##[error]z"))
    arguments = ["-s", "::error::x.epd", "-e", "zoo:pins-forgotten", "-v"]
    assert " ::error::x" in run(*arguments, **WIDE).stdout
    done = run(*arguments, **ACTIONS | WIDE)
    assert done.returncode == 1
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    assert any(line.lstrip().startswith("\\::error::x") for line in lines)
    assert not any(line.strip().startswith("::") or "##[" in line for line in lines)
    done = run("-s", "##[error]x", **ACTIONS)
    assert (done.returncode, "##[" in done.stderr) == (2, False)


def test_reports_on_stdout_are_utf_8_whatever_the_engine_is_called(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.epd").write_text(SUITE.replace("a pin", "é ♔"))
    for kind in ("junit", "md", "sarif", "jsonl"):
        assert run(*WRONG, *asked(f"{kind}=-")).returncode == 1
    assert "é ♔" in run(*WRONG, *asked("md=-")).stdout


def test_no_report_replaces_an_engine_or_a_configuration(run: Run, tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    (tmp_path / "perft-check.toml").write_text("")
    for arguments, message in {
        ("-e", "./engine", "--report", "md=engine"): "this command already uses 'engine'; name another file",
        ("-e", "own", "-a", "uci:./engine", "--report", "md=./engine"): "this command already uses './engine'",
        ("--report", "json=perft-check.toml"): "'perft-check.toml' is a configuration file; name another file",
    }.items():
        done = run("run", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr
    assert engine.read_text() == "#!/bin/sh\n"


def test_a_pipe_that_nobody_reads_is_reported(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = run("run", "--max-nodes", "100", "-q", "--report", "json=pipe")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "perft-check: cannot write pipe: No such device or address"
