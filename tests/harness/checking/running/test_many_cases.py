"""Suites of which only some pages are in memory: the same results, in an amount of memory that hardly grows."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import pytest
from perft_check import paged
from perft_check.harness.checking.running.plan import RunPlan
from perft_check.harness.checking.running.runner import run
from perft_check.harness.engines.kinds.own import OwnEngine
from perft_check.harness.model.results.events import CaseResult, RunFinished
from perft_check.harness.model.results.verdict import Verdict
from perft_check.harness.model.shutdown import Interrupt
from perft_check.paged import Pages
from perft_check.suites.bundled import bundled_path
from perft_check.suites.case import Case, Suite
from perft_check.suites.epd import format_case
from perft_check.suites.loader import load_suite

WRONG = "case 5"


def cases() -> list[Case]:
    """Return 26 cases of several counts, one of which is wrong."""
    smoke = [case for case in load_suite(bundled_path("smoke")) if len(case.counts) > 1][:26]
    assert len(smoke) == 26
    found = [replace(case, name=f"case {number}", counts=case.counts[:4]) for number, case in enumerate(smoke)]
    (depth, nodes), *rest = found[5].counts
    found[5] = replace(found[5], counts=((depth, nodes + 1), *rest))
    return found


def finished(monkeypatch: pytest.MonkeyPatch, most_open: int, fail_fast: bool, jobs: int = 1) -> RunFinished:
    monkeypatch.setattr(paged, "PAGE", 4)
    monkeypatch.setattr(paged, "MOST_OPEN", most_open)
    every = cases()
    suites = Suite("one", paged.in_pages(every[:10])), Suite("two", paged.in_pages(every[10:]))
    engine = partial(OwnEngine, "own")
    plan = RunPlan(engine, suites, fail_fast=fail_fast, explain=False, jobs=jobs, first=frozenset({("two", "case 20")}))
    *_, last = run(plan, Interrupt())
    assert isinstance(last, RunFinished)
    assert isinstance(last.results, Pages) is (most_open == 2 and not fail_fast)
    return last


def facts(results: object) -> list[CaseResult]:
    assert isinstance(results, Pages | tuple)
    return [
        replace(one, seconds=0.0, counts=tuple(count._replace(seconds=0.0) for count in one.counts)) for one in results
    ]


@pytest.mark.parametrize(("fail_fast", "jobs"), [(False, 1), (False, 3), (True, 1)])
def test_results_in_pages_are_those_of_a_run_that_keeps_all(
    monkeypatch: pytest.MonkeyPatch, fail_fast: bool, jobs: int
) -> None:
    whole = finished(monkeypatch, most_open=100, fail_fast=fail_fast)
    in_pages = finished(monkeypatch, most_open=2, fail_fast=fail_fast, jobs=jobs)
    assert facts(in_pages.results) == facts(whole.results)
    assert facts(in_pages.not_begun) == facts(whole.not_begun)
    assert [one.name for one in in_pages.failures] == [WRONG]
    assert (in_pages.nodes, in_pages.exit_code) == (whole.nodes, whole.exit_code)
    if not fail_fast:
        assert [one.name for one in in_pages.results] == [f"case {number}" for number in range(26)]
        assert in_pages.count(Verdict.AGREE) == 25


def peak_of(tmp_path: Path, number: int) -> int:
    """Return the most memory, in MiB, that a run of so many cases takes."""
    suite = tmp_path / f"{number}.epd"
    right = [case for case in cases() if case.name != WRONG]
    lines = [format_case(replace(case, counts=case.counts[:2], name="-", purpose="")) for case in right]
    suite.write_text("".join(f"{line}\n" for line in islice(cycle(lines), number)).replace(' ;id "-"', ""))
    command = [sys.executable, "-m", "perft_check", "run", "-e", "own", "-s", str(suite), "-q", "--no-explain"]
    with (tmp_path / "out").open("w") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
    _, status, usage = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    return usage.ru_maxrss // 1024


@pytest.mark.slow
def test_memory_hardly_grows_with_the_length_of_a_suite(tmp_path: Path) -> None:
    """A case and its result took 2.4 kB: 200,000 of them 480 MiB."""
    assert peak_of(tmp_path, 240_000) - peak_of(tmp_path, 40_000) < 150
