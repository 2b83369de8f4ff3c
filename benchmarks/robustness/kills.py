"""Is anything lost when perft-check is killed? `python benchmarks/robustness/kills.py [--kills 200]` (Linux).

Commands are started and killed at random moments, by a signal drawn at random. What they have reported has to be on the
disk, no file may be half-written, no process may be left, and the next run must be right.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shlex
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from perft_check.suites.case import SuiteError
from perft_check.suites.loader import load_suite

PROGRAM = [sys.executable, "-m", "perft_check"]
SERVED = "uci:" + shlex.join([*PROGRAM, "zoo", "serve", "pins-forgotten"])
"""An engine in a process of its own."""
MARK = "PERFT_CHECK_KILLED"
"""Environment variable by which the processes of one kill are found."""
PATIENCE_SECONDS = 30.0
"""How long a process may take to end after a signal, and its children after it."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
ENDED = {130, *(-number for number in SIGNALS), 0, 1}
"""Ends that are right: by the signal before a command has begun, as interrupted, or before the signal came."""


@dataclass(frozen=True)
class Command:
    """A command to be killed, and what must hold of its files then."""

    arguments: tuple[str, ...]
    latest: float
    """The kill comes within these seconds."""
    complaints: Callable[[Path, str, int], Iterator[str]]
    """What is wrong with the files in the folder, given what was said on stderr and the exit status."""
    own_kernels: bool = False
    """Whether the kernels are compiled anew."""
    earliest: float = 0.0
    """The kill comes after these seconds."""
    prepare: Callable[[Path], object] = lambda folder: None
    """Puts into the folder what the command needs."""


def _report_is_whole(folder: Path, _said: str, _status: int) -> Iterator[str]:
    report = folder / "report.json"
    if report.exists():
        try:
            json.loads(report.read_text())
        except ValueError:
            yield "the report is half-written"


def _put_suite(folder: Path) -> None:
    """Write so many positions that their reports take seconds."""
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    lines = (f"{board} {n % 100} {n + 1} ;D1 20\n" for n in range(POSITIONS))
    (folder / "many.epd").write_text("".join(lines))


def _reports_are_whole(folder: Path, _said: str, _status: int) -> Iterator[str]:
    for name, is_whole in REPORTS.items():
        file = folder / name
        if file.exists() and not _holds(is_whole, file.read_text()):
            yield f"{name} is half-written"
    yield from _history_is_whole(folder / "runs.db")


def _holds(is_whole: Callable[[str], object], text: str) -> bool:
    try:
        return bool(is_whole(text))
    except ValueError:
        return False


def _history_is_whole(file: Path) -> Iterator[str]:
    if not file.exists():
        return
    with closing(sqlite3.connect(file)) as database:
        if database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            yield "the history is damaged"
        kept = "SELECT id, begun, (SELECT COUNT(*) FROM result WHERE result.run = run.id) FROM run"
        for number, begun, cases in database.execute(kept):
            if cases != begun:
                yield f"run {number} is kept with {cases} of {begun} positions"


def _finds_are_kept(folder: Path, said: str, status: int) -> Iterator[str]:
    """After Ctrl-C finds are reduced, so that simpler ones take their places."""
    found = [line.rpartition(": ")[2].partition(" moves ")[0] for line in said.splitlines() if line[:6] == "found "]
    corpus = folder / "finds.epd"
    try:
        kept = {case.position.fen() for case in load_suite(corpus)} if corpus.exists() else set()
    except SuiteError as error:
        yield f"the corpus is no suite: {error}"
        return
    lost = [fen for fen in found if fen not in kept]
    if lost and (status != 130 or not kept):
        yield f"lost: {', '.join(lost)}"


def _outcomes_are_whole(folder: Path, _said: str, _status: int) -> Iterator[str]:
    results = folder / "results.jsonl"
    lines = results.read_text().splitlines(keepends=True) if results.exists() else []
    for line in lines[:-1]:  # what is read back leaves out a last line without an end
        try:
            json.loads(line)
        except ValueError:
            yield f"an outcome is half-written: {line}"


def _suites_are_whole(folder: Path, _said: str, _status: int) -> Iterator[str]:
    for file in folder.glob("*.epd"):
        load_suite(file)
        yield f"{file.name} was written before all was verified"


def _no_files(folder: Path, _said: str, _status: int) -> Iterator[str]:
    yield from (f"{file.name} is left" for file in folder.iterdir() if file.name != "kernels")


