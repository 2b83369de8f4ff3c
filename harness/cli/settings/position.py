"""Settings of the commands about one position: `perft`, `divide`, `moves` and `explore`."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated

from ....errors import UsageError
from ..options import argument, option
from ..value_types import SPEC, ValueType, whole
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


DEFAULT_PORT = 8000
FASTEST = "own:two-plies"
"""The kernel that counts where no engine is named."""


def _means(threads: int | None, hash_bytes: int | None, exact: bool) -> KernelOptions:
    from ...engines.kinds.own import KernelOptions
    from ...model.machine import usable_threads

    return KernelOptions(threads or usable_threads(), hash_bytes, exact)


@dataclass(frozen=True)
class PerftSettings:
    """Count the leaf nodes of one position."""

    position: PositionArgument
    depth: DepthArgument
    engine: EngineOption = FASTEST
    alone: AloneOption = False
    stats: Annotated[bool, option("--stats", help="Count captures, checks, mates ... at every depth.")] = False
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
    """Count below each root move, compare with our own generator, and follow a difference down to the wrong move."""

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
    """Show the moves of a GenType on a board."""

    position: PositionArgument
    gentypes: Annotated[
        tuple[str, ...],
        option(
            "--type", "-t", type=ValueType("GENTYPE"), help="captures, quiets, ... ; may be repeated. Default: legal."
        ),
    ] = ()
    everything: Annotated[bool, option("--all", help="Every GenType that the position allows.")] = False
    chess960: VariantOption = None
    json: JsonOption = False
    engine: Annotated[
        str,
        option(
            "--engine", "-e", is_own=True, type=ValueType("own:TECHNIQUE"), help="List moves as a technique finds them."
        ),
    ] = "own"
    trace: Annotated[bool, option("--trace", help="With -e own:TECHNIQUE: show how it walks.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.trace and not self.by_technique:
            raise UsageError("Invalid value for --trace: it needs a technique: -e own:NAME")
        if self.trace and self.json:
            raise Conflict("--json lists moves: leave out --trace", "--json", "--trace")

    @property
    def by_technique(self) -> bool:
        """Whether a technique lists the moves."""
        return self.engine != "own"


@dataclass(frozen=True)
class ExploreSettings:
    """Look at the trees of two engines side by side, on the screen or in a browser."""

    position: Annotated[
        str,
        argument("POSITION", help="A FEN in quotes, a name such as kiwipete, a report as JSON, or a suite."),
    ] = "startpos"
    engine: Annotated[
        str | None,
        option("--engine", "-e", type=SPEC, help="Engine to look at. Default: ours, or the report's."),
    ] = None
    against: AgainstOption = ()
    depth: Annotated[
        int | None,
        option("--depth", type=whole(1, 99), help="Plies. Default: 3, or the report's."),
    ] = None
    timeout: TimeoutOption = 60
    memory: MemoryOption = None
    chess960: VariantOption = None
    light: Annotated[bool, option("--light", help="Begin with dark letters on a light ground.")] = False
    serve: Annotated[bool, option("--serve", help="Show it in a browser, on this machine only.")] = False
    port: Annotated[
        int | None,
        option("--port", type=whole(0, 65535), help="With --serve: the port; 0 takes a free one."),
    ] = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.port is not None and not self.serve:
            raise Conflict("--port is about the page of --serve: leave it out", "--port", "--serve")
        if self.engine in self.against:
            raise UsageError(f"{self.engine} is held against itself: give another engine with -a")
