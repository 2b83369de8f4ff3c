"""Results of fuzzing engines and libraries built from public repositories, recorded by hand in `sources.jsonl`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from confirming import ConfirmedBug

Found = tuple[float, int]
"""Seconds and positions until a bug was found."""
FACTS = Path(__file__).with_name("sources.jsonl")


@dataclass(frozen=True)
class Source:
    """One engine and the results of fuzzing it."""

    name: str
    repository: str
    """Owner and name of the public repository."""
    commit: str
    """The full hash of the commit that was built."""
    language: str
    asked: str
    """How the engine was called, such as "a Python class"."""
    positions: int
    """Number of positions that were examined."""
    seconds: float
    """Duration of the fuzzing run."""
    bugs: tuple[ConfirmedBug, ...]
    note: str = ""
    """What was left out or merged, and why."""
    found: Mapping[str, Found | None] = field(default_factory=dict)
    """When the first bug was found "with" and "without" `--coverage`, if both were tried; None if none was found."""


def sources(facts: Path = FACTS) -> list[Source]:
    """Read the engines from a JSON Lines file."""
    lines = facts.read_text(encoding="utf-8").splitlines()
    return [_source(json.loads(line)) for line in lines if line]


def _source(row: dict[str, Any]) -> Source:
    bugs = (ConfirmedBug(**{**bug, "moves": tuple(bug["moves"]), "wrong": tuple(bug["wrong"])}) for bug in row["bugs"])
    found = {how: first and tuple(first) for how, first in row.get("found", {}).items()}
    return Source(**{**row, "bugs": tuple(bugs), "found": found})
