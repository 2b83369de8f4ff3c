"""Fuzz published generators, confirm the findings, and write `benchmarks/trophies/trophies.md`.

    python benchmarks/trophies/hunt.py --folder ~/trophies [--time 60] [--only NAME ...] [--page PAGE]

Packages are installed below the folder, except Debian packages, which are installed system-wide; the results are stored
in the folder. A package that already has results is fuzzed again only if `--only` names it. `--only` without a name
only writes the page.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from confirming import ConfirmedBug, References, confirmed
from packages import GAMES, ROOT, Package, install, packages
from page import Conditions, Result, page
from perft_check.atomic import write_atomically
from sources import sources

REPORT, TIMES, LOG = "fuzz.json", "times.json", "fuzz.log"
"""The files with the results of a package, in its folder."""
TICK_SECONDS = 0.1
PATIENCE_SECONDS = 240.0
"""Time that a run may take beyond its limit."""


def fuzz(package: Package, folder: Path, seconds: float) -> None:
    """Fuzz a package; store the JSON report, the output, and the time at which each position entered the corpus."""
    home = package.home(folder)
    report, corpus = home / REPORT, home / "found.epd"
    for old in (report, corpus):
        old.unlink(missing_ok=True)
    options = ["--time", f"{seconds:g}", "--seed", "1", "--corpus", str(corpus), "--report", f"json={report}", "-q"]
    options += ["--depth", "1"] if package.slow else []
    command = [sys.executable, "-m", "perft_check", "fuzz", "-e", package.resolved_spec(folder), *options]
    with (home / LOG).open("wb") as log:
        process = subprocess.Popen(command, cwd=ROOT / package.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        appeared = watch(process, corpus, seconds + PATIENCE_SECONDS)
    write_atomically(home / TIMES, json.dumps(appeared, indent=1).encode())


def watch(process: subprocess.Popen[bytes], corpus: Path, most: float) -> dict[str, float]:
    """Wait for a run to end; return the time at which each position entered the corpus, in seconds."""
    began, appeared = time.monotonic(), dict[str, float]()
    while process.poll() is None:
        now = time.monotonic() - began
        if now > most:
            process.kill()
        for fen in positions_in(corpus):
            appeared.setdefault(fen, now)
        time.sleep(TICK_SECONDS)
    return appeared


def positions_in(corpus: Path) -> list[str]:
    """Return the positions of a corpus without their clocks."""
    if not corpus.exists():
        return []
    lines = corpus.read_text(encoding="utf-8").splitlines()
    return [" ".join(line.split()[:4]) for line in lines if line and not line.startswith("#")]


def found_after(finding: dict[str, Any], appeared: dict[str, float]) -> float | None:
    """Return the time at which the position that first showed a finding entered the corpus, in seconds."""
    first = finding["first"]["place"]["fen"]
    return appeared.get(" ".join(first.split()[:4]))


def hunt(package: Package, folder: Path, seconds: float) -> None:
    """Install and fuzz a package. Failures are printed and do not stop the script."""
    try:
        install(package, folder)
        fuzz(package, folder, seconds)
    except (subprocess.CalledProcessError, OSError) as error:
        print(f"{package.name}: {error}", file=sys.stderr)


def result_of(package: Package, home: Path, references: References) -> Result:
    """Confirm the findings in a package."""
    document = json.loads((home / REPORT).read_text(encoding="utf-8"))
    appeared = json.loads((home / TIMES).read_text(encoding="utf-8"))
    limits = [finding for finding in document["findings"] if finding["name"] in package.limits]
    findings = [finding for finding in document["findings"] if finding not in limits]
    for finding in findings:
        finding["message"] = finding["message"].replace(document["engine"], package.name)
    causes = [bug_of(cause, findings, appeared, references) for cause in document["causes"]]
    bugs = tuple(bug for bug in causes if bug is not None)
    left_out = dict.fromkeys(package.limits[finding["name"]] for finding in limits)
    note = "; ".join([*left_out, document["failure"]]).strip("; ")
    return Result(package.name, package.version, package.registry, document["examples"], bugs, note)


def bug_of(
    cause: dict[str, Any], findings: list[dict[str, Any]], appeared: dict[str, float], references: References
) -> ConfirmedBug | None:
    """Return the simplest confirmed finding of a cause with the figures of the cause, or None if none is confirmed."""
    of_cause = [finding for finding in findings if name_of(finding) in cause["failures"]]
    bugs = [confirmed(finding, references, found_after(finding, appeared)) for finding in of_cause]
    bug = next((bug for bug in bugs if bug is not None), None)
    if bug is None:
        return None
    title = cause["title"] if bug.wrong else bug.title  # the title of a crash contains the SPEC
    return replace(bug, title=title, examples=cause["positions"])


def name_of(finding: dict[str, Any]) -> str:
    """Return the name by which the causes of the report refer to a finding."""
    place = finding["place"]
    return " ".join([f"{finding['name']}: {place['fen']}", *(["moves", *place["moves"]] if place["moves"] else [])])


def stockfish_version() -> str:
    asked = subprocess.run(["stockfish", "quit"], capture_output=True, text=True, check=True)
    return " ".join(asked.stdout.split()[:2])


def main() -> None:
    """Fuzz the packages, store the results, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--time", type=float, default=60)
    parser.add_argument("--only", nargs="*", default=None)
    parser.add_argument("--page", type=Path, default=Path(__file__).with_name("trophies.md"))
    options = parser.parse_args()
    os.environ["PATH"] += os.pathsep + GAMES
    folder = options.folder.expanduser().absolute()
    references = References()
    results = []
    for package in packages():
        home = package.home(folder)
        is_wanted = not (home / TIMES).exists() if options.only is None else package.name in options.only
        if is_wanted:
            hunt(package, folder, options.time)
        if (home / REPORT).exists() and (home / TIMES).exists():
            results.append(result_of(package, home, references))
            print(f"{package.name}: {len(results[-1].bugs)} bugs, {results[-1].positions} positions", flush=True)
    conditions = Conditions(options.time, version("chess"), stockfish_version())
    write_atomically(options.page, page(results, sources(), conditions).encode())


if __name__ == "__main__":
    main()
