"""Find out which faults of a compiled generator `fuzz` detects within seconds.

    python benchmarks/seeded_faults.py [--time 10] [--jobs 2] [--seed 1] [--controls | --prove] [NAME ...]

Builds each fault of `benchmarks/faults/` as a shared library, and runs `fuzz -e lib:PATH --fail-fast` on it. Times are
measured from the start of the command until it first reports the finding, so the kernels should be compiled beforehand.
`--controls` fuzzes generators without a fault, and `--prove` checks that each fault makes the count of a position
incorrect. Needs `cc`.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.patched import PatchedFault, controls, counts, faults

PROGRAM = [sys.executable, "-m", "perft_check"]
ROW = "| {:<33} | {:<8} | {:<9} | {:>7} | {:>10} | {}"


@dataclass(frozen=True)
class FaultHunt:
    """The result of fuzzing a generator with a fault."""

    fault: PatchedFault
    verdict: str
    """The verdict of the first finding, "" if there is none."""
    seconds: float
    """Seconds until the finding was reported, or until the end of the run."""
    positions: int
    title: str

    @property
    def is_found(self) -> bool:
        """Whether the finding is reproducible."""
        return self.verdict not in ("", "not reproduced")

    def __str__(self) -> str:
        """Return a row of the table."""
        found = self.verdict or "-"
        return ROW.format(
            self.fault.name, self.fault.kind, found, f"{self.seconds:.1f} s", f"{self.positions:,}", self.title
        )


def main() -> int:
    """Return 0 if all faults were found (or proved) and no control has a finding."""
    options = _options()
    known = {fault.name: fault for fault in (controls() if options.controls else faults())}
    unknown = [name for name in options.names if name not in known]
    if unknown:
        print(f"there is no fault {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [fault for name, fault in known.items() if name in (options.names or known)]
    with tempfile.TemporaryDirectory() as folder:
        return _prove(chosen, Path(folder)) if options.prove else _hunt_all(chosen, Path(folder), options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--time", type=float, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--controls", action="store_true")
    parser.add_argument("--prove", action="store_true")
    return parser.parse_args()


def _prove(chosen: Iterable[PatchedFault], folder: Path) -> int:
    """Print the incorrect count of each fault; return 1 if a fault has none."""
    missed = 0
    for fault in chosen:
        if fault.proof is None:
            continue
        *rest, (actual, expected) = counts(fault.build(folder), fault.proof)
        is_proved = actual != expected and all(one == other for one, other in rest)
        missed += not is_proved
        place = f"{actual} instead of {expected} at depth {fault.proof.depth} of {fault.proof.position.fen()}"
        print(f"{fault.name}: {place if is_proved else f'not proved by {place}'}", flush=True)
    return int(missed > 0)


def _hunt_all(chosen: Iterable[PatchedFault], folder: Path, options: argparse.Namespace) -> int:
    print(ROW.format("fault", "class", "verdict", "seconds", "positions", "finding"))
    hunts = []
    for fault in chosen:
        hunts.append(_hunt(fault, folder, options))
        print(hunts[-1], flush=True)
    found = [hunt.seconds for hunt in hunts if hunt.is_found]
    print(f"{len(found)} of {len(hunts)} found within {options.time:g} s", end="")
    print(f"; median {statistics.median(found):.1f} s, worst {max(found):.1f} s" if found else "")
    return int(any(hunt.is_found is options.controls for hunt in hunts))


def _hunt(fault: PatchedFault, folder: Path, options: argparse.Namespace) -> FaultHunt:
    report = folder / f"{fault.name}.json"
    command = [*PROGRAM, "fuzz", "-e", f"lib:{fault.build(folder)}", "--time", str(options.time), "--fail-fast"]
    command += ["--seed", str(options.seed), "--jobs", str(options.jobs), "--report", f"json={report}"]
    command += ["--chess960"] if fault.chess960 else []
    began, found = time.monotonic(), None
    line = ""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if found is None and line.startswith("suspect: "):
                found = time.monotonic()
    seconds = (found or time.monotonic()) - began
    if not report.exists():
        raise SystemExit(f"{fault.name}: {line.strip()}")
    document: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    findings = document["findings"]
    title = document["causes"][0]["title"] if findings else ""
    return FaultHunt(fault, findings[0]["verdict"] if findings else "", seconds, document["examples"], title)


if __name__ == "__main__":
    sys.exit(main())
