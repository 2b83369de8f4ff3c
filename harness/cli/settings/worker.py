"""Settings of `perft-check worker`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from .position import FASTEST
from .shared import ExactOption, HashOption, ThreadsOption, check_table


@dataclass(frozen=True)
class WorkerSettings:
    """The settings of `perft-check worker`."""

    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="Of the scheduler: tcp://HOST:8786, as dask scheduler prints it.")
    ]
    threads: ThreadsOption = None
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="In reports. Default: host and process number.")
    ] = None
    hash: HashOption = None
    exact: ExactOption = False
    insecure: Annotated[
        bool,
        typer.Option("--insecure", help="Join another machine's scheduler without TLS: anybody may run programs here."),
    ] = False

    def __post_init__(self) -> None:
        """Raise UsageError where options do not fit together."""
        check_table(self.hash, self.exact, FASTEST)
