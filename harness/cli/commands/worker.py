"""`perft-check worker`: carry out what a scheduler hands out."""

from __future__ import annotations

import os

from ...cluster.address import check_address, check_reach
from ...counting.piece_counter import get_ready
from ...engines.kinds.own import KernelOptions, compile_notice
from ...model.machine import machine_name, usable_threads
from ...model.results.verdict import ExitCode
from ...model.shutdown import exit_on_interrupt
from ...work.worker_state import WORKER
from ..output import console
from ..output.extras import require
from ..settings.count import WorkerSettings
from ..settings.position import FASTEST


def main(settings: WorkerSettings) -> ExitCode:
    """Work until Ctrl-C. Raises UsageError."""
    require("distributed", "cluster", "perft-check worker")
    from ...cluster.serving import serve

    check_address(settings.address)
    check_reach(settings.address, is_insecure=settings.insecure)
    exit_on_interrupt()
    if (line := compile_notice("count_leaves_by_two")) is not None:
        console.err().print(line, style="dim")
    name = settings.name or f"{machine_name()}-{os.getpid()}"
    WORKER.name, WORKER.means = name, KernelOptions(1, settings.hash, settings.exact)
    get_ready(FASTEST)
    serve(settings.address, settings.threads or usable_threads(), _tell)
    return ExitCode.INTERRUPTED


def _tell(line: str) -> None:
    console.err().print(line, style="dim")
