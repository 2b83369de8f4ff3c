"""Measure which conditional faults `fuzz` detects within a time limit, with and without coverage guidance.

    python benchmarks/guided/measure.py --results FILE [--language python] [--time 60] [--with=--coverage] [NAME ...]
    python benchmarks/guided/measure.py --results FILE --table

Runs `fuzz --fail-fast` on each fault of `faults.toml`. A library always has coverage counters, so that both
measurements use the same engine. Each hunt appends a row to the results file; hunts that are already in the file are
skipped. `--table` prints the file as a Markdown table. Compile the kernels beforehand.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from conditional_faults import HEADERS, ConditionalFault, faults

PROGRAM = [sys.executable, "-m", "perft_check"]
FLAGS = {
    "clang": ["-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp"],
    "gcc": ["-fsanitize-coverage=trace-pc,trace-cmp"],
}
MODULE = "engine_with_a_fault"


@dataclass(frozen=True)
class GuidedHunt:
    """The result of fuzzing an engine with a fault."""

    fault: str
    how: str
    """Language, compiler, options, time limit and seed; the table has one column for each combination."""
    is_found: bool
    """True if there is a reproducible finding."""
    verdict: str
    positions: int
    """Positions examined until the end of the run, which is soon after the finding."""
    seconds: float
    """Wall-clock time until the finding was reported, or until the end of the run if there is none."""
    cpu_seconds: float
    """CPU time of all processes until the end of the run."""


def main() -> int:
    """Fuzz the engines, or print the table; return the exit status."""
    options = _options()
    known = {fault.name: fault for fault in faults()}
    if unknown := [name for name in options.names if name not in known]:
        print(f"there is no fault {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if options.language == "c" and not options.table and shutil.which(options.compiler) is None:
        print(
            f"{options.compiler} is not installed: install it, or choose another one with --compiler", file=sys.stderr
        )
        return 2
    hunts = read_hunts(options.results)
    if options.table:
        print("\n".join(table(hunts, list(known))))
        return 0
    how = " ".join(_words_of(options))
    for name in options.names or known:
        if any((hunt.fault, hunt.how) == (name, how) for hunt in hunts):
            continue
        with tempfile.TemporaryDirectory() as folder:
            hunt = _hunt(known[name], Path(folder), how, options)
        with options.results.open("a", encoding="utf-8") as rows:
            rows.write(json.dumps(asdict(hunt)) + "\n")
        found = "found" if hunt.is_found else "not found"
        figures = f"{hunt.positions:,} positions, {hunt.seconds:.1f} s, {hunt.cpu_seconds:.1f} s of CPU"
        print(f"{name}: {found}, {figures}", flush=True)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--results", type=Path, required=True, metavar="FILE")
    parser.add_argument("--language", choices=("c", "python"), default="c")
    parser.add_argument("--compiler", choices=sorted(FLAGS), default="clang")
    parser.add_argument("--with", dest="added", action="append", default=[], metavar="OPTION", help="an option of fuzz")
    parser.add_argument("--time", type=float, default=30)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


def _words_of(options: argparse.Namespace) -> list[str]:
    engine = [options.language, *([options.compiler] if options.language == "c" else [])]
    return [*engine, *options.added, f"--time={options.time:g}", f"--jobs={options.jobs}", f"--seed={options.seed}"]


def build(fault: ConditionalFault, folder: Path, language: str, compiler: str = "clang") -> str:
    """Write the engine with a fault to a folder; return its SPEC, relative to the folder. Raises CalledProcessError."""
    if language == "python":
        (folder / f"{MODULE}.py").write_text(fault.source("python"), encoding="utf-8")
        return f"python:{MODULE}:MailboxPosition"
    source = fault.source("c").replace(
        '#include "perft_check.h"', '#include "perft_check.h"\n#include "perft_check_coverage.h"'
    )
    (folder / "engine.c").write_text(source, encoding="utf-8")
    flags = ["-O2", "-g", *FLAGS[compiler], "-shared", "-fPIC", "-I", str(HEADERS), "-o", "libengine.so"]
    subprocess.run([compiler, *flags, "engine.c"], check=True, cwd=folder)
    return "lib:./libengine.so"


def _hunt(fault: ConditionalFault, folder: Path, how: str, options: argparse.Namespace) -> GuidedHunt:
    spec, report = build(fault, folder, options.language, options.compiler), folder / "report.json"
    command = [*PROGRAM, "fuzz", "-e", spec, "--fail-fast", "--time", f"{options.time:g}", "--seed", str(options.seed)]
    command += ["--jobs", str(options.jobs), "--standard", "--report", f"json={report}", *options.added]
    used, began, found = _cpu_seconds(), time.monotonic(), None
    line = ""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if found is None and line.startswith("suspect: "):
                found = time.monotonic()
    seconds = (found or time.monotonic()) - began
    if not report.exists():
        raise SystemExit(f"{fault.name}: {line.strip()}")
    document = json.loads(report.read_text(encoding="utf-8"))
    verdicts = [finding["verdict"] for finding in document["findings"]]
    is_found = any(verdict != "not reproduced" for verdict in verdicts)
    verdict = verdicts[0] if verdicts else ""
    return GuidedHunt(
        fault.name, how, is_found, verdict, document["examples"], round(seconds, 2), round(_cpu_seconds() - used, 2)
    )


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def read_hunts(results: Path) -> list[GuidedHunt]:
    """Return the rows of a results file, if it exists."""
    if not results.exists():
        return []
    return [GuidedHunt(**json.loads(line)) for line in results.read_text(encoding="utf-8").splitlines()]


def table(hunts: Sequence[GuidedHunt], names: Sequence[str]) -> list[str]:
    """Return the lines of a Markdown table, with one column for each value of `how`."""
    ways = list(dict.fromkeys(hunt.how for hunt in hunts))
    by_place = {(hunt.fault, hunt.how): hunt for hunt in hunts}
    lines = [f"| fault | {' | '.join(ways)} |", f"| --- |{' --- |' * len(ways)}"]
    lines += [f"| {name} | {' | '.join(_cell(by_place.get((name, how))) for how in ways)} |" for name in names]
    columns = [[hunt.is_found for hunt in hunts if hunt.how == how] for how in ways]
    totals = [f"{sum(column)} of {len(column)}" for column in columns]
    return [*lines, f"| found | {' | '.join(totals)} |"]


def _cell(hunt: GuidedHunt | None) -> str:
    if hunt is None:
        return ""
    figures = f"{hunt.positions:,} positions, {hunt.seconds:.1f} s, {hunt.cpu_seconds:.1f} s of CPU"
    return figures if hunt.is_found else f"**not found**: {figures}"


if __name__ == "__main__":
    sys.exit(main())
