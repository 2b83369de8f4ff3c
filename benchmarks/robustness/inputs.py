"""Run perft-check with mutated input: `python benchmarks/robustness/inputs.py [--fens 10000]`.

Mutates valid FENs, suite files and descriptors, and passes them to the command line in this process. Each must be
accepted, or rejected with a message of one line. The same seed gives the same inputs.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from perft_check.harness.cli.program import run_command_line
from perft_check.harness.model.results.verdict import ExitCode
from perft_check.suites.bundled import BUNDLED, bundled_path
from perft_check.suites.loader import load_suite

ENGINE = """\
import sys
for line in sys.stdin:
    print("1234" if "perft" in line else "ok", flush=True)
    if "quit" in line:
        break
"""
NASTY = (
    *"\0\t\n\r\x1b\x7f\x85\u2028\ufeff\ud800\udcff\U0001f9c0é\"\\/;#%-,:{}[]()*?0189kKqQwbPp ",
    "99999999999999999999", "-1", "1e999", "\r\n", ";D1 20", ";D99 1", " moves e2e4", "{fen}", "(a+)+$", "null", "true",
)  # fmt: skip
"""Texts to insert: characters that some format treats specially, and extreme values."""
CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda _piece, _source: "",
    lambda _piece, source: source.choice(NASTY),
    lambda piece, source: piece + source.choice(NASTY),
    lambda piece, _source: piece[::-1],
    lambda piece, source: piece * source.choice((2, 3, 500)),
    lambda piece, _source: piece.swapcase(),
)
"""Ways to change a piece of an input."""
EXPECTED = {ExitCode.AGREE, ExitCode.MISMATCH, ExitCode.USAGE, ExitCode.ENGINE_FAILED, ExitCode.NOTHING_TO_RUN}


@dataclass
class InputTally:
    """The results of the inputs of one kind."""

    kind: str
    ended: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """Messages for inputs that revealed a bug, or that were rejected in more than one line."""
    slowest: float = 0.0


def mutate(text: str, source: random.Random) -> str:
    """Return a text with one to four changes."""
    for _ in range(source.randint(1, 4)):
        place, end = sorted((source.randint(0, len(text)), source.randint(0, len(text))))
        end = min(end, place + source.choice((1, 1, 1, 2, 5, 1000)))
        piece = text[place:end]
        change = source.choice(CHANGES)
        text = text[:place] + change(piece, source) + text[end:]
    return text


def fens(number: int, source: random.Random) -> Iterator[list[str]]:
    """Yield command lines with mutated FENs."""
    known = [case.position.fen() for name in BUNDLED for case in load_suite(bundled_path(name))]
    for _ in range(number):
        variant = source.choice(([], ["--chess960"]))
        yield ["perft", mutate(source.choice(known), source), "1", *variant]


def suites(number: int, source: random.Random, folder: Path) -> Iterator[list[str]]:
    """Yield command lines that run mutated suites, of both formats."""
    lines = [line for name in BUNDLED for line in bundled_path(name).read_text().splitlines()]
    blocks = "id one\nepd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nperft 1 20\nperft 2 400\n"
    file = folder / "suite.epd"
    for _ in range(number):
        text = source.choice((blocks, "\n".join(source.sample(lines, source.randint(1, 4)))))
        encoding = source.choice(("utf-8", "utf-8", "utf-8", "utf-16", "latin-1"))
        file.write_bytes(mutate(text, source).encode(encoding, "replace"))
        yield ["run", "-s", str(file), "-e", "own:turbo", "--max-nodes", "1000", "--explain=none"]


def descriptors(number: int, source: random.Random, folder: Path) -> Iterator[list[str]]:
    """Yield command lines with mutated descriptors, except those whose mutation changes the program to run."""
    program, file, one = folder / "engine.py", folder / "engine.json", folder / "one.epd"
    program.write_text(ENGINE)
    one.write_text("k7/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3\n")
    valid = {
        "name": "an engine", "min_depth": 1, "launch": f"{sys.executable} -IS {program}", "setup": ["setup"],
        "case": "position fen {fen}\nperft {depth}", "end_re": "^\\d+$", "total_re": "^(?P<nodes>\\d+)$",
        "move_re": "^(?P<move>[a-h1-8]+): (?P<count>\\d+)$", "quit": "quit", "uci": False, "chess960": False,
    }  # fmt: skip
    invalid: tuple[object, ...] = (
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "x" * 9999,
        [],
        [[[]]],
        {},
        ["a", 1],
        "(",
        "(a+)+$",
        "\ud800",
        "\0",
        "\n",
    )
    while number:
        fields = valid | {key: source.choice(invalid) for key in source.sample(list(valid), source.choice((0, 1, 2)))}
        text = json.dumps(fields)
        text = mutate(text, source) if source.random() < 0.5 else text
        if _starts_another_program(text, str(valid["launch"])):
            continue
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        number -= 1
        yield ["run", "-s", str(one), "-e", str(file), "--timeout", "0.2", "--explain=none"]


def _starts_another_program(text: str, launch: str) -> bool:
    """Return True if a mutation changed the command of a descriptor, so that it must not be run."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return False
    found = read.get("launch") if isinstance(read, dict) else None
    return isinstance(found, str | list) and found not in (launch, "", [])


