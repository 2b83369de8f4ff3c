"""The code blocks on the pages: fenced, with a language and possibly a file name, or indented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
IN_THE_ROOT = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
PAGES = [
    *(ROOT / name for name in IN_THE_ROOT),
    *(page for folder in ("docs", "benchmarks") for page in sorted((ROOT / folder).rglob("*.md"))),
]
"""All pages, those in the root first."""

_FENCE = re.compile(r'^ *```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?$')
_INDENTED = re.compile(r"^ {4}")


class Block(NamedTuple):
    """A block of code."""

    page: str
    """The page, as a path from the root of the repository."""
    line: int
    """The first line of the code on the page, counted from 1."""
    language: str
    """The language of the fence, empty if the block is indented."""
    title: str
    """The file name, empty if there is none."""
    text: str

    @property
    def place(self) -> str:
        """The page and the line."""
        return f"{self.page}:{self.line}"


def blocks_of(path: Path) -> Iterator[Block]:
    """Yield the blocks of a page in order."""
    page = path.relative_to(ROOT).as_posix()
    lines = path.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is not None:
            end = next(n for n in range(number + 1, len(lines)) if lines[n].strip() == "```")
            text = "\n".join(lines[number + 1 : end]) + "\n"
            yield Block(page, number + 2, fence["language"], fence["title"] or "", text)
            number = end
        elif _INDENTED.match(lines[number]) and not lines[number - 1].strip():
            end = _end_of_indented(lines, number)
            text = "\n".join(line[4:] for line in lines[number:end]).rstrip() + "\n"
            if not lines[number - 2].startswith(":::"):
                yield Block(page, number + 1, "", "", text)
            number = end
        number += 1


def all_blocks() -> list[Block]:
    """Return the blocks of all pages."""
    return [block for path in PAGES for block in blocks_of(path)]


def _end_of_indented(lines: list[str], number: int) -> int:
    while number < len(lines) and (_INDENTED.match(lines[number]) or not lines[number].strip()):
        number += 1
    return number