POSITIONS = 20_000
REPORTS: dict[str, Callable[[str], object]] = {
    "r.json": json.loads,
    "r.jsonl": lambda text: [json.loads(line)["kind"] for line in text.splitlines()][-1] == "run-end",
    "r.xml": lambda text: text.endswith("</testsuites>\n"),
    "r.tap": lambda text: f"\nok {POSITIONS} - " in text or text.endswith("\nBail out! interrupted\n"),
    "r.html": lambda text: text.rstrip().endswith("</html>"),
    "r.sarif": json.loads,
}
"""The reports of a run, and what holds of each that is whole."""
COMMANDS = {
    "run": Command(
        ("run", "-s", "special", "-e", "python-chess", "--report", "json=report.json"), 4.0, _report_is_whole
    ),
    "run, two engines": Command(
        ("run", "-s", "special", "-e", SERVED, "-j", "2", "--report", "json=report.json"), 6.0, _report_is_whole
    ),
    "run, reports and history": Command(
        (
            *("run", "-s", "many.epd", "-e", "own:turbo", "--history", "runs.db"),
            *(word for name in REPORTS for word in ("--report", name)),
        ),
        14.0,
        _reports_are_whole,
        earliest=4.0,
        prepare=_put_suite,
    ),
    "fuzz": Command(
        ("fuzz", "-e", "zoo:promotion-flags-joined", "-n", "9999999", "-j", "2", "--corpus", "finds.epd"),
        8.0,
        _finds_are_kept,
    ),
    "suites make": Command(("suites", "make", ".", "--from-zoo", "-j", "2"), 8.0, _suites_are_whole),
    "zoo score": Command(
        ("zoo", "score", "--method", "cpw", "--budget", "0.5s", "-j", "2", "--results", "results.jsonl"),
        8.0,
        _outcomes_are_whole,
    ),
    "perft, compiling": Command(("perft", "startpos", "4"), 12.0, _no_files, own_kernels=True),
}


@dataclass
class Tally:
    """How the kills of one command went."""

    kills: int = 0
    signals: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def killed(command: Command, number: signal.Signals, delay: float, folder: Path) -> Iterator[str]:
    """Start a command, kill it, and yield what is wrong afterwards."""
    mark = f"{os.getpid()}-{time.monotonic_ns()}"
    variables = {MARK: mark, "COLUMNS": "1000"}
    if command.own_kernels:
        variables["NUMBA_CACHE_DIR"] = str(folder / "kernels")
    with (folder / "../said").open("w+") as said:
        process = subprocess.Popen(
            [*PROGRAM, *command.arguments],
            cwd=folder,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        time.sleep(delay)
        process.send_signal(number)
        try:
            status = process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            yield f"still running {PATIENCE_SECONDS:.0f} seconds after {number.name}"
            return
        said.seek(0)
        text = said.read()
    if status not in ENDED:
        yield f"status {status}: {text[-500:]}"
    yield from (f"process {pid} is left" for pid in _left(mark))
    yield from command.complaints(folder, text, status)
    yield from _next_run_is_wrong(variables)


def _left(mark: str) -> list[int]:
    """Return the processes with a mark that do not end within a while."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (found := _marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _marked(mark: str) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_marked = f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0")
        except OSError:  # it has ended
            continue
        if is_marked:
            found.append(int(folder.name))
    return found


def _next_run_is_wrong(variables: dict[str, str]) -> Iterator[str]:
    """Count once more, with the kernels that the killed process has left."""
    done = subprocess.run(
        [*PROGRAM, "perft", "startpos", "4"], env=os.environ | variables, capture_output=True, text=True, check=False
    )
    if (done.returncode, done.stdout) != (0, "197281\n") or "damaged" in done.stderr:
        yield f"the next run: status {done.returncode}, {done.stdout} {done.stderr[-500:]}"


def table(tallies: dict[str, Tally]) -> str:
    """Return the tallies as Markdown."""
    signals = [number.name for number in SIGNALS]
    rows = [f"| command | kills | {' | '.join(signals)} | something wrong |", "| --- " + "| ---: " * 5 + "|"]
    for name, tally in tallies.items():
        counts = " | ".join(str(tally.signals[one]) for one in signals)
        rows.append(f"| {name} | {tally.kills} | {counts} | {len(tally.wrong)} |")
    return "\n".join(rows)


def drawn(names: Sequence[str], kills: int, source: random.Random) -> Iterator[tuple[str, signal.Signals, float]]:
    """Yield what to kill, by which signal, and after how many seconds."""
    for turn in range(kills):
        name = names[turn % len(names)]
        command = COMMANDS[name]
        yield name, source.choice(SIGNALS), source.uniform(command.earliest, command.latest)


def kill_once(name: str, number: signal.Signals, delay: float, tally: Tally) -> None:
    """Kill a command in an empty folder, tell what is wrong, and count it."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "here"
        folder.mkdir()
        COMMANDS[name].prepare(folder)
        wrong = list(killed(COMMANDS[name], number, delay, folder))
    for what in wrong:
        print(f"{name}, {number.name} after {delay:.2f} s: {what}", file=sys.stderr, flush=True)
    tally.kills += 1
    tally.signals[number.name] += 1
    tally.wrong += wrong


def main() -> None:
    """Kill, and print a table; exit with 1 where anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", choices=COMMANDS, action="append", help="Only this one; may be repeated.")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it in jobs in the background
    names = options.command or list(COMMANDS)
    tallies = {name: Tally() for name in names}
    with suppress(KeyboardInterrupt):  # the table shows what is done
        for name, number, delay in drawn(names, options.kills, random.Random(options.seed)):
            kill_once(name, number, delay, tallies[name])
    print(table(tallies))
    sys.exit(1 if any(tally.wrong for tally in tallies.values()) else 0)


if __name__ == "__main__":
    main()
