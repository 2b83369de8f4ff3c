"""The commands that the pages show, and the outputs beside them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ENGINES = ("./my-engine", "./engine")
"""How the pages call the reader's engine."""

_INDENTED = re.compile(r"^ {4}(?P<line>(?:\S+/)?perft-check(?: .*)?)$", re.MULTILINE)
_FENCED = re.compile(r"```(?:sh|console)\n(.*?)```", re.DOTALL)
_WORKFLOW = re.compile(r"^\s+- (?:run: )?(?P<line>perft-check .*)$", re.MULTILINE)


class Shown(NamedTuple):
    """A command with the output that a page shows."""

    page: str
    words: tuple[str, ...]
    output: str


def commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each command of perft-check on a page: the page's name and the words after `perft-check`."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        fenced = "\n".join(_FENCED.findall(text))
        lines = [found["line"] for pattern in (_INDENTED, _WORKFLOW) for found in pattern.finditer(text)]
        lines += re.findall(r"^(?:\$ )?(perft-check .*)$", fenced, re.MULTILINE)
        for line in lines:
            words = shlex.split(line, comments=True)
            yield page.name, tuple(words[1:])


def shown() -> Iterator[Shown]:
    """Yield the commands whose output a page shows, in blocks of a console."""
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            for command, output in re.findall(r"^\$ perft-check (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
                yield Shown(page.name, tuple(shlex.split(command)), output)
