"""`perft-check count`: a large count in pieces, whose results are stored in a ledger so that it can be resumed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ....errors import UsageError, concerning, require
from ....generator.counting.counter import Stopped
from ....generator.counting.records import Records, distinct_positions
from ....generator.kernels.machine.memory import Control
from ....generator.position import Position
from ....reports.live import CountLive
from ....reports.terminal.divide import render_count, summary
from ...counting.cutting import best_size, best_split
from ...counting.ledger import Ledger, LedgerHead, cut_of, lock_ledger, open_ledger, read_head, refusal
from ...counting.model import Count
from ...counting.piece_counter import open_counter
from ...counting.piece_scheduler import LocalWorkers, PieceScheduler, Workers
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.files import build_of
from ...engines.opening import open_session
from ...engines.spec import EngineSpec
from ...engines.types.own import KernelOptions
from ...machine import machine_name, usable_threads
from ...model.results.positions import CountFinished, PlyEnumerated
from ...model.results.verdict import ExitCode
from ...shutdown import Interrupt, catch_interrupts
from ..output import console
from ..output.compiling import start_engines
from ..output.console import print_json, wait_for

if TYPE_CHECKING:
    from ...counting.cluster import ClusterWorkers


@dataclass(frozen=True)
class CountPlan:
    """The options of a count."""

    position: Position
    depth: int
    engine: EngineSpec
    split: int | None
    ledger: str | None
    positions: int | None
    """Number of positions in each piece, or None to choose one automatically."""
    scheduler: str | None
    threads: int | None
    hash_bytes: int | None
    timeout: float

    @property
    def resources(self) -> KernelOptions:
        """The resources of each kernel. Threads share one hash table."""
        return KernelOptions(1, self.hash_bytes)


def count(plan: CountPlan, *, quiet: bool, json: bool) -> ExitCode:
    """Print only the count on stdout, and everything else on stderr. Raises UsageError, EngineError."""
    position = plan.position
    digest = zlib.crc32(f"{position.fen()} {position.chess960} {plan.engine}".encode())
    path = Path(plan.ledger or f"count-{digest:08x}-{plan.depth}.ledger")  # the same name for the same count
    with (
        catch_interrupts() as interrupt,
        CountLive(console.err(), quiet) as live,
        lock_ledger(path),
        _workers(plan, interrupt) as workers,
    ):
        try:
            head, records = _cut(path, plan, live, interrupt)
        except Stopped:
            console.err().print(
                "interrupted while cutting the tree into pieces, before anything was counted; "
                "to make this faster, use a smaller --split"
            )
            return ExitCode.INTERRUPTED
        with open_ledger(path, head, records) as ledger:
            _check_build(ledger, plan)
            if plan.scheduler is None and ledger.pieces_left():
                _start_once(plan, interrupt)
            finished = _count(ledger, workers, live, interrupt)
            live.close()
    return _report(finished, path, plan, quiet=quiet, json=json)


def _cut(path: Path, plan: CountPlan, live: CountLive, interrupt: Interrupt) -> tuple[LedgerHead, Records]:
    """Cut the tree, and return the head of the existing or new ledger, and the positions.

    Raises UsageError, Stopped.
    """
    head, control, position = read_head(path), Control(), plan.position
    if head is not None:
        _check_same_count(path, head.count, plan)
        if plan.positions is not None:
            console.err().print(f"--positions is ignored: the pieces in {path} are already cut", style="dim")

    def work() -> tuple[LedgerHead, Records]:
        split = plan.split if head is None else head.count.split
        split = split or best_split(position, plan.depth, control)
        records = distinct_positions(position.board, split, control=control, on_ply=show_progress)
        if head is not None:
            return head, records
        count = Count(position.fen(), position.chess960, plan.depth, split, plan.engine)
        return LedgerHead(count, cut_of(records, plan.positions or best_size(records, count, control))), records

    def show_progress(ply: int, positions: int) -> None:
        live.handle(PlyEnumerated(ply, positions))

    try:
        return wait_for(work, interrupt, control.stop)
    except MemoryError as error:
        raise UsageError(f"{error}: use a smaller --split") from None
    except ValueError as error:
        raise UsageError(f"{position.fen()}: {error}: use perft-check perft") from None


def _check_same_count(path: Path, count: Count, plan: CountPlan) -> None:
    """Raise LedgerError if a ledger belongs to another count."""
    other, position = None, plan.position
    if (count.fen, count.chess960) != (position.fen(), position.chess960):
        other = f"of {count.fen}{' (Chess960)' * count.chess960}"
    elif count.depth != plan.depth:
        other = f"to depth {count.depth}"
    elif plan.split is not None and count.split != plan.split:
        other = f"split at ply {count.split}"
    elif count.engine != plan.engine:
        other = f"by {count.engine}, not by {plan.engine}"
    if other is not None:
        raise refusal(path, f"it is for a count {other}: name another file with --ledger")


def _check_build(ledger: Ledger, plan: CountPlan) -> None:
    """Raise LedgerError if the engine's files have changed since it counted the pieces in the ledger.

    perft-check's kernels may change, because the tests verify their counts. Cluster workers check their engines
    themselves.
    """
    if plan.scheduler is not None or plan.engine.is_kernel:
        return
    if not ledger.digests() <= {build_of(plan.engine)}:
        other = f"by another build of {plan.engine}"
        raise refusal(ledger.path, f"it is for a count {other}: name another file with --ledger")


def _start_once(plan: CountPlan, interrupt: Interrupt) -> None:
    """Start the engine unless it is a kernel, so that startup errors are reported before the count begins.

    Raises UsageError, EngineError, Interrupted.
    """
    if not plan.engine.is_kernel:
        with open_session(plan.engine, ForegroundCallRunner(interrupt), TimeLimit(plan.timeout)) as session:
            start_engines([session], interrupt)


def _count(ledger: Ledger, workers: Workers, live: CountLive, interrupt: Interrupt) -> CountFinished:
    for event in PieceScheduler(ledger, workers).events(interrupt):
        live.handle(event)
    assert isinstance(event, CountFinished), "the last event of a count"
    return event


def check_cluster(address: str) -> None:
    """Raise UsageError if the package `distributed` is missing, or the address is invalid."""
    require("distributed", "cluster", "--scheduler")
    from ...counting.dask_worker import check_address

    with concerning(address):
        check_address(address)


def _join_cluster(address: str, timeout: float, interrupt: Interrupt) -> ClusterWorkers:
    """Return the workers of a cluster. Raises UsageError, Interrupted."""
    check_cluster(address)
    from ...counting.cluster import CONNECT_SECONDS, ClusterWorkers
    from ...counting.dask_worker import no_scheduler

    with concerning(address):
        try:
            return wait_for(lambda: ClusterWorkers(address, timeout), interrupt, seconds=1.5 * CONNECT_SECONDS)
        except TimeoutError:  # no scheduler answers there
            raise no_scheduler(address) from None


@contextmanager
def _workers(plan: CountPlan, interrupt: Interrupt) -> Iterator[Workers]:
    """Open the workers selected by the options. Raises UsageError, Interrupted."""
    if plan.scheduler is not None:
        with closing(_join_cluster(plan.scheduler, plan.timeout, interrupt)) as cluster:
            yield cluster
    else:
        counter = open_counter(plan.engine, plan.resources, plan.timeout)
        with closing(LocalWorkers(counter, machine_name(), plan.threads or usable_threads())) as threads:
            yield threads


def _report(finished: CountFinished, path: Path, plan: CountPlan, *, quiet: bool, json: bool) -> ExitCode:
    """Print the result of a count, and return the exit status."""
    if json:
        print_json(finished)
    else:
        console.out().print(render_count(finished))
    if not quiet or not finished.is_complete:
        console.err().print(summary(finished, str(path)), style="dim")
    return finished.exit_code
