"""Does any input end in a fault of ours? `python benchmarks/robustness/inputs.py [--fens 10000]`.

FENs, suite files and descriptors that are right are mutated, and given to the program as a user gives them, in this
process. Each must be accepted or refused in one line. The same seed makes the same inputs.
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
"""What is put into an input: letters that mean something somewhere, and values without measure."""
CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda _piece, _source: "",
    lambda _piece, source: source.choice(NASTY),
    lambda piece, source: piece + source.choice(NASTY),
    lambda piece, _source: piece[::-1],
    lambda piece, source: piece * source.choice((2, 3, 500)),
    lambda piece, _source: piece.swapcase(),
)
"""What may become of a piece of an input."""
TOLD = {ExitCode.AGREE, ExitCode.MISMATCH, ExitCode.USAGE, ExitCode.ENGINE_FAILED, ExitCode.NOTHING_TO_RUN}


@dataclass
class InputTally:
    """How inputs of one kind ended."""

    kind: str
    ended: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """What was said about inputs that ended in a fault of ours, or in more than one line."""
    slowest: float = 0.0


def mutated(text: str, source: random.Random) -> str:
    """Return a text with one to four things wrong with it."""
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
        yield ["perft", mutated(source.choice(known), source), "1", *variant]


def suites(number: int, source: random.Random, folder: Path) -> Iterator[list[str]]:
    """Yield command lines that run mutated suites, of both formats."""
    lines = [line for name in BUNDLED for line in bundled_path(name).read_text().splitlines()]
    blocks = "id one\nepd rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nperft 1 20\nperft 2 400\n"
    file = folder / "suite.epd"
    for _ in range(number):
        text = source.choice((blocks, "\n".join(source.sample(lines, source.randint(1, 4)))))
        encoding = source.choice(("utf-8", "utf-8", "utf-8", "utf-16", "latin-1"))
        file.write_bytes(mutated(text, source).encode(encoding, "replace"))
        yield ["run", "-s", str(file), "-e", "own:turbo", "--max-nodes", "1000", "--explain=none"]


def descriptors(number: int, source: random.Random, folder: Path) -> Iterator[list[str]]:
    """Yield command lines that run an engine by mutated descriptors; only the program in them stays as it is."""
    program, file, one = folder / "engine.py", folder / "engine.json", folder / "one.epd"
    program.write_text(ENGINE)
    one.write_text("k7/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3\n")
    right = {
        "name": "an engine", "min_depth": 1, "launch": f"{sys.executable} -IS {program}", "setup": ["setup"],
        "case": "position fen {fen}\nperft {depth}", "end_re": "^\\d+$", "total_re": "^(?P<nodes>\\d+)$",
        "move_re": "^(?P<move>[a-h1-8]+): (?P<count>\\d+)$", "quit": "quit", "uci": False, "chess960": False,
    }  # fmt: skip
    wrong: tuple[object, ...] = (
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
        fields = right | {key: source.choice(wrong) for key in source.sample(list(right), source.choice((0, 1, 2)))}
        text = json.dumps(fields)
        text = mutated(text, source) if source.random() < 0.5 else text
        if _starts_another_program(text, str(right["launch"])):
            continue
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        number -= 1
        yield ["run", "-s", str(one), "-e", str(file), "--timeout", "0.2", "--explain=none"]


def _starts_another_program(text: str, launch: str) -> bool:
    """Return True if a mutation has changed the command in a descriptor: it must not be run."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return False
    found = read.get("launch") if isinstance(read, dict) else None
    return isinstance(found, str | list) and found not in (launch, "", [])


def tally_of(kind: str, command_lines: Iterator[list[str]]) -> InputTally:
    """Carry out command lines, and tell how they ended."""
    tally = InputTally(kind)
    for arguments in command_lines:
        began = time.monotonic()
        status, said = _carried_out(arguments)
        tally.slowest = max(tally.slowest, time.monotonic() - began)
        tally.ended[status] += 1
        is_short = status != ExitCode.USAGE or (said.count("\n") == 1 and len(said) < 1_100)
        if status not in TOLD or not is_short:
            tally.faults.append(f"{ascii(arguments)[:500]}: status {status}: {ascii(said)[:500]}")
    return tally


def _carried_out(arguments: Sequence[str]) -> tuple[int, str]:
    """Return the status and what was said on stderr."""
    out, said = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.BytesIO()
    err = io.TextIOWrapper(said, "utf-8", "backslashreplace", newline="")
    with redirect_stdout(out), redirect_stderr(err):
        status = run_command_line(arguments)
        out.flush()
        err.flush()
    return status, said.getvalue().decode()


def measured(numbers: Sequence[int], seed: int) -> list[InputTally]:
    """Return the tallies of so many FENs, suites and descriptors."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = (
            ("FENs", fens(numbers[0], random.Random(seed))),
            ("suite files", suites(numbers[1], random.Random(seed), folder)),
            ("descriptors", descriptors(numbers[2], random.Random(seed), folder)),
        )
        return [tally_of(kind, command_lines) for kind, command_lines in kinds]


def table(tallies: Sequence[InputTally]) -> str:
    """Return the tallies as Markdown."""
    rows = [
        "| input | mutated | run | refused in one line | bugs | slowest |",
        "| --- " + "| ---: " * 5 + "|",
    ]
    for tally in tallies:
        total, refused = tally.ended.total(), tally.ended[ExitCode.USAGE]
        run = total - refused - tally.ended[ExitCode.INTERNAL_ERROR]
        rows.append(
            f"| {tally.kind} | {total:,} | {run:,} | {refused:,} | {len(tally.faults):,} | {tally.slowest:.1f} s |"
        )
    return "\n".join(rows)


def main() -> None:
    """Mutate, carry out, and print a table; exit with 1 where anything ended in a fault of ours."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for kind, number in (("fens", 10_000), ("suites", 3_000), ("descriptors", 500)):
        parser.add_argument(f"--{kind}", type=int, default=number)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tallies = measured((options.fens, options.suites, options.descriptors), options.seed)
    print(table(tallies))
    faults = [fault for tally in tallies for fault in tally.faults]
    print(*faults[:20], sep=os.linesep)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
