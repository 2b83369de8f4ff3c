"""`perft-check count`: a large count by pieces, kept in a ledger, that goes on where it was."""

from __future__ import annotations

import platform
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ....atomic import write_atomically
from ....errors import UsageError
from ....generator.counting.counter import Stopped
from ....generator.kernels.machine.control import Control
from ....generator.position import Position
from ....reports.live.counting import CountLive
from ....reports.terminal.counting import render, summary
from ....suites.positions import resolve_position
from ...counting.campaign import Verification, events
from ...counting.cutting import best_split, cut
from ...counting.exporting import exported
from ...counting.hand import open_hand
from ...counting.ledger.ledger import Ledger, held, opened
from ...counting.model import Count
from ...counting.workers.address import check_address
from ...counting.workers.base import Workers
from ...counting.workers.here import Here
from ...engines.registry import open_engine, references_of
from ...model.machine import usable_threads
from ...model.results.counting import CountFinished, CutProgress
from ...model.results.verdict import ExitCode
from ...model.shutdown import Interrupt, catch_interrupts
from ..output import console
from ..output.extras import require
from ..output.report_files import print_json
from ..output.waiting import waiting
from ..settings.count import CountSettings

CUT_MEMORY = 1 << 30


def main(settings: CountSettings) -> ExitCode:
    """Print the count, alone on its line; all else goes to stderr. Raises UsageError, EngineError."""
    if settings.scheduler is not None:
        require("distributed", "cluster", "--scheduler")
        check_address(settings.scheduler)
    position = resolve_position(settings.position, settings.chess960)
    path = Path(settings.ledger or _default_ledger(position, settings.depth))
    with (
        catch_interrupts() as interrupt,
        CountLive(console.err(), settings.quiet) as live,
        held(path),
        _workers(settings) as workers,
    ):
        try:
            if not path.exists():
                _make(path, position, settings, live, interrupt)
        except Stopped:
            console.err().print("interrupted: no ledger was made")
            return ExitCode.INTERRUPTED
        with opened(path) as ledger:
            _check(ledger, position, settings)
            finished = _count(ledger, workers, settings, live, interrupt)
            live.close()
            if settings.export is not None:
                _export(ledger, Path(settings.export))
    return _told(finished, path, settings)


def _default_ledger(position: Position, depth: int) -> str:
    """Return the name of a ledger, the same for the same count."""
    digest = zlib.crc32(f"{position.fen()} {position.chess960}".encode())
    return f"count-{digest:08x}-{depth}.ledger"


def _make(path: Path, position: Position, settings: CountSettings, live: CountLive, interrupt: Interrupt) -> None:
    """Cut the tree. Raises UsageError, Stopped."""
    control = Control()

    def work() -> None:
        split = settings.split or best_split(position, settings.depth, control)
        count = Count(position.fen(), position.chess960, settings.depth, split)
        cut(
            path, position, count, settings.engine, settings.positions, settings.cut_memory or CUT_MEMORY, control, tell
        )

    def tell(ply: int, positions: int) -> None:
        live.handle(CutProgress(ply, positions))

    try:
        waiting(work, interrupt, control.stop)
    except OSError as error:
        raise UsageError(f"ledger {str(path)!r}: it cannot be made: {error.strerror or error}") from None
    except ValueError as error:
        raise UsageError(f"{position.fen()}: {error}") from None


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
    if other is not None:
        raise UsageError(f"ledger {str(ledger.path)!r}: it is a count {other}: name another file with --ledger")


def _count(
    ledger: Ledger, workers: Workers, settings: CountSettings, live: CountLive, interrupt: Interrupt
) -> CountFinished:
    verification = None
    if settings.verify:
        references = references_of(settings.engine, settings.against) or (_other_kernel(settings.engine),)
        verification = Verification(settings.verify, references, _threads(settings), settings.timeout)
    for event in events(ledger, workers, settings.engine, verification, interrupt):
        live.handle(event)
    assert isinstance(event, CountFinished), "the last event of a count"
    return event


def _other_kernel(engine: str) -> str:
    """Return who counts again where nobody is named."""
    return "own" if engine == "own:turbo" else "own:turbo"


def _threads(settings: CountSettings) -> int:
    return settings.threads or usable_threads()


@contextmanager
def _workers(settings: CountSettings) -> Iterator[Workers]:
    with closing(_opened_workers(settings, platform.node() or "here")) as workers:
        yield workers


def _opened_workers(settings: CountSettings, name: str) -> Workers:
    """Return who counts. Raises UsageError."""
    if settings.scheduler is not None:
        from ...counting.workers.cluster import Cluster

        return Cluster(settings.scheduler)
    if settings.jobs is not None:
        from ...counting.workers.processes import Processes

        open_engine(settings.engine).close()  # a name that is wrong is told at once
        return Processes(settings.jobs, settings.means, name)
    return Here(open_hand(settings.engine, settings.means, settings.timeout), _threads(settings), name)


def _export(ledger: Ledger, path: Path) -> None:
    try:
        write_atomically(path, exported(ledger))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _told(finished: CountFinished, path: Path, settings: CountSettings) -> ExitCode:
    """Print how a count has ended, and return the exit status."""
    if settings.json:
        print_json(finished)
    else:
        console.out().print(render(finished))
    if not settings.quiet or not finished.is_complete:
        console.err().print(summary(finished, str(path)), style="dim")
    return finished.exit_code
