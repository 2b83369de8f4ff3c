"""Updates of a baseline by `--update-baseline`."""

from __future__ import annotations

from collections.abc import Iterable

from ...reports.text import count
from ..fuzzing.baseline import Baseline, KnownFailure
from .output import console


def update_baseline(
    baseline: Baseline, section: str, failures: Iterable[KnownFailure], is_interrupted: bool
) -> Baseline:
    """Write the failures of a complete run to a section of the baseline, and return the new one. Raises UsageError."""
    if is_interrupted:
        console.warn(f"{baseline.path} is not updated: the run was interrupted")
        return baseline
    found = frozenset(failures)
    baseline.write(section, found)
    console.say(f"wrote {count(len(found), 'known failure')} of {section} to {baseline.path}")
    return Baseline(baseline.path, {**baseline.failures, section: found})
