"""Settings of the commands about one position: `perft`, `divide` and `moves`."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Annotated

import typer

from ....errors import UsageError
from .shared import (
    AgainstOption,
    Conflict,
    DepthArgument,
    EngineOption,
    ExplainOption,
    HashOption,
    JsonOption,
    MemoryOption,
    PositionArgument,
    ReportOption,
    SelfConsistencyOption,
    ThreadsOption,
    TimeoutOption,
    VariantOption,
    check_counting,
    check_self_consistency,
    is_own,
)


@dataclass(frozen=True)
class PerftSettings:
    """The settings of `perft-check perft`."""

    position: PositionArgument
    depth: DepthArgument
    engine: EngineOption = "own:turbo"
    stats: Annotated[bool, typer.Option("--stats", help="Count captures, checks, mates ... at every depth.")] = False
    threads: ThreadsOption = None
    hash: HashOption = None
    timeout: TimeoutOption = inf
    chess960: VariantOption = None
    json: JsonOption = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.stats and not is_own(self.engine):
            why = f"--stats needs our own generator, not {self.engine!r}: leave --engine out"
            raise Conflict(why, "--stats", "--engine")
        check_counting(self.threads, self.hash, self.engine)
        if self.stats and self.hash is not None:
            raise Conflict("--stats counts without a table: leave out --hash", "--stats", "--hash")


@dataclass(frozen=True)
class DivideSettings:
    """The settings of `perft-check divide`."""

    position: PositionArgument
    depth: DepthArgument
    engine: EngineOption = "own:turbo"
    against: AgainstOption = ()
    explain: ExplainOption = True
    self_consistency: SelfConsistencyOption = False
    threads: ThreadsOption = None
    hash: HashOption = None
    timeout: TimeoutOption = 600
    memory: MemoryOption = None
    chess960: VariantOption = None
    json: JsonOption = False
    reports: ReportOption = ()

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.depth < 1:
            raise UsageError(f"divide needs a depth of 1 or more, not {self.depth}")
        if self.self_consistency and self.depth < 2:
            raise UsageError("--self-consistency needs a depth of 2 or more: it compares counts below the root moves")
        check_self_consistency(self.self_consistency, self.against)
        check_counting(self.threads, self.hash, self.engine, *self.against)


@dataclass(frozen=True)
class MovesSettings:
    """The settings of `perft-check moves`."""

    position: PositionArgument
    gentypes: Annotated[
        tuple[str, ...],
        typer.Option(
            "--type", "-t", metavar="GENTYPE", help="captures, quiets, ... ; may be repeated. Default: legal."
        ),
    ] = ()
    everything: Annotated[bool, typer.Option("--all", help="Every GenType that the position allows.")] = False
    chess960: VariantOption = None
    json: JsonOption = False
    engine: Annotated[
        str, typer.Option("--engine", "-e", metavar="own:TECHNIQUE", help="List moves as a technique finds them.")
    ] = "own"
    trace: Annotated[bool, typer.Option("--trace", help="With -e own:TECHNIQUE: show how it walks.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.trace and not self.by_technique:
            raise typer.BadParameter("it needs a technique: -e own:NAME", param_hint="--trace")
        if self.trace and self.json:
            raise Conflict("--json lists moves: leave out --trace", "--json", "--trace")

    @property
    def by_technique(self) -> bool:
        """Whether a technique lists the moves."""
        return self.engine != "own"
