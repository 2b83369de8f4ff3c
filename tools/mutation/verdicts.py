"""Verdicts on surviving mutants, which were reviewed by hand; they are stored in `survivors.csv`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

VERDICTS = Path(__file__).with_name("survivors.csv")


class MutantVerdict(NamedTuple):
    """The verdict on one mutant."""

    id: str
    verdict: str
    """`equivalent`: no answer can change; `cost`: only time or memory changes; `unused`: not promised behavior."""
    reason: str


def verdicts() -> dict[str, MutantVerdict]:
    """Return the verdicts by the id of the mutant."""
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        return {row["id"]: MutantVerdict(**row) for row in csv.DictReader(file)}
