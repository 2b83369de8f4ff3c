"""What was found in engines and libraries that were built from public repositories: facts, kept by hand."""

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
    """One engine, and what its fuzzing gave."""

    name: str
    repository: str
    """Owner and name of the public repository."""
    commit: str
    """The full hash of what was built."""
    language: str
    asked: str
    """How it was asked, in words."""
    positions: int
    """How many positions were examined."""
    seconds: float
    """How long it was fuzzed."""
    bugs: tuple[ConfirmedBug, ...]
    note: str = ""
    """What was left out, or put together, and why; may be empty."""
    found: Mapping[str, Found | None] = field(default_factory=dict)
    """When the first bug was found "with" and "without" `--coverage`, if both were tried; None where none was."""


def sources(facts: Path = FACTS) -> list[Source]:
    """Return the engines of a file with a line of JSON for each."""
    lines = facts.read_text(encoding="utf-8").splitlines()
    return [_source(json.loads(line)) for line in lines if line]


def _source(row: dict[str, Any]) -> Source:
    bugs = (ConfirmedBug(**{**bug, "moves": tuple(bug["moves"]), "wrong": tuple(bug["wrong"])}) for bug in row["bugs"])
    found = {how: first and tuple(first) for how, first in row.get("found", {}).items()}
    return Source(**{**row, "bugs": tuple(bugs), "found": found})
