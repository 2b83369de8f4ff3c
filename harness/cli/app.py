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
from .settings.suites import BundledSettings, GallerySettings, MakeSettings, SuiteSettings, VerifySettings
from .settings.zoo import FaultSettings, FaultsSettings, ScoreSettings

DEFAULT_COMMAND = "run"
SHELL = {"metavar": "[SHELL]", "is_flag": False, "flag_value": ""}
"""An option that may have the name of a shell."""

SUITES = Group(
    "List, show, verify and make suites, and show rare events.",
    {
        "list": Command("suites.list_suites", BundledSettings),
        "show": Command("suites.show", SuiteSettings),
        "verify": Command("suites.verify", VerifySettings),
        "make": Command("suites.make", MakeSettings),
        "gallery": Command("suites.gallery", GallerySettings),
    },
)
ZOO = Group(
    "Faults that engines have had, seeded into a right generator.",
    {
        "list": Command("zoo.list_faults", FaultsSettings),
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
        "score": Command("zoo.score", ScoreSettings),
    },
)
HISTORY = Group(
    "List, show, compare and plot the runs that run --history has kept.",
    {
        "list": Command("history.list_runs", ListSettings),
        "show": Command("history.show", ShowSettings),
        "compare": Command("history.compare_runs", CompareSettings),
        "plot": Command("history.plot", PlotSettings),
    },
)
COMMANDS = {
    "run": Command("run.main", RunSettings),
    "perft": Command("perft.main", PerftSettings),
    "divide": Command("divide.main", DivideSettings),
    "explore": Command("explore.main", ExploreSettings),
    "moves": Command("moves.main", MovesSettings),
    "count": Command("count.main", CountSettings),
    "worker": Command("serving.work", WorkerSettings),
    "bench": Command("bench.main", BenchSettings),
    "fuzz": Command("fuzz.main", FuzzSettings),
    "doctor": Command("doctor.main", DoctorSettings),
    "init": Command("init.main", InitSettings, configured=False),
    "uci": Command("serving.be_engine", UciSettings, configured=False, numpy=False),
    "config": Command("config.main", ConfigSettings, numpy=False),
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
