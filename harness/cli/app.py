"""The command line: the commands, each with its settings and the function that carries it out.

Everything heavy is imported inside the commands, so that `--help` is instant.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ... import __version__
from . import app_history, app_suites, app_zoo
from .command import CONFIGURATION, App, exit_with, takes
from .settings.bench import BenchSettings
from .settings.count import CountSettings
from .settings.doctor import DoctorSettings
from .settings.explore import ExploreSettings
from .settings.fuzz import FuzzSettings
from .settings.init import InitSettings
from .settings.position import DivideSettings, MovesSettings, PerftSettings
from .settings.run import RunSettings
from .settings.shared import JsonOption
from .settings.uci import KernelOption
from .settings.worker import WorkerSettings

app = App(name="perft-check")
app.add_typer(app_suites.app)
app.add_typer(app_zoo.app)
app.add_typer(app_history.app)

DEFAULT_COMMAND = "run"


def _print_version(wanted: bool) -> None:
    if wanted:
        exit_with(_show_version)


def _show_version() -> int:
    print(f"perft-check {__version__}")
    return 0


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find the wrong move in a chess move generator. Without a command: run the quick suites."""


@app.command("run")
@takes(RunSettings)
def run_command(settings: RunSettings) -> int:
    """Check an engine against suites; this is the default command."""
    from .commands import run

    return run.main(settings)


@app.command("perft")
@takes(PerftSettings)
def perft_command(settings: PerftSettings) -> int:
    """Count the leaf nodes of one position."""
    from .commands import perft

    return perft.main(settings)


@app.command("divide")
@takes(DivideSettings)
def divide_command(settings: DivideSettings) -> int:
    """Count below each root move, compare with our own generator, and follow a difference down to the wrong move."""
    from .commands import divide

    return divide.main(settings)


@app.command("explore")
@takes(ExploreSettings)
def explore_command(settings: ExploreSettings) -> int:
    """Look at the trees of two engines side by side, on the screen or in a browser."""
    from .commands import explore

    return explore.main(settings)


@app.command("moves")
@takes(MovesSettings)
def moves_command(settings: MovesSettings) -> int:
    """Show the moves of a GenType on a board."""
    from .commands import moves, walk

    return walk.main(settings) if settings.by_technique else moves.main(settings)


@app.command("count")
@takes(CountSettings)
def count_command(settings: CountSettings) -> int:
    """Count a large tree by pieces, kept in a file: a count that was stopped goes on."""
    from .commands import count

    return count.main(settings)


@app.command("worker")
@takes(WorkerSettings)
def worker_command(settings: WorkerSettings) -> int:
    """Count what a Dask scheduler hands out."""
    from .commands import worker

    return worker.main(settings)


@app.command("bench")
@takes(BenchSettings)
def bench_command(settings: BenchSettings) -> int:
    """Time how fast engines count, side by side."""
    from .commands import bench

    return bench.main(settings)


@app.command("fuzz")
@takes(FuzzSettings)
def fuzz_command(settings: FuzzSettings) -> int:
    """Draw positions until something is wrong; reduce it, explain it, keep it."""
    from .commands import fuzz

    return fuzz.main(settings)


@app.command("doctor")
@takes(DoctorSettings)
def doctor_command(settings: DoctorSettings) -> int:
    """Show what this machine offers and which engines are here, or how one engine is understood."""
    from .commands import doctor

    return doctor.main(settings)


@app.plain_command("init")
@takes(InitSettings)
def init_command(settings: InitSettings) -> int:
    """Look at an engine and write a perft-check.toml for it, with limits for a run of ten seconds."""
    from .commands import init

    return init.main(settings)


@app.plain_command("uci")
def uci_command(engine: KernelOption = "own:two-plies") -> None:
    """Be a UCI engine that counts, over stdin and stdout, where a tool expects Stockfish."""
    from .commands import uci

    exit_with(partial(uci.main, engine))


@app.command("config")
def config_command(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="Its words. Default: run.", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show the options in force for a command, and whether a file, a variable or nobody sets them."""
    from .commands import config

    words = command or [DEFAULT_COMMAND]
    exit_with(partial(config.main, context.meta[CONFIGURATION], words, context, json))
