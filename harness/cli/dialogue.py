"""Interactive questions in a terminal: which engine to test, and whether programs may be started."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.text import Text

from ...errors import UsageError, UserError
from ...reports.text import unwrapped
from ..shutdown import Interrupted
from .output import console

UNATTENDED = ("CI", "PRE_COMMIT", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")
"""Environment variables of CI services and hooks, in which no person answers questions or reads the output."""
T = TypeVar("T")
EXAMPLES = (
    ("./my-engine", "a program that speaks UCI and knows `go perft N`"),
    ("uci:./my-engine --quiet", "the same, with arguments"),
    ("cmd:./my-perft {fen} {depth}", "a program that takes a FEN and a depth, and prints the count"),
    ("python:mychess:moves", "a function in ./mychess.py that returns the moves of a FEN"),
    ("lib:./libmine.so", "a shared library with the functions of perft_check.h"),
    ("engine.json", "a descriptor written by perft-check doctor --save"),
)
"""Example SPECs, each with its meaning."""


def unattended_by() -> str | None:
    """Return the environment variable that indicates an unattended run, or None."""
    return next((name for name in UNATTENDED if os.environ.get(name, "").lower() not in ("", "0", "false")), None)


def is_interactive() -> bool:
    """Return True if a user can read and answer a question."""
    return unattended_by() is None and sys.stdin.isatty() and sys.stderr.isatty()


def ask(prompt: str) -> str | None:
    """Return the user's answer without surrounding whitespace, or None at the end of stdin. Raises Interrupted."""
    try:
        with _interruptible():
            print(prompt, end="", file=sys.stderr, flush=True)
            line = sys.stdin.readline()
    except KeyboardInterrupt:
        print(file=sys.stderr)
        raise Interrupted from None
    if not line:
        print(file=sys.stderr)
        return None
    return line.strip()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, unless SIGINT is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def refuse_unattended_self_test() -> None:
    """Raise UsageError in CI, where a self-test in place of a forgotten engine would pass unnoticed."""
    if (variable := unattended_by()) is not None:
        raise UsageError(
            f"no engine given, and {variable} is set: perft-check would only test itself; "
            "add -e ./my-engine, or -e own to test perft-check's generator"
        )


def report_self_test(*command: str) -> None:
    """Print that perft-check tested its own generator because no engine was given, and how to test an engine."""
    line = "no engine given, so this tested perft-check itself; to test yours: "
    console.err().print(unwrapped((line, "bold"), " ".join(("perft-check", *command, "-e", "./my-engine"))))


def ask_for_engine(examine: Callable[[str], T]) -> T:
    """Ask for an engine until `examine` accepts the answer, and return its result.

    Raises UsageError if there is no user to ask or no answer. Raises Interrupted.
    """
    if not is_interactive():
        raise UsageError(_no_engine_message())
    console.err().print("Which engine do you want to test? For example:", style="bold")
    width = max(len(spec) for spec, _ in EXAMPLES)
    for spec, meaning in EXAMPLES:
        console.err().print(Text.assemble((f"  {spec.ljust(width)}", "cyan"), f"  {meaning}"), soft_wrap=True)
    while True:
        answer = _read_answer()
        try:
            return examine(answer)
        except UserError as error:
            console.err().print(error.with_advice, style="red", soft_wrap=True)


def _no_engine_message() -> str:
    return "init needs an engine, such as perft-check init -e ./my-engine; perft-check init --help lists all forms"


def _read_answer() -> str:
    """Return the next answer that is not empty, with quotes removed and ~ expanded as a shell does.

    Raises UsageError at the end of stdin. Raises Interrupted.
    """
    while (line := ask("engine: ")) is not None:
        is_quoted = len(line) > 1 and line[0] == line[-1] and line[0] in "\"'"
        if answer := line[1:-1] if is_quoted else line:
            return os.path.expanduser(answer)
    raise UsageError(_no_engine_message())
