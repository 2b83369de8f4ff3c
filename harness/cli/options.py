"""Options that several commands have, and how a command ends the program."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Annotated, Optional

import typer

from ..model.interrupt import Interrupted
from ..model.verdict import ExitCode

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


def parse_time(text: str) -> float:
    """Read a time span such as "60", "60s", "2m" or "1.5h" as seconds, a tenth at least. Raises BadParameter."""
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    seconds = float(parts[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[parts[2]] if parts else 0.0
    if not 0.1 <= seconds < float("inf"):
        raise typer.BadParameter(f"{text!r} is no time: write seconds, such as 60 or 60s, or 2m, 1h; 0.1s at least")
    return seconds


class OutputError(Exception):
    """Our output cannot be written; `reason` says why. An OSError itself would be swallowed by typer."""

    def __init__(self, reason: OSError) -> None:
        super().__init__(str(reason))
        self.reason = reason


def exit_with(command: Callable[[], int]) -> None:
    """Carry out a command and exit with its status."""
    try:
        status = command()
        sys.stdout.flush()
    except Interrupted:
        print("perft-check: interrupted", file=sys.stderr)
        status = ExitCode.INTERRUPTED
    except OSError as error:
        raise OutputError(error) from error
    raise typer.Exit(int(status))
