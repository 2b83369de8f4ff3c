"""Finds, read from the report of a fuzzing run."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from .headlines import without_moves


@dataclass(frozen=True)
class ReportedFind:
    """One find, as the report tells it."""

    title: str
    check: str
    pieces: int
    replay: tuple[str, ...]
    """The arguments after `perft-check`."""


def titles(report: str) -> list[str]:
    """Return the titles of the finds of a report, without the moves that they name."""
    return re.findall(r"^\d+\. (.*?) *$", without_moves(report), re.MULTILINE)


def told(report: str) -> list[ReportedFind]:
    """Return the finds of a report whose lines are not broken."""
    titles = re.findall(r"^\d+\. (.*?) *$", report, re.MULTILINE)
    checks = re.findall(r"^check: (.*?);", report, re.MULTILINE)
    pieces = re.findall(r"; (\d+) pieces", report)
    replays = re.findall(r"^reproduce: perft-check (.*?) *$", report, re.MULTILINE)
    return [
        ReportedFind(title, check, int(number), tuple(shlex.split(replay)))
        for title, check, number, replay in zip(titles, checks, pieces, replays, strict=True)
    ]
