"""The command line: reads options, calls one function of `commands`, returns its exit status.

Everything heavy is imported inside the commands, so that `--help` is instant.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Optional

import typer

from ... import __version__
from . import app_suites as cli_suites
from . import app_zoo as cli_zoo
from .options import (
    AgainstOption,
    Chess960Option,
    DepthArgument,
    EngineOption,
    ExplainOption,
    MemoryOption,
    OutputError,
    PositionArgument,
    ReportOption,
    TimeoutOption,
    exit_with,
)

__all__ = ["DEFAULT_COMMAND", "OutputError", "app"]

app = typer.Typer(
    name="perft-check",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(cli_suites.app, name="suites")
app.add_typer(cli_zoo.app, name="zoo")

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
    """Find the wrong move in a chess move generator. Without a command: run the smoke suite."""


@app.command("run")
def run_command(
    engine: EngineOption = "own",
    against: AgainstOption = None,
    suite: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--suite", "-s", metavar="NAME|FILE", help="Suite; may be repeated. Default: smoke."),
    ] = None,
    max_depth: Annotated[Optional[int], typer.Option(min=0, help="Leave deeper counts out.")] = None,  # noqa: UP045
    max_nodes: Annotated[Optional[int], typer.Option(min=0, help="Leave larger counts out.")] = None,  # noqa: UP045
    time: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(min=0, metavar="SECONDS", help="Stop after this time with what there is."),
    ] = None,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first failure.")] = False,
    pattern: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--filter", metavar="REGEX", help="Only positions whose name or FEN matches."),
    ] = None,
    report: ReportOption = None,
    explain: ExplainOption = True,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=256, help="Engines to run side by side.")] = 1,
    timeout: TimeoutOption = 10.0,
    min_speed: Annotated[
        float, typer.Option(min=1, metavar="NODES", help="Nodes a second that an engine must make beyond the timeout.")
    ] = 50_000.0,
    memory: MemoryOption = None,
    chess960: Chess960Option = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="A row for every position.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Failures and the last line only.")] = False,
) -> None:
    """Check an engine against suites; this is the default command."""
    from .commands import run

    options = run.Options(
        engine=engine,
        against=tuple(against or ()),
        suites=tuple(suite or ()),
        max_depth=max_depth,
        max_nodes=max_nodes,
        seconds=time,
        fail_fast=fail_fast,
        pattern=pattern,
        reports=tuple(report or ()),
        chess960=chess960,
        explain=explain,
        jobs=jobs,
        timeout=timeout,
        min_speed=min_speed,
        memory=memory,
        verbose=verbose,
        quiet=quiet,
    )
    exit_with(partial(run.main, options))


@app.command("perft")
def perft_command(
    position: PositionArgument,
    depth: DepthArgument,
    engine: EngineOption = "own:turbo",
    stats: Annotated[bool, typer.Option("--stats", help="Count captures, checks, mates ... at every depth.")] = False,
    chess960: Chess960Option = False,
) -> None:
    """Count the leaf nodes of one position."""
    from .commands import perft

    exit_with(partial(perft.main, position, depth, engine, stats, chess960))


@app.command("divide")
def divide_command(
    position: PositionArgument,
    depth: DepthArgument,
    engine: EngineOption = "own:turbo",
    against: AgainstOption = None,
    explain: ExplainOption = True,
    self_consistency: Annotated[
        bool, typer.Option("--self-consistency", help="Without reference: does the engine agree with itself?")
    ] = False,
    timeout: TimeoutOption = 600.0,
    memory: MemoryOption = None,
    chess960: Chess960Option = False,
) -> None:
    """Count below each root move; with --against, follow a difference down to the wrong move and its rule."""
    from .commands import divide

    options = divide.Options(
        position=position,
        depth=depth,
        engine=engine,
        against=tuple(against or ()),
        chess960=chess960,
        explain=explain,
        self_consistency=self_consistency,
        timeout=timeout,
        memory=memory,
    )
    exit_with(partial(divide.main, options))


@app.command("moves")
def moves_command(
    position: PositionArgument,
    gentype: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--type", "-t", metavar="GENTYPE", help="captures, quiets, ... ; may be repeated. Default: legal."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every GenType that the position allows.")] = False,
    chess960: Chess960Option = False,
    engine: Annotated[
        str, typer.Option("--engine", "-e", metavar="own:TECHNIQUE", help="List moves as a technique finds them.")
    ] = "own",
    trace: Annotated[bool, typer.Option("--trace", help="With -e own:TECHNIQUE: show how it walks.")] = False,
) -> None:
    """Show the moves of a GenType on a board."""
    from .commands import moves, walk

    if engine == "own" and trace:
        raise typer.BadParameter("it needs a technique: -e own:NAME", param_hint="--trace")
    if engine == "own":
        exit_with(partial(moves.main, position, tuple(gentype or ()), everything, chess960))
    exit_with(partial(walk.main, position, engine, trace, bool(gentype) or everything, chess960))


@app.command("bench")
def bench_command(
    engine: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--engine", "-e", metavar="SPEC", help="Engine to time; may be repeated. Default: own, own:turbo."
        ),
    ] = None,
    techniques: Annotated[
        bool, typer.Option("--techniques", help="Compare all our techniques: speed, table bytes, squares visited.")
    ] = False,
    position: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--position",
            "-p",
            metavar="POSITION",
            help="A FEN in quotes or a name; may be repeated. Default: start, Kiwipete and CPW 3 to 6.",
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, max=99, help="How often each count is repeated.")] = 3,
    timeout: TimeoutOption = 60.0,
) -> None:
    """Time how fast engines count, side by side."""
    from .commands import bench

    exit_with(partial(bench.main, tuple(engine or ()), techniques, tuple(position or ()), rounds, timeout))


@app.command("fuzz")
def fuzz_command(
    engine: EngineOption = "own",
    against: AgainstOption = None,
    examples: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--examples", "-n", min=1, help="Positions to examine. Default: 10000."),
    ] = None,
    time: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option("--time", min=0.1, metavar="SECONDS", help="Fuzz for this time instead."),
    ] = None,
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--seed", min=0, help="Same seed and number of examples, same report."),
    ] = None,
    strategy: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="templates, placements, mutations, walks, games, locked or castlings; may be repeated. Default: all.",
        ),
    ] = None,
    gentype: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option("--gentype", metavar="GENTYPE", help="Check these lists of our own generator only."),
    ] = None,
    chess960: Annotated[
        Optional[bool],  # noqa: UP045
        typer.Option("--chess960/--standard", help="Only Chess960, or only standard chess."),
    ] = None,
    impossible: Annotated[
        bool, typer.Option("--impossible", help="Draw positions, too, to which no game can lead.")
    ] = False,
    depth: Annotated[int, typer.Option(min=1, max=4, help="Plies that an engine is asked to count.")] = 2,
    corpus: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--corpus", metavar="FILE", help="Suite file to which every find is added."),
    ] = None,
    report: ReportOption = None,
    replay: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--replay", metavar="POSITION", help="Examine this one: a FEN, with 'moves ...' if any."),
    ] = None,
    soak: Annotated[
        bool, typer.Option("--soak", help="Random games inside our own kernels, millions of positions a second.")
    ] = False,
    self_consistency: Annotated[
        bool, typer.Option("--self-consistency", help="Without reference: does the engine agree with itself?")
    ] = False,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", "-x", help="Stop at the first fault.")] = False,
    jobs: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--jobs", "-j", min=1, max=64, help="Processes. Default: one a core, at most four."),
    ] = None,
    timeout: TimeoutOption = 10.0,
    memory: MemoryOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List every rare event that was met.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Finds and the last line only.")] = False,
) -> None:
    """Draw positions until something is wrong; reduce it, explain it, keep it."""
    from .commands import fuzz

    options = fuzz.Options(
        engine=engine,
        against=tuple(against or ()),
        examples=examples,
        seconds=time,
        seed=seed,
        strategies=tuple(strategy or ()),
        gentypes=tuple(gentype or ()),
        chess960=chess960,
        impossible=impossible,
        depth=depth,
        corpus=corpus,
        reports=tuple(report or ()),
        replay=replay,
        soak=soak,
        self_consistency=self_consistency,
        fail_fast=fail_fast,
        jobs=jobs,
        timeout=timeout,
        memory=memory,
        verbose=verbose,
        quiet=quiet,
    )
    exit_with(partial(fuzz.main, options))


@app.command("doctor")
def doctor_command(
    engine: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--engine", "-e", metavar="SPEC", help="Show how this engine is understood."),
    ] = None,
    save: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--save", metavar="FILE.json", help="Save that as a descriptor, to be used as -e FILE.json."),
    ] = None,
) -> None:
    """Show what this machine offers and which engines are here, or how one engine is understood."""
    from .commands import doctor

    exit_with(partial(doctor.main, engine, save))
