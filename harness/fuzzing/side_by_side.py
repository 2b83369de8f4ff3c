"""Fuzzing runs of several engines side by side: their events as one stream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass

from ...errors import Complaint
from .model import FuzzEvent


@dataclass(frozen=True)
class RunFailed:
    """A run that could not go on, and has nothing to report; the others do."""

    failure: Complaint


def side_by_side(runs: Mapping[str, Iterator[FuzzEvent]]) -> Iterator[tuple[str, FuzzEvent | RunFailed]]:
    """Yield the events of all runs with the names of the runs, from each run in turn, until all have ended.

    All runs have begun before the first event is yielded. Raises Complaint where one cannot begin; where one cannot go
    on, `RunFailed` is its last event.
    """
    with ExitStack() as opened:
        for run in runs.values():
            opened.enter_context(closing(run))  # type: ignore[type-var]  # generators
        yield from [(name, next(run)) for name, run in runs.items()]
        going = dict(runs)
        while going:
            for name, run in list(going.items()):
                try:
                    event = next(run, None)
                except Complaint as failure:
                    if len(runs) == 1:
                        raise
                    yield name, RunFailed(failure)
                    event = None
                if event is None:
                    del going[name]
                else:
                    yield name, event
