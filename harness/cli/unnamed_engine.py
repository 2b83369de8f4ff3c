"""Where nobody has named an engine: `init` asks for it, a run says that it has tested us, and CI is refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from rich.text import Text

from ...errors import Complaint, UsageError
from ...reports.text import whole
from . import dialogue
from .output import console

T = TypeVar("T")

EXAMPLES = (
    ("./my-engine", "a program that speaks UCI and knows `go perft N`"),
    ("uci:./my-engine --quiet", "the same, with arguments"),
    ("cmd:./my-perft {fen} {depth}", "a program that takes position and depth, and prints a count"),
    ("python:mychess:moves", "a function in mychess.py here, that returns the moves of a FEN"),
    ("lib:./libmine.so", "a shared library with the functions of perft_check.h"),
    ("engine.json", "what perft-check doctor --save has written"),
)
"""What names an engine."""


def refuse_unattended() -> None:
    """Raise UsageError where a run that tests our own generator would be green for ever, and nobody would notice."""
    if (variable := dialogue.unattended_by()) is not None:
        raise UsageError(
            f"no engine is named, and {variable} is set: perft-check would test itself, and be green for ever; "
            "give -e ./my-engine, or -e own where that is meant"
        )


def tell_what_was_tested(*command: str) -> None:
    """Say on stderr that a green run has tested our own generator, and how `command` tests another one."""
    line = "this has tested perft-check's own generator, as no engine is named; yours: "
    console.err().print(whole((line, "bold"), " ".join(("perft-check", *command, "-e", "./my-engine"))))


def ask_for_engine(look_at: Callable[[str], T]) -> T:
    """Ask for the engine until `look_at` finds one, and return what it returns.

    Raises UsageError where there is nobody to ask or no answer, and Interrupted.
    """
    if not dialogue.is_possible():
        raise UsageError(_missing())
    console.err().print("Which engine is to be tested? Answer as -e takes it:", style="bold")
    width = max(len(spec) for spec, _ in EXAMPLES)
    for spec, meaning in EXAMPLES:
        console.err().print(Text.assemble((f"  {spec.ljust(width)}", "cyan"), f"  {meaning}"), soft_wrap=True)
    while True:
        answer = _answer()
        try:
            return look_at(answer)
        except Complaint as complaint:
            console.err().print(str(complaint), style="red", soft_wrap=True)


def _missing() -> str:
    return "init needs your engine: perft-check init -e ./my-engine; perft-check init --help has all forms"


def _answer() -> str:
    """Return the next answer that is not empty, as a shell would. Raises UsageError where none comes, Interrupted."""
    while (line := dialogue.ask("engine: ")) is not None:
        if answer := _without_quotes(line):
            return os.path.expanduser(answer)
    raise UsageError(_missing())


def _without_quotes(answer: str) -> str:
    return answer[1:-1] if len(answer) > 1 and answer[0] == answer[-1] and answer[0] in "\"'" else answer
