"""Options of `perft-check suites`."""

from __future__ import annotations

from typing import Annotated

import typer

from ....errors import UsageError
from ... import values
from .. import completion, options


def list_suites() -> int:
    """List the bundled suites."""
    from ..actions import suites as action

    return action.list_suites()


def show(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", autocompletion=completion.suites, help="Bundled suite or file.")
    ],
) -> int:
    """Show the positions of a suite."""
    from ..actions import suites as action

    return action.show(suite)


def make(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The EPD file to write.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE", help="Positions to count: one FEN per line, or games in PGN; - for stdin."
        ),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth", parser=options.checked(values.whole(1, 15)), metavar="N", help="Depth of the counts. Default: 4."
        ),
    ] = None,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            "--max-nodes",
            parser=options.checked(values.count(1)),
            metavar="NODES",
            help="Skip larger counts: 250k, 1.5M.",
        ),
    ] = None,
) -> int:
    """Make a suite: count positions and write them to an EPD file."""
    if source is None:
        raise UsageError("suites make needs positions: add --from FILE, or --from - for stdin")
    from ..actions import suites as action

    return action.make(file, source, depth, max_nodes)
