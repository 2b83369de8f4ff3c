"""A bar on a terminal, and lines above it: what live displays of long work have in common."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import Progress, TaskID
from rich.text import Text


class WithBar:
    """Shows a bar on a console, usually that of stderr; leaving the block takes it away."""

    def __init__(self, console: Console, quiet: bool = False) -> None:
        self._console = console
        self._quiet = quiet
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the display away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _line(self, text: str) -> None:
        """Print a line above the bar."""
        console = self._console if self._bar is None else self._bar.console
        console.print(Text(text, style="dim", overflow="fold"))
