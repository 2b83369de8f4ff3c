"""`perft-check worker`: carry out what a scheduler hands out."""

from __future__ import annotations

import os
import platform

from ...counting.workers.address import check_address
from ...engines.kinds.own import Means, compile_notice
from ...model.machine import usable_threads
from ...model.results.verdict import ExitCode
from ...model.shutdown import exit_on_interrupt
from ..output import console
from ..output.extras import require
from ..settings.worker import WorkerSettings


def main(settings: WorkerSettings) -> ExitCode:
    """Work until Ctrl-C. Raises UsageError."""
    require("distributed", "cluster", "perft-check worker")
    from ...counting.workers.serving import serve

    check_address(settings.address)
    exit_on_interrupt()
    if (line := compile_notice("count_leaves_by_two")) is not None:
        console.err().print(line, style="dim")
    name = settings.name or f"{platform.node()}-{os.getpid()}"
    means = Means(1, settings.hash, settings.exact)
    serve(settings.address, name, settings.threads or usable_threads(), means, _tell)
    return ExitCode.INTERRUPTED


def _tell(line: str) -> None:
    console.err().print(line, style="dim")
