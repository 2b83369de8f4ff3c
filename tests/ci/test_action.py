"""The action for GitHub and the example for git bisect, run with local programs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ci.local_runner import Runner
from ci.programs import errors_of, put_into
from perft_check.generator.kernels.machine.folders import cache_root

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"
PAGE = (ROOT / "docs" / "in-ci.md").read_text(encoding="utf-8")
SUITE = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;D2 568\n5rk1/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 12\n"


def workflow_of_the_page() -> str:
    """Return the first workflow of the page, changed to a toy engine and its suite."""
    found = re.search(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1].replace("./my-engine", "./toy").replace("max-nodes: 1M", "suites: own.epd")


def job(folder: Path, flags: str, **more: object) -> Runner:
    """Return a runner for a repository with the toy engine."""
    repository = folder / "repository"
    shutil.copytree(TOY, repository)
    (repository / "own.epd").write_text(SUITE, encoding="utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "NUMBA_CACHE_DIR") if name in os.environ}
    return Runner(repository, folder / "temp", ROOT, {**kept, "CFLAGS": flags}, **more)  # type: ignore[arg-type]


def installed(folder: Path) -> dict[str, dict[str, str]]:
    """Install the tested perft-check where the action would; return the outputs of that step."""
    put_into(folder / "temp" / "perft-check" / "bin")
    kept = cache_root()
    assert kept is not None
    (folder / "temp" / "perft-check-kernels").symlink_to(kept)  # as actions/cache restores them
    reports = folder / "temp" / "perft-check-reports"
    reports.mkdir()
    return {"install": {"reports": str(reports), "sources": "0123456789abcdef"}}


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_a_correct_engine_passes(tmp_path: Path) -> None:
    runner = job(tmp_path, "", done=installed(tmp_path))
    assert runner.run(workflow_of_the_page()) == 0
    (annotation,) = runner.annotations
    assert annotation.startswith("::notice title=not tried::playing moves, ")
    assert "2 of 2 positions agree" in runner.summary
    page = (tmp_path / "temp" / "perft-check-reports" / "perft-check.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    upload = {
        "name": "perft-check",
        "path": str(tmp_path / "temp" / "perft-check-reports"),
        "if-no-files-found": "ignore",
    }
    assert ("actions/upload-artifact", upload) in runner.used


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_a_failure_is_annotated_at_its_line_of_the_suite(tmp_path: Path) -> None:
    runner = job(tmp_path, "-DWRONG", done=installed(tmp_path))
    assert runner.run(workflow_of_the_page()) == 1
    (annotation,) = [line for line in runner.annotations if "line=2" in line]
    assert annotation.startswith("::error file=own.epd,line=2,title=")
    assert "the king would pass f1, which the rook on f8 attacks" in annotation
    assert "Castling through an attacked square" in runner.summary
    page = (tmp_path / "temp" / "perft-check-reports" / "perft-check.html").read_text(encoding="utf-8")
    assert "Castling through an attacked square" in page
    assert [name for name, _ in runner.used][-1] == "actions/upload-artifact"


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_the_summary_names_new_known_and_fixed_failures(tmp_path: Path) -> None:
    runner = job(tmp_path, "-DWRONG", done=installed(tmp_path))
    correct = "8/8/8/8/8/8/k7/2K5 w - - 0 1"
    (tmp_path / "repository" / "own.epd").write_text(f"{SUITE}{correct} ;D1 3\n", encoding="utf-8")
    cause = "extra move: Castling through an attacked square"
    positions = [*(line.split(" ;")[0] for line in SUITE.splitlines()), correct]
    known = [{"cause": cause, "position": position, "chess960": False} for position in positions]
    (tmp_path / "repository" / "known.json").write_text(json.dumps({"version": 1, "run": known}), encoding="utf-8")
    workflow = workflow_of_the_page().replace("suites: own.epd", "suites: own.epd\n          baseline: known.json")
    assert runner.run(workflow) == 0
    assert "0 new failures, 2 known, 1 fixed." in runner.summary
    assert f"### No longer failing\n\n- {cause}: {correct}\n" in runner.summary
    (tmp_path / "repository" / "known.json").write_text('{"version": 1}', encoding="utf-8")
    assert runner.run(workflow) == 1
    assert "Castling through an attacked square" in runner.summary


@pytest.mark.slow
def test_an_engine_that_was_not_built_is_a_usage_error(tmp_path: Path) -> None:
    runner = job(tmp_path, "--no-such-option", done=installed(tmp_path))
    assert runner.run(workflow_of_the_page().replace("run: make", "run: make || true")) == 2
    assert runner.summary == ""


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
@pytest.mark.parametrize(
    "line", ["", '          engine: ""\n', '          engine: "  "\n'], ids=["none", "empty", "blank"]
)
def test_a_job_without_an_engine_fails(tmp_path: Path, line: str) -> None:
    runner = job(tmp_path, "", done=installed(tmp_path))
    assert runner.run(workflow_of_the_page().replace("          engine: ./toy\n", line)) == 2
    assert runner.summary == ""


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_inputs_are_not_run_as_commands(tmp_path: Path) -> None:
    runner = job(tmp_path, "", done=installed(tmp_path))
    hostile = workflow_of_the_page().replace("engine: ./toy", 'engine: "$(touch made); \'x\' \\"y\\""')
    assert runner.run(hostile) in (2, 3)
    assert not (tmp_path / "repository" / "made").exists()


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_fuzzing_follows_suites_that_agree(tmp_path: Path) -> None:
    workflow = workflow_of_the_page().replace("suites: own.epd", "suites: own.epd\n          fuzz-seconds: 5")
    runner = job(tmp_path, "", done=installed(tmp_path))
    assert runner.run(workflow) == 0
    assert (tmp_path / "temp" / "perft-check-reports" / "perft-check-fuzz.html").exists()


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
@pytest.mark.quick_start
def test_the_action_installs_itself(tmp_path: Path) -> None:
    runner = job(tmp_path, "-DWRONG")
    assert runner.run(workflow_of_the_page()) == 1
    assert "Castling through an attacked square" in runner.summary


def blocks_of_the_page() -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_files_for_github_are_valid() -> None:
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    assert errors_of("check_jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows) == ""
    forms = [path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml"]
    assert errors_of("check_jsonschema", "--builtin-schema", "vendor.github-issue-forms", *forms) == ""
    updates = ROOT / ".github" / "dependabot.yml"
    assert errors_of("check_jsonschema", "--builtin-schema", "vendor.dependabot", updates) == ""
    assert errors_of("check_jsonschema", "--builtin-schema", "vendor.github-actions", ROOT / "action.yml") == ""
    assert errors_of("pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml") == ""


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.slow
def test_configurations_of_the_page_are_valid(tmp_path: Path) -> None:
    github, alone, gitlab, hooks = blocks_of_the_page()
    for name, text in {"github": github, "alone": alone, "gitlab": gitlab, "hooks": hooks}.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    for name, schema in {"github": "github-workflows", "alone": "github-workflows", "gitlab": "gitlab-ci"}.items():
        file = tmp_path / f"{name}.yaml"
        assert errors_of("check_jsonschema", "--builtin-schema", f"vendor.{schema}", file) == "", name
    assert errors_of("pre_commit", "validate-config", tmp_path / "hooks.yaml") == ""


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.skipif(shutil.which("zizmor") is None, reason="no zizmor")
def test_zizmor_finds_no_security_problem() -> None:
    # For example: actions are pinned, credentials are not persisted, inputs are not expanded in scripts.
    command = ["zizmor", "--offline", "--no-progress", ".github", "action.yml"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert finished.returncode == 0, finished.stdout


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="no C compiler")
@pytest.mark.skipif(shutil.which("actionlint") is None, reason="no actionlint")
def test_workflows_are_linted(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".github" / "workflows").mkdir(parents=True)
    (repository / ".git").mkdir()
    shutil.copy(ROOT / "action.yml", repository / "action.yml")
    for number, block in enumerate(blocks_of_the_page()):
        if "runs-on" in block:
            local = block.replace("OWNER/perft-check@main", "./")
            (repository / ".github" / "workflows" / f"{number}.yml").write_text(local, encoding="utf-8")
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        shutil.copy(path, repository / ".github" / "workflows")
    finished = subprocess.run(["actionlint"], cwd=repository, capture_output=True, encoding="utf-8", check=False)
    assert (finished.returncode, finished.stdout) == (0, "")


PREFIXES = ("", "// a\n", "// b\n", "#error no\n", "// c\n", "#define WRONG\n", "#define WRONG 1\n")
"""What precedes the source code of the engine in each commit."""


@pytest.mark.skipif(not all(map(shutil.which, ("git", "cc", "make"))), reason="no git, make or C compiler")
@pytest.mark.slow
def test_it_finds_the_commit_that_broke_castling(tmp_path: Path) -> None:
    repository = tmp_path / "engine"
    shutil.copytree(TOY, repository)
    sources = (TOY / "engine.c").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "in-ci.md").read_text(encoding="utf-8")
    script = re.search(r"```sh\n(.*?)```", page, re.DOTALL)
    assert script is not None
    (tmp_path / "check.sh").write_text(script[1].replace("./my-engine", "./toy"), encoding="utf-8")
    put_into(tmp_path / "bin")
    someone = {f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    env = {**os.environ, **someone, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "GIT_CONFIG_GLOBAL": os.devnull}

    def git(*words: str) -> str:
        finished = subprocess.run(
            ["git", *words], cwd=repository, env=env, capture_output=True, encoding="utf-8", check=False
        )
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return finished.stdout.strip()

    git("init", "-q")
    commits = []
    for number, head in enumerate(PREFIXES):
        (repository / "engine.c").write_text(head + sources, encoding="utf-8")
        git("add", "engine.c", "Makefile")
        git("commit", "-q", "-m", f"commit {number}")
        commits.append(git("rev-parse", "HEAD"))
    git("bisect", "start", commits[-1], commits[0])
    output = git("bisect", "run", "sh", "../check.sh")
    assert f"{commits[5]} is the first bad commit" in output
