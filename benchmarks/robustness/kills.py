"""Is anything lost when perft-check is killed? `python benchmarks/robustness/kills.py [--kills 2000]` (Linux).

Every command is started and sent a signal, both drawn at random, at a random moment. What it has reported has to be on
the disk, no file may be half-written, no process may be left, and the next run must be right. Only signals that came
while the command was running are counted.
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
"""Environment variable by which the processes of one kill are found."""
PATIENCE_SECONDS = 30.0
"""How long a process may take to end after a signal, and its children after it."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
ENDED = {130, *(-number for number in SIGNALS), 0, 1}
"""Ends that are right: by the signal before a command has begun, as interrupted, or as if nothing had come."""
OUR_TRACEBACK = re.compile(rf'Traceback .*?File "{re.escape(str(Path(perft_check.__file__).parent))}/', re.DOTALL)
"""A traceback through code of ours; Python itself prints one where a signal comes before it has begun to run us."""
LOST_BY_PYTHON = re.compile(r"(Exception ignored in|Error processing line).*KeyboardInterrupt", re.DOTALL)
"""What Python prints where a SIGINT comes in a callback of its own first imports, and it goes on without it."""
ATTEMPTS = 5
"""How often a command is started until a signal reaches it; each time within half as long."""


@dataclass
class KillTally:
    """How the kills of one command went."""

    kills: int = 0
    signals: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Kill:
    """A signal, and when it is sent to which command."""

    name: str
    number: signal.Signals
    share: float
    """Of the time within which a signal may come."""

    def complaints(self) -> list[str] | None:
        """Return what is wrong after the kill; None where the command was never running when the signal came."""
        for attempt in range(ATTEMPTS):
            delay = self.share * COMMANDS[self.name].latest / 2**attempt
            with tempfile.TemporaryDirectory() as outer:
                folder = Path(outer) / "here"
                folder.mkdir()
                COMMANDS[self.name].prepare(folder)
                wrong = killed(COMMANDS[self.name], self.number, delay, folder)
            if wrong is not None:
                return [f"{self.name}, {self.number.name} after {delay:.2f} s: {what}" for what in wrong]
        return None


def killed(command: KilledCommand, number: signal.Signals, delay: float, folder: Path) -> list[str] | None:
    """Start a command in an empty folder, send a signal, and return what is wrong; None: it had ended before."""
    variables = {MARK: f"{os.getpid()}-{threading.get_ident()}-{time.monotonic_ns()}", "COLUMNS": "1000"}
    if command.own_kernels:
        variables["NUMBA_CACHE_DIR"] = str(folder / "kernels")
    with (folder / "../said").open("w+") as said, started(command, folder, variables, said) as process:
        time.sleep(delay)
        if process.poll() is not None:
            return None
        process.send_signal(number)
        try:
            status: int | None = process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
            process.kill()
        said.seek(0)
        text = said.read()
    if status is None:
        is_lost = LOST_BY_PYTHON.match(text) and not OUR_TRACEBACK.search(text)
        return None if is_lost else [f"still running {PATIENCE_SECONDS:.0f} seconds later: {text[-500:]}"]
    return list(_complaints(command, folder, text, status, variables))


@contextmanager
def started(
    command: KilledCommand, folder: Path, variables: dict[str, str], said: IO[str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command; what it shows on its terminal is read until the end."""
    ours, theirs = pty.openpty() if command.terminal else (os.open(os.devnull, os.O_RDONLY), None)
    with closing(os.fdopen(ours, "rb", buffering=0)) as terminal:
        process = subprocess.Popen(
            [*PROGRAM, *shlex.split(command.words)],
            cwd=folder,
            env=os.environ | variables,
            stdin=theirs or (subprocess.PIPE if command.typed else subprocess.DEVNULL),
            stdout=theirs or subprocess.DEVNULL,
            stderr=said,
            start_new_session=command.terminal,
        )
        if theirs:
            os.close(theirs)
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


def _complaints(
    command: KilledCommand, folder: Path, text: str, status: int, variables: dict[str, str]
) -> Iterator[str]:
    if status not in ENDED:
        yield f"status {status}: {text[-500:]}"
    if OUR_TRACEBACK.search(text):
        yield f"a traceback: {text[-500:]}"
    yield from (f"process {pid} is left: {_words(pid)}" for pid in _left(variables[MARK]))
    yield from command.complaints(folder, text, status)
    if command.own_kernels:
        yield from _next_run_is_wrong(variables)


def _left(mark: str) -> list[int]:
    """Return the processes with a mark that do not end within a while."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (found := _marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _words(pid: int) -> str:
    try:
        return (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return "it has ended since"


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


def table(tallies: dict[str, KillTally]) -> str:
    """Return the tallies as Markdown, with their sums in the last row."""
    signals = [number.name for number in SIGNALS]
    rows = [f"| command | kills | {' | '.join(signals)} | something wrong |"]
    rows.append("| --- " + "| ---: " * (len(SIGNALS) + 2) + "|")
    whole = KillTally(
        sum(tally.kills for tally in tallies.values()),
        sum((tally.signals for tally in tallies.values()), Counter()),
        [what for tally in tallies.values() for what in tally.wrong],
    )
    for name, tally in [*tallies.items(), ("all", whole)]:
        counts = " | ".join(str(tally.signals[one]) for one in signals)
        rows.append(f"| {name} | {tally.kills} | {counts} | {len(tally.wrong)} |")
    return "\n".join(rows)


def main() -> None:
    """Kill, and print a table; exit with 1 where anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", choices=COMMANDS, action="append", help="Only this one; may be repeated.")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has jobs in the background ignore signals
    for number in (signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    names = options.command or list(COMMANDS)
    source = random.Random(options.seed)
    kills = [Kill(names[turn % len(names)], source.choice(SIGNALS), source.random()) for turn in range(options.kills)]
    tallies = {name: KillTally() for name in names}
    pool = ThreadPoolExecutor(options.jobs)
    with suppress(KeyboardInterrupt):  # the table shows what is done
        for kill, wrong in zip(kills, pool.map(Kill.complaints, kills), strict=True):
            if wrong is not None:
                tallies[kill.name].kills += 1
                tallies[kill.name].signals[kill.number.name] += 1
                tallies[kill.name].wrong += wrong
                print(*wrong, sep=os.linesep, end=os.linesep if wrong else "", file=sys.stderr, flush=True)
    pool.shutdown(cancel_futures=True)
    print(table(tallies))
    sys.exit(1 if any(tally.wrong for tally in tallies.values()) else 0)


if __name__ == "__main__":
    main()
