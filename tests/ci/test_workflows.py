"""The scripts in the steps of the workflows run, and only trusted jobs may write."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from ci.local_runner import Runner
from ci.programs import put_into

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github" / "workflows"
TRIED = {"Show versions", "Check perft-check's generator", "Fuzz", "Open an issue", "Release with its notes"}
GH = """#!/bin/sh
printf '%s\\n' "$*" >>"$GH_LOG"
case "$1 $2" in
"issue list") cat "$GH_TITLES" ;;
"issue create") cat body.md >>"$GH_LOG" ;;
esac
"""
"""A fake of GitHub's `gh` that logs its arguments and has some open issues."""
FINDINGS = """# perft-check fuzz: uci:stockfish

### missing move: Castling

### extra move: En passant along a rank
"""


def workflow(name: str) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))
    return document


def job_of(name: str, job: str, **env: str) -> str:
    """Return a workflow with the tested steps of a job, and with other values of their variables."""
    steps = [step for step in workflow(name)["jobs"][job]["steps"] if "run" not in step or step["name"] in TRIED]
    for step in steps:
        given = step.get("env", {})
        given.update({key: value for key, value in env.items() if key in given})
    return yaml.safe_dump({"jobs": {job: {"steps": steps}}})


def runner_in(folder: Path) -> Runner:
    """Return a runner with the tested `perft-check` and a fake `gh`."""
    programs, temp = folder / "programs", folder / "temp"
    put_into(programs)
    (programs / "gh").write_text(GH, encoding="utf-8")
    (programs / "gh").chmod(0o755)
    (folder / "titles").write_text("Something else\n", encoding="utf-8")
    (folder / "log").touch()
    temp.mkdir()
    env = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "GH_LOG": str(folder / "log"),
        "GH_TITLES": str(folder / "titles"),
    }
    github = {"run_number": "7", "run_id": "70", "repository": "us/perft-check", "server_url": "https://forge"}
    return Runner(folder, temp, ROOT, env, github=github | {"ref_name": "v0.1.0"})


def test_only_jobs_that_run_no_code_of_the_repository_may_write() -> None:
    writing = {
        (path.stem, name)
        for path in FOLDER.glob("*.yml")
        for name, job in workflow(path.stem)["jobs"].items()
        if "write" in (job.get("permissions") or {}).values()
    }
    assert writing == {("nightly", "report"), ("release", "publish")}
    for name, job in writing:
        used = [step.get("uses", "") for step in workflow(name)["jobs"][job]["steps"]]
        assert not [one for one in used if one.startswith("actions/checkout")]


def test_the_same_findings_open_only_one_issue(tmp_path: Path) -> None:
    runner = runner_in(tmp_path)
    (tmp_path / "temp" / "findings").mkdir()
    (tmp_path / "temp" / "findings" / "findings.md").write_text(FINDINGS, encoding="utf-8")
    title = "Fuzz: extra move: En passant along a rank;missing move: Castling"
    assert runner.run(job_of("nightly", "report")) == 0
    logged = (tmp_path / "log").read_text(encoding="utf-8")
    assert f"issue create --title {title} --body-file body.md\n# perft-check fuzz: uci:stockfish\n" in logged
    assert logged.endswith("Seed 7, workflow run https://forge/us/perft-check/actions/runs/70\n")
    (tmp_path / "titles").write_text(f"Something else\n{title}\n", encoding="utf-8")
    assert runner.run(job_of("nightly", "report")) == 0
    assert (tmp_path / "log").read_text(encoding="utf-8").count("issue create") == 1


def test_a_release_has_its_notes(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    for name in ("perft_check-0.1.0.tar.gz", "perft_check-0.1.0-py3-none-any.whl"):
        (tmp_path / "dist" / name).touch()
    runner = runner_in(tmp_path)
    assert runner.run(job_of("release", "publish")) == 0
    logged = (tmp_path / "log").read_text(encoding="utf-8").split()
    assert logged[:3] == ["release", "create", "v0.1.0"]
    assert logged[logged.index("--notes-file") + 1] == "dist/notes.md"
    assert {one for one in logged if one.startswith("dist/perft_check")} == {
        "dist/perft_check-0.1.0.tar.gz",
        "dist/perft_check-0.1.0-py3-none-any.whl",
    }


pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
