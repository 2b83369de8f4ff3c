"""Every link of the site works: within the site, or to a listed address."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import perft_check.generator
import perft_check.strategies
import pytest
from docs.blocks import ROOT

ELSEWHERE = {
    "docs.python.org",
    "github.com",
    "hypothesis.readthedocs.io",
    "keepachangelog.com",
    "learn.microsoft.com",
    "man7.org",
    "py-filelock.readthedocs.io",
    "python-chess.readthedocs.io",
    "semver.org",
    "www.npmjs.com",
    "www.python.org",
}
"""External addresses that the pages link to."""
OF_A_SERVER = "404.html"
"""The page for missing pages (404), whose links begin at the root of the server."""


class Links(HTMLParser):
    """The links of a page, the resources that it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors.update({named.get("id", ""), named.get("name", "") if tag == "a" else ""} - {""})
        if tag == "a" and "href" in named:
            self.links.add(named["href"])
        elif tag in ("img", "script", "link", "iframe", "source") and named.get("rel") != "canonical":
            self.loaded.update({named.get("src", ""), named.get("href", "")} - {""})


def pages_of(site: Path) -> dict[Path, Links]:
    """Return the links of all pages."""
    pages = (path for path in site.rglob("*.html") if path.name != OF_A_SERVER)
    return {path: Links(path.read_text(encoding="utf-8")) for path in pages}


@pytest.mark.slow
def test_every_link_works(site: Path) -> None:
    pages = pages_of(site)
    assert len(pages) > 40
    broken, elsewhere = [], set()
    for path, page in pages.items():
        for link in page.links | page.loaded:
            parts = urlsplit(link)
            if parts.scheme:
                elsewhere.add(parts.hostname or link)
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            target = target / "index.html" if target.is_dir() else target
            anchors = pages[target].anchors if target in pages else set()
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []
    assert elsewhere == ELSEWHERE


@pytest.mark.slow
def test_pages_load_nothing_from_the_network(site: Path) -> None:
    loaded = {link for page in pages_of(site).values() for link in page.loaded}
    assert [link for link in loaded if urlsplit(link).netloc] == []
    styles = "\n".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\([\"']?(?:https?:)?//[^)]*\)", styles) == []


LEFT_OUT = {"START_FEN": "a text, which the signature of `Position.start` does not need"}
"""Public names without an entry, with the reason."""


@pytest.mark.parametrize("module", [perft_check.generator, perft_check.strategies], ids=lambda one: one.__name__)
def test_every_public_name_has_an_entry(module: object) -> None:
    name: str = module.__name__  # type: ignore[attr-defined]
    public: list[str] = module.__all__  # type: ignore[attr-defined]
    page = (ROOT / "docs" / "api" / f"{name.rpartition('.')[2]}.md").read_text(encoding="utf-8")
    entries = re.findall(rf"^::: {re.escape(name)}\.(\w+)$", page, re.MULTILINE)
    assert sorted(entries) == sorted(set(public) - LEFT_OUT.keys())
