"""Which files are generated, wholly or in part: pages, the schema of the JSON reports, and two bundled suites.

It says what they should hold, and which of them do not hold it.

A generated part of a page stands between two comments, `<!-- NAME, by python -m tools.pages -->` and
`<!-- end of NAME -->`. People write all around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from . import dialects, events, json_schema, rules, techniques, zoo
from .pictures import architecture, boards, coverage, explorer, reports, trees
from .pictures import techniques as walks
from .suites.castling import castling_text
from .suites.mirrored import mirrored_text

ROOT = Path(__file__).resolve().parents[2]
PICTURES = "docs/pictures"
"""The folder that has generated pictures and nothing else."""
PARTS: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "docs/concepts.md": {"events": events.render_families},
    "docs/engines.md": {"dialects": dialects.render_dialects},
    "docs/rules.md": {"rules": rules.render_rules},
    "docs/techniques.md": {"techniques": techniques.render_techniques},
    "benchmarks/zoo.md": {"figures": zoo.render_figures, "faults": zoo.render_faults},
}
"""The generated parts of each page, with what renders them."""
SCHEMA = "reports/formats/schema.json"
UNCHECKED = frozenset({explorer.FILE})
"""Files that also depend on the installed version of a library, here on the colors of textual."""

Files = Mapping[str, str]
"""Texts by the paths of their files, seen from the root of the repository."""


def generate_files(root: Path) -> Files:
    """Return all generated files; of pages with hand-written parts, these are taken from the files in `root`."""
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
    """Return the text of a page with its generated parts made anew. Raises ValueError where a part has no place."""
    for part, render in PARTS[name].items():
        begin, end = f"<!-- {part}, by python -m tools.pages -->\n", f"\n<!-- end of {part} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"{name} needs one part between {begin.strip()} and {end.strip()}")
        head, rest = text.split(begin)
        _, tail = rest.split(end)
        text = f"{head}{begin}\n{render()}\n{end}{tail}"
    return text


def quick_pictures() -> Files:
    """Return the pictures that need neither the walk of a technique nor a screen, which take seconds."""
    made = (trees, boards, architecture, coverage)
    return _in_folder(picture for one in made for picture in one.draw_pictures())


def differing_files(root: Path, files: Files) -> list[str]:
    """Return the names of generated files that are not there or have another text, and of pictures nobody generates."""
    differing = [name for name, text in files.items() if _read(root / name) != text]
    found = (path.relative_to(root).as_posix() for path in (root / PICTURES).iterdir())
    return sorted(differing + [name for name in found if name not in files])


def write_files(root: Path, files: Files, names: Iterable[str]) -> None:
    """Write the files of these names, and delete those that are no longer generated."""
    for name in names:
        if name in files:
            (root / name).write_text(files[name], encoding="utf-8")
        else:
            (root / name).unlink()


def _in_folder(pictures: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {f"{PICTURES}/{name}": text for name, text in pictures}


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
