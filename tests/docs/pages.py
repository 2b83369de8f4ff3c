"""The commands that the pages show, and the outputs beside them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import NamedTuple

from docs.blocks import PAGES, ROOT

ENGINES = ("./my-engine", "./engine")
"""How the pages call the reader's engine."""
OF_READERS = [path for path in PAGES if path.name == "README.md" or path.parent != ROOT]
"""The pages whose commands are those of a reader, not of somebody who changes perft-check."""
IN_SEQUENCE = ROOT / "docs" / "quick-start"
"""Pages that are tried as a whole: their commands need the files that the lines above them make."""

_INDENTED = re.compile(r"^ {4}(?P<line>(?:\S+/)?perft-check(?: .*)?)$", re.MULTILINE)
_SCRIPT = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
_WORKFLOW = re.compile(r"^\s+- (?:run: )?(?P<line>perft-check .*)$", re.MULTILINE)
_TIMES = re.compile(r"(?:\d+ min )?\d[\d.]* ?(?:s|[kMG]?n/s)\b|[ ─]+")
"""Times and speeds, which differ each time, and the widths of columns, which follow them."""


class ShownCommand(NamedTuple):
    """A command with the output that a page shows."""

    page: str
    command: str
    output: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words after `perft-check`."""
        return tuple(shlex.split(self.command)[1:])

    def is_printed_by(self, printed: str) -> bool:
        """Return True if the page shows this output; `...` on a line of the page stands for any lines."""
        parts = re.split(r"^\.\.\.\n", self.output, flags=re.MULTILINE)
        return re.fullmatch(".*".join(map(re.escape, parts)), printed, re.DOTALL) is not None

    def is_like(self, printed: str) -> bool:
        """Return True if the page shows this output, but for times. A page that shows no output shows any."""
        return not self.output or ShownCommand(self.page, self.command, _masked(self.output)).is_printed_by(
            _masked(printed)
        )


def commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each command of perft-check on a page: the page's name and the words after `perft-check`."""
    for page in OF_READERS:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        lines = [found["line"] for pattern in (_INDENTED, _WORKFLOW) for found in pattern.finditer(text)]
        lines += re.findall(r"^(perft-check .*)$", "\n".join(_SCRIPT.findall(text)), re.MULTILINE)
        lines += re.findall(r"^\$ (perft-check .*)$", "\n".join(_CONSOLE.findall(text)), re.MULTILINE)
        for line in lines:
            words = shlex.split(line, comments=True)
            yield page.relative_to(ROOT).as_posix(), tuple(words[1:])


def shown() -> Iterator[ShownCommand]:
    """Yield the commands whose output a page shows, in blocks of a console."""
    for page in OF_READERS:
        if not page.is_relative_to(IN_SEQUENCE):
            for block in _CONSOLE.findall(page.read_text(encoding="utf-8")):
                yield from shown_in(block, page.name)


def shown_in(block: str, page: str) -> Iterator[ShownCommand]:
    """Yield the commands of a block of a console."""
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        yield ShownCommand(page, command, output)


def _masked(text: str) -> str:
    return _TIMES.sub(" ", text)
