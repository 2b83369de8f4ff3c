"""Settings of the commands of `perft-check history`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ..options import argument, option
from ..value_types import SPEC, factor, seconds, whole
from .shared import ReportOption

FileArgument = Annotated[str, argument("FILE", help="A history, which perft-check run --history has made.")]
EnginesOption = Annotated[
    tuple[str, ...],
    option("--engine", "-e", type=SPEC, help="Only runs of this engine; may be repeated. Default: all."),
]


@dataclass(frozen=True)
class ListSettings:
    """List the runs of a history, the newest last."""

    file: FileArgument
    engines: EnginesOption = ()
    last: Annotated[int, option("--last", type=whole(1), help="How many runs are listed, the newest.")] = 30
    reports: ReportOption = ()


@dataclass(frozen=True)
class ShowSettings:
    """Show one run, position by position."""

    file: FileArgument
    run: Annotated[int, argument("RUN", type=whole(1), help="The number of a run.")]
    reports: ReportOption = ()


@dataclass(frozen=True)
class CompareSettings:
    """Compare two runs position by position; exit with 1 where one is newly broken."""

    file: FileArgument
    before: Annotated[
        int | None,
        argument("A", type=whole(1), help="The earlier run. Default: that of its engine before B."),
    ] = None
    after: Annotated[
        int | None,
        argument("B", type=whole(1), help="The later run. Default: the newest, of the engine of A."),
    ] = None
    ratio: Annotated[
        float,
        option(
            "--ratio",
            type=factor(1, 1000),
            help="A position is slower or faster where its times differ by more than this factor ...",
        ),
    ] = 1.25
    least_time: Annotated[
        float,
        option("--least-time", type=seconds(0), help="... and by more than this time."),
    ] = 0.05
    verbose: Annotated[bool, option("--verbose", "-v", help="Every change, however many there are.")] = False
    reports: ReportOption = ()


@dataclass(frozen=True)
class PlotSettings:
    """Plot the speed of engines over their runs (needs plotext)."""

    file: FileArgument
    engines: EnginesOption = ()
    reports: ReportOption = ()
