"""Where nobody has named an engine: `init` asks for it, a run says that it has tested us, and CI is refused."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.text import Text

from ...errors import Complaint, UsageError
from ...reports.text import whole
from ..model.shutdown import Interrupted
from .output import console

T = TypeVar("T")

UNATTENDED = ("CI", "PRE_COMMIT", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")
"""Variables of services and hooks, under which nobody reads what a green run says."""

EXAMPLES = (
    ("./my-engine", "a program that speaks UCI and knows `go perft N`"),
    ("uci:./my-engine --quiet", "the same, with arguments"),
    ("cmd:./my-perft {fen} {depth}", "a program that takes position and depth, and prints a count"),
    ("python:mychess:moves", "a function in mychess.py here, that returns the moves of a FEN"),
    ("lib:./libmine.so", "a shared library with the functions of perft_check.h"),
    ("engine.json", "what perft-check doctor --save has written"),
)
"""What names an engine."""


def unattended_by() -> str | None:
    """Return the variable that says that nobody looks at the terminal, or None."""
    return next((name for name in UNATTENDED if os.environ.get(name, "").lower() not in ("", "0", "false")), None)


def refuse_unattended() -> None:
    """Raise UsageError where a run that tests our own generator would be green for ever, and nobody would notice."""
    if (variable := unattended_by()) is not None:
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
    if unattended_by() is not None or not (sys.stdin.isatty() and sys.stderr.isatty()):
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
    while True:
        print("engine: ", end="", file=sys.stderr, flush=True)
        try:
            with _interruptible():
                line = sys.stdin.readline()
        except KeyboardInterrupt:
            print(file=sys.stderr)
            raise Interrupted from None
        if not line:
            print(file=sys.stderr)
            raise UsageError(_missing())
        if answer := _without_quotes(line.strip()):
            return os.path.expanduser(answer)


def _without_quotes(answer: str) -> str:
    return answer[1:-1] if len(answer) > 1 and answer[0] == answer[-1] and answer[0] in "\"'" else answer


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, unless it is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
