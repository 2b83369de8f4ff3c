"""The command line: each command with the function that carries it out, its settings, and a sentence about it.

Everything heavy is imported with the function, so that `--help` is instant.
"""

from __future__ import annotations

from typing import Any

import click

from ... import __version__
from .command import Command, Group, name_variables
from .settings.bench import BenchSettings
from .settings.count import CountSettings, WorkerSettings
from .settings.engine import ConfigSettings, DoctorSettings, InitSettings, UciSettings
from .settings.fuzz import FuzzSettings
from .settings.history import CompareSettings, ListSettings, PlotSettings, ShowSettings
from .settings.position import DivideSettings, ExploreSettings, MovesSettings, PerftSettings
from .settings.run import RunSettings
from .settings.suites import GallerySettings, MakeSettings, SuiteSettings, VerifySettings
from .settings.zoo import FaultSettings, FaultsSettings, ScoreSettings

DEFAULT_COMMAND = "run"
SHELL = {"metavar": "[SHELL]", "is_flag": False, "flag_value": ""}
"""An option that may have the name of a shell."""

SUITES = Group(
    "List, show, verify and make suites, and show rare events.",
    {
        "list": Command("suites.list_suites", None, "List the bundled suites."),
        "show": Command("suites.show", SuiteSettings, "Show the positions of a suite."),
        "verify": Command(
            "suites.verify",
            VerifySettings,
            "Check every count of suites with generators that are not ours (default: python-chess and Stockfish).",
        ),
        "make": Command(
            "suites.make",
            MakeSettings,
            "Make the bundled suites anew; every count verified by python-chess and Stockfish.",
        ),
        "gallery": Command(
            "suites.gallery",
            GallerySettings,
            "Write a page of all rare events: a small position of each, and what goes wrong there (gallery.html).",
        ),
    },
)
ZOO = Group(
    "Faults that engines have had, seeded into a right generator.",
    {
        "list": Command("zoo.list_faults", FaultsSettings, "List the faults."),
        "show": Command(
            "zoo.show",
            FaultSettings,
            "Show one fault: its story, the engines that had it, and a position that shows it.",
        ),
        "serve": Command(
            "serving.serve_fault",
            FaultSettings,
            "Run an engine with this fault: it speaks UCI over stdin and stdout.",
            numpy=False,
        ),
        "score": Command(
            "score.main",
            ScoreSettings,
            "Measure how many of the faults are caught, how soon, and how well they are explained.",
        ),
    },
)
HISTORY = Group(
    "List, show, compare and plot the runs that run --history has kept.",
    {
        "list": Command("history.list_runs", ListSettings, "List the runs of a history, the newest last."),
        "show": Command("history.show", ShowSettings, "Show one run, position by position."),
        "compare": Command(
            "history.compare_runs",
            CompareSettings,
            "Compare two runs position by position; exit with 1 where one is newly broken.",
        ),
        "plot": Command("history.plot", PlotSettings, "Plot the speed of engines over their runs (needs plotext)."),
    },
)
COMMANDS = {
    "run": Command("run.main", RunSettings, "Check an engine against suites; this is the default command."),
    "perft": Command("perft.main", PerftSettings, "Count the leaf nodes of one position."),
    "divide": Command(
        "divide.main",
        DivideSettings,
        "Count below each root move, compare with our own generator, and follow a difference down to the wrong move.",
    ),
    "explore": Command(
        "explore.main",
        ExploreSettings,
        "Look at the trees of two engines side by side, on the screen or in a browser.",
    ),
    "moves": Command("moves.main", MovesSettings, "Show the moves of a GenType on a board."),
    "count": Command(
        "count.main",
        CountSettings,
        "Count a large tree by pieces, kept in a file: a count that was stopped goes on.",
    ),
    "worker": Command("worker.main", WorkerSettings, "Count what a Dask scheduler hands out."),
    "bench": Command("bench.main", BenchSettings, "Time how fast engines count, side by side."),
    "fuzz": Command(
        "fuzz.main", FuzzSettings, "Draw positions until something is wrong; reduce it, explain it, keep it."
    ),
    "doctor": Command(
        "doctor.main",
        DoctorSettings,
        "Show what this machine offers and which engines are here, or how one engine is understood.",
    ),
    "init": Command(
        "init.main",
        InitSettings,
        "Look at an engine and write a perft-check.toml for it, with limits for a run of ten seconds.",
        configured=False,
    ),
    "uci": Command(
        "serving.be_engine",
        UciSettings,
        "Be a UCI engine that counts, over stdin and stdout, where a tool expects Stockfish.",
        configured=False,
        numpy=False,
    ),
    "config": Command(
        "config.main",
        ConfigSettings,
        "Show the options in force for a command, and whether a file, a variable or nobody sets them.",
        numpy=False,
    ),
    "suites": SUITES,
    "zoo": ZOO,
    "history": HISTORY,
}


def _show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        print(f"{context.info_name} {__version__}")
        context.exit()


def _complete(context: click.Context, option: click.Parameter, shell: str | None) -> None:
    if shell is not None and not context.resilient_parsing:
        from .completion import install_completion, show_completion

        act = install_completion if option.name == "install_completion" else show_completion
        act(context.find_root().command, shell)
        context.exit()


def _at_once(name: str, summary: str, act: Any, **more: Any) -> click.Option:
    """Return an option that does something instead of a command."""
    return click.Option([name], is_eager=True, expose_value=False, callback=act, help=summary, **more)


program = name_variables(
    Group(
        "Find the wrong move in a chess move generator. Without a command: run the quick suites.",
        COMMANDS,
        params=[
            _at_once("--version", "Show the version and exit.", _show_version, is_flag=True),
            _at_once("--install-completion", "Install completion for the current shell.", _complete, **SHELL),
            _at_once(
                "--show-completion",
                "Show completion for the current shell, to copy it or customize the installation.",
                _complete,
                **SHELL,
            ),
        ],
        context_settings={"help_option_names": ["-h", "--help"]},
    )
)
