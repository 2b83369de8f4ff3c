"""The script for `git bisect run` in docs/in-ci.md, in a repository with a commit that does not build."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from ci.programs import put_into

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "toy"
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
