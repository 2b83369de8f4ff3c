"""Settings of `perft-check explain`, about rules, and of `perft-check zoo`, about faults that break them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from .. import completion
from ..options import argument, option
from ..value_types import FILE, ValueType, seconds, whole
from .shared import JobsOption, ReportOption

ThemeArgument = Annotated[
    str | None, argument("CLASS", type=ValueType("CLASS", completion.fault_classes), help="Only faults of this class.")
]


@dataclass(frozen=True)
class ExplainSettings:
    """Say what a rule means that a report names, with a board, right and wrong moves; without a rule, list all."""

    rule: Annotated[
        str | None,
        argument("RULE", type=ValueType("RULE", completion.rules), help="Its name, such as pinned. Default: list all."),
    ] = None


@dataclass(frozen=True)
class FaultsSettings:
    """List the faults."""

    theme: ThemeArgument = None


@dataclass(frozen=True)
class FaultSettings:
    """The settings of `perft-check zoo show` and `zoo serve`."""

    fault: Annotated[str, argument("FAULT", type=ValueType("FAULT", completion.faults), help="The name of a fault.")]


@dataclass(frozen=True)
class ScoreSettings:
    """Measure how many of the faults are caught, how soon, and how well they are explained."""

    theme: ThemeArgument = None
    methods: Annotated[
        tuple[str, ...],
        option(
            "--method",
            type=ValueType("NAME"),
            help="fuzz, games, walks, served, cpw, known or a bundled suite; may be repeated. Default: fuzz.",
        ),
    ] = ()
    seconds: Annotated[
        float | None,
        option("--budget", type=seconds(0.1, endless=False), help="For each hunt: 60, 60s, 2m. Default: 60s."),
    ] = None
    seeds: Annotated[
        int | None,
        option("--seeds", type=whole(1), help="Hunts of each fault, each with its own seed. Default: 1."),
    ] = None
    jobs: JobsOption = None
    results: Annotated[
        str | None,
        option(
            "--results",
            type=FILE,
            help="Keep outcomes there. Those that it has are not hunted again; options left out are as they were.",
        ),
    ] = None
    reports: ReportOption = ()
    hunting: Annotated[bool, option("--hunt/--no-hunt", help="Hunt what the results lack.")] = True
