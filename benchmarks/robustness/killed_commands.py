"""The commands to kill, and checks of their files afterwards."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from perft_check.suites.case import SuiteError
from perft_check.suites.loader import load_suite

PROGRAM = [sys.executable, "-P", "-m", "perft_check"]
SERVED = "uci:" + shlex.join([*PROGRAM, "zoo", "serve", "pins-forgotten"])
"""An engine in a separate process."""
FAULT = "zoo:promotion-flags-joined"
POSITIONS = 5_000
"""Number of positions in the suite whose reports take seconds to write."""
BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


@dataclass(frozen=True)
class KilledCommand:
    """A command to kill, and the check of its files."""

    words: str
    """The arguments as one text, quoted as for a shell."""
    latest: float
    """The latest time of the signal, in seconds after the start."""
    check_files: Callable[[Path, str, int], Iterator[str]] = lambda folder, said, status: iter(())
    """Yields the problems with the files in the folder, given stderr and the exit status."""
    own_kernels: bool = False
    """True if the command starts with an empty kernel cache."""
    prepare: Callable[[Path], object] = lambda folder: None
    """Writes the files that the command needs into the folder."""
    typed: str | None = None
    """Lines to send to stdin, which stays open; if None, stdin is empty."""
    terminal: bool = False
    """True if the command runs on a terminal."""


def _reports_are_complete(folder: Path, _said: str, _status: int) -> Iterator[str]:
    for name, is_complete in REPORTS.items():
        file = folder / name
        if file.exists() and not _holds(is_complete, file.read_text()):
            yield f"{name} is incomplete"


def _holds(is_complete: Callable[[str], object], text: str) -> bool:
    try:
        return bool(is_complete(text))
    except ValueError:
        return False


def _findings_are_kept(folder: Path, said: str, status: int) -> Iterator[str]:
    """Check that the corpus contains all reported suspects; after Ctrl-C, reductions may have replaced them."""
    found = [
        line.rpartition(": ")[2].partition(" moves ")[0] for line in said.splitlines() if line.startswith("suspect: ")
    ]
    corpus = folder / "findings.epd"
    try:
        there = {case.position.fen() for case in load_suite(corpus)} if corpus.exists() else set()
    except SuiteError as error:
        yield f"the corpus is not a suite: {error}"
        return
    lost = [fen for fen in found if fen not in there]
    if lost and (status != 130 or not there):
        yield f"lost: {', '.join(lost)}"


def _outcomes_are_complete(folder: Path, _said: str, _status: int) -> Iterator[str]:
    results = folder / "results.jsonl"
    lines = results.read_text().splitlines(keepends=True) if results.exists() else []
    for line in lines[:-1]:  # an incomplete last line is ignored when the file is read
        try:
            json.loads(line)
        except ValueError:
            yield f"an outcome is incomplete: {line}"


def _suites_are_complete(folder: Path, _said: str, _status: int) -> Iterator[str]:
    for file in folder.glob("*.epd"):
        load_suite(file)
        yield f"{file.name} was written before it was verified"


def _no_files(folder: Path, _said: str, _status: int) -> Iterator[str]:
    yield from (f"{file.name} is left" for file in folder.iterdir() if file.name != "kernels")


def _count_continues(folder: Path, _said: str, _status: int) -> Iterator[str]:
    """Check that the same command completes with the correct count."""
    words = [*PROGRAM, *COMMANDS["count"].words.split()]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if (done.returncode, done.stdout) != (0, "4865609\n"):
        yield f"the continued count: status {done.returncode}, {done.stdout} {done.stderr[-500:]}"


def _configuration_is_complete(folder: Path, _said: str, _status: int) -> Iterator[str]:
    for file in folder.iterdir():
        if file.name != "perft-check.toml":
            yield f"{file.name} is left"
        elif not tomllib.loads(file.read_text()):
            yield f"{file.name} is empty"


def _write_suite(folder: Path) -> None:
    """Write a suite whose reports take seconds."""
    lines = (f"{BOARD} {n % 100} {n + 1} ;D1 20\n" for n in range(POSITIONS))
    (folder / "many.epd").write_text("".join(lines))


REPORTS: dict[str, Callable[[str], object]] = {
    "r.json": json.loads,
    "r.jsonl": lambda text: [json.loads(line)["kind"] for line in text.splitlines()][-1] == "run-end",
    "r.xml": lambda text: text.endswith("</testsuites>\n"),
    "r.html": lambda text: text.rstrip().endswith("</html>"),
    "r.md": lambda text: text.endswith("\n"),
    "r.sarif": json.loads,
}
"""The reports of a run, and how to check that each is complete."""
ALL_REPORTS = " ".join(f"--report {name}" for name in REPORTS)
LINES = "uci\nposition startpos\ngo perft 7\n"
COMMANDS = {
    "run": KilledCommand("run -s special -e python-chess --report r.json", 3.0, _reports_are_complete),
    "run, two processes": KilledCommand(
        f"run -s special -e '{SERVED}' -j 2 --report r.json", 4.0, _reports_are_complete
    ),
    "run, reports": KilledCommand(
        f"run -s many.epd -e own:turbo {ALL_REPORTS}", 6.0, _reports_are_complete, prepare=_write_suite
    ),
    "perft": KilledCommand("perft startpos 8 --threads 2", 2.5, _no_files),
    "perft, compiling": KilledCommand("perft startpos 4", 8.0, _no_files, own_kernels=True),
    "divide": KilledCommand(f"divide kiwipete 4 -e '{SERVED}' --report r.json", 3.0, _reports_are_complete),
    "explore": KilledCommand("explore startpos --depth 2", 3.0, _no_files, terminal=True),
    "moves": KilledCommand("moves kiwipete", 0.8, _no_files),
    "count": KilledCommand("count startpos 5 --split 3 --positions 20 --ledger pieces.db -q", 3.0, _count_continues),
    "worker": KilledCommand("worker tcp://127.0.0.1:8799", 2.0, _no_files),
    "bench": KilledCommand("bench -e own -e python-chess -p startpos", 4.0, _no_files),
    "fuzz": KilledCommand(f"fuzz -e {FAULT} -n 9999999 -j 2 --corpus findings.epd", 6.0, _findings_are_kept),
    "fuzz, a process": KilledCommand(f"fuzz -e '{SERVED}' -n 9999999 --corpus findings.epd", 5.0, _findings_are_kept),
    "doctor": KilledCommand(f"doctor -e '{SERVED}'", 2.5, _no_files),
    "init": KilledCommand(f"init -e '{SERVED}'", 3.0, _configuration_is_complete),
    "uci": KilledCommand("uci", 2.5, _no_files, typed=LINES),
    "suites make": KilledCommand("suites make made.epd --from special --depth 6", 3.0, _suites_are_complete),
    "zoo serve": KilledCommand("zoo serve pins-forgotten", 2.0, _no_files, typed=LINES),
    "zoo score": KilledCommand(
        "zoo score --method cpw --budget 0.5s -j 2 --results results.jsonl", 5.0, _outcomes_are_complete
    ),
}
