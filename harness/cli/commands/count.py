"""`perft-check count`: a large count by pieces, kept in a ledger, that goes on where it was."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ....atomic import write_atomically
from ....errors import UsageError
from ....generator.counting.counter import Stopped
from ....generator.kernels.machine.memory import Control
from ....generator.position import Position
from ....reports.live.run import CountLive
from ....reports.terminal.divide import render_count, summary
from ....suites.positions import resolve_position
from ...asking.client import EngineClient, ForegroundCallRunner, TimeLimit
from ...counting.campaign import Verification, events
from ...counting.cutting import best_split, cut
from ...counting.ledger import Ledger, export_lines, is_absent, lock_ledger, open_ledger
from ...counting.model import Count, Order
from ...counting.piece_counter import count_pieces, count_with, open_counter
from ...engines.files import build_of
from ...engines.kinds.own import KERNELS
from ...engines.registry import open_engine, references_of
from ...model.machine import machine_name, usable_threads
from ...model.results.perft import CountFinished, CutProgress
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, catch_interrupts
from ...work.executor import Executor
from ...work.threads import LocalThreads
from ..cluster import check_cluster, join_cluster
from ..output import console
from ..output.compiling import start_engines
from ..output.console import print_json, wait_for
from ..settings.count import CountSettings


def main(settings: CountSettings) -> ExitCode:
    """Print the count, alone on its line; all else goes to stderr. Raises UsageError, EngineError."""
    if settings.scheduler is not None:
        check_cluster(settings.scheduler)
    position = resolve_position(settings.position, settings.chess960)
    digest = zlib.crc32(f"{position.fen()} {position.chess960} {settings.engine}".encode())
    path = Path(settings.ledger or f"count-{digest:08x}-{settings.depth}.ledger")  # the same for the same count
    references = references_of(settings.engine, settings.against)
    if settings.export is not None:
        _check_export(Path(settings.export), path)
    with (
        catch_interrupts() as interrupt,
        CountLive(console.err(), settings.quiet) as live,
        lock_ledger(path),
        _executor(settings, path, interrupt) as executor,
    ):
        try:
            if is_absent(path):
                _make(path, position, settings, live, interrupt)
            elif settings.positions is not None:
                console.err().print(f"{path} has its pieces: --positions is for a new ledger", style="dim")
        except Stopped:
            console.err().print(
                "interrupted while the tree was cut into pieces: no ledger was made, so nothing is kept; the same "
                "command begins anew, and a smaller --split cuts sooner"
            )
            return ExitCode.INTERRUPTED
        with open_ledger(path) as ledger:
            _check(ledger, position, settings)
            if settings.scheduler is None and ledger.pieces_left():
                _start_once(settings, interrupt)
            finished = _count(ledger, executor, _verification(settings, references), live, interrupt)
            live.close()
            if settings.export is not None:
                _export(ledger, Path(settings.export))
    return _report(finished, path, settings)


def _check_export(export: Path, ledger: Path) -> None:
    """Raise UsageError where a file would be written over that is needed, and for stdout, which has the count."""
    if str(export) == "-":
        raise UsageError("--export - would mix the results with the count: name a file", str(export))
    taken = {os.path.realpath(f"{ledger}{ending}") for ending in ("", "-wal", "-shm", ".lock")}
    if os.path.realpath(export) in taken:
        raise UsageError(f"--export {str(export)!r} is the ledger: name another file", str(export))


def _make(path: Path, position: Position, settings: CountSettings, live: CountLive, interrupt: Interrupt) -> None:
    """Cut the tree. Raises UsageError, Stopped."""
    control = Control()

    def work() -> None:
        split = settings.split or best_split(position, settings.depth, control)
        count = Count(position.fen(), position.chess960, settings.depth, split, settings.engine)
        cut(path, position, count, settings.positions, control, tell)

    def tell(ply: int, positions: int) -> None:
        live.handle(CutProgress(ply, positions))

    try:
        wait_for(work, interrupt, control.stop)
    except OSError as error:
        why = f"it cannot be made: {error.strerror or error}"
        raise UsageError(f"ledger {str(path)!r}: {why}", settings.ledger) from None
    except MemoryError as error:
        raise UsageError(f"{error}: a lower --split takes less") from None
    except ValueError as error:
        raise UsageError(f"{position.fen()}: {error}: perft-check perft counts it") from None


def _check(ledger: Ledger, position: Position, settings: CountSettings) -> None:
    """Raise UsageError where a ledger is of another count."""
    count = ledger.count
    other = None
    if (count.fen, count.chess960) != (position.fen(), position.chess960):
        other = f"of {count.fen}"
    elif count.depth != settings.depth:
        other = f"to depth {count.depth}"
    elif settings.split is not None and count.split != settings.split:
        other = f"split at ply {count.split}"
    elif count.engine != settings.engine:
        other = f"by {count.engine}, not by {settings.engine}"
    elif _is_rebuilt(ledger, settings):
        other = f"by another build of {count.engine}"
    if other is not None:
        why = f"it is a count {other}: name another file with --ledger"
        raise UsageError(f"ledger {str(ledger.path)!r}: {why}", settings.ledger)


def _start_once(settings: CountSettings, interrupt: Interrupt) -> None:
    """Start another engine than a kernel once: one that cannot count is reported before a piece is handed out.

    Raises EngineError, Interrupted.
    """
    if settings.engine in KERNELS:
        return
    with closing(open_engine(settings.engine)) as engine:
        start_engines([EngineClient(engine, ForegroundCallRunner(interrupt), TimeLimit(settings.timeout))], interrupt)


def _is_rebuilt(ledger: Ledger, settings: CountSettings) -> bool:
    """Tell whether an engine was changed since it has counted. Ours may be: what it has counted was tested.

    Each worker of a cluster tells so by itself.
    """
    if settings.scheduler is not None or settings.engine in KERNELS:
        return False
    return not ledger.digests() <= {build_of(settings.engine)}


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


def _builds(path: Path) -> dict[str, str]:
    """Return which build of an engine has counted what a ledger has: nothing of another one is added to it."""
    if is_absent(path):
        return {}
    with open_ledger(path) as ledger:
        engine, digests = ledger.count.engine, ledger.digests()
    return {} if engine in KERNELS or not digests else {engine: min(digests)}


@contextmanager
def _executor(settings: CountSettings, path: Path, interrupt: Interrupt) -> Iterator[Executor[Order]]:
    """Open what carries out the orders, for this block. Raises UsageError, Interrupted."""
    if settings.scheduler is not None:
        from ...cluster.executor import DaskExecutor

        cluster = join_cluster(settings.scheduler, [settings.engine], interrupt, _builds(path))
        with closing(DaskExecutor(cluster, count_pieces, None, settings.timeout)) as workers:
            yield workers
    elif settings.jobs is not None:
        from ...work.processes import LocalProcesses

        open_engine(settings.engine).close()  # a wrong name is reported at once
        with closing(LocalProcesses(settings.jobs, count_pieces, settings.means, settings.timeout)) as processes:
            yield processes
    else:
        counter, name = open_counter(settings.engine, settings.means, settings.timeout), machine_name()
        with closing(counter), closing(LocalThreads(_threads(settings), count_with, counter, name)) as threads:
            yield threads


def _export(ledger: Ledger, path: Path) -> None:
    try:
        write_atomically(path, export_lines(ledger))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _report(finished: CountFinished, path: Path, settings: CountSettings) -> ExitCode:
    """Print how a count has ended, and return the exit status."""
    if settings.json:
        print_json(finished)
    else:
        console.out().print(render_count(finished))
    if not settings.quiet or not finished.is_complete:
        console.err().print(summary(finished, str(path)), style="dim")
        if finished.is_complete and not finished.verified and settings.engine not in KERNELS:
            console.err().print("compared with nothing: --verify 5% has our own generator count some again")
    return finished.exit_code
