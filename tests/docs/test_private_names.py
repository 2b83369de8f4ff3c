"""The table of docs/private-names.md lists exactly the private names of libraries that perft-check uses."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import perft_check
import pytest
from helpers.libraries import ROOT

PACKAGES = ("generator", "harness", "platforms", "reports", "strategies", "suites")
ROW = re.compile(r"^\| [^|]+ \| `([\w/]+\.py)` \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
DOCUMENTED = {"_exit", "_fields", "_make", "_replace", "_asdict", "_field_defaults", "_value_"}
"""Names that are documented although they look private: of `os`, named tuples and enumerations."""
AS_TEXT = {"_get_local_constants", "_processes", "_make_app"}
"""Names that the code uses as text, because they may not exist."""

Use = tuple[str, str]
"""A file of perft-check, and a name."""


def sources() -> dict[str, ast.Module]:
    files = chain(*((ROOT / package).rglob("*.py") for package in PACKAGES), ROOT.glob("*.py"))
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}


def defined(tree: ast.Module) -> Iterator[str]:
    """Yield all names that a module defines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in DOCUMENTED


def used(file: str, tree: ast.Module, ours: set[str]) -> Iterator[Use]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if is_private(name) and name not in ours:
                yield file, name
            case ast.Constant(value=str(name)) if name in AS_TEXT:
                yield file, name
            case ast.ImportFrom(level=0, module=str(module), names=names) if module not in ("__future__", "_typeshed"):
                yield from (
                    (file, name) for name in (*module.split("."), *(one.name for one in names)) if is_private(name)
                )


def modules() -> Iterator[object]:
    for package in PACKAGES:
        for found in pkgutil.walk_packages([str(ROOT / package)], f"perft_check.{package}."):
            if not found.name.endswith(
                (".python_child", ".perft_check_boards", ".perft_check_predicates")
            ):  # they run in other Python interpreters
                yield importlib.import_module(found.name)


def overridden(ours: set[str]) -> Iterator[Use]:
    """Yield the private names of library classes that classes of perft-check override."""
    kinds = {kind for module in modules() for _, kind in inspect.getmembers(module, inspect.isclass)}
    for kind in (kind for kind in kinds if kind.__module__.startswith("perft_check.")):
        bases = [base for base in kind.__mro__ if not base.__module__.startswith(("perft_check.", "enum", "typing"))]
        for name in vars(kind):
            if is_private(name) and name in ours and any(name in vars(base) for base in bases):
                yield Path(inspect.getfile(kind)).relative_to(Path(perft_check.__file__).parent).as_posix(), name


@pytest.mark.slow
def test_private_names_are_in_the_table() -> None:
    trees = sources()
    ours = {name for tree in trees.values() for name in defined(tree)}
    found = {use for file, tree in trees.items() for use in used(file, tree, ours)} | set(overridden(ours))
    table = (ROOT / "docs" / "private-names.md").read_text(encoding="utf-8")
    listed = {(file, name) for file, names in ROW.findall(table) for name in re.findall(r"`(_\w+)`", names)}
    assert sorted(found) == sorted(listed)
