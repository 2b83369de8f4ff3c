"""Settings of `perft-check cover`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ....errors import UsageError
from ...engines.spec import EngineSpec
from ..options import option
from ..value_types import SPEC
from . import shared


@dataclass(frozen=True)
class CoverSettings:
    """Show which code of an engine suites reach, and which they do not."""

    engine: Annotated[str | None, option("--engine", "-e", type=SPEC, help=f"Engine under test: {shared.SPECS}.")] = (
        None
    )
    options: shared.UciOptionsOption = ()
    names: shared.NameOption = ()
    suites: shared.SuitesOption = ()
    quick: shared.QuickOption = False
    max_depth: shared.MaxDepthOption = None
    max_nodes: shared.MaxNodesOption = None
    seconds: shared.TimeOption = None
    pattern: shared.FilterOption = None
    chess960: shared.VariantOption = None
    keep_cover: shared.KeepCoverOption = None
    reports: shared.ReportOption = ()
    timeout: shared.TimeoutOption = 10
    memory: shared.MemoryOption = None
    verbose: Annotated[bool, option("--verbose", "-v", help="All lines that were never reached.")] = False
    quiet: Annotated[bool, option("--quiet", "-q", help="Only the line that sums up.")] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        shared.check_options(self.options, self.engine)
        shared.check_quick(self.quick, self.suites)
        if self.engine is None:
            raise UsageError("cover shows what is reached of an engine's code: name the engine with -e")

    @property
    def tested(self) -> EngineSpec:
        """The SPEC of the engine under test."""
        assert self.engine is not None, "checked above"
        return EngineSpec(self.engine)
