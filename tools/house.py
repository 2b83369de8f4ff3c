"""How large the package is cut, and how its names are: figures that may only get better.

    python tools/house.py

Prints each figure with the most (or least) that is allowed now, and the one that is wanted. Exits with 1 where one is
worse than what is allowed. Whoever makes one better writes the new figure into `FIGURES`: it does not get worse again.
"""

from __future__ import annotations

import ast
import io
import statistics
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("generator", "harness", "platforms", "reports", "strategies", "suites")
"""The folders of the package; the modules beside them belong to it, too."""
BESIDE = ("benchmarks", "docs", "examples", "tests", "tools")
"""The folders that are not shipped. No class there has the name of a class of the package, or of another of theirs."""
SHORT = 40
"""A file of so many lines or fewer needs a reason."""
SAME_NAMES: Mapping[str, str] = {}
"""Class names that may stand for several classes, each with the reason."""
VERBS = frozenset(
    {"read", "cut", "set", "put", "split", "spread", "let", "hit", "shut", "found", "need", "feed", "speed"}
)
"""Words that end as participles do, and are verbs as well."""


class Figure(NamedTuple):
    """What is counted, and where the lines are."""

    name: str
    allowed: float
    wanted: float
    is_least: bool = False
    """Whether the figure may not be below the line."""

    def holds(self, value: float) -> bool:
        """Tell whether a value is on the right side of what is allowed."""
        return value >= self.allowed if self.is_least else value <= self.allowed


FIGURES = (
    Figure("modules", 458, 450),
    Figure("lines in all", 76_844, 60_000),
    Figure("median lines of a module", 152, 110, is_least=True),
    Figure("lines of the longest module", 440, 450),
    Figure(f"modules of {SHORT} lines and fewer", 8, 25),
    Figure("class names that stand for several classes", 0, 0),
    Figure("functions named by a participle", 0, 0),
    Figure("comment lines of kernels, per mille", 30, 30, is_least=True),
)


class Module(NamedTuple):
    """A file of the package."""

    path: Path
    text: str

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return len(self.text.splitlines())


def modules_in(root: Path) -> list[Module]:
    """Return the modules of a package, without the files that only say that a folder is one."""
    paths = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))] + sorted(root.glob("*.py"))
    return [Module(path, path.read_text(encoding="utf-8")) for path in paths if path.name != "__init__.py"]


def modules_beside(root: Path) -> list[Module]:
    """Return the modules that are not shipped."""
    paths = [path for folder in BESIDE for path in sorted((root / folder).rglob("*.py"))]
    return [Module(path, path.read_text(encoding="utf-8")) for path in paths]


def measure(modules: Sequence[Module], beside: Sequence[Module] = ()) -> list[float]:
    """Return the values of all figures, in their order: class names are those of all modules."""
    lengths = [module.lines for module in modules]
    kernels = [module for module in modules if "/generator/kernels/" in module.path.as_posix()]
    kernel_lines = sum(module.lines for module in kernels)
    return [
        len(modules),
        sum(lengths),
        statistics.median(lengths),
        max(lengths),
        sum(length <= SHORT for length in lengths),
        len(repeated_class_names([*modules, *beside])),
        len(list(participles(modules))),
        round(1000 * sum(comment_lines(module.text) for module in kernels) / max(1, kernel_lines), 1),
    ]


def repeated_class_names(modules: Sequence[Module]) -> dict[str, list[Path]]:
    """Return the names that several classes have, with where these stand; a class may stand in another one."""
    places: defaultdict[str, list[Path]] = defaultdict(list)
    for module in modules:
        for node in ast.walk(ast.parse(module.text)):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module.path)
    return {name: paths for name, paths in sorted(places.items()) if len(paths) > 1 and name not in SAME_NAMES}


def participles(modules: Sequence[Module]) -> Iterator[tuple[str, Path]]:
    """Yield the functions and methods that are named by a participle alone, such as `kept`; properties are values."""
    for module in modules:
        for node in ast.walk(ast.parse(module.text)):
            if isinstance(node, ast.FunctionDef) and not _is_value(node) and _is_participle(node.name.strip("_")):
                yield node.name, module.path


def _is_value(function: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def _is_participle(name: str) -> bool:
    irregular = {
        "told",
        "kept",
        "heard",
        "made",
        "shown",
        "written",
        "drawn",
        "given",
        "taken",
        "known",
        "sent",
        "begun",
    }
    return "_" not in name and name not in VERBS and (name in irregular or name.endswith("ed"))


def comment_lines(text: str) -> int:
    """Return how many lines of a source are comments."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip() for token in tokens)


def main() -> None:
    """Print the figures; exit with 1 where one is on the wrong side of what is allowed."""
    values = measure(modules_in(ROOT), modules_beside(ROOT))
    for figure, value in zip(FIGURES, values, strict=True):
        side = "at least" if figure.is_least else "at most"
        mark = "" if figure.holds(value) else "  <-- got worse"
        print(f"{value:>9,g}  {figure.name} ({side} {figure.allowed:,g}; wanted: {figure.wanted:,g}){mark}")
    sys.exit(not all(figure.holds(value) for figure, value in zip(FIGURES, values, strict=True)))


if __name__ == "__main__":
    main()
