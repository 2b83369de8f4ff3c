"""Kill commands of perft-check at random moments: `python benchmarks/robustness/kills.py [--kills 2000]` (Linux).

Each command in turn is started and sent a random signal at a random moment. Everything that it has reported must then
be on disk, no file may be incomplete, no process may be left, and the next run must be correct. Only signals that
arrived while the command was running are counted.
"""

from __future__ import annotations

import argparse
import os
import pty
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import perft_check
from killed_commands import COMMANDS, PROGRAM, KilledCommand

MARK = "PERFT_CHECK_KILLED"
"""Environment variable that identifies the processes of one kill."""
PATIENCE_SECONDS = 30.0
"""Time limit for a process to end after a signal, and for its children to end after it."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
ENDED = {130, *(-number for number in SIGNALS), 0, 1}
"""Acceptable exit statuses: killed by the signal during startup, interrupted, or completed."""
TRACEBACK = re.compile(rf'Traceback .*?File "{re.escape(str(Path(perft_check.__file__).parent))}/', re.DOTALL)
"""A traceback through perft-check's code. Python itself prints one if a signal arrives before it runs perft-check."""
LOST_BY_PYTHON = re.compile(r"(Exception ignored in|Error processing line).*KeyboardInterrupt", re.DOTALL)
"""Python's message when it ignores a SIGINT because the signal arrives in a callback during its first imports."""
ATTEMPTS = 5
"""Maximum number of times that a command is started until a signal reaches it; each attempt halves the delay."""


@dataclass
class KillTally:
    """The results of the kills of one command."""

    kills: int = 0
    signals: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Kill:
    """A signal to send to a command at a certain time."""

    name: str
    number: signal.Signals
    moment: float
    """When to send the signal, as a fraction of the command's latest time."""

    def carry_out(self) -> list[str] | None:
        """Return the problems after the kill, or None if the command ended before the signal in every attempt."""
        for attempt in range(ATTEMPTS):
            delay = self.moment * COMMANDS[self.name].latest / 2**attempt
            with tempfile.TemporaryDirectory() as outer:
                folder = Path(outer) / "here"
                folder.mkdir()
                COMMANDS[self.name].prepare(folder)
                problems = start_and_kill(COMMANDS[self.name], self.number, delay, folder)
            if problems is not None:
                return [f"{self.name}, {self.number.name} after {delay:.2f} s: {problem}" for problem in problems]
        return None


def start_and_kill(command: KilledCommand, number: signal.Signals, delay: float, folder: Path) -> list[str] | None:
    """Start a command in a folder and send a signal; return the problems, or None if it ended before the signal."""
    variables = {MARK: f"{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}", "COLUMNS": "1000"}
    if command.own_kernels:
        variables["NUMBA_CACHE_DIR"] = str(folder / "kernels")
    with (folder / "../stderr").open("w+") as stderr, started(command, folder, variables, stderr) as process:
        time.sleep(delay)
        if process.poll() is not None:
            return None
        process.send_signal(number)
        try:
            status: int | None = process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
            process.kill()
        stderr.seek(0)
        text = stderr.read()
    if status is None:
        is_lost = LOST_BY_PYTHON.match(text) and not TRACEBACK.search(text)
        return None if is_lost else [f"still running {PATIENCE_SECONDS:.0f} seconds later: {text[-500:]}"]
    return list(_problems(command, folder, text, status, variables))


@contextmanager
def started(
    command: KilledCommand, folder: Path, variables: dict[str, str], stderr: IO[str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command, and read the output on its terminal until the end."""
    master, slave = pty.openpty() if command.terminal else (os.open(os.devnull, os.O_RDONLY), None)
    with closing(os.fdopen(master, "rb", buffering=0)) as terminal:
        process = subprocess.Popen(
            [*PROGRAM, *shlex.split(command.words)],
            cwd=folder,
            env=os.environ | variables,
            stdin=slave or (subprocess.PIPE if command.typed else subprocess.DEVNULL),
            stdout=slave or subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=command.terminal,
        )
        if slave:
            os.close(slave)
            threading.Thread(target=_read_all, args=(terminal,), daemon=True).start()
        if command.typed and process.stdin:
            with suppress(BrokenPipeError):
                process.stdin.write(command.typed.encode())
                process.stdin.flush()
        try:
            yield process
        finally:
            if process.stdin:
                with suppress(BrokenPipeError):
                    process.stdin.close()
            process.kill()
            process.wait()


def _read_all(terminal: IO[bytes]) -> None:
    with suppress(OSError, ValueError):
        while terminal.read(65_536):
            pass


def _problems(command: KilledCommand, folder: Path, text: str, status: int, variables: dict[str, str]) -> Iterator[str]:
    if status not in ENDED:
        yield f"status {status}: {text[-500:]}"
    if TRACEBACK.search(text):
        yield f"a traceback: {text[-500:]}"
    yield from (f"process {pid} is left: {_words(pid)}" for pid in _left(variables[MARK]))
    yield from command.check_files(folder, text, status)
    if command.own_kernels:
        yield from _check_next_run(variables)


def _left(mark: str) -> list[int]:
    """Return the processes with a mark that have not ended in time."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (found := _marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _words(pid: int) -> str:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return "it has ended"


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


def _check_next_run(variables: dict[str, str]) -> Iterator[str]:
    """Yield the problems of a count that uses the kernels left in the cache by the killed process."""
    done = subprocess.run(
        [*PROGRAM, "perft", "startpos", "4"], env=os.environ | variables, capture_output=True, text=True, check=False
    )
    if (done.returncode, done.stdout) != (0, "197281\n") or "damaged" in done.stderr:
        yield f"the next run: status {done.returncode}, {done.stdout} {done.stderr[-500:]}"


def table(tallies: dict[str, KillTally]) -> str:
    """Return the results as a Markdown table, with the totals in the last row."""
    signals = [number.name for number in SIGNALS]
    rows = [f"| command | kills | {' | '.join(signals)} | failures |"]
    rows.append("| --- " + "| ---: " * (len(SIGNALS) + 2) + "|")
    total = KillTally(
        sum(tally.kills for tally in tallies.values()),
        sum((tally.signals for tally in tallies.values()), Counter()),
        [problem for tally in tallies.values() for problem in tally.problems],
    )
    for name, tally in [*tallies.items(), ("all", total)]:
        counts = " | ".join(str(tally.signals[one]) for one in signals)
        rows.append(f"| {name} | {tally.kills} | {counts} | {len(tally.problems)} |")
    return "\n".join(rows)


def main() -> None:
    """Kill commands, and print a table; exit with status 1 if there was a problem."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", choices=COMMANDS, action="append", help="Only this one; may be repeated.")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a shell ignore signals
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    names = options.command or list(COMMANDS)
    source = random.Random(options.seed)
    kills = [Kill(names[turn % len(names)], source.choice(SIGNALS), source.random()) for turn in range(options.kills)]
    tallies = {name: KillTally() for name in names}
    pool = ThreadPoolExecutor(options.jobs)
    with suppress(KeyboardInterrupt):  # print the results so far
        for kill, problems in zip(kills, pool.map(Kill.carry_out, kills), strict=True):
            if problems is not None:
                tallies[kill.name].kills += 1
                tallies[kill.name].signals[kill.number.name] += 1
                tallies[kill.name].problems += problems
                print(*problems, sep=os.linesep, end=os.linesep if problems else "", file=sys.stderr, flush=True)
    pool.shutdown(cancel_futures=True)
    print(table(tallies))
    sys.exit(1 if any(tally.problems for tally in tallies.values()) else 0)


if __name__ == "__main__":
    main()
