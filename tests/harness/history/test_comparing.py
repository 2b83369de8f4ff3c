"""What changes from one run to another, position by position."""

from __future__ import annotations

from pathlib import Path

from helpers.kept_runs import ORIGIN, case, finished
from perft_check.harness.history.comparing import compare, latest_two, speeds_over_time
from perft_check.harness.history.model import Noise, RunsCompared, RunShown
from perft_check.harness.history.store import cases_of, keep, runs_of
from perft_check.harness.model.results.events import CaseResult
from perft_check.harness.model.results.verdict import ExitCode, Verdict

AGREE, MISMATCH, CRASH = Verdict.AGREE, Verdict.MISMATCH, Verdict.CRASH

NOISE = Noise()


def compared(folder: Path, before: list[CaseResult], after: list[CaseResult], noise: Noise = NOISE) -> RunsCompared:
    for results in (before, after):
        keep(folder / "runs.db", ORIGIN, finished(*results))
    one, other = (RunShown(run, cases_of(folder / "runs.db", run)) for run in runs_of(folder / "runs.db")[-2:])
    return compare(one, other, noise)


def test_each_kind_of_change(tmp_path: Path) -> None:
    pairs = {
        "newly broken": [(AGREE, 3), (MISMATCH, 2)],
        "newly broken at the last depth": [(AGREE, 3), (CRASH, 3)],
        "newly broken below an old fault": [(Verdict.UNFINISHED, 3), (MISMATCH, 3)],
        "broken, not compared before, as it is deeper": [(AGREE, 3), (MISMATCH, 4)],
        "still broken": [(MISMATCH, 3), (CRASH, 1)],
        "newly right": [(MISMATCH, 3), (AGREE, 3)],
        "not compared any more: nobody looked so deep": [(MISMATCH, 3), (AGREE, 2)],
        "not compared any more, less deep": [(AGREE, 5), (AGREE, 4)],
        "not compared any more at all": [(AGREE, 5), (Verdict.SKIPPED, 0)],
        "unchanged": [(AGREE, 5), (AGREE, 5)],
        "unchanged, deeper": [(AGREE, 5), (AGREE, 6)],
        "unchanged, it came not again": [(AGREE, 5), (Verdict.NOT_REPRODUCED, 5)],
    }
    before = [case(name, *ends[0]) for name, ends in pairs.items()]
    after = [case(name, *ends[1]) for name, ends in pairs.items()]
    found = compared(
        tmp_path,
        [*before, case("not compared any more, gone"), case("not compared any more, gone and wrong", MISMATCH)],
        [case("broken, not compared before, and new", MISMATCH), case("new and right"), *after],
    )
    for change in found.changes:
        assert change.case.name.startswith(change.kind.value), change
    named = [name for name in pairs if not name.startswith("unchanged")]
    assert len(found.changes) == len(named) + 3
    assert found.same == 3
    assert found.exit_code is ExitCode.MISMATCH


def test_only_what_is_newly_broken_fails(tmp_path: Path) -> None:
    same = [case("a", MISMATCH), case("b")]
    assert compared(tmp_path, same, [*same, case("c", MISMATCH)]).exit_code is ExitCode.AGREE
    assert compared(tmp_path, [case("a")], [case("b")]).exit_code is ExitCode.NOTHING_TO_RUN


def test_slower_and_faster_beyond_the_noise(tmp_path: Path) -> None:
    times = {
        "slower": (1.0, 1.3),
        "faster": (1.0, 0.7),
        "same ratio": (1.0, 1.2),
        "same time": (0.01, 0.05),
        "another count": (1.0, 9.0),
    }
    before = [case(name, seconds=one) for name, (one, _) in times.items()]
    after = [
        case(name, seconds=other, nodes=1001 if name == "another count" else 1000) for name, (_, other) in times.items()
    ]
    found = compared(tmp_path, before, after)
    assert [(one.kind.value, one.case.name) for one in found.changes] == [("slower", "slower"), ("faster", "faster")]
    assert found.pace is not None
    assert round(found.pace, 4) == round(3.01 / 3.25, 4)
    strict = compared(tmp_path, before, after, Noise(ratio=1.1, seconds=0.01))
    assert [one.case.name for one in strict.changes] == ["slower", "same ratio", "same time", "faster"]


def test_positions_that_look_the_same_are_paired_in_their_order(tmp_path: Path) -> None:
    found = compared(tmp_path, [case("a"), case("a")], [case("a"), case("a", MISMATCH)])
    assert (found.same, len(found.changes)) == (1, 1)


def test_the_latest_two_runs_of_one_engine(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    for engine in ("./a", "./b", "./a", "./b", "./b"):
        keep(file, type(ORIGIN)(ORIGIN.began, engine, None, "m", None, {}), finished(case("a")))
    runs = runs_of(file)

    def numbers(before: int | None, after: int | None) -> list[int | None]:
        given = [None if one is None else runs[one - 1] for one in (before, after)]
        return [None if run is None else run.number for run in latest_two(runs, given[0], given[1])]

    assert numbers(None, None) == [4, 5]
    assert numbers(1, None) == [1, 3]
    assert numbers(None, 3) == [1, 3]
    assert numbers(2, 3) == [2, 3]
    assert numbers(None, 1) == [None, 1]


def test_only_speeds_of_equal_runs_stand_on_one_line(tmp_path: Path) -> None:
    file = tmp_path / "runs.db"
    origins = [type(ORIGIN)(ORIGIN.began, "./a", None, "m", None, {"jobs": jobs}) for jobs in (1, 2, 2)]
    for origin in origins:
        keep(file, origin, finished(case("a", seconds=0.5, nodes=1_000_000)))
    keep(file, origins[2], finished(case("a"), interrupted=True))
    (line,) = speeds_over_time(runs_of(file)).lines
    assert ([run.number for run in line.runs], line.speeds) == ([2, 3], (2.0, 2.0))
    assert speeds_over_time(runs_of(file)).left_out == 2
    assert speeds_over_time(runs_of(file), ["./b"]).lines == ()
