"""Does any file that we have written, or that pytest collects, end in a fault of ours once others have changed it?

    python benchmarks/robustness/kept_files.py [--ledgers 500] [--reports 500] [--collections 300]

Ledgers are correct ones in which characters or lines were changed, and are given to `count`. Reports are mutated as
text, name a program that leaves a mark, and are opened by `explore` on a terminal. Collections are folders of odd files
that pytest looks through. Each must be read or refused in one line, none may hang, and the program may never be
started. The same seed makes the same files.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pty
import random
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from inputs import InputTally, mutated, table

PROGRAM = [sys.executable, "-P", "-m", "perft_check"]
SECONDS = 240.0
"""How long a command may take on a busy machine."""
LOOKED = 1.5
"""Seconds after which the explorer is asked to end, again and again."""
MARKED = "#!/bin/sh\ntouch executed\n"
ONE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n"
COUNT = ["count", "startpos", "4", "--split", "2", "--positions", "50", "--ledger", "kept.ledger", "-q"]
ODD_NAMES = ("suite.epd", "a b.epd", "-x.epd", "dots..epd", "new\nline.epd", "t\udcff.epd", "SUITE.EPD", "one.perft")
ODD_FILES = (b"", b"\0" * 64, b"\xff\xfe", ONE.encode(), ONE.encode("utf-16"), b"[" * 9_000, b"%PDF-1.4\n", b";D1 20\n")


def ended(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Carry out a command; return its status and what it said. A status of 124 stands for no end."""
    try:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=folder,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return 124, "it has not ended"
    return done.returncode, done.stderr.decode(errors="replace")


def changed(text: str, source: random.Random) -> str:
    """Return the text of a ledger with something wrong in it, or with lines that are missing, moved or repeated."""
    lines = text.splitlines(keepends=True)
    match source.randrange(4):
        case 0:
            lines.insert(source.randrange(len(lines) + 1), source.choice(lines))
        case 1:
            del lines[source.randrange(len(lines))]
        case 2:
            source.shuffle(lines)
        case _:
            return mutated(text, source)
    return "".join(lines)


def ledgers(number: int, seed: int) -> InputTally:
    """Return how counts end that go on with changed ledgers."""
    tally, source = InputTally("ledgers"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        status, said = ended(COUNT, folder)
        assert status == 0, said
        right = (folder / "kept.ledger").read_text()
        for _ in range(number):
            text = changed(right, source)
            (folder / "kept.ledger").write_bytes(text.encode(errors="surrogateescape"))
            began = time.monotonic()
            _note(tally, *ended(COUNT, folder), began)
    return tally


def _note(tally: InputTally, status: int, said: str, began: float, is_wrong: bool = False) -> None:
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    tally.ended[status] += 1
    last = said.strip().splitlines()[-1:]
    if status not in (0, 1, 2, 4) or "Traceback" in said or is_wrong or (status == 2 and not last):
        tally.faults.append(f"status {status}: {'wrong; ' * is_wrong}{ascii(said)[-400:]}")


def reports(number: int, seed: int) -> InputTally:
    """Return how the explorer ends that opens changed reports."""
    tally, source = InputTally("reports"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program").write_text(MARKED)
        (folder / "program").chmod(0o755)
        fault = "zoo:castling-through-attack"
        for made in (["divide", "kiwipete", "3"], ["run", "-s", "smoke", "--max-nodes", "2000"], ["fuzz", "-n", "60"]):
            ended([*made, "-e", fault, "--report", f"{made[0]}.json"], folder)
        right = [file.read_text() for file in sorted(folder.glob("*.json"))]
        assert len(right) == 3
        for _ in range(number):
            text = source.choice(right)
            if source.random() < 0.7:
                text = text.replace(fault, source.choice(("uci:./program", "cmd:./program {fen} {depth}", "./program")))
            if source.random() < 0.8:
                text = mutated(text, source)
            (folder / "report.json").write_bytes(text.encode("utf-8", "surrogatepass"))
            began = time.monotonic()
            status, said = explored(["explore", "report.json"], folder)
            _note(tally, status, said, began, (folder / "executed").exists())
            (folder / "executed").unlink(missing_ok=True)
    return tally


def explored(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Open the explorer on a terminal, say no to whatever it asks, and end it; return status and what is seen."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(TERM="xterm-256color", COLUMNS="80", LINES="24")
        os.execv(PROGRAM[0], [*PROGRAM, *arguments])
    seen, began, typed = b"", time.monotonic(), 0
    while time.monotonic() - began < SECONDS:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                seen += os.read(terminal, 65_536)
            except OSError:
                break
        elif time.monotonic() - began > LOOKED * (typed + 1):
            typed += 1
            with contextlib.suppress(OSError):
                os.write(terminal, b"n\rq" if typed == 1 else b"q")
    else:
        os.kill(process, 9)
    _, status = os.waitpid(process, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), seen.decode(errors="replace")


def collections(number: int, seed: int) -> InputTally:
    """Return how pytest ends that collects odd files; its own statuses are 0 to 5."""
    tally, source = InputTally("collections"), random.Random(seed)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--perft-engine", "own:turbo"]
    for _ in range(number):
        with tempfile.TemporaryDirectory() as name:
            for file in source.sample(ODD_NAMES, source.randint(1, 4)):
                data = source.choice(ODD_FILES)
                if source.random() < 0.5:
                    data = mutated(data.decode("latin-1"), source).encode("utf-8", "surrogatepass")
                with contextlib.suppress(OSError):
                    (Path(name) / file).write_bytes(data)
            if source.random() < 0.2:
                (Path(name) / "loop.epd").symlink_to("loop.epd")
            if source.random() < 0.2:
                (Path(name) / "folder.epd").mkdir()
            began = time.monotonic()
            done = subprocess.run(command, cwd=name, capture_output=True, timeout=SECONDS, check=False)
            said = (done.stdout + done.stderr).decode(errors="replace")
            tally.slowest = max(tally.slowest, time.monotonic() - began)
            tally.ended[0 if done.returncode in (0, 1, 5) else done.returncode] += 1
            if done.returncode not in (0, 1, 2, 5) or "INTERNALERROR" in said or "Traceback" in said:
                tally.faults.append(f"status {done.returncode}: {ascii(said)[-400:]}")
    return tally


KINDS: dict[str, tuple[int, Callable[[int, int], InputTally]]] = {
    "ledgers": (500, ledgers),
    "reports": (500, reports),
    "collections": (300, collections),
}
"""How many of each kind, and how they are tried."""


def tallies(options: argparse.Namespace) -> Iterator[InputTally]:
    """Yield how the files of each kind ended."""
    for kind, (_, measure) in KINDS.items():
        if (number := getattr(options, kind)) > 0:
            yield measure(number, options.seed)


def main() -> None:
    """Change files, carry out, and print a table; exit with 1 where anything ended in a fault of ours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for kind, (number, _) in KINDS.items():
        parser.add_argument(f"--{kind}", type=int, default=number)
    parser.add_argument("--seed", type=int, default=1)
    found = list(tallies(parser.parse_args()))
    print(table(found))
    faults = [f"{tally.kind}: {fault}" for tally in found for fault in tally.faults]
    print(*faults[:20], sep=os.linesep)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
