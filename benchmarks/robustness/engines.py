"""Run perft-check with engines that misbehave, and print a table of the verdicts.

    python benchmarks/robustness/engines.py [--jobs 2] [--only NAME] > table.md

Each engine counts a small suite in `perft-check run`. The exit status is 1 if a verdict is not the expected one, a
traceback is printed, a process is left behind, or a run takes longer than a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from misbehaving import AGREE, ENGINES, REFUSED

SUITE = """\
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;id "start"
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039 ;id "kiwipete"
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191 ;id "cpw-3"
k7/8/8/8/1pP5/8/8/K7 b - c3 0 1 ;D1 5 ;D2 17 ;id "en passant"
4k3/8/8/8/1b6/8/8/4K2R w K - 0 1 ;D1 4 ;id "check"
4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1 ;D1 23 ;id "castling"
rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1 ;D1 20 ;id "chess960"
3k4/1P6/8/8/8/8/8/3K4 w - - 0 1 ;D1 9 ;id "promotion"
"""
MOST_SECONDS = 60.0
TIMEOUT = "3"
"""The option `--timeout`, in seconds."""


@dataclass(frozen=True)
class EngineOutcome:
    """The result of the run with one engine."""

    name: str
    kind: str
    expected: str
    verdict: str
    status: int
    seconds: float
    message: str
    is_correct: bool


def outcome_of(name: str, folder: Path) -> EngineOutcome:
    """Run perft-check with one engine."""
    expected, kind, _ = ENGINES[name]
    program = Path(__file__).with_name("misbehaving.py")
    mark = f"--mark={folder.name}-{name}"
    spec = "uci:" + shlex.join([sys.executable, str(program), name, mark])
    command = [sys.executable, "-m", "perft_check", "run", "-s", "suite.epd", "-e", spec, "--timeout", TIMEOUT]
    began = time.monotonic()
    done = subprocess.run([*command, "--report", "json=-"], cwd=folder, capture_output=True, check=False, timeout=600)
    seconds = time.monotonic() - began
    left = list(processes_of(name, mark))
    verdict, message = worst_verdict(done)
    message = message.replace(spec, "the engine")
    is_correct = verdict == expected and not left and b"Traceback" not in done.stderr and seconds < MOST_SECONDS
    return EngineOutcome(name, kind, expected, verdict, done.returncode, seconds, message, is_correct)


def worst_verdict(done: subprocess.CompletedProcess[bytes]) -> tuple[str, str]:
    """Return the first verdict that is not "agree", and its message."""
    if not done.stdout:
        last = done.stderr.decode(errors="replace").strip().splitlines() or [""]
        return REFUSED, last[-1].removeprefix("perft-check: ")
    results = json.loads(done.stdout)["results"]
    failed = [result for result in results if result["verdict"] not in (AGREE, "not compared")]
    if not failed:
        return AGREE, ""
    return failed[0]["verdict"], failed[0]["message"]


def processes_of(name: str, mark: str) -> Iterator[int]:
    """Kill the processes of an engine that still exist a moment after the run; yield their PIDs."""
    time.sleep(0.3)
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if mark in words or f"misbehaving-daemon-of-{name}" in words:
                os.kill(int(folder.name), signal.SIGKILL)
                yield int(folder.name)


def table(outcomes: list[EngineOutcome]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| engine | misbehaves | verdict | exit status | seconds | message |"
    yield "|---|---|---|---|---|---|"
    for one in outcomes:
        message = one.message.replace("|", "\\|")
        message = message if len(message) <= 160 else message[:157] + "..."
        verdict = one.verdict if one.verdict == one.expected else f"{one.verdict} (**expected {one.expected}**)"
        yield f"| {one.name} | {one.kind} | {verdict} | {one.status} | {one.seconds:.1f} | {message} |"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="misbehaving-") as folder:
        (Path(folder) / "suite.epd").write_text(SUITE)
        with ThreadPoolExecutor(arguments.jobs) as threads:
            outcomes = list(threads.map(partial(outcome_of, folder=Path(folder)), arguments.only or ENGINES))
    print(*table(outcomes), sep="\n")
    wrong = [one.name for one in outcomes if not one.is_correct]
    print(f"\n{len(outcomes)} engines, {len(outcomes) - len(wrong)} as expected", *wrong, sep="\n", file=sys.stderr)
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
