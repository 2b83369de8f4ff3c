"""`fuzz --resume`: a run goes on where the last one has ended, and whatever is beside the corpus is never lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock
from helpers.fakes import FAKES
from helpers.processes import PATIENCE, restore_signals, until
from helpers.program import WIDE, Done, Run, wrong
from perft_check.harness.fuzzing import saved_run
from perft_check.harness.fuzzing.plan import SWEEP_BATCH, sweep_questions
from perft_check.harness.fuzzing.saved_run import FuzzState, read

CAREFUL = (
    *("-e", "python-chess", "-a", "own:turbo", "--strategy", "templates", "--depth", "1", "-j", "1"),
    *("--timeout", f"{PATIENCE:.0f}"),
)
KEPT = ("--corpus", "finds.epd", "--resume")
FAULTY = "zoo:promotion-flags-joined"


def engine(fault: str = "none") -> str:
    """Return an engine that can be asked ahead."""
    return f"uci:{sys.executable} {FAKES / 'one_bug.py'} uci {fault}"


def result(done: Done) -> dict[str, object]:
    assert done.returncode == 0, done.stderr
    fields: dict[str, object] = json.loads(done.stdout)
    return {name: fields.get(name) for name in ("examples", "examples_before", "events", "labels", "strategies")}


def state_in(folder: Path) -> FuzzState:
    return read((folder / "finds.epd.resume").read_bytes())[0]


@pytest.mark.slow
def test_two_runs_draw_what_one_draws(fuzz: Run, tmp_path: Path) -> None:
    json_report = ("--report", "json=-")
    first = fuzz(*CAREFUL, "-n", "20", "--seed", "5", *KEPT)
    assert first.returncode == 0, first.stderr
    assert "resumed: 0 positions before, 20 now" in first.stdout.splitlines()
    second = fuzz(*CAREFUL, "-n", "20", "--seed", "5", *KEPT, *json_report)
    whole = fuzz(*CAREFUL, "-n", "40", "--seed", "5", *json_report)
    assert result(second) == {**result(whole), "examples_before": 20}
    assert result(whole)["examples_before"] is None
    assert (state_in(tmp_path).seed, state_in(tmp_path).next_batch) == (5, 2)


@pytest.mark.slow
def test_what_was_learned_is_kept(fuzz: Run, tmp_path: Path) -> None:
    arguments = ("-e", engine(), "-n", "700", "--depth", "1", "-j", "1", *KEPT)
    assert fuzz(*arguments).returncode == 0
    one = state_in(tmp_path)
    assert "resumed: 700 positions before, 700 now" in fuzz(*arguments).stdout.splitlines()
    two = state_in(tmp_path)
    swept = one.counts.strategies["sweep"]
    sweep_batches = -(-swept // SWEEP_BATCH)
    assert swept == len(sweep_questions((False,), 1)) == two.counts.strategies["sweep"] > SWEEP_BATCH
    ahead = 700 - 160 - 40  # 160 are careful before them, and 40 in between
    assert one.counts.strategies["asked ahead"] == ahead - swept > 250
    assert two.counts.strategies["asked ahead"] == 2 * ahead - swept
    assert (two.seed, two.next_batch) == (one.seed, sweep_batches + 22)
    assert one.experiences[False].met.trace() > 0
    assert (two.experiences[False].met >= one.experiences[False].met).all()
    assert len(two.experiences[False]) > len(one.experiences[False])


@pytest.mark.slow
def test_finds_are_examined_again(fuzz: Run, tmp_path: Path) -> None:
    """The first positions of the second run do not show the fault; the find of the first one does."""
    arguments = ("--strategy", "placements", "-j", "1", *KEPT)
    first = fuzz("-e", FAULTY, "-n", "300", "-x", "--seed", "1", *arguments)
    assert first.returncode == 1
    (find,) = state_in(tmp_path).finds
    second = fuzz("-e", FAULTY, "-n", "1", *arguments)
    assert second.returncode == 1
    assert "(found before)" in second.stdout
    assert state_in(tmp_path).finds == (find,)


@pytest.mark.slow
def test_a_find_that_is_right_now_is_told_and_dropped(fuzz: Run, tmp_path: Path) -> None:
    """The same command is another engine now."""
    start = tmp_path / "start.sh"
    arguments = ["-e", f"uci:sh {start}", "--strategy", "placements", "--careful", "-j", "1", *KEPT]
    start.write_text(f"exec {sys.executable} {FAKES / 'one_bug.py'} uci promotion-flags-joined\n")
    assert fuzz(*arguments, "-n", "300", "-x", "--seed", "1").returncode == 1
    (find,) = state_in(tmp_path).finds
    start.write_text(f"exec {sys.executable} {FAKES / 'one_bug.py'} uci none\n")
    done = fuzz(*arguments, "-n", "1")
    assert done.returncode == 0
    assert f"found before, and right now: {find.line}\n" in done.stderr
    assert state_in(tmp_path).finds == ()


OTHER_SETTINGS = (
    (("--seed", "6"), "seed", "5", "6"),
    (("--depth", "2"), "depth", "1", "2"),
    (("--impossible",), "impossible", "False", "True"),
    (("-e", "python:chess:Board"), "engine", "'python-chess'", "'python:chess:Board'"),
)


def test_another_run_is_refused(fuzz: Run, tmp_path: Path) -> None:
    assert fuzz(*CAREFUL, "-n", "1", "--seed", "5", *KEPT).returncode == 0
    path = tmp_path / "finds.epd.resume"
    before = path.read_bytes()
    for arguments, name, theirs, ours in OTHER_SETTINGS:
        others = CAREFUL[2:] if "-e" in arguments else CAREFUL
        assert wrong(fuzz, *others, "-n", "1", *KEPT, *arguments) == (
            f"--resume: {path} is of a run with {name} {theirs}, not {ours}: "
            "give the settings of that run, or another --corpus"
        )
        assert path.read_bytes() == before


def test_what_keeps_no_run_is_refused_and_stays(fuzz: Run, tmp_path: Path) -> None:
    path = tmp_path / "finds.epd.resume"
    for data in (b"", b"a shopping list\n"):
        path.write_bytes(data)
        assert wrong(fuzz, *CAREFUL, "-n", "1", *KEPT) == (
            f"--resume: {path} does not keep a run; move it away to begin anew, or give another --corpus"
        )
        assert path.read_bytes() == data
    path.unlink()
    path.mkdir()
    said = f"--resume: {path} keeps no run: give another --corpus"
    assert wrong(fuzz, *CAREFUL, "-n", "1", *KEPT) == said


def test_two_runs_at_once(fuzz: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_run, "LOCK_SECONDS", 0.0)
    with FileLock(tmp_path / ".finds.epd.resume.lock"):
        assert wrong(fuzz, *CAREFUL, "-n", "1", *KEPT) == (
            f"--resume: another run goes on from {tmp_path}/finds.epd.resume: "
            "wait until it ends, or give another --corpus"
        )
    assert fuzz(*CAREFUL, "-n", "1", *KEPT).returncode == 0


def test_a_full_disk_is_told(fuzz: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the beginning nothing is examined. Later the run goes on, and what was kept before stays."""

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    path = tmp_path / "finds.epd.resume"
    with monkeypatch.context() as patch:
        patch.setattr(saved_run, "write_atomically", full)
        assert wrong(fuzz, *CAREFUL, "-n", "1", *KEPT) == f"cannot write {path}: No space left on device"
    kept = saved_run.Keeping.write

    def only_once(self: saved_run.Keeping, state: FuzzState) -> None:
        kept(self, state)
        monkeypatch.setattr(saved_run, "write_atomically", full)

    monkeypatch.setattr(saved_run.Keeping, "write", only_once)
    done = fuzz(*CAREFUL, "-n", "1", *KEPT)
    assert done.returncode == 2
    assert [line for line in done.stderr.splitlines() if "perft-check: " in line] == [
        f"perft-check: cannot write {path}: No space left on device: "
        "the run goes on, and the next one begins where it was kept last"
    ]
    assert done.stdout.endswith("no fault of python-chess in 1 position\n")
    assert state_in(tmp_path).next_batch == 0


