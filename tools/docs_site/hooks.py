"""Add pages to the site: those in the root of the repository, and one for each file that a page links to.

MkDocs calls the functions `on_...`. On a Git forge the same links lead to the files themselves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FROM_THE_ROOT = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""Pages in the root, where a forge expects them."""
REPOSITORY = "repository/"
"""The folder of the site for files that are neither in docs/ nor in the root."""
SHOWN_AS_THEY_ARE = (".md", ".svg", ".png", ".gif")
LANGUAGES = {".h": "c", ".hpp": "cpp", ".mjs": "js", ".rs": "rust", ".py": "python", ".yml": "yaml", ".csv": "text"}
"""Languages whose names differ from the file extension."""
ACCESSIBILITY_FIXES = (
    ('role="dialog"', 'role="dialog" aria-label="Search"'),
    (r"<th( [^>]*)?></th>", "<td></td>"),
)
"""Fixes for screen readers: a name for the theme's dialog, and no header cells without text."""
WIDE_ENOUGH = {"76.25em": "70em", "76.234375em": "69.984375em"}
"""The smallest width at which the theme shows its navigation, and the width just below, with replacements (1120 px)."""
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
"""The target of a Markdown link to another file."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages in the root of the repository, and a page for each file that a page links to."""
    for file in list(files):
        is_of_docs = file.src_dir is not None and Path(file.src_dir) == DOCS
        if is_of_docs and not file.src_uri.endswith(SHOWN_AS_THEY_ARE):
            files.remove(file)
    for name in FROM_THE_ROOT:
        files.append(File.generated(config, name, content=(ROOT / name).read_text(encoding="utf-8")))
    pages = [file for file in files if file.src_uri.endswith(".md")]
    while pages:
        page = pages.pop(0)
        for path in sorted(linked(_home(page.src_uri), page.content_string)):
            if not _is_shown(path) and files.get_file_from_path(_uri(path)) is None:
                file = File.generated(config, _uri(path), content=_content(path))
                files.append(file)
                pages += [file] if path.suffix == ".md" else []
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Turn links between files of the repository into links between pages of the site."""
    home, own = _home(page.file.src_uri), PurePosixPath(page.file.src_uri).parent

    def within_the_site(found: re.Match[str]) -> str:
        path = _resolved(home, found["target"])
        target = os.path.relpath(_uri(path), own) if path.is_file() else found["target"]
        return target + (found["anchor"] or "")

    return LINK.sub(within_the_site, markdown)


def on_post_page(output: str, **_: object) -> str:
    """Fix accessibility problems of the theme."""
    for pattern, replacement in ACCESSIBILITY_FIXES:
        output = re.sub(pattern, replacement, output)
    return output


on_post_template = on_post_page  # the page for missing pages (404)


def on_post_build(config: MkDocsConfig) -> None:
    """Make the theme show the navigation at the width of a small laptop as well."""
    assets = Path(config.site_dir, "assets")
    for file in (*assets.rglob("*.css"), *assets.rglob("*.js")):
        text = file.read_text(encoding="utf-8")
        for width, replacement in WIDE_ENOUGH.items():
            text = text.replace(width, replacement)
        file.write_text(text, encoding="utf-8")


def linked(home: Path, markdown: str) -> Iterable[Path]:
    """Return the files that a page in the folder `home` links to."""
    paths = (_resolved(home, found["target"]) for found in LINK.finditer(markdown))
    return filter(Path.is_file, paths)


def _home(uri: str) -> Path:
    in_the_repository = ROOT / uri.removeprefix(REPOSITORY)
    return in_the_repository.parent if in_the_repository.is_file() else (DOCS / uri).parent


def _resolved(home: Path, target: str) -> Path:
    return Path(os.path.normpath(home / target))


def _is_shown(path: Path) -> bool:
    return path.suffix in SHOWN_AS_THEY_ARE and (path.is_relative_to(DOCS) or path.name in FROM_THE_ROOT)


def _uri(path: Path) -> str:
    if not _is_shown(path):
        return REPOSITORY + path.relative_to(ROOT).as_posix() + ("" if path.suffix == ".md" else ".md")
    return path.relative_to(DOCS if path.is_relative_to(DOCS) else ROOT).as_posix()


def _content(path: Path) -> str:
    """Return the page of a file: its text if it is Markdown, otherwise its path and its text as code."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    language = LANGUAGES.get(path.suffix, path.suffix.removeprefix("."))
    text = path.read_text(encoding="utf-8").rstrip("\n")
    return f"# `{path.relative_to(ROOT).as_posix()}`\n\n~~~~~~ {language}\n{text}\n~~~~~~\n"
