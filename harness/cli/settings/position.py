"""Settings of the commands about one position: `perft`, `divide` and `moves`."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated

import typer

from ....errors import UsageError
from .shared import (
    AgainstOption,
    AloneOption,
    Conflict,
    DepthArgument,
    EngineOption,
    ExactOption,
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
    check_alone,
    check_self_consistency,
    check_table,
    check_threads,
    compared_with,
    is_own,
)

if TYPE_CHECKING:
    from ...engines.kinds.own import KernelOptions


FASTEST = "own:two-plies"
"""The kernel that counts where no engine is named."""


def _means(threads: int | None, hash_bytes: int | None, exact: bool) -> KernelOptions:
    from ...engines.kinds.own import KernelOptions
    from ...model.machine import usable_threads

    return KernelOptions(threads or usable_threads(), hash_bytes, exact)


@dataclass(frozen=True)
class PerftSettings:
    """The settings of `perft-check perft`."""

    position: PositionArgument
    depth: DepthArgument
    engine: EngineOption = FASTEST
    alone: AloneOption = False
    stats: Annotated[bool, typer.Option("--stats", help="Count captures, checks, mates ... at every depth.")] = False
    threads: ThreadsOption = None
    hash: HashOption = None
    exact: ExactOption = False
    timeout: TimeoutOption = inf
    chess960: VariantOption = None
    json: JsonOption = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.stats and not is_own(self.engine):
            why = f"--stats needs our own generator, not {self.engine!r}: leave --engine out"
            raise Conflict(why, "--stats", "--engine")
        check_threads(self.threads, self.engine)
        check_table(self.hash, self.exact, self.engine)
        if self.stats and self.hash is not None:
            raise Conflict("--stats counts without a table: leave out --hash", "--stats", "--hash")

    @property
    def references(self) -> tuple[str, ...]:
        """What the count is compared with: our own generator, or nothing."""
        return compared_with(self.engine, alone=self.alone)

    @property
    def means(self) -> KernelOptions:
        """What the count may use."""
        return _means(self.threads, self.hash, self.exact)


@dataclass(frozen=True)
class DivideSettings:
    """The settings of `perft-check divide`."""

    position: PositionArgument
    depth: DepthArgument
    engine: EngineOption = FASTEST
    against: AgainstOption = ()
    alone: AloneOption = False
    explain: ExplainOption = True
    self_consistency: SelfConsistencyOption = False
    threads: ThreadsOption = None
    hash: HashOption = None
    exact: ExactOption = False
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
        check_alone(self.alone, self.against)
        check_threads(self.threads, self.engine, *self.against)
        check_table(self.hash, self.exact, self.engine, *self.against)

    @property
    def references(self) -> tuple[str, ...]:
        """What the engine is compared with: its references, our own generator where none is named, or nothing."""
        return compared_with(self.engine, self.against, alone=self.alone or self.self_consistency)

    @property
    def means(self) -> KernelOptions:
        """What each count may use."""
        return _means(self.threads, self.hash, self.exact)


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
