"""Run perft-check with damaged files: ledgers, and folders that pytest collects.

    python benchmarks/robustness/damaged_files.py [--ledgers 500] [--collections 300]

`count` continues ledgers in which characters or lines were changed. pytest collects folders of unusual files. Each file
must be accepted or rejected in one line, and no command may hang. The same seed gives the same files.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from inputs import InputTally, mutate, table

PROGRAM = [sys.executable, "-P", "-m", "perft_check"]
SECONDS = 240.0
"""Time limit of a command, in seconds."""
ONE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n"
COUNT = ["count", "startpos", "4", "--split", "2", "--positions", "50", "--ledger", "kept.ledger", "-q"]
ODD_NAMES = ("suite.epd", "a b.epd", "-x.epd", "dots..epd", "new\nline.epd", "t\udcff.epd", "SUITE.EPD", "one.perft")
ODD_FILES = (b"", b"\0" * 64, b"\xff\xfe", ONE.encode(), ONE.encode("utf-16"), b"[" * 9_000, b"%PDF-1.4\n", b";D1 20\n")


def run(arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run a command; return its exit status and stderr. The status is 124 if it did not end."""
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
        return 124, "it did not end"
    return done.returncode, done.stderr.decode(errors="replace")


def damage_ledger(text: str, source: random.Random) -> str:
    """Return the text of a ledger with changed characters, or with missing, moved or repeated lines."""
    lines = text.splitlines(keepends=True)
    match source.randrange(4):
        case 0:
            lines.insert(source.randrange(len(lines) + 1), source.choice(lines))
        case 1:
            del lines[source.randrange(len(lines))]
        case 2:
            source.shuffle(lines)
        case _:
            return mutate(text, source)
    return "".join(lines)


def ledgers(number: int, seed: int) -> InputTally:
    """Continue counts with damaged ledgers."""
    tally, source = InputTally("ledgers"), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        status, said = run(COUNT, folder)
        assert status == 0, said
        valid = (folder / "kept.ledger").read_text()
        for _ in range(number):
            text = damage_ledger(valid, source)
            (folder / "kept.ledger").write_bytes(text.encode(errors="surrogateescape"))
            began = time.monotonic()
            _note(tally, *run(COUNT, folder), began)
    return tally


def _note(tally: InputTally, status: int, said: str, began: float) -> None:
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    tally.ended[status] += 1
    last = said.strip().splitlines()[-1:]
    if status not in (0, 1, 2, 4) or "Traceback" in said or (status == 2 and not last):
        tally.faults.append(f"status {status}: {ascii(said)[-400:]}")


def collections(number: int, seed: int) -> InputTally:
    """Collect unusual files with pytest, whose exit statuses are 0 to 5."""
    tally, source = InputTally("collections"), random.Random(seed)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--perft-engine", "own:turbo"]
    for _ in range(number):
        with tempfile.TemporaryDirectory() as name:
            for file in source.sample(ODD_NAMES, source.randint(1, 4)):
                data = source.choice(ODD_FILES)
                if source.random() < 0.5:
                    data = mutate(data.decode("latin-1"), source).encode("utf-8", "surrogatepass")
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
    "collections": (300, collections),
}
"""The default number of files of each kind, and the function that tests them."""


def tallies(options: argparse.Namespace) -> Iterator[InputTally]:
    for kind, (_, measure) in KINDS.items():
        if (number := getattr(options, kind)) > 0:
            yield measure(number, options.seed)


def main() -> None:
    """Damage files, run the commands, and print a table; exit with status 1 if there was a bug."""
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