def tally_of(kind: str, command_lines: Iterator[list[str]]) -> InputTally:
    """Run command lines, and count their results."""
    tally = InputTally(kind)
    for arguments in command_lines:
        began = time.monotonic()
        status, said = _run(arguments)
        tally.slowest = max(tally.slowest, time.monotonic() - began)
        tally.ended[status] += 1
        is_short = status != ExitCode.USAGE or (said.count("\n") == 1 and len(said) < 1_100)
        if status not in EXPECTED or not is_short:
            tally.faults.append(f"{ascii(arguments)[:500]}: status {status}: {ascii(said)[:500]}")
    return tally


def _run(arguments: Sequence[str]) -> tuple[int, str]:
    """Return the exit status and stderr."""
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.BytesIO()
    err = io.TextIOWrapper(said, "utf-8", "backslashreplace", newline="")
    with redirect_stdout(out), redirect_stderr(err):
        status = run_command_line(arguments)
        out.flush()
        err.flush()
    return status, said.getvalue().decode()


def measure(numbers: Sequence[int], seed: int) -> list[InputTally]:
    """Return the results for the given numbers of FENs, suites and descriptors."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = (
            ("FENs", fens(numbers[0], random.Random(seed))),
            ("suite files", suites(numbers[1], random.Random(seed), folder)),
            ("descriptors", descriptors(numbers[2], random.Random(seed), folder)),
        )
        return [tally_of(kind, command_lines) for kind, command_lines in kinds]


def table(tallies: Sequence[InputTally]) -> str:
    """Return the results as a Markdown table."""
    rows = [
        "| input | mutated | accepted | rejected in one line | bugs | slowest |",
        "| --- " + "| ---: " * 5 + "|",
    ]
    for tally in tallies:
        total, rejected = tally.ended.total(), tally.ended[ExitCode.USAGE]
        accepted = total - rejected - tally.ended[ExitCode.INTERNAL_ERROR]
        counts = f"{total:,} | {accepted:,} | {rejected:,} | {len(tally.faults):,}"
        rows.append(f"| {tally.kind} | {counts} | {tally.slowest:.1f} s |")
    return "\n".join(rows)


def main() -> None:
    """Mutate inputs, run them, and print a table; exit with status 1 if there was a bug."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for kind, number in (("fens", 10_000), ("suites", 3_000), ("descriptors", 500)):
        parser.add_argument(f"--{kind}", type=int, default=number)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tallies = measure((options.fens, options.suites, options.descriptors), options.seed)
    print(table(tallies))
    faults = [fault for tally in tallies for fault in tally.faults]
    print(*faults[:20], sep=os.linesep)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
