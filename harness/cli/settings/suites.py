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
    """Make a suite of your positions (--from), or the bundled ones anew, verified by python-chess and Stockfish."""

    place: Annotated[str, argument("PLACE", help="With --from the EPD file to write, else the folder for those.")]
    source: Annotated[
        str | None,
        option("--from", type=FILE, help="Positions to count: a file with a FEN a line, games in PGN, or - for stdin."),
        OWN,
    ] = None
    depth: Annotated[
        int | None, option("--depth", type=whole(1, 15), help="With --from: count so deep. Default: 4."), OWN
    ] = None
    max_nodes: Annotated[
        int | None,
        option("--max-nodes", type=count(1, metavar="NODES"), help="With --from: leave larger counts out: 250k, 1.5M."),
        OWN,
    ] = None
    seed: Annotated[int, option("--seed", type=whole(0), help="Same seed, same suites."), OWN] = 2026
    from_zoo: Annotated[
        bool,
        option(
            "--from-zoo", help="Choose smoke, the special suites and the sweeps by the faults that they show: minutes."
        ),
    ] = False
    sweep: Annotated[bool, option("--sweep", help="Choose the sweeps alone by the faults that they show.")] = False
    jobs: shared.JobsOption = None

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        if self.source is None and (self.depth is not None or self.max_nodes is not None):
            raise UsageError("--depth and --max-nodes are for positions of yours: add --from FILE")
        if self.source is not None:
            others = {"--from-zoo": self.from_zoo, "--sweep": self.sweep}
            shared.reject("makes one suite of your positions", "--from", others)
