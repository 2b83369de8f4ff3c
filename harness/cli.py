"""The command line: reads options, calls one function of `commands`, returns its exit status.

Everything heavy is imported inside the commands, so that `--help` is instant.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Annotated, Optional

import typer

from .. import __version__

app = typer.Typer(
    name="perft-check",
    add_completion=False,
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
suites_app = typer.Typer(help="List, show, verify and make suites.", no_args_is_help=True)
app.add_typer(suites_app, name="suites")
zoo_app = typer.Typer(help="Faults that engines have had, seeded into a right generator.", no_args_is_help=True)
app.add_typer(zoo_app, name="zoo")

DEFAULT_COMMAND = "run"

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        "-e",
        metavar="SPEC",
        help="Engine under test: own, own:turbo, python-chess, uci:COMMAND or a path, script:COMMAND, "
        "python:MODULE:CALLABLE, FILE.json.",
    ),
]
AgainstOption = Annotated[
    Optional[list[str]],  # noqa: UP045 - typer reads the annotation
    typer.Option("--against", "-a", metavar="SPEC", help="Reference engine; may be repeated."),
]
PositionArgument = Annotated[
    str, typer.Argument(metavar="POSITION", help="A FEN in quotes, or a name such as startpos or kiwipete.")
]
DepthArgument = Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=99, help="Plies.")]
Chess960Option = Annotated[bool, typer.Option("--chess960", help="Read and write castling as in Chess960.")]

ExplainOption = Annotated[bool, typer.Option("--explain/--no-explain", help="Follow a mismatch down to the rule.")]
ReportOption = Annotated[
    Optional[list[str]],  # noqa: UP045
    typer.Option("--report", metavar="KIND=PATH", help="Write json or svg ('-': stdout); may be repeated."),
]
TimeoutOption = Annotated[
    float, typer.Option(min=0.01, metavar="SECONDS", help="Time that an engine may take for a count.")
]
MemoryOption = Annotated[
    Optional[int],  # noqa: UP045
    typer.Option(min=1, metavar="MIB", help="Memory that an engine process may use."),
]


class OutputError(Exception):
    """Our output cannot be written; `reason` says why. An OSError itself would be swallowed by typer."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


def _exit(command: Callable[[], int]) -> None:
    """Carry out a command and exit with its status."""
    try:
        status = command()
        sys.stdout.flush()
    except OSError as error:
        raise OutputError(error) from error
    raise typer.Exit(int(status))


def _print_version(wanted: bool) -> None:
    if wanted:
        _exit(_show_version)


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
    _exit(partial(run.main, options))


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

    _exit(partial(perft.main, position, depth, engine, stats, chess960))


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
    _exit(partial(divide.main, options))


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
) -> None:
    """Show the moves of a GenType on a board."""
    from .commands import moves

    _exit(partial(moves.main, position, tuple(gentype or ()), everything, chess960))


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
            help="templates, placements, mutations, walks, games or castlings; may be repeated. Default: all.",
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
    _exit(partial(fuzz.main, options))


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

    _exit(partial(doctor.main, engine, save))


SuiteArgument = Annotated[str, typer.Argument(metavar="SUITE", help="A bundled suite or a file.")]


@suites_app.command("list")
def suites_list_command() -> None:
    """List the bundled suites."""
    from .commands import suites

    _exit(suites.list_suites)


@suites_app.command("show")
def suites_show_command(suite: SuiteArgument) -> None:
    """Show the positions of a suite."""
    from .commands import suites

    _exit(partial(suites.show, suite))


@suites_app.command("verify")
def suites_verify_command(
    suite: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Argument(metavar="[SUITE]...", help="Bundled suites or files. Default: all bundled ones."),
    ] = None,
    against: AgainstOption = None,
    max_nodes: Annotated[Optional[int], typer.Option(min=0, help="Leave larger counts out.")] = None,  # noqa: UP045
) -> None:
    """Check every count of suites with generators that are not ours (default: python-chess and Stockfish)."""
    from .commands import suites

    _exit(partial(suites.verify, tuple(suite or ()), tuple(against or ()), max_nodes))


@suites_app.command("make")
def suites_make_command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where to write the EPD files.")],
    seed: Annotated[int, typer.Option(help="Same seed, same suites.")] = 2026,
) -> None:
    """Make the bundled suites anew; every count verified by python-chess and Stockfish."""
    from .commands import suites

    _exit(partial(suites.make, folder, seed))


@zoo_app.command("list")
def zoo_list_command(
    theme: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[CLASS]", help="Only faults of this class."),
    ] = None,
) -> None:
    """List the faults."""
    from .commands import zoo

    _exit(partial(zoo.list_faults, theme))


FaultArgument = Annotated[str, typer.Argument(metavar="FAULT", help="The name of a fault.")]


@zoo_app.command("show")
def zoo_show_command(fault: FaultArgument) -> None:
    """Show what is wrong with one fault, who had it, and where it shows."""
    from .commands import zoo

    _exit(partial(zoo.show, fault))


@zoo_app.command("serve")
def zoo_serve_command(fault: FaultArgument) -> None:
    """Be an engine with this fault: speak UCI over stdin and stdout."""
    from .commands import zoo

    _exit(partial(zoo.serve, fault))


@zoo_app.command("score")
def zoo_score_command(
    theme: Annotated[
        Optional[str],  # noqa: UP045
        typer.Argument(metavar="[CLASS]", help="Only faults of this class."),
    ] = None,
    strategy: Annotated[
        Optional[list[str]],  # noqa: UP045
        typer.Option(
            "--strategy", metavar="NAME", help="fuzz, games, walks, cpw, known or a bundled suite; may be repeated."
        ),
    ] = None,
    budget: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="Time for each hunt.")] = 60.0,
    seeds: Annotated[int, typer.Option(min=1, help="Hunts of each fault, each with its own seed.")] = 1,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, max=64, help="Hunts side by side.")] = 1,
    results: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--results", metavar="FILE", help="Keep outcomes there; what is there is not hunted again."),
    ] = None,
) -> None:
    """Measure how many of the faults are caught, how soon, and how well they are explained."""
    from .commands import zoo

    _exit(partial(zoo.score, tuple(strategy or ()), theme, budget, seeds, jobs, results))
