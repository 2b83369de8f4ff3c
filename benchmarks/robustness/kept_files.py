"""Does any file that we have written, or that pytest collects, end in a fault of ours once others have changed it?

    python benchmarks/robustness/kept_files.py [--ledgers 500] [--reports 500] [--collections 300]

Ledgers are correct ones in which bytes, tables or values were changed, and are given to `count`. Reports are mutated as
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
import shutil
import sqlite3
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
VALUES = (None, -1, 2**63 - 1, 1e308, "", "x" * 5_000, "\x1b[2J\0", b"\xff" * 40, "[" * 5_000)
"""What is put into columns of databases."""
BROKEN = (sqlite3.Error, UnicodeDecodeError, IndexError)
"""What a database that was changed before may raise."""
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


def change_database(file: Path, source: random.Random) -> None:
    """Do one to three things to a database that none of our programs does."""
    for _ in range(source.randint(1, 3)):
        source.choice((_change_bytes, _change_bytes, _change_schema, _change_values))(file, source)


def _change_bytes(file: Path, source: random.Random) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(source.choice((1, 4, 64))):
        if data:
            data[source.randrange(len(data))] = source.randrange(256)
    if source.random() < 0.2:
        del data[source.randrange(len(data) + 1) :]
    file.write_bytes(data)


def _tables(database: sqlite3.Connection) -> list[str]:
    return [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def _change_schema(file: Path, source: random.Random) -> None:
    with contextlib.suppress(*BROKEN), contextlib.closing(sqlite3.connect(file)) as database:
        name = source.choice(_tables(database))
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS name FROM n"
        changes = (
            f"DROP TABLE {name}",
            f"ALTER TABLE {name} RENAME TO other",
            f"ALTER TABLE {name} ADD COLUMN more",
            "PRAGMA user_version = 99",
            f"DROP TABLE {name}; CREATE VIEW {name} AS {endless}",
            f"CREATE TRIGGER trap BEFORE INSERT ON {name} BEGIN SELECT RAISE(ABORT, 'no'); END",
        )
        database.executescript(source.choice(changes))


def _change_values(file: Path, source: random.Random) -> None:
    with contextlib.suppress(*BROKEN), contextlib.closing(sqlite3.connect(file)) as database:
        name = source.choice(_tables(database))
        column = source.choice([row[1] for row in database.execute(f"PRAGMA table_info({name})")])
        database.execute(f"UPDATE {name} SET {column} = ?", (source.choice(VALUES),))
        database.commit()


def databases(number: int, seed: int, kind: str, make: list[str], look: list[list[str]]) -> InputTally:
    """Return how commands end that look into changed databases."""
    tally, source = InputTally(kind), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.epd").write_text(ONE)
        status, said = ended(make, folder)
        assert status == 0, said
        shutil.copy(folder / "kept.db", folder / "right.db")
        for _ in range(number):
            for old in folder.glob("kept.db*"):
                old.unlink()
            shutil.copy(folder / "right.db", folder / "kept.db")
            change_database(folder / "kept.db", source)
            began = time.monotonic()
            _note(tally, *ended(source.choice(look), folder), began)
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


COUNT = ["count", "startpos", "4", "--ledger", "kept.db", "-q"]
KINDS: dict[str, tuple[int, Callable[[int, int], InputTally]]] = {
    "ledgers": (500, lambda number, seed: databases(number, seed, "ledgers", COUNT, [COUNT])),
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
