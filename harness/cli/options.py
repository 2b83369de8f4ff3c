"""Options and arguments shared by several commands, and parsers for their values.

A command's parameter has the same name as its option: the environment variable `PERFT_CHECK_MAX_NODES` and the
configuration key `max-nodes` set `max_nodes`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar

import typer

from ...errors import did_you_mean
from .. import values
from ..engines.command_lines import quote
from ..engines.spec import check_name, check_option
from . import completion
from .configuration import layers

T = TypeVar("T")
FASTEST = "own:two-plies"
"""The kernel used if no engine is given."""
SPECS = (
    "own, own:turbo, own:two-plies, python-chess, uci:COMMAND or a path, PROGRAM {fen} {depth}, script:COMMAND, "
    "python:MODULE:CALLABLE, lib:PATH, FILE.json"
)
"""The forms of a SPEC, for help texts."""
EXPLAINED = {"none": 0, "three": values.EXPLAINED, "all": sys.maxsize}


class BadValue(typer.BadParameter):
    """A value that cannot be parsed."""

    def __init__(self, message: str, value: str) -> None:
        super().__init__(message)
        self.value = value


def checked(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """Return a typer parser that reports a ValueError of `read` with its message unchanged."""

    def parse(value: Any) -> T:
        try:
            return read(value)
        except ValueError as error:
            raise BadValue(str(error), str(value)) from None

    return parse


def one_of(*words: str) -> Callable[[Any], str]:
    """Return a parser that accepts only these words."""

    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"{value!r}: {did_you_mean(str(value), words)}")
        return str(value)

    return checked(read)


def _explained(value: Any) -> int:
    """Return the number of mismatches with the same cause to explain."""
    if isinstance(value, int):  # the default
        return value
    if value not in EXPLAINED:
        raise ValueError(f"{value!r} is not one of {', '.join(EXPLAINED)}")
    return EXPLAINED[value]


def _suite(value: Any) -> str:
    """Return the name of a suite. Raises ValueError if it names a program."""
    if _is_program(str(value)):
        raise ValueError(f"{value!r} is a program; to name an engine, write -e {quote(value)}")
    return str(value)


def _is_program(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4).startswith((b"\x7fELF", b"#!"))
    except OSError:  # the suite loader reports it
        return False


def engine_option(text: str, metavar: str = "SPEC", complete: Callable[[str], Iterable[str]] | None = None) -> Any:
    """Declare `--engine` as a list, so that a second engine causes an error instead of being ignored."""
    return typer.Option("--engine", "-e", metavar=metavar, autocompletion=complete or completion.engines, help=text)


EngineOption = Annotated[list[str] | None, engine_option(f"Engine under test: {SPECS}. Default: {FASTEST}.")]
FastestEngineOption = Annotated[
    list[str] | None, engine_option(f"Engine under test: {SPECS}. Default: perft-check's fastest kernel.")
]
UciOptionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        parser=checked(check_option),
        metavar="NAME=VALUE",
        help="Set an option of the UCI engine: Hash=16, 'Clear Hash'; may be repeated. doctor -e lists all options.",
    ),
]
NamesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        parser=checked(check_name),
        metavar="NAME",
        help="Name of the engine in all output. May be repeated: one for each -e, then each -a or --compare.",
    ),
]
NameOption = Annotated[
    list[str] | None,
    typer.Option(
        "--name", parser=checked(check_name), metavar="NAME", help="Name of the engine in output and reports."
    ),
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against", "-a", metavar="SPEC", autocompletion=completion.engines, help="Reference engine; may be repeated."
    ),
]
AloneOption = Annotated[bool, typer.Option("--alone", help="Only count; do not compare with perft-check's generator.")]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        autocompletion=completion.positions,
        help="A quoted FEN, or a name such as startpos or kiwipete; moves may follow: 'startpos moves e2e4 e7e5'.",
    ),
]
DepthArgument = Annotated[
    int, typer.Argument(metavar="DEPTH", parser=checked(values.whole(0, 99)), help="Depth in plies, from 0 to 99.")
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help="Moves to play first, as UCI or SAN: 'e2e4 e7e5', '1. e4 e5'.")
]
VariantOption = Annotated[
    bool | None,
    typer.Option(
        "--chess960/--standard",
        help="Treat positions as Chess960 only, or as standard chess only. Default: depends on the position.",
    ),
]
ExplainOption = Annotated[
    int,
    typer.Option(
        "--explain",
        parser=checked(_explained),
        metavar="|".join(EXPLAINED),
        autocompletion=completion.words(*EXPLAINED),
        show_default="three",
        help="How many mismatches with the same cause to explain; the others are only counted.",
    ),
]
CarefulOption = Annotated[
    bool, typer.Option("--careful", help="Run all checks, and wait for each answer before the next question (slow).")
]
FailFastOption = Annotated[bool, typer.Option("--fail-fast", "-x", help="Stop at the first failure.")]
FailNotReproducedOption = Annotated[
    bool, typer.Option("--fail-not-reproduced", help="Also fail if a failure could not be reproduced.")
]
RequireAllOption = Annotated[
    bool,
    typer.Option("--require-all", help="Exit with status 4 if anything was skipped or not tried."),
]


def report_option(*kinds: str) -> Any:
    """Declare `--report` of a command whose result these formats support."""
    return typer.Option(
        "--report",
        metavar="KIND|FILE|KIND=PATH",
        help=f"Write a report: a KIND ({', '.join(kinds)}) with a default file name, "
        "a FILE with the extension of a kind, or KIND=PATH, such as json=- for stdout; may be repeated.",
    )


BaselineOption = Annotated[
    str | None,
    typer.Option("--baseline", metavar="FILE", help="Failures in this file are known, and do not fail the run."),
]
UpdateBaselineOption = Annotated[
    bool, typer.Option("--update-baseline", help="Write the failures of this run to the file of --baseline.")
]
AnswerOption = Annotated[
    str | None,
    typer.Option("--answer", metavar="FILE", help="Read the counts of an engine from a text; - is standard input."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        parser=checked(values.seconds(0.1)),
        metavar="TIME",
        help="Stop after this time and report the results so far: 60, 60s, 2m.",
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=checked(values.whole(1, 256)),
        metavar="N",
        help="Number of parallel jobs. Default: 1; fuzz: one per core, at most four.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        parser=checked(values.whole(1, 1024)),
        metavar="N",
        help="Threads for large counts of perft-check's kernels. Default: all of the machine.",
    ),
]
HashOption = Annotated[
    int | None,
    typer.Option(
        "--hash",
        parser=checked(values.memory(1 << 20)),
        metavar="SIZE",
        help="Memory for a hash table of perft-check's kernels: 512M, 2G.",
    ),
]
SuitesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--suite",
        "-s",
        parser=checked(_suite),
        metavar="NAME|FILE",
        autocompletion=completion.suites,
        help="Suite to run, with all its counts; may be repeated. Default: the small counts of sweep, setups, "
        "smoke, chess960-sweep, chess960-special, mirrored and chess960-castling, about ten seconds.",
    ),
]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="Run only the suites smoke, chess960-special and setups, about a second.")
]
MaxDepthOption = Annotated[
    int | None,
    typer.Option("--max-depth", parser=checked(values.whole(0)), metavar="PLIES", help="Skip deeper counts."),
]
FilterOption = Annotated[
    str | None, typer.Option("--filter", metavar="REGEX", help="Only positions whose name or FEN matches.")
]
MaxNodesOption = Annotated[
    int | None,
    typer.Option(
        "--max-nodes",
        parser=checked(values.count(0)),
        metavar="NODES",
        help="Skip larger counts: 250000, 250k, 1.5M.",
    ),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        parser=checked(values.seconds(0.01)),
        metavar="TIME",
        help="Time limit of the engine for one count: 60, 60s, 2m.",
    ),
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory",
        parser=checked(values.whole(1)),
        metavar="MIB",
        help="Memory limit of an engine process, in MiB. Default: half of the machine's memory.",
    ),
]
SelfConsistencyOption = Annotated[
    bool, typer.Option("--self-consistency", help="Check whether the engine agrees with itself, without a reference.")
]
CoverageOption = Annotated[
    bool,
    typer.Option("--coverage", help="Measure which code of the engine runs, to show suspicious lines and guide fuzz."),
]
NoConfigOption = Annotated[
    bool,
    typer.Option("--no-config", is_eager=True, callback=layers.load_configuration, help="Use no configuration file."),
]
ConfigOption = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="PERFT_CHECK_CONFIG",
        show_envvar=False,
        is_eager=True,
        callback=layers.load_configuration,
        help="Configuration file. Default: the nearest one.",
    ),
]
