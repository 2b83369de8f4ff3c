"""Measure how many positions `fuzz` examines per second, and how much of its CPU time the engine uses (Linux).

The engine's share is measured ten times a second.

    python benchmarks/fuzzing.py [SPEC] [OPTION ...]

SPEC is uci:stockfish by default. The options are those of `fuzz`, such as `--depth 1` or `--time 60`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PROGRAM = [sys.executable, "-m", "perft_check"]


def main() -> None:
    """Run `fuzz`, and print the figures."""
    spec, *options = sys.argv[1:] or ["uci:stockfish"]
    options = options if "--time" in options else [*options, "--time", "30"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [*PROGRAM, "fuzz", "-e", spec, "--seed", "1", *options, "--report", f"json={report}"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds = _cpu_seconds(process)
        examined = json.loads(report.read_text())
    total, engine = sum(seconds.values()), sum(used for (_, is_own), used in seconds.items() if not is_own)
    met = sum(number > 0 for number in examined["events"].values())
    figures = f"{examined['examples']:,} positions, {met} events, {len(examined['findings'])} findings"
    print(f"{spec} {' '.join(options)}: {figures}")
    course = examined["course"]
    print(f"  {course['positions_a_second']:,.0f} positions per second in {course['seconds']:.1f} s")
    print(f"  {engine / total:.1%} of {total:.1f} s of CPU in the engine")


def _cpu_seconds(process: subprocess.Popen[bytes]) -> dict[tuple[int, bool], float]:
    """Return the CPU time of each process of a run, by its PID and whether it is perft-check's."""
    used: dict[int, float] = {}
    own: dict[int, bool] = {}
    while process.poll() is None:
        for pid in _family(process.pid):
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:  # it has ended
                continue
            used[pid] = (int(fields[11]) + int(fields[12])) / TICKS
            if words[0]:  # empty if the process has ended, but was not waited for
                own[pid] = b"fuzz" in words or re.search(rb"resource_tracker|watchdog", b" ".join(words)) is not None
        time.sleep(0.1)
    return {(pid, own.get(pid, True)): seconds for pid, seconds in used.items()}


def _family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    try:
        text = "".join(file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children"))
    except OSError:
        return []
    return [pid, *(one for child in text.split() for one in _family(int(child)))]


if __name__ == "__main__":
    main()
