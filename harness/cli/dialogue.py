"""Questions to the user, on a terminal where somebody reads them: which engine, and whether to look at failures."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TypeVar

from rich.text import Text

from ...errors import UsageError, UserError
from ...platforms.streams import read_key
from ...reports.text import count, unwrapped
from ..model.results.events import RunFinished
from ..model.shutdown import Interrupted
from .output import console

UNATTENDED = ("CI", "PRE_COMMIT", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")
"""Variables of services and hooks, under which nobody reads what is asked, nor what a green run says."""
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
KEY_SECONDS = 30
"""How long to wait for a key: the user may have gone."""
KEY = "e"


def unattended_by() -> str | None:
    """Return the variable that says that nobody looks at the terminal, or None."""
    return next((name for name in UNATTENDED if os.environ.get(name, "").lower() not in ("", "0", "false")), None)


def is_possible() -> bool:
    """Return True if somebody may read a question and answer it."""
    return unattended_by() is None and sys.stdin.isatty() and sys.stderr.isatty()


def ask(prompt: str) -> str | None:
    """Return the line that answers, without spaces around it, or None where stdin has ended. Raises Interrupted."""
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
    """Let Ctrl-C raise KeyboardInterrupt, unless it is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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
    console.err().print(unwrapped((line, "bold"), " ".join(("perft-check", *command, "-e", "./my-engine"))))


def ask_for_engine(look_at: Callable[[str], T]) -> T:
    """Ask for the engine until `look_at` finds one, and return what it returns.

    Raises UsageError where there is nobody to ask or no answer, and Interrupted.
    """
    if not is_possible():
        raise UsageError(_no_engine_message())
    console.err().print("Which engine is to be tested? Answer as -e takes it:", style="bold")
    width = max(len(spec) for spec, _ in EXAMPLES)
    for spec, meaning in EXAMPLES:
        console.err().print(Text.assemble((f"  {spec.ljust(width)}", "cyan"), f"  {meaning}"), soft_wrap=True)
    while True:
        answer = _answer()
        try:
            return look_at(answer)
        except UserError as complaint:
            console.err().print(complaint.with_advice, style="red", soft_wrap=True)


def _no_engine_message() -> str:
    return "init needs your engine: perft-check init -e ./my-engine; perft-check init --help has all forms"


def _answer() -> str:
    """Return the next answer that is not empty, as a shell would. Raises UsageError where none comes, Interrupted."""
    while (line := ask("engine: ")) is not None:
        is_quoted = len(line) > 1 and line[0] == line[-1] and line[0] in "\"'"
        if answer := line[1:-1] if is_quoted else line:
            return os.path.expanduser(answer)
    raise UsageError(_no_engine_message())


def wants_to_look(finished: RunFinished, *, is_quiet: bool) -> bool:
    """Offer the explorer for the failures of a run, if the terminal is attended; return True if the key is pressed."""
    failed = finished.failures
    if not failed or finished.interrupted or is_quiet or not _somebody_is_there():
        return False
    what = count(len(failed), "failure")
    line = f"press {KEY} to look at {'it' if len(failed) == 1 else f'the {what}'} in the explorer, any other key to end"
    console.err().print(Text(line, style="bold"))
    return read_key(KEY_SECONDS) == KEY


def _somebody_is_there() -> bool:
    """Return True if a person may read and press a key, and the explorer can be shown."""
    if unattended_by() is not None or os.environ.get("TERM", "dumb") == "dumb" or find_spec("textual") is None:
        return False
    return all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))
