"""The pages name only files that the repository has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

from docs.blocks import PAGES, ROOT

ENDINGS = ("py", "md", "csv", "epd", "svg", "json", "toml", "yml", "yaml", "mjs", "tsv")
NAMED = re.compile(rf"`([\w.*{{}},-]+/[\w./*{{}},-]*\.(?:{'|'.join(ENDINGS)}))`")
"""A path between backticks, with a slash and an ending; `*` and `{one,two}` are those of a shell."""
LINKED = re.compile(r"\]\((?!\w+:)([^)#]+)[^)]*\)")
"""The target of a Markdown link that leads to a file."""


def spelt_out(path: str) -> Iterator[str]:
    """Return the paths that braces stand for."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if braces is None:
        yield path
        return
    for one in braces[1].split(","):
        yield from spelt_out(path[: braces.start()] + one + path[braces.end() :])


def test_every_path_between_backticks_exists() -> None:
    missing = [
        f"{page.name}: {path}"
        for page in PAGES
        for named in NAMED.findall(page.read_text(encoding="utf-8"))
        for path in spelt_out(named)
        if not any(ROOT.glob(path))
    ]
    assert missing == []


def test_every_name_of_the_reference_can_be_imported() -> None:
    for page in PAGES:
        for module, name in re.findall(r"^::: ([\w.]+)\.(\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert hasattr(import_module(module), name), (page.name, module, name)


def test_every_link_leads_to_a_file() -> None:
    missing = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in LINKED.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert missing == []
