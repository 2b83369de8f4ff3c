"""Measure the memory of a long fuzzing run: `python benchmarks/robustness/fuzz_memory.py [--minutes 60]` (Linux).

Reads the smaps of every process at intervals, and prints the `Pss` of each kind of process in MiB, separately for
anonymous memory (of Python and of tables) and for mapped files (libraries and kernels). Further arguments are passed to
`fuzz` as options, such as `-e`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

PROGRAM = [sys.executable, "-P", "-m", "perft_check", "fuzz"]
SETTLED = 0.55
"""Fraction of the time after which memory should no longer grow, because the first batches have ended."""
MOST_GROWTH = 16.0
"""Maximum growth of a process after that time, in MiB."""


def memory(pid: int) -> tuple[float, float]:
    """Return the anonymous and the file-backed memory of a process in MiB.

    Raises OSError if the process has ended.
    """
    anonymous = files = 0.0
    of_a_file = False
    for line in (Path("/proc") / str(pid) / "smaps").read_text().splitlines():
        words = line.split()
        if not words[0].endswith(":"):
            of_a_file = len(words) > 5 and words[5].startswith("/")
        elif words[0] == "Pss:":
            if of_a_file:
                files += int(words[1]) / 1024
            else:
                anonymous += int(words[1]) / 1024
    return anonymous, files


def processes(root: psutil.Process) -> Iterator[tuple[str, psutil.Process]]:
    """Yield the processes of a run, each with its kind."""
    yield "main", root
    for child in root.children(recursive=True):
        words = " ".join(child.cmdline())
        if words == " ".join(root.cmdline()) or "spawn_main" in words:
            yield f"fuzzing process {child.pid}", child
        elif "resource_tracker" not in words and "watchdog" not in words:
            yield "engine", child


def sample(root: psutil.Process) -> dict[str, tuple[float, float]]:
    """Return the current memory by kind of process; that of all engine processes is added up."""
    found: dict[str, tuple[float, float]] = {}
    for kind, process in processes(root):
        try:
            anonymous, files = memory(process.pid)
        except (OSError, psutil.Error):  # it has ended
            continue
        if not anonymous:  # it has ended, but was not waited for
            continue
        before = found.get(kind, (0.0, 0.0))
        found[kind] = before[0] + anonymous, before[1] + files
    return found


def main() -> None:
    """Fuzz and print the samples; exit with status 1 if a process of perft-check grows too much at the end."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--every", type=float, default=30, help="Seconds between two samples.")
    options, words = parser.parse_known_args()
    fuzz = subprocess.Popen([*PROGRAM, "--time", f"{options.minutes * 60:.0f}", *words], stdout=subprocess.DEVNULL)
    root, began = psutil.Process(fuzz.pid), time.monotonic()
    samples: list[tuple[float, dict[str, tuple[float, float]]]] = []
    print("| minutes | process | anonymous MiB | file-backed MiB |", "| ---: | --- | ---: | ---: |", sep=os.linesep)
    while fuzz.poll() is None:
        time.sleep(options.every)
        minutes, found = (time.monotonic() - began) / 60, sample(root)
        samples.append((minutes, found))
        for kind, (anonymous, files) in found.items():
            print(f"| {minutes:.1f} | {kind} | {anonymous:.1f} | {files:.1f} |", flush=True)
    settled = [found for minutes, found in samples if minutes >= SETTLED * options.minutes]
    growth = {
        kind: max(found[kind][0] for found in settled if kind in found) - first
        for kind, (first, _) in (settled[0] if settled else {}).items()
        if kind != "engine"
    }
    for kind, mib in growth.items():
        print(f"{kind}: {mib:+.1f} MiB after the first {SETTLED:.0%} of the time")
    sys.exit(1 if fuzz.returncode or not growth or max(growth.values()) > MOST_GROWTH else 0)


if __name__ == "__main__":
    main()
