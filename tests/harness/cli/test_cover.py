"""What suites reach of a library's code, as docs/coverage.md has its reader find out: with a compiler, in a process."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from docs.blocks import ROOT
from helpers.libraries import HEADERS, build_covered_library
from helpers.program import Run, check_mistakes
from helpers.readers import our_schema

SUITE = """\
4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15 ;id "castling"
4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25 ;id "kings"
4k3/8/8/8/8/8/8/3K4 w - - 0 1 ;D1 5 ;id "more kings"
"""
"""The third position reaches no more than the second."""
pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A folder with the library, its source and a suite."""
    build_covered_library(tmp_path)
    (tmp_path / "mine.epd").write_text(SUITE, encoding="utf-8")
    return tmp_path


def test_what_a_suite_reaches_and_what_it_does_not(library: Path, run: Run) -> None:
    done = run("cover", "-e", "lib:./libmine.so", "-s", "mine.epd", "-v")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "perft-check 0.1.0  code of lib:./libmine.so reached by mine"
    assert any(re.fullmatch(r" +\d+ .*READ_NOTHING|.*b->ep.*", line) for line in lines), "no en passant in the suite"
    assert "perft_check_fen_after (" in next(line for line in lines if line.startswith("never called: "))
    assert re.fullmatch(r"\d+ of \d+ branches of libmine.so reached by 3 positions", lines[-1])


def test_reports_agree(library: Path, run: Run) -> None:
    reports = ["--report", "json", "--report", "lcov"]
    done = run("cover", "-e", "lib:./libmine.so", "-s", "mine.epd", *reports)
    assert done.returncode == 0, done.stderr
    document = json.loads((library / "perft-check.json").read_text())
    our_schema(is_strict=True).validate(document)
    assert document["by_fuzzing"] == 0
    paths = {file["path"] for file in document["files"] if file["is_source"]}
    assert paths == {str(library / name) for name in ("generator.h", "library.c")}
    tracefile = (library / "perft-check.info").read_text()
    assert set(re.findall(r"^SF:(.*)$", tracefile, re.MULTILINE)) == paths
    assert sum(line.endswith(",1") for line in tracefile.splitlines() if line[:3] == "DA:") == document["lines_reached"]


def test_a_wrong_count_is_reported(library: Path, run: Run) -> None:
    (library / "mine.epd").write_text(SUITE.replace("D2 25", "D2 26"), encoding="utf-8")
    done = run("cover", "-e", "lib:./libmine.so", "-s", "mine.epd")
    assert done.returncode == 1
    assert "kings, depth 2: 25 nodes instead of 26" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("; 1 count is incorrect: perft-check run explains why")


def test_without_line_tables_places_are_offsets(library: Path, run: Run) -> None:
    build_covered_library(library, "-g0")
    done = run("cover", "-e", "lib:./libmine.so", "-s", "mine.epd")
    assert done.returncode == 0, done.stderr
    reason = "its lines are not known: compile with -g, and have llvm-symbolizer or addr2line: libmine.so"
    assert f"source unavailable, {reason}" in done.stdout


MISTAKES = {
    "cover -e own -s mine.epd": (
        "own: engines of this type have no coverage counters; see 'Coverage' in the documentation"
    ),
    "cover -s mine.epd": "cover needs an engine: add -e SPEC",
    "cover -e lib:./libplain.so -s mine.epd": (
        "libplain.so has no coverage counters: compile it with them, as 'Coverage' in the documentation describes"
    ),
    "fuzz -e own -n 5 --report lcov": "--report 'lcov' needs --coverage",
}
"""Command lines with mistakes, and what is said about them."""


def test_mistakes_are_one_line(library: Path, run: Run) -> None:
    plain = ["clang", "-shared", "-fPIC", "-I", str(HEADERS), "-o", "libplain.so", "library.c"]
    subprocess.run(plain, cwd=library, check=True)
    before = sorted(os.listdir(library))
    check_mistakes(run, MISTAKES)
    assert sorted(os.listdir(library)) == before


@pytest.mark.parametrize(
    ("compiler", "flags", "says"),
    [
        ("clang", "-fsanitize-coverage=trace-pc-guard,pc-table", r"never reached: \d+ branches"),
        ("gcc", "-fsanitize-coverage=trace-pc", r"never reached: unknown, because the compiler lists only .*"),
    ],
)
def test_a_program_tells_what_it_reaches_too(library: Path, run: Run, compiler: str, flags: str, says: str) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    for path in (ROOT / "tests" / "ci" / "toy").glob("*.[ch]"):
        shutil.copy(path, library)
    (library / "program.c").write_text('#include "perft_check_coverage.h"\n#include "engine.c"\n', encoding="utf-8")
    command = [compiler, "-O2", "-g", flags, "-I", str(HEADERS), "-o", "my-engine", "program.c"]
    subprocess.run(command, cwd=library, check=True)
    done = run("cover", "-e", "./my-engine", "-s", "mine.epd", COLUMNS="1000")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any(re.fullmatch(says, line) for line in lines)
    assert re.fullmatch(r"\d+ (of \d+ )?branches of my-engine reached by 3 positions", lines[-1])


def test_fuzz_tells_it_before_the_line_that_sums_up(library: Path, run: Run) -> None:
    reports = ["--report", "json", "--report", "lcov"]
    limits = ["-n", "600", "--seed", "1", "-j", "1"]
    done = run("fuzz", "-e", "lib:./libmine.so", "--coverage", *limits, *reports, COLUMNS="1000")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    names = ("code reached: ", "by sweep cases: ", "never reached: ", "no fault of libmine.so found in ")
    places = [next(number for number, line in enumerate(lines) if line.startswith(name)) for name in names]
    assert places == sorted(places)
    assert places[-1] == len(lines) - 1
    code = json.loads((library / "perft-check.json").read_text())["code"]
    assert code["by_fuzzing"] > 0
    tracefile = (library / "perft-check.info").read_text()
    assert sum(line.endswith(",1") for line in tracefile.splitlines() if line[:3] == "DA:") == code["lines_reached"]
