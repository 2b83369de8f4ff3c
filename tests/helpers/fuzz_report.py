"""Parse the findings in the output of `fuzz`."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from .headlines import without_moves


@dataclass(frozen=True)
class ReportedFinding:
    """A finding in the output."""

    title: str
    check: str
    pieces: int
    replay: tuple[str, ...]
    """The arguments after `perft-check`."""


def titles(report: str) -> list[str]:
    """Return the titles of the findings, without the moves that they name."""
    return re.findall(r"^\d+\. (.*?) *$", without_moves(report), re.MULTILINE)


def reported_findings(report: str) -> list[ReportedFinding]:
    """Return the findings of an output whose lines are not wrapped."""
    titles = re.findall(r"^\d+\. (.*?) *$", report, re.MULTILINE)
    checks = re.findall(r"^check: (.*?);", report, re.MULTILINE)
    pieces = re.findall(r"; (\d+) pieces", report)
    replays = re.findall(r"^reproduce: perft-check (.*?) *$", report, re.MULTILINE)
    return [
        ReportedFinding(title, check, int(number), tuple(shlex.split(replay)))
        for title, check, number, replay in zip(titles, checks, pieces, replays, strict=True)
    ]
