"""Questions to the user, on a terminal where somebody reads them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..model.shutdown import Interrupted

UNATTENDED = ("CI", "PRE_COMMIT", "TF_BUILD", "JENKINS_URL", "TEAMCITY_VERSION")
"""Variables of services and hooks, under which nobody reads what is asked, nor what a green run says."""


def unattended_by() -> str | None:
    """Return the variable that says that nobody looks at the terminal, or None."""
    return next((name for name in UNATTENDED if os.environ.get(name, "").lower() not in ("", "0", "false")), None)


def is_possible() -> bool:
    """Tell whether somebody may read a question and answer it."""
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
