"""The bugs of public engines that the faults stand for, as data: `bugs.csv`."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Bug(NamedTuple):
    """A bug that some engine or library has had."""

    id: str
    theme: str
    """The class: the part of the rules, or of the program, that it concerns."""
    family: str
    """The root cause, which several bugs may share."""
    scope: str
    """Where it shows: node counts (std, or 960 for Chess960), fen, api, hash (keys), perft, or var (a variant)."""
    source: str
    """The projects, with issue or commit."""


@cache
def bugs() -> dict[str, Bug]:
    """Return all bugs by their number."""
    with (files(__package__) / "bugs.csv").open(encoding="utf-8") as file:
        return {row["id"]: Bug(*row.values()) for row in csv.DictReader(file)}
