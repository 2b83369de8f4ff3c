"""What was found out by reading about mutants that nothing has killed: `survivors.csv`."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

VERDICTS = Path(__file__).with_name("survivors.csv")


class MutantVerdict(NamedTuple):
    """What is known of one mutant."""

    id: str
    verdict: str
    """`equivalent`: no answer can change; `cost`: only time or memory; `unused`: outside of what is promised."""
    reason: str


def verdicts() -> dict[str, MutantVerdict]:
    """Return the verdicts by the ids of their mutants."""
    with VERDICTS.open(encoding="utf-8", newline="") as file:
        return {row["id"]: MutantVerdict(**row) for row in csv.DictReader(file)}
