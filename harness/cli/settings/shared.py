"""Options that several commands have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import typer

from ....errors import UsageError

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        "-e",
        metavar="SPEC",
        help="Engine under test: own, own:turbo, python-chess, uci:COMMAND or a path, "
        "cmd:PROGRAM {fen} {depth}, script:COMMAND, python:MODULE:CALLABLE, FILE.json.",
    ),
]
AgainstOption = Annotated[
    tuple[str, ...], typer.Option("--against", "-a", metavar="SPEC", help="Reference engine; may be repeated.")
]
PositionArgument = Annotated[
    str, typer.Argument(metavar="POSITION", help="A FEN in quotes, or a name such as startpos or kiwipete.")
]
DepthArgument = Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=99, help="Plies.")]
Chess960Option = Annotated[bool, typer.Option("--chess960", help="Read and write castling as in Chess960.")]
ExplainOption = Annotated[bool, typer.Option("--explain/--no-explain", help="Follow a mismatch down to the rule.")]
ReportOption = Annotated[
    tuple[str, ...],
    typer.Option("--report", metavar="KIND=PATH", help="Write json or svg ('-': stdout); may be repeated."),
]
MaxNodesOption = Annotated[int | None, typer.Option("--max-nodes", min=0, help="Leave larger counts out.")]
TimeoutOption = Annotated[
    float, typer.Option("--timeout", min=0.01, metavar="SECONDS", help="Time that an engine may take for a count.")
]
MemoryOption = Annotated[
    int | None, typer.Option("--memory", min=1, metavar="MIB", help="Memory that an engine process may use.")
]
SelfConsistencyOption = Annotated[
    bool, typer.Option("--self-consistency", help="Without reference: does the engine agree with itself?")
]


def parse_time(text: str) -> float:
    """Read a time span such as "60", "60s", "2m" or "1.5h" as seconds, a tenth at least. Raises BadParameter."""
    parts = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smh]?)", text.strip())
    seconds = float(parts[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[parts[2]] if parts else 0.0
    if not 0.1 <= seconds < float("inf"):
        raise typer.BadParameter(f"{text!r} is no time: write seconds, such as 60 or 60s, or 2m, 1h; 0.1s at least")
    return seconds


def is_own(engine: str) -> bool:
    """Tell whether an engine is one of our own kernels."""
    from ...engines.kinds.own import KERNELS

    return engine in KERNELS


def reject(why: str, given: Mapping[str, object]) -> None:
    """Raise UsageError, which says why, for the first option that is given; options stand by their names."""
    for option, is_given in given.items():
        if is_given:
            raise UsageError(f"{why}: leave out {option}")


def check_self_consistency(self_consistency: bool, against: tuple[str, ...]) -> None:
    """Raise UsageError where an engine is to be compared with itself and with a reference."""
    if self_consistency and against:
        raise UsageError("--self-consistency needs no reference: leave out -a")
