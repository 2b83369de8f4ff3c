"""Settings of the commands about one position: `perft`, `divide`, `moves` and `explore`."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated

from ....errors import UsageError
from ...engines.spec import EngineSpec
from ...model import values
from .. import completion
from ..options import OWN, argument, option
from ..value_types import SPEC, ValueType, whole
from . import shared

if TYPE_CHECKING:
    from ...engines.kinds.own import KernelOptions


FASTEST = "own:two-plies"
"""The kernel that counts where no engine is named."""


class CountsPosition:
    """What the commands that count one position have in common: the engine, and what our kernels may use."""

    engine: str | None
    threads: int | None
    hash: int | None

    @property
    def tested(self) -> EngineSpec:
        """The engine that is named, or else our fastest."""
        return EngineSpec(FASTEST if self.engine is None else self.engine)

    @property
    def resources(self) -> KernelOptions:
        """What each count may use."""
        from ...engines.kinds.own import KernelOptions
        from ...model.machine import usable_threads

        return KernelOptions(self.threads or usable_threads(), self.hash)


@dataclass(frozen=True)
class PerftSettings(CountsPosition):
    """Count the leaf nodes of one position."""

    position: shared.PositionArgument
    depth: shared.DepthArgument
    engine: shared.AnyEngineOption = None
    options: shared.UciOptionsOption = ()
    names: shared.NameOption = ()
    alone: shared.AloneOption = False
    stats: Annotated[bool, option("--stats", help="Count captures, checks, mates ... at every depth.")] = False
    threads: shared.ThreadsOption = None
    hash: shared.HashOption = None
    timeout: shared.TimeoutOption = inf
    moves: shared.MovesOption = ""
    chess960: shared.VariantOption = None
    json: shared.JsonOption = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.stats and not self.tested.is_own:
            why = f"--stats needs our own generator, not {self.tested!r}: leave --engine out"
            raise shared.Conflict(why, "--stats", "--engine")
        shared.check_options(self.options, self.tested)
        shared.check_threads(self.threads, self.tested)
        shared.check_table(self.hash, self.tested)
        if self.stats and self.hash is not None:
            raise shared.Conflict("--stats counts without a table: leave out --hash", "--stats", "--hash")

    @property
    def references(self) -> tuple[str, ...]:
        """What the count is compared with: our own generator, or nothing."""
        return shared.compared_with(self.tested, alone=self.alone)


@dataclass(frozen=True)
class DivideSettings(CountsPosition):
    """Count below each root move, compare with our own generator, and follow a difference down to the wrong move."""

    position: shared.PositionArgument
    depth: shared.DepthArgument
    engine: shared.AnyEngineOption = None
    options: shared.UciOptionsOption = ()
    names: shared.NamesOption = ()
    against: shared.AgainstOption = ()
    alone: shared.AloneOption = False
    explain: shared.ExplainOption = values.EXPLAINED
    self_consistency: shared.SelfConsistencyOption = False
    threads: shared.ThreadsOption = None
    hash: shared.HashOption = None
    timeout: shared.TimeoutOption = 600
    memory: shared.MemoryOption = None
    moves: shared.MovesOption = ""
    chess960: shared.VariantOption = None
    json: shared.JsonOption = False
    reports: shared.ReportOption = ()

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.depth < 1:
            raise UsageError(f"divide needs a depth of 1 or more, not {self.depth}")
        if self.self_consistency and self.depth < 2:
            why = "--self-consistency needs a depth of 2 or more: it compares counts below the root moves"
            raise shared.Conflict(why, "--self-consistency")
        shared.check_self_consistency(self.self_consistency, self.against)
        shared.check_alone(self.alone, self.against)
        shared.check_options(self.options, self.tested)
        shared.check_threads(self.threads, self.tested, *self.against)
        shared.check_table(self.hash, self.tested, *self.against)

    @property
    def references(self) -> tuple[str, ...]:
        """What the engine is compared with: its references, our own generator where none is named, or nothing."""
        return shared.compared_with(self.tested, self.against, alone=self.alone or self.self_consistency)


@dataclass(frozen=True)
class MovesSettings:
    """Show the moves of a GenType on a board."""

    position: shared.PositionArgument
    gentypes: Annotated[
        tuple[str, ...],
        option(
            "--type",
            "-t",
            type=ValueType("GENTYPE", completion.gentypes),
            help="captures, quiets, ... ; may be repeated. Default: legal.",
        ),
    ] = ()
    everything: Annotated[bool, option("--all", help="Every GenType that the position allows.")] = False
    moves: shared.MovesOption = ""
    chess960: shared.VariantOption = None
    json: shared.JsonOption = False
    engine: Annotated[
        str,
        option(
            "--engine",
            "-e",
            type=ValueType("own:TECHNIQUE", completion.techniques),
            help="List moves as a technique finds them.",
        ),
        OWN,
    ] = "own"
    names: shared.NameOption = ()

    @property
    def by_technique(self) -> bool:
        """Whether a technique lists the moves."""
        return self.engine != "own"


@dataclass(frozen=True)
class ExploreSettings:
    """Look at the trees of two engines side by side, on the screen."""

    position: Annotated[
        str,
        argument(
            "POSITION",
            type=shared.POSITION,
            help="A FEN in quotes, a name such as kiwipete, a report as JSON, or a suite.",
        ),
    ] = "startpos"
    engine: Annotated[
        str | None,
        option("--engine", "-e", type=SPEC, help="Engine to look at. Default: ours, or the report's."),
    ] = None
    options: shared.UciOptionsOption = ()
    names: shared.NamesOption = ()
    against: shared.AgainstOption = ()
    depth: Annotated[
        int | None,
        option("--depth", type=whole(1, 99), help="Plies. Default: 3, or the report's."),
    ] = None
    timeout: shared.TimeoutOption = 60
    memory: shared.MemoryOption = None
    chess960: shared.VariantOption = None
    light: Annotated[bool, option("--light", help="Begin with dark letters on a light ground.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.check_options(self.options, self.engine)
        if self.engine in self.against:
            raise UsageError(f"{self.engine} is held against itself: give another engine with -a")
