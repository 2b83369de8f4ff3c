"""The results file: one JSON line per outcome, so that an interrupted run can continue."""

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
"""Outcomes by stage and then by the id of the mutant."""


@cache
def source_digest() -> str:
    """Return a digest of all mutated sources."""
    return hashlib.sha256(b"".join(path_of(module).read_bytes() for module in TARGETS)).hexdigest()[:16]


def read(path: Path) -> Ledger:
    """Return the outcomes of the current sources; outcomes of other sources are ignored.

    An incomplete last line is removed from the file. Raises ValueError if a line is not an outcome.
    """
    if not path.exists():
        return {}
    ledger: Ledger = {}
    lines = path.read_bytes().splitlines(keepends=True)
    complete = [line for line in lines if line.endswith(b"\n")]
    for number, line in enumerate(complete, 1):
        try:
            entry = json.loads(line)
            sources, stage = entry.pop("sources"), entry.pop("stage")
            outcome = MutantOutcome(**entry)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ValueError(f"{path}, line {number}: not the outcome of a mutant; choose another file") from None
        if sources == source_digest():
            ledger.setdefault(stage, {})[outcome.id] = outcome
    if len(complete) < len(lines):
        write_atomically(path, b"".join(complete))
    return ledger


def record(path: Path, stage: str, outcomes: Iterable[MutantOutcome]) -> Iterator[MutantOutcome]:
    """Yield the outcomes, each after writing it to the file."""
    with path.open("a", encoding="utf-8") as file:
        for outcome in outcomes:
            entry = {"sources": source_digest(), "stage": stage, **outcome._asdict()}
            print(json.dumps(entry), file=file, flush=True)
            yield outcome


def fates(ledger: Ledger) -> dict[str, MutantOutcome]:
    """Return the final outcome of each mutant, from the stage that killed it or the last one that it survived."""
    last: dict[str, MutantOutcome] = {}
    for stage in ledger.values():
        last |= {id_: outcome for id_, outcome in stage.items() if id_ not in last or last[id_].survived}
    return last
