"""Options and arguments that several commands have, and how the values of options are read.

A parameter of a command is named after its option: the variable `PERFT_CHECK_MAX_NODES` and the key `max-nodes` of a
configuration set `max_nodes`.
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
"""The kernel that counts if no engine is named."""
SPECS = (
    "own, own:turbo, own:two-plies, python-chess, uci:COMMAND or a path, PROGRAM {fen} {depth}, script:COMMAND, "
    "python:MODULE:CALLABLE, lib:PATH, FILE.json"
)
"""What names an engine."""
EXPLAINED = {"none": 0, "three": values.EXPLAINED, "all": sys.maxsize}


class BadValue(typer.BadParameter):
    """A value that cannot be read."""

    def __init__(self, message: str, value: str) -> None:
        super().__init__(message)
        self.value = value


def checked(read: Callable[[Any], T]) -> Callable[[Any], T]:
    """Return a parser for typer that shows the message of a ValueError of `read` as it is."""

    def parse(value: Any) -> T:
        try:
            return read(value)
        except ValueError as error:
            raise BadValue(str(error), str(value)) from None

    return parse


def one_of(*words: str) -> Callable[[Any], str]:
    """Return a parser of one of several words."""

    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"{value!r}: {did_you_mean(str(value), words)}")
        return str(value)

    return checked(read)


def _explained(value: Any) -> int:
    """Return how many mismatches of a cause a word explains."""
    if isinstance(value, int):  # the default
        return value
    if value not in EXPLAINED:
        raise ValueError(f"{value!r}: write one of {', '.join(EXPLAINED)}")
    return EXPLAINED[value]


def _suite(value: Any) -> str:
    """Return the name of a suite. Raises ValueError if a program has that name."""
    if _is_program(str(value)):
        raise ValueError(f"{value!r} is a program: an engine is named with -e {quote(value)}")
    return str(value)


def _is_program(path: str) -> bool:
    """Return True if a file begins as programs do."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(4).startswith((b"\x7fELF", b"#!"))
    except OSError:  # what reads it reports what is wrong
        return False


def engine_option(text: str, metavar: str = "SPEC", complete: Callable[[str], Iterable[str]] | None = None) -> Any:
    """Declare `--engine`. It is a list for each command, so that a second engine is an error and not ignored."""
    return typer.Option("--engine", "-e", metavar=metavar, autocompletion=complete or completion.engines, help=text)


EngineOption = Annotated[list[str] | None, engine_option(f"Engine under test: {SPECS}. Default: {FASTEST}.")]
FastestEngineOption = Annotated[list[str] | None, engine_option(f"Engine under test: {SPECS}. Default: our fastest.")]
UciOptionsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        parser=checked(check_option),
        metavar="NAME=VALUE",
        help="Option of the UCI engine under test: Hash=16, 'Clear Hash'; may be repeated. doctor -e lists them.",
    ),
]
NamesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        parser=checked(check_name),
        metavar="NAME",
        help="What the engine is called in all that is shown. May be repeated: for each -e, then each -a or --compare.",
    ),
]
NameOption = Annotated[
    list[str] | None,
    typer.Option(
        "--name", parser=checked(check_name), metavar="NAME", help="What the engine is called in all that is shown."
    ),
]
AgainstOption = Annotated[
    list[str] | None,
    typer.Option(
        "--against", "-a", metavar="SPEC", autocompletion=completion.engines, help="Reference engine; may be repeated."
    ),
]
AloneOption = Annotated[bool, typer.Option("--alone", help="Show what the engine counts, and compare it with nothing.")]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="POSITION",
        autocompletion=completion.positions,
        help="A FEN in quotes, or a name such as startpos or kiwipete; moves may follow: 'startpos moves e2e4 e7e5'.",
    ),
]
DepthArgument = Annotated[
    int, typer.Argument(metavar="DEPTH", parser=checked(values.whole(0, 99)), help="Plies, from 0 to 99.")
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help="Moves to play first, as UCI or SAN: 'e2e4 e7e5', '1. e4 e5'.")
]
VariantOption = Annotated[
    bool | None,
    typer.Option(
        "--chess960/--standard", help="Chess960 only, or standard chess only. Default: what each position is."
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
        help="Follow so many mismatches of a cause down to the rule, and count the others.",
    ),
]
CarefulOption = Annotated[
    bool, typer.Option("--careful", help="Wait for each answer before the next question: slow, with all checks.")
]
FailFastOption = Annotated[bool, typer.Option("--fail-fast", "-x", help="Stop at the first failure.")]
FailNotReproducedOption = Annotated[
    bool, typer.Option("--fail-not-reproduced", help="Count failures that are not reproduced as failures, too.")
]
RequireAllOption = Annotated[
    bool,
    typer.Option("--require-all", help="Exit with 4 if anything that could be compared or tried was not."),
]
ReportOption = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="KIND|FILE|KIND=PATH",
        help="Write a report: a KIND (html, md, json, jsonl, junit, sarif, github, lcov) under its "
        "default name, a FILE whose ending says the kind, or KIND=PATH such as json=- ('-' is stdout); may be "
        "repeated.",
    ),
]
KeepCoverOption = Annotated[
    str | None,
    typer.Option(
        "--keep-cover", metavar="FILE", help="Suite file for few positions that reach all code that was reached."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time",
        parser=checked(values.seconds(0.1)),
        metavar="TIME",
        help="Stop after this time, and report what is done: 60, 60s, 2m.",
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=checked(values.whole(1, 256)),
        metavar="N",
        help="How many work side by side. Default: 1; fuzz: one a core, at most four; count: threads.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option(
        "--threads",
        parser=checked(values.whole(1, 1024)),
        metavar="N",
        help="Threads that share a large count of our own kernels. Default: as many as the machine has.",
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
        help="Suite, with all its counts; may be repeated. Default: the small counts of sweep, "
        "setups, smoke, chess960-sweep, chess960-special, mirrored and chess960-castling, about ten seconds.",
    ),
]
QuickOption = Annotated[
    bool, typer.Option("--quick", help="The suites smoke, chess960-special and setups alone, about a second.")
]
MaxDepthOption = Annotated[
    int | None,
    typer.Option("--max-depth", parser=checked(values.whole(0)), metavar="PLIES", help="Leave deeper counts out."),
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
        help="Leave larger counts out: 250000, 250k, 1.5M.",
    ),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        parser=checked(values.seconds(0.01)),
        metavar="TIME",
        help="Time that an engine may take for a count: 60, 60s, 2m.",
    ),
]
MemoryOption = Annotated[
    int | None,
    typer.Option(
        "--memory",
        parser=checked(values.whole(1)),
        metavar="MIB",
        help="Memory of an engine process, in MiB. Default: half of the machine's.",
    ),
]
SelfConsistencyOption = Annotated[
    bool, typer.Option("--self-consistency", help="Without reference: does the engine agree with itself?")
]
NoConfigOption = Annotated[
    bool, typer.Option("--no-config", is_eager=True, callback=layers.choose, help="Use no configuration.")
]
ConfigOption = Annotated[
    str | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="PERFT_CHECK_CONFIG",
        show_envvar=False,
        is_eager=True,
        callback=layers.choose,
        help="Configuration. Default: the nearest one.",
    ),
]
