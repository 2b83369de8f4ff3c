"""The commands on the pages, with their outputs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from docs.blocks import PAGES, ROOT

ENGINES = ("./my-engine", "./engine")
"""Names of the reader's engine on the pages."""
OF_READERS = [path for path in PAGES if path.name == "README.md" or path.parent != ROOT]
"""Pages for users, not for developers of perft-check."""
IN_SEQUENCE = ROOT / "docs" / "quick-start"
"""Pages that are tested as a whole, because their commands need files from earlier ones."""

_INDENTED = re.compile(r"^ {4}(?P<line>(?:\S+/)?perft-check(?: .*)?)$", re.MULTILINE)
_SCRIPT = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
_WORKFLOW = re.compile(r"^\s+- (?:run: )?(?P<line>perft-check .*)$", re.MULTILINE)
_TIMES = re.compile(r"(?:\d+ min )?\d[\d.]* ?(?:s|[kMG]?n/s)\b|[ ─]+")
"""Times and speeds, which differ each time, and column widths, which depend on them."""


class ShownCommand(NamedTuple):
    """A command with the output that a page shows."""

    page: str
    command: str
    output: str

    @property
    def words(self) -> tuple[str, ...]:
        """The arguments after `perft-check`."""
        return tuple(shlex.split(self.command)[1:])

    def is_printed_by(self, printed: str) -> bool:
        """Return True if the page shows this output; a line `...` on the page matches any lines."""
        parts = re.split(r"^\.\.\.\n", self.output, flags=re.MULTILINE)
        return re.fullmatch(".*".join(map(re.escape, parts)), printed, re.DOTALL) is not None

    def is_like(self, printed: str) -> bool:
        """Return True if the page shows this output apart from times, or no output."""
        return not self.output or ShownCommand(self.page, self.command, _masked(self.output)).is_printed_by(
            _masked(printed)
        )


def commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each command of perft-check: its page and the arguments."""
    for page in OF_READERS:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        lines = [found["line"] for pattern in (_INDENTED, _WORKFLOW) for found in pattern.finditer(text)]
        lines += re.findall(r"^(perft-check .*)$", "\n".join(_SCRIPT.findall(text)), re.MULTILINE)
        lines += re.findall(r"^\$ (perft-check .*)$", "\n".join(_CONSOLE.findall(text)), re.MULTILINE)
        for line in lines:
            words = shlex.split(line, comments=True)
            yield page.relative_to(ROOT).as_posix(), tuple(words[1:])


def shown() -> Iterator[ShownCommand]:
    """Yield the commands in `console` blocks, with their outputs."""
    for page in OF_READERS:
        if not page.is_relative_to(IN_SEQUENCE):
            for block in _CONSOLE.findall(page.read_text(encoding="utf-8")):
                yield from shown_in(block, page.name)


def shown_in(block: str, page: str) -> Iterator[ShownCommand]:
    """Yield the commands in a `console` block."""
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        yield ShownCommand(page, command, output)


def _masked(text: str) -> str:
    return _TIMES.sub(" ", text)
