"""The pages name only existing files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docs.blocks import PAGES, ROOT

ENDINGS = ("py", "md", "csv", "epd", "svg", "json", "toml", "yml", "yaml", "mjs", "tsv")
NAMED = re.compile(rf"`([\w.*{{}},-]+/[\w./*{{}},-]*\.(?:{'|'.join(ENDINGS)}))`")
"""A path between backticks with a slash and an extension; `*` and `{one,two}` have the meaning of a shell."""
LINKED = re.compile(r"\]\((?!\w+:)([^)#]+)[^)]*\)")
"""The target of a Markdown link to a file."""


def expand_braces(path: str) -> Iterator[str]:
    """Yield the paths with braces expanded."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if braces is None:
        yield path
        return
    for one in braces[1].split(","):
        yield from expand_braces(path[: braces.start()] + one + path[braces.end() :])


def test_every_path_between_backticks_exists() -> None:
    missing = [
        f"{page.name}: {path}"
        for page in PAGES
        for named in NAMED.findall(page.read_text(encoding="utf-8"))
        for path in expand_braces(named)
        if not any(ROOT.glob(path))
    ]
    assert missing == []


def test_every_linked_file_exists() -> None:
    missing = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in LINKED.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert missing == []
