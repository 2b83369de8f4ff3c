"""`perft-check count`: a large count by pieces, kept in a ledger, that goes on where it was."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ....errors import UsageError, concerning, require
from ....generator.counting.counter import Stopped
from ....generator.counting.records import Records, distinct
from ....generator.kernels.machine.memory import Control
from ....generator.position import Position
from ....reports.live.bars import CountLive
from ....reports.terminal.divide import render_count, summary
from ....suites.positions import resolve_position
from ...counting.address import check_address, no_scheduler
from ...counting.campaign import Verification, events
from ...counting.cutting import best_size, best_split
from ...counting.ledger import Ledger, LedgerHead, cut_of, lock_ledger, open_ledger, read_head, refusal
from ...counting.model import Count, Order
from ...counting.piece_counter import count_in_process, count_with, open_counter
from ...engines.asking.runner import ForegroundCallRunner
from ...engines.asking.session import TimeLimit
from ...engines.files import build_of
from ...engines.opening import check_spec, references_of
from ...engines.spec import EngineSpec
from ...model.machine import machine_name, usable_threads
from ...model.results.perft import CountFinished, CutProgress
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, catch_interrupts
from ...work.executor import Executor
from ...work.threads import LocalThreads
from ..output import console
from ..output.compiling import start_engines
from ..output.console import print_json, wait_for
from ..output.sessions import open_sessions
from ..settings.count import CountSettings

if TYPE_CHECKING:
    from ...counting.dask_executor import DaskExecutor


def main(settings: CountSettings) -> ExitCode:
    """Print the count, alone on its line; all else goes to stderr. Raises UsageError, EngineError."""
    if settings.scheduler is not None:
        _check_cluster(settings.scheduler)
    position = resolve_position(settings.position, settings.chess960)
    digest = zlib.crc32(f"{position.fen()} {position.chess960} {settings.engine}".encode())
    path = Path(settings.ledger or f"count-{digest:08x}-{settings.depth}.ledger")  # the same for the same count
    references = references_of(settings.engine, settings.against)
    with (
        catch_interrupts() as interrupt,
        CountLive(console.err(), settings.quiet) as live,
        lock_ledger(path),
        _executor(settings, interrupt) as executor,
    ):
        try:
            head, records = _cut(path, position, settings, live, interrupt)
        except Stopped:
            console.err().print(
                "interrupted while the tree was cut into pieces: this run has counted nothing; the same command "
                "cuts it again, and a smaller --split takes less time"
            )
            return ExitCode.INTERRUPTED
        with open_ledger(path, head, records) as ledger:
            _check_build(ledger, settings)
            verification = _verification(settings, references)
            counts_here = settings.scheduler is None and ledger.pieces_left()
            _start_once([*verification.references, *[settings.engine] * bool(counts_here)], settings, interrupt)
            finished = _count(ledger, executor, verification, live, interrupt)
            live.close()
    return _report(finished, path, settings)


def _cut(
    path: Path, position: Position, settings: CountSettings, live: CountLive, interrupt: Interrupt
) -> tuple[LedgerHead, Records]:
    """Cut the tree, and return what the first line of the ledger says or is to say. Raises UsageError, Stopped."""
    head, control = read_head(path), Control()
    if head is not None:
        _check(path, head.count, position, settings)
        if settings.positions is not None:
            console.err().print(f"{path} has its pieces: --positions is for a new ledger", style="dim")

    def work() -> tuple[LedgerHead, Records]:
        split = settings.split if head is None else head.count.split
        split = split or best_split(position, settings.depth, control)
        records = distinct(position.board, split, control=control, tell=tell)
        if head is not None:
            return head, records
        count = Count(position.fen(), position.chess960, settings.depth, split, settings.engine)
        return LedgerHead(count, cut_of(records, settings.positions or best_size(records, count, control))), records

    def tell(ply: int, positions: int) -> None:
        live.handle(CutProgress(ply, positions))

    try:
        return wait_for(work, interrupt, control.stop)
    except MemoryError as error:
        raise UsageError(f"{error}: a lower --split takes less") from None
    except ValueError as error:
        raise UsageError(f"{position.fen()}: {error}: perft-check perft counts it") from None


def _check(path: Path, count: Count, position: Position, settings: CountSettings) -> None:
    """Raise LedgerError where a ledger is of another count."""
    other = None
    if (count.fen, count.chess960) != (position.fen(), position.chess960):
        other = f"of {count.fen}{' (Chess960)' * count.chess960}"
    elif count.depth != settings.depth:
        other = f"to depth {count.depth}"
    elif settings.split is not None and count.split != settings.split:
        other = f"split at ply {count.split}"
    elif count.engine != settings.engine:
        other = f"by {count.engine}, not by {settings.engine}"
    if other is not None:
        raise refusal(path, f"it is a count {other}: name another file with --ledger")


def _check_build(ledger: Ledger, settings: CountSettings) -> None:
    """Raise LedgerError where an engine was changed since it has counted. Ours may be: what it counts is tested.

    Each worker of a cluster tells so by itself.
    """
    if settings.scheduler is not None or EngineSpec(settings.engine).is_own:
        return
    if not ledger.digests() <= {build_of(settings.engine)}:
        other = f"by another build of {settings.engine}"
        raise refusal(ledger.path, f"it is a count {other}: name another file with --ledger")


def _start_once(engines: Iterable[str], settings: CountSettings, interrupt: Interrupt) -> None:
    """Start other engines than kernels once: one that cannot count is reported before a piece is handed out.

    Raises UsageError, EngineError, Interrupted.
    """
    for spec in engines:
        if not EngineSpec(spec).is_own:
            with open_sessions([spec], ForegroundCallRunner(interrupt), TimeLimit(settings.timeout)) as sessions:
                start_engines(sessions, interrupt)


def _count(
    ledger: Ledger, executor: Executor[Order], verification: Verification, live: CountLive, interrupt: Interrupt
) -> CountFinished:
    for event in events(ledger, executor, verification, interrupt):
        live.handle(event)
    assert isinstance(event, CountFinished), "the last event of a count"
    return event


def _verification(settings: CountSettings, references: tuple[str, ...]) -> Verification:
    another = "own" if settings.engine == "own:turbo" else "own:turbo"
    chosen = (references or (another,)) if settings.verify else ()
    return Verification(settings.verify, chosen, _threads(settings), settings.timeout)


def _threads(settings: CountSettings) -> int:
    return settings.threads or usable_threads()


def _check_cluster(address: str) -> None:
    """Raise UsageError where there is no package for clusters, or an address is none."""
    require("distributed", "cluster", "--scheduler")
    with concerning(address):
        check_address(address)


def _join_cluster(address: str, timeout: float, interrupt: Interrupt) -> DaskExecutor:
    """Return an executor of the cluster at an address. Raises UsageError, Interrupted."""
    _check_cluster(address)
    from ...counting.dask_executor import CONNECT_SECONDS, DaskExecutor

    with concerning(address):
        try:
            return wait_for(lambda: DaskExecutor(address, timeout), interrupt, seconds=1.5 * CONNECT_SECONDS)
        except TimeoutError:  # something else answers there, or nothing does
            raise no_scheduler(address) from None


@contextmanager
def _executor(settings: CountSettings, interrupt: Interrupt) -> Iterator[Executor[Order]]:
    """Open what carries out the orders, for this block. Raises UsageError, Interrupted."""
    if settings.scheduler is not None:
        with closing(_join_cluster(settings.scheduler, settings.timeout, interrupt)) as workers:
            yield workers
    elif settings.jobs is not None:
        from ...work.processes import LocalProcesses

        check_spec(settings.engine)  # a wrong name is reported at once
        with closing(
            LocalProcesses(settings.jobs, count_in_process, settings.resources, settings.timeout)
        ) as processes:
            yield processes
    else:
        counter, name = open_counter(settings.engine, settings.resources, settings.timeout), machine_name()
        with closing(counter), closing(LocalThreads(_threads(settings), count_with, counter, name)) as threads:
            yield threads


def _report(finished: CountFinished, path: Path, settings: CountSettings) -> ExitCode:
    """Print how a count has ended, and return the exit status."""
    if settings.json:
        print_json(finished)
    else:
        console.out().print(render_count(finished))
    if not settings.quiet or not finished.is_complete:
        console.err().print(summary(finished, str(path)), style="dim")
        if finished.is_complete and not finished.verified and not EngineSpec(settings.engine).is_own:
            console.err().print("compared with nothing: --verify 5% has our own generator count some again")
    return finished.exit_code