def test_a_report_does_not_replace_what_is_kept(fuzz: Run) -> None:
    said = wrong(fuzz, *CAREFUL, *KEPT, "--report", "json=./finds.epd.resume")
    assert said == "--report: './finds.epd.resume' is read or added to by this run; give another path"


def test_without_a_corpus_nothing_can_be_kept(fuzz: Run) -> None:
    assert wrong(fuzz, "--resume") == "--resume needs a file beside which runs are kept: add --corpus FILE"


def test_a_run_that_is_not_kept_leaves_no_file(fuzz: Run, tmp_path: Path) -> None:
    assert fuzz(*CAREFUL, "-n", "1", "--corpus", "finds.epd").returncode == 0
    assert list(tmp_path.iterdir()) == []


OFTEN = """\
import sys
from perft_check.harness.cli.program import run_command_line
from perft_check.harness.fuzzing import campaign
from perft_check.harness.fuzzing.processes import worker

campaign.KEPT_SECONDS = worker.SO_FAR_SECONDS = 0.0
sys.exit(run_command_line(sys.argv[1:]))
"""
"""The program, which keeps its runs as often as it can."""


@pytest.mark.slow
def test_kill_9_at_any_moment_leaves_a_whole_state(tmp_path: Path) -> None:
    """The processes of the run before may still be ending while the next one begins, which takes over its lock."""
    moments, before = random.Random(1), 0
    for number in (signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
        process = subprocess.Popen(
            [sys.executable, "-c", OFTEN, "fuzz", "-e", engine(), "--depth", "1", "-j", "2", "--time", "inf", *KEPT],
            cwd=tmp_path,
            env=os.environ | WIDE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=restore_signals,
        )
        goal = before + moments.randrange(100, 400)
        until(partial(has_examined, tmp_path, goal), "a run that goes on")
        first, before = before, state_in(tmp_path).counts.examples
        process.send_signal(number)
        stdout, stderr = process.communicate()
        assert "Traceback" not in stderr
        assert state_in(tmp_path).counts.examples >= before >= goal
        before = state_in(tmp_path).counts.examples
        assert (tmp_path / ".finds.epd.resume.lock").exists() is (number == signal.SIGKILL)
    assert process.returncode == 130
    assert f"resumed: {first:,} positions before, {before - first:,} now\n" in stdout
    assert not list(tmp_path.glob(".*.lock"))


def has_examined(folder: Path, number: int) -> bool:
    """Tell whether so many positions are kept, without reading all that is."""
    path = folder / "finds.epd.resume"
    return path.exists() and sum(json.loads(path.read_bytes().splitlines()[1])["strategies"].values()) >= number
