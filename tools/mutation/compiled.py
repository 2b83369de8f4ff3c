"""Test surviving mutants with compiled kernels, each in a copy of the package and in a new process."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from mutation.killing import MutantOutcome
from mutation.mutants import Mutant
from mutation.questions import Question
from mutation.targets import GENERATOR, path_of

ROOT = Path(__file__).resolve().parents[2]
TOOLS, TESTS = ROOT / "tools", ROOT / "tests"
MINUTES = 15
"""Time limit for a mutant, in which correct kernels can be compiled and answer all questions."""


def outcomes(mutants: Iterable[Mutant], questions: Sequence[Question]) -> Iterator[MutantOutcome]:
    """Yield the outcome of each mutant as soon as it is known."""
    with TemporaryDirectory() as folder:
        asked = Path(folder, "questions.pickle")
        asked.write_bytes(pickle.dumps([tuple(question) for question in questions]))
        for mutant in mutants:
            yield _outcome(mutant, asked, Path(folder, mutant.id))


def _outcome(mutant: Mutant, asked: Path, home: Path) -> MutantOutcome:
    generator = home / "perft_check" / "generator"
    shutil.copytree(GENERATOR, generator, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(GENERATOR.parent / "__init__.py", generator.parent)
    source = path_of(mutant.module)
    (generator / source.relative_to(GENERATOR)).write_text(mutant.applied_to(source.read_text(encoding="utf-8")))
    variables = {"NUMBA_CACHE_DIR": str(home / "cache"), "PYTHONPATH": os.pathsep.join(map(str, (home, TOOLS, TESTS)))}
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"} | variables
    command = [sys.executable, "-W", "ignore", "-m", "mutation.asking", str(asked)]
    try:
        answer = subprocess.run(command, capture_output=True, env=environment, timeout=60 * MINUTES, check=False)
    except subprocess.TimeoutExpired:
        return MutantOutcome(mutant.id, "time", "compiled")
    finally:
        shutil.rmtree(home)
    if answer.returncode:
        return MutantOutcome(mutant.id, "crash" if answer.returncode < 0 else "error", "compiled")
    number, kind = json.loads(answer.stdout)
    return MutantOutcome(mutant.id, "wrong answer" if kind else "survived", kind, number)
