"""The generated files: pages or parts of pages, pictures, the JSON Schema of reports, and two bundled suites.

A generated part of a page is between the comments `<!-- NAME, by python -m tools.pages -->` and `<!-- end of NAME -->`.
The rest of the page is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from . import dialects, events, json_schema, predicates, rules, techniques, zoo
from .pictures import architecture, boards, coverage, explorer, reports, trees
from .pictures import techniques as walks
from .suites.castling import castling_text
from .suites.mirrored import mirrored_text

ROOT = Path(__file__).resolve().parents[2]
PICTURES = "docs/pictures"
"""The folder for generated pictures, which contains nothing else."""
PARTS: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "docs/concepts.md": {"events": events.render_families},
    "docs/engines.md": {"dialects": dialects.render_dialects},
    "docs/predicates.md": {"predicates": predicates.render_predicates},
    "docs/rules.md": {"rules": rules.render_rules},
    "docs/techniques.md": {"techniques": techniques.render_techniques},
    "benchmarks/zoo.md": {"figures": zoo.render_figures, "faults": zoo.render_faults},
}
"""The generated parts of each page, with the functions that render them."""
SCHEMA = "reports/formats/schema.json"
UNCHECKED = frozenset({explorer.FILE})
"""Files that depend on the installed version of a library, here on the colors of textual."""

Files = Mapping[str, str]
"""Texts by path, relative to the root of the repository."""


def generate_files(root: Path) -> Files:
    """Return all generated files. The parts of pages that are written by hand come from the files in `root`."""
    pages = {name: generate_page((root / name).read_text(encoding="utf-8"), name) for name in PARTS}
    return {
        **pages,
        **quick_pictures(),
        **_in_folder(walks.draw_pictures()),
        **_in_folder(reports.draw_pictures()),
        explorer.FILE: explorer.draw_screen(),
        SCHEMA: json_schema.schema_text(),
        "suites/mirrored.epd": mirrored_text(),
        "suites/chess960-castling.epd": castling_text(),
    }


def generate_page(text: str, name: str) -> str:
    """Return the text of a page with updated generated parts. Raises ValueError if a part is missing."""
    for part, render in PARTS[name].items():
        begin, end = f"<!-- {part}, by python -m tools.pages -->\n", f"\n<!-- end of {part} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{name} needs one part between {begin.strip()} and {end.strip()}")
        head, rest = text.split(begin)
        _, tail = rest.split(end)
        text = f"{head}{begin}\n{render()}\n{end}{tail}"
    return text


def quick_pictures() -> Files:
    """Return the pictures other than walks and screens, which take seconds."""
    made = (trees, boards, architecture, coverage)
    return _in_folder(picture for one in made for picture in one.draw_pictures())


def differing_files(root: Path, files: Files) -> list[str]:
    """Return the names of files that are missing or out of date, and of pictures that are no longer generated."""
    differing = [name for name, text in files.items() if _read(root / name) != text]
    found = (path.relative_to(root).as_posix() for path in (root / PICTURES).iterdir())
    return sorted(differing + [name for name in found if name not in files])


def write_files(root: Path, files: Files, names: Iterable[str]) -> None:
    """Write the named files, and delete those that are no longer generated."""
    for name in names:
        if name in files:
            (root / name).write_text(files[name], encoding="utf-8")
        else:
            (root / name).unlink()


def _in_folder(pictures: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {f"{PICTURES}/{name}": text for name, text in pictures}


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
