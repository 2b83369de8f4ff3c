"""After a run on a terminal that has found something: one key opens the explorer there."""

from __future__ import annotations

import os
import select
import sys
from importlib.util import find_spec

from rich.text import Text

from ...reports.text import count
from ..model.results.events import RunFinished
from ..trees.places import place_of
from .dialogue import unattended_by
from .output import console
from .settings.position import ExploreSettings
from .settings.run import RunSettings

SECONDS = 30
"""How long a key is waited for: nobody may be there."""
KEY = "e"


def offer_explorer(finished: RunFinished, settings: RunSettings) -> None:
    """Offer to look at the failures of a run, where somebody may press a key. Raises UsageError."""
    failed = finished.failures
    if not failed or finished.interrupted or settings.quiet or settings.scheduler or not _somebody_is_there():
        return
    what = count(len(failed), "failure")
    line = f"press {KEY} to look at {'it' if len(failed) == 1 else f'the {what}'} in the explorer, any other key to end"
    console.err().print(Text(line, style="bold"))
    if _key() != KEY:
        return
    from .commands.explore import explore

    places = tuple(place_of(result, settings.tested) for result in failed)
    explore(places, ExploreSettings(engine=settings.tested, against=settings.against[:1], memory=settings.memory))


def _somebody_is_there() -> bool:
    """Tell whether a person may read and press a key, and the explorer can be shown."""
    if unattended_by() is not None or os.environ.get("TERM", "dumb") == "dumb" or find_spec("textual") is None:
        return False
    return all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def _key() -> str:
    """Return the key that is pressed, "" where none is for a while."""
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setraw(terminal)  # so that Ctrl-C is any other key, too: the run has ended, with its own status
        ready, _, _ = select.select([terminal], [], [], SECONDS)
        return os.read(terminal, 1).decode("ascii", "replace") if ready else ""
    finally:
        # The rest of an arrow key's sequence is not to be typed into the shell.
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
