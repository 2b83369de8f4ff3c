"""Finds grouped by cause: the cause that breaks most positions first."""

from __future__ import annotations

from collections.abc import Iterable

from ...generator.setup import options_of
from ..checking.causes import CauseGroup, Failure, group_by_cause, symptoms_of
from .model import Find


def causes_of_finds(finds: Iterable[Find]) -> list[CauseGroup[Find]]:
    """Return finds grouped by cause; of each cause the simplest find comes first."""
    return group_by_cause(_failure(find) for find in finds)


def _failure(find: Find) -> Failure[Find]:
    found = find.discrepancy
    symptoms = symptoms_of(find.verdict, found.finding, found.message, find.is_of_engine)
    simplicity = found.implausibility, len(options_of(found.line)), find.pieces, found.name, str(found.line)
    return Failure(find, symptoms, find.times, find.ordinary, found.finding, simplicity)
