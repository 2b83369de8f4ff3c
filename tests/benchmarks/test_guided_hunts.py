"""`benchmarks/guided/measure.py`: engines with coverage counters, and the table of results."""

from __future__ import annotations

import ctypes
import json
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from conditional_faults import faults
from measure import FLAGS, GuidedHunt, build, read_hunts, table

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "guided" / "measure.py"
FOUND = GuidedHunt("move-128", "c", is_found=True, verdict="mismatch", positions=1234, seconds=2.5, cpu_seconds=2.25)
MISSED = GuidedHunt("move-128", "c --coverage", is_found=False, verdict="", positions=9, seconds=30, cpu_seconds=28)


def run_script(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(SCRIPT), *arguments], capture_output=True, text=True, check=False)


def test_the_table_of_results(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text("".join(json.dumps(asdict(hunt)) + "\n" for hunt in (FOUND, MISSED)), encoding="utf-8")
    assert table(read_hunts(results), ["move-128", "full-rank"]) == [
        "| fault | c | c --coverage |",
        "| --- | --- | --- |",
        "| move-128 | 1,234 positions, 2.5 s, 2.2 s of CPU | **not found**: 9 positions, 30.0 s, 28.0 s of CPU |",
        "| full-rank |  |  |",
        "| found | 1 of 1 | 0 of 1 |",
    ]


def test_an_unknown_fault_is_an_error(tmp_path: Path) -> None:
    ended = run_script("--results", str(tmp_path / "results.jsonl"), "none")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("there is no fault 'none'; there are: knight-a8-b6, ")


def test_faults_in_the_results_are_skipped(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    how = "python --time=30 --jobs=1 --seed=1"
    row = GuidedHunt("move-128", how, is_found=True, verdict="mismatch", positions=1, seconds=1, cpu_seconds=1)
    results.write_text(json.dumps(asdict(row)) + "\n", encoding="utf-8")
    ended = run_script("--results", str(results), "--language", "python", "move-128")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("compiler", sorted(FLAGS))
def test_a_library_counts_its_branches(tmp_path: Path, compiler: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"not installed: {compiler}")
    assert build(faults()[0], tmp_path, "c", compiler) == "lib:./libengine.so"
    library = ctypes.CDLL(str(tmp_path / "libengine.so"))
    assert library.perft_check_perft(faults()[0].fen.encode(), 1) > 0
    assert library.perft_check_coverage_branches() > 100
