"""What happens to our output: narrow terminals, full disks, readers that leave, names that look like markup."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.program import PROGRAM, Run
from helpers.terminal import run_on_terminal

pytestmark = pytest.mark.slow  # each test starts a process

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_names_are_never_markup(tmp_path: Path) -> None:
    (tmp_path / "a.epd").write_text(f'{KIWIPETE} ;D1 48 ;D4 4085603 ;id "[/x] [bold]"\n')
    status, sampled = run_on_terminal(["-s", "a.epd", "-v"], tmp_path)
    assert status == 0, sampled
    assert "a:[/x] [bold]" in sampled


def test_progress_is_drawn_on_a_terminal_and_taken_away(tmp_path: Path) -> None:
    arguments = ["-s", "standard", "--filter", "^cpw-[3-6]$", "-e", "python-chess", "--time", "3"]
    status, sampled = run_on_terminal(arguments, tmp_path, columns=140)
    assert status in (0, 4)
    assert "waiting for python-chess" in sampled
    assert "-:--:--" in sampled, "the remaining time, before it is known"
    assert sampled.rstrip().splitlines()[-1].startswith("\x1b[33mout of time")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--report", "json=-"],
        ["suites", "show", "smoke"],
        ["--version"],
        *(pytest.param(words, marks=pytest.mark.long) for words in ([], ["perft", "startpos", "2"], ["doctor"])),
    ],
)
def test_a_full_disk_is_one_line_and_status_2(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "perft-check: cannot write the output: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", ["suites show special", "--report json=-", "perft startpos 3 --stats"])
def test_a_reader_that_closes_the_pipe_ends_the_program_like_sigpipe(arguments: str) -> None:
    command = f"set -o pipefail; {sys.executable} -m perft_check {arguments} | (exec 0<&-; sleep 0.1)"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr.count("Traceback")) == (141, 0)


def redirected(arguments: str, redirections: str) -> tuple[int, str, str]:
    """Return the exit status of the program in a shell, what it says, and what else it says."""
    command = f"{sys.executable} -m perft_check {arguments} {redirections}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("nobody", ["2>&-", "2>/dev/full", "2> >(true)", "<&- 2>&-"])
@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        ("perft startpos 3", "8902\n"),
        *(
            pytest.param(words, last, marks=pytest.mark.long)
            for words, last in (
                ("perft startpos 3 --json", "}\n"),
                ("perft startpos 3 --stats", "\n8902\n"),
                ("divide startpos 2", "\n400\n"),
                ("bench -p startpos -e own --rounds 1", " 1.00\n"),
                ("--max-depth 1", "n/s\n"),
            )
        ),
    ],
)
def test_a_result_is_reported_although_nobody_reads_notices(arguments: str, last: str, nobody: str) -> None:
    status, said, _ = redirected(arguments, nobody)
    assert (status, said[-len(last) :]) == (0, last)


@pytest.mark.parametrize("redirections", [">&-", "<&- >&-"])
@pytest.mark.parametrize(
    "arguments",
    [
        "perft startpos 3",
        "uci",
        *(pytest.param(words, marks=pytest.mark.long) for words in ("--max-depth 1", "doctor")),
    ],
)
def test_a_closed_stdout_is_an_error(arguments: str, redirections: str) -> None:
    status, said, told = redirected(arguments, redirections)
    assert (status, said) == (2, "")
    assert told.splitlines()[-1] == "perft-check: cannot write the output: stdout is closed"
    assert redirected(arguments, f"{redirections} 2>&-") == (2, "", "")


@pytest.mark.parametrize(
    ("arguments", "last"),
    [
        ("init", "perft-check: init needs an engine: add -e "),
        ("explore startpos", "perft-check: explore needs a terminal: "),
        ("suites make never-made.epd --from -", "perft-check: --from -: it has no positions; "),
    ],
)
def test_a_closed_stdin_is_empty(arguments: str, last: str) -> None:
    status, said, told = redirected(arguments, "<&-")
    assert (status, said, told.count("\n")) == (2, "", 1)
    assert told.startswith(last)


def test_a_fault_of_the_zoo_ends_where_stdin_is_closed() -> None:
    assert redirected("zoo serve ep-pinned-along", "<&-") == (0, "", "")


def test_the_last_position_out_of_time_is_not_agreement(run: Run, tmp_path: Path) -> None:
    (tmp_path / "deep.epd").write_text(f"{KIWIPETE} ;D1 48 ;D6 8031647685\n")
    done = run("-s", "deep.epd", "-e", "python-chess", "--time", "1")
    assert done.returncode == 4
    assert done.stdout.splitlines()[-1].startswith("out of time: 0 of 1 positions agree")


def test_suites_of_one_name_are_kept_apart(run: Run, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.epd").write_text(f"{KIWIPETE} ;D1 48\n")
    done = run("-s", "one/x.epd", "-s", "two/x.epd", "-s", "one/x.epd")
    assert done.stdout.splitlines()[-1].startswith("all 2 positions agree")
    assert "two/x.epd" in done.stdout


@pytest.mark.parametrize("name", [b"bad\xff.epd", b"new\nline.epd"])
def test_any_file_name_will_do(run: Run, tmp_path: Path, name: bytes) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(f"{KIWIPETE} ;D1 48\n")
    done = run("-s", os.fsdecode(name))
    assert done.returncode == 0, done.stderr


def test_a_report_that_cannot_be_written_does_not_hide_a_mismatch(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wrong.epd").write_text(f"{KIWIPETE} ;D1 47\n")
    done = run("-s", "wrong.epd", "--report", "json=/dev/full")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "perft-check: cannot write /dev/full: No space left on device"
    done = run("-s", "smoke", "--max-depth", "1", "--report", "json=/dev/full")
    assert done.returncode == 2


REMOVES_ITS_FOLDER = """
import chess, shutil

def moves(fen):
    shutil.rmtree("reports", ignore_errors=True)
    return [move.uci() for move in chess.Board(fen).legal_moves]
"""


def test_a_report_whose_folder_vanishes_is_kept_elsewhere(run: Run, tmp_path: Path) -> None:
    (tmp_path / "removes.py").write_text(REMOVES_ITS_FOLDER)
    (tmp_path / "reports").mkdir()
    (tmp_path / "one.epd").write_text(f"{KIWIPETE} ;D1 48\n")
    report = ("--report", "reports/found.json", "--report", "found.md")
    done = run("-e", "python:removes:moves", "-s", "one.epd", *report, XDG_STATE_HOME=str(tmp_path / "state"))
    [kept] = (tmp_path / "state" / "perft-check").iterdir()
    told = f"perft-check: cannot write reports/found.json: No such file or directory; the report is in {kept}"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, told)
    assert json.loads(kept.read_text())["kind"] == "run"
    assert (kept.name.startswith("perft-check-found-"), kept.suffix) == (True, ".json")
    assert (tmp_path / "found.md").exists()
