"""Settings of the commands of `perft-check suites`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from ....errors import UsageError
from .. import completion
from ..options import OWN, argument, option
from ..value_types import FILE, ValueType, count, whole
from . import shared


@dataclass(frozen=True)
class BundledSettings:
    """List the bundled suites."""


@dataclass(frozen=True)
class SuiteSettings:
    """Show the positions of a suite."""

    suite: Annotated[
        str, argument("SUITE", type=ValueType("SUITE", completion.suites), help="A bundled suite or a file.")
    ]


@dataclass(frozen=True)
class VerifySettings:
    """Check every count of suites with generators that are not ours (default: python-chess and Stockfish)."""

    suites: Annotated[
        tuple[str, ...],
        argument(
            "SUITE",
            type=ValueType("SUITE", completion.suites),
            help="Bundled suites or files. Default: all bundled ones.",
        ),
    ] = ()
    against: shared.AgainstOption = ()
    max_nodes: shared.MaxNodesOption = None


@dataclass(frozen=True)
class MakeSettings:
    """Make a suite of your positions: count them, and write them to an EPD file."""

    file: Annotated[str, argument("FILE", help="The EPD file to write.")]
    source: Annotated[
        str | None,
        option("--from", type=FILE, help="Positions to count: a file with a FEN a line, games in PGN, or - for stdin."),
        OWN,
    ] = None
    depth: Annotated[int | None, option("--depth", type=whole(1, 15), help="Count so deep. Default: 4."), OWN] = None
    max_nodes: Annotated[
        int | None,
        option("--max-nodes", type=count(1, metavar="NODES"), help="Leave larger counts out: 250k, 1.5M."),
        OWN,
    ] = None

    def __post_init__(self) -> None:
        """Raise UsageError if no positions are named."""
        if self.source is None:
            raise UsageError("name the positions with --from FILE, or --from - for stdin")
