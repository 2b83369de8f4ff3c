"""`--coverage` shows the lines of an engine that are suspected of a fault, with engines in C and in Python."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conditional_faults import faults
from faults import patched
from helpers.libraries import HEADERS
from helpers.program import Run, check_mistakes
from helpers.readers import our_schema
from measure import FLAGS, build

BLOCKED = next(one for one in faults() if one.name == "long-diagonal-check")
"""With the king on a1, no piece blocks a check from h8 on d4."""
PYTHON = "python:engine_with_a_fault:MailboxPosition"
LIBRARY = "lib:./libengine.so"
needs_clang = pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
pytestmark = pytest.mark.slow


def compile_patched(folder: Path, name: str) -> None:
    """Compile the example in C with a fault and counters."""
    fault = next(one for one in patched.faults() if one.name == name)
    source = '#include "perft_check_coverage.h"\n' + patched.patch_example(fault.changes)
    (folder / "engine.c").write_text(source, encoding="utf-8")
    flags = ["-O0", "-g", *FLAGS["clang"], "-shared", "-fPIC", "-I", str(HEADERS)]
    subprocess.run(["clang", *flags, "-o", "libengine.so", "engine.c"], cwd=folder, check=True)


def line_of(file: Path, text: str) -> int:
    """Return the number of the only line that contains a text."""
    (number,) = (number for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if text in line)
    return number


def first_of_five(finding: dict[str, Any]) -> tuple[str, int, str]:
    """Return the file, the line and the source of the most suspicious of five places."""
    places = finding["suspicious"]
    scores = [one["score"] for one in places]
    assert len(scores) == 5
    assert scores == sorted(scores, reverse=True)
    return places[0]["name"], places[0]["first"], places[0]["text"]


@needs_clang
def test_divide_shows_the_faulty_line_of_a_library(tmp_path: Path, run: Run) -> None:
    build(BLOCKED, tmp_path, "c")
    line = line_of(tmp_path / "engine.c", "if (to == 27) continue;")
    done = run("divide", BLOCKED.fen, "1", "-e", LIBRARY, "--coverage", "--report", "sarif", COLUMNS="1000")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    title, first = (lines[lines.index("most suspicious lines:") + number].split() for number in (1, 2))
    assert title == ["line", "score", "source"]
    assert first[:3] == [f"engine.c:{line - 1}-{line}", "1.00", "if"]
    (result,) = json.loads((tmp_path / "perft-check.sarif").read_text())["runs"][0]["results"]
    assert [one["id"] for one in result["relatedLocations"]] == [1, 2, 3, 4, 5]
    assert result["relatedLocations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "engine.c", "uriBaseId": "SRCROOT"},
        "region": {"startLine": line - 1, "endLine": line},
    }


def test_divide_shows_the_faulty_line_of_a_python_class(tmp_path: Path, run: Run) -> None:
    build(BLOCKED, tmp_path, "python")
    file = tmp_path / "engine_with_a_fault.py"
    done = run("divide", BLOCKED.fen, "1", "-e", PYTHON, "--coverage", "--json")
    assert (done.returncode, done.stderr) == (1, "")
    document = json.loads(done.stdout)
    our_schema(is_strict=True).validate(document)
    condition = line_of(file, "if 63 in self.attackers(0, not self.white):")
    assert first_of_five(document["finding"]) == (file.name, condition + 1, "return")
    assert document["finding"]["suspicious"][1]["first"] == condition


def test_run_shows_the_faulty_line(tmp_path: Path, run: Run) -> None:
    build(BLOCKED, tmp_path, "python")
    (tmp_path / "mine.epd").write_text(f"{BLOCKED.fen} ;D1 4\n", encoding="utf-8")
    done = run("run", "-e", PYTHON, "-s", "mine.epd", "--coverage", "--report", "json")
    assert (done.returncode, done.stderr) == (1, "")
    assert "most suspicious lines:" in done.stdout
    (case,) = json.loads((tmp_path / "perft-check.json").read_text())["results"]
    assert first_of_five(case["finding"])[2] == "return"


@needs_clang
def test_fuzz_shows_the_line_that_lacks_a_move(tmp_path: Path, run: Run) -> None:
    compile_patched(tmp_path, "en-passant-does-not-evade")
    limits = ["-n", "400", "--seed", "1", "-j", "1"]
    done = run("fuzz", "-e", LIBRARY, "--coverage", *limits, "--report", "json", COLUMNS="1000")
    assert (done.returncode, done.stderr.count("suspect: ")) == (1, 1)
    assert done.stdout.count("most suspicious lines:") == 1
    finding, *others = json.loads((tmp_path / "perft-check.json").read_text())["findings"]
    line = line_of(tmp_path / "engine.c", "list->doubtful != ~0ull && captures")
    assert first_of_five(finding["finding"])[:2] == ("engine.c", line)
    assert [one["finding"]["suspicious"] for one in others] == [[]]


WITHOUT = "libplain.so has no coverage counters: compile it with them, as 'Coverage' in the documentation describes"
NO_TYPE = "own: engines of this type have no coverage counters; see 'Coverage' in the documentation"
MISTAKES = {
    "divide startpos 1 -e lib:./libplain.so --coverage": WITHOUT,
    "run -e lib:./libplain.so -s smoke --coverage": WITHOUT,
    "fuzz -e lib:./libplain.so -n 10 --coverage": WITHOUT,
    "divide startpos 1 -e own --coverage": NO_TYPE,
    "run -e own -s smoke --coverage": NO_TYPE,
    "fuzz -e own -n 10 --coverage": NO_TYPE,
    "divide startpos 1 -e own --coverage --explain none": "--coverage needs explanations: leave out --explain",
    "run -e own -s smoke --coverage --explain none": "--coverage needs explanations: leave out --explain",
    "divide startpos 1 -e lib:./libwithout.so --coverage": (
        "libwithout.so: its lines are not known: compile with -g, and have llvm-symbolizer or addr2line"
    ),
    "divide startpos 1 -e own --coverage --alone": ("--coverage needs a reference to compare with: leave out --alone"),
}
"""Command lines with mistakes, and what is said about them."""


@needs_clang
def test_an_engine_without_coverage_is_an_error(tmp_path: Path, run: Run) -> None:
    compile_patched(tmp_path, "list-of-200-moves")
    command = ["clang", "-shared", "-fPIC", "-I", str(HEADERS), "engine.c"]
    (tmp_path / "plain.c").write_text(patched.patch_example(()), encoding="utf-8")
    subprocess.run([*command[:-1], "plain.c", "-o", "libplain.so"], cwd=tmp_path, check=True)
    subprocess.run([*command, *FLAGS["clang"], "-g0", "-o", "libwithout.so"], cwd=tmp_path, check=True)
    check_mistakes(run, MISTAKES)
