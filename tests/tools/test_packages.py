"""Packages on the pages, and cycles of imports."""

from __future__ import annotations

import tomllib
from graphlib import TopologicalSorter

import grimp
from helpers.sources import PACKAGES, ROOT


def test_every_folder_is_in_the_wheel() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {folder.parent for room in PACKAGES for folder in (ROOT / room).rglob("__init__.py")}
    names = {"perft_check", *(".".join(("perft_check", *folder.relative_to(ROOT).parts)) for folder in folders)}
    assert set(packages) == names
    assert len(packages) == len(set(packages))


def test_every_folder_with_modules_is_a_package() -> None:
    for room in PACKAGES:
        for module in (ROOT / room).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module


def test_there_are_no_cycles() -> None:
    # The graph is that of import-linter. Re-exports of a package are not imports by the modules inside it.
    graph = grimp.build_graph("perft_check", cache_dir=None)
    modules = {name for name in graph.modules if not graph.find_children(name)}
    imports = {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}
    TopologicalSorter(imports).prepare()  # raises CycleError
