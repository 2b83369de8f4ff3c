"""The results file: one JSON line for each outcome, so that a run that was interrupted goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from mutation.killing import MutantOutcome
from mutation.targets import TARGETS, path_of
from perft_check.atomic import write_atomically

Ledger = dict[str, dict[str, MutantOutcome]]
"""Stage, then id of the mutant."""


@cache
def source_digest() -> str:
    """Return a digest of all that is mutated."""
    return hashlib.sha256(b"".join(path_of(module).read_bytes() for module in TARGETS)).hexdigest()[:16]


def read(path: Path) -> Ledger:
    """Return the outcomes of the sources as they are now; those of other sources are passed over.

    A last line that was cut off is taken out of the file. Raises ValueError where a line is no outcome.
    """
    if not path.exists():
        return {}
    ledger: Ledger = {}
    lines = path.read_bytes().splitlines(keepends=True)
    whole = [line for line in lines if line.endswith(b"\n")]
    for number, line in enumerate(whole, 1):
        try:
            entry = json.loads(line)
            sources, stage = entry.pop("sources"), entry.pop("stage")
            outcome = MutantOutcome(**entry)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ValueError(f"{path}, line {number}: no outcome of a mutant; give another file") from None
        if sources == source_digest():
            ledger.setdefault(stage, {})[outcome.id] = outcome
    if len(whole) < len(lines):
        write_atomically(path, b"".join(whole))
    return ledger


def written(path: Path, stage: str, outcomes: Iterable[MutantOutcome]) -> Iterator[MutantOutcome]:
    """Yield the outcomes, each after it has been written to the file."""
    with path.open("a", encoding="utf-8") as file:
        for outcome in outcomes:
            entry = {"sources": source_digest(), "stage": stage, **outcome._asdict()}
            print(json.dumps(entry), file=file, flush=True)
            yield outcome


def fates(ledger: Ledger) -> dict[str, MutantOutcome]:
    """Return the last word on each mutant: that of the stage that killed it, or of the last that it survived."""
    last: dict[str, MutantOutcome] = {}
    for stage in ledger.values():
        last |= {id_: outcome for id_, outcome in stage.items() if id_ not in last or last[id_].survived}
    return last
