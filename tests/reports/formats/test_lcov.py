"""LCOV, read by a parser according to geninfo(1), and by genhtml if it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from helpers.made_coverage import CODE, COVER, PLACES, SOURCE, TEXT
from helpers.made_results import FUZZ, HOSTILE
from helpers.readers import rendered
from perft_check.harness.coverage.code import CodeCoverage
from perft_check.harness.coverage.model import CoverageSummary
from perft_check.harness.coverage.source_files import SourceFile

LINES = {
    "TN": r"(\w*)",
    "SF": r"(.+)",
    "FN": r"(\d+),(.+)",
    "FNDA": r"(\d+),(.+)",
    "BRDA": r"(\d+),(\d+),(\d+),(\d+|-)",
    "DA": r"(\d+),(\d+)",
    **dict.fromkeys(("FNF", "FNH", "BRF", "BRH", "LH", "LF"), r"(\d+)"),
}
"""Pattern of the value after each keyword of the manual page."""


@dataclass
class TracefileRecord:
    """The record of a source file."""

    found: dict[str, list[tuple[str, ...]]] = field(default_factory=lambda: defaultdict(list))

    def one(self, word: str) -> str:
        """Return the only value of a keyword."""
        ((value,),) = self.found[word]
        return value


def read(text: str) -> list[TracefileRecord]:
    """Return the records of a tracefile after checking its sums."""
    records, record = [], TracefileRecord()
    for line in text.splitlines():
        if line == "end_of_record":
            records.append(record)
            record = TracefileRecord()
            continue
        word, _, rest = line.partition(":")
        match = re.fullmatch(LINES[word], rest)
        assert match is not None, line
        record.found[word].append(match.groups())
    assert record.found == {}, "each record ends"
    for one in records:
        taken = [count for *_, count in one.found["BRDA"]]
        sums = {
            "FNF": len(one.found["FN"]),
            "FNH": sum(count != "0" for count, _ in one.found["FNDA"]),
            "BRF": len(taken),
            "BRH": sum(count not in "-0" for count in taken),
            "LF": len(one.found["DA"]),
            "LH": sum(count != "0" for _, count in one.found["DA"]),
        }
        assert {word: int(one.one(word)) for word in sums} == sums
        assert [name for _, name in one.found["FN"]] == [name for _, name in one.found["FNDA"]]
    return records


def test_lines_functions_and_branches_match_the_code() -> None:
    (record,) = read(rendered("lcov", replace(COVER, code=CODE)))
    assert (record.one("TN"), record.one("SF")) == ("perft_check", "/src/mine.c")
    assert record.found["DA"] == [("3", "1"), ("4", "1"), ("5", "1"), ("6", "0"), ("8", "0"), ("12", "0")]
    assert record.found["FN"] == [("3", "count"), ("12", "undo")]
    assert record.found["FNDA"] == [("1", "count"), ("0", "undo")]
    assert record.found["BRDA"] == [("4", "0", "0", "1"), ("4", "0", "1", "0")]


def test_branches_of_a_line_that_never_ran_are_dashes() -> None:
    nothing = CodeCoverage.of(CoverageSummary(PLACES, ()), [SOURCE])
    (record,) = read(rendered("lcov", replace(COVER, code=nothing)))
    assert record.found["BRDA"] == [("4", "0", "0", "-"), ("4", "0", "1", "-")]
    assert record.one("LH") == "0"


def test_a_fuzzing_run_has_the_same() -> None:
    assert rendered("lcov", replace(FUZZ, code=CODE)) == rendered("lcov", replace(COVER, code=CODE))
    assert rendered("lcov", FUZZ) == ""


def test_only_available_files_are_listed() -> None:
    places = (*PLACES, replace(PLACES[0], path="/usr/include/vector"), replace(PLACES[0], path="x.so", is_source=False))
    absent = SourceFile("/usr/include/vector", "vector", absence="no such file")
    offsets = SourceFile("x.so", "x.so", is_source=False, absence="no lines")
    code = CodeCoverage.of(CoverageSummary(places, ()), [absent, offsets, SOURCE])
    assert [one.one("SF") for one in read(rendered("lcov", replace(COVER, code=code)))] == ["/src/mine.c"]


def test_all_files_are_listed_on_another_machine() -> None:
    absent = replace(SOURCE, lines=(), real_path="", absence="no such file")
    code = CodeCoverage.of(CoverageSummary(PLACES, ()), [absent])
    assert [one.one("SF") for one in read(rendered("lcov", replace(COVER, code=code)))] == ["/src/mine.c"]


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_of_an_engine_add_no_lines(text: str) -> None:
    places = tuple(replace(place, path=text, function=text) for place in PLACES)
    code = CodeCoverage.of(CoverageSummary(places, ()), [SourceFile(text, text, SOURCE.lines)])
    (record,) = read(rendered("lcov", replace(COVER, code=code)))
    assert record.one("FNF") == "1"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("genhtml") is None, reason="lcov is not installed")
def test_genhtml_reads_it(tmp_path: Path) -> None:
    (tmp_path / "mine.c").write_text(TEXT, encoding="utf-8")
    source = replace(SOURCE, real_path=str(tmp_path / "mine.c"))
    code = CodeCoverage.of(CODE.summary, [source])
    (tmp_path / "cover.info").write_text(rendered("lcov", replace(COVER, code=code)), encoding="utf-8")
    command = ["genhtml", "--branch-coverage", "-o", "out", "cover.info"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"\((\d+ of \d+) (\w+)", done.stdout) == [
        ("3 of 6", "lines"),
        ("1 of 2", "functions"),
        ("1 of 2", "branches"),
    ]
