"""The modules of the package import each other in one direction only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from helpers.sources import ROOT, module_paths

KNOWN = {
    frozenset(
        {
            "generator.kernels.machine.compiling.dispatchers",
            "generator.kernels.machine.compiling.plain",
            "generator.kernels.machine.compiling.proof",
            "generator.kernels.machine.jit",
        }
    ),
    frozenset(
        {
            "harness.engines.asking.chess960_trial",
            "harness.engines.asking.session",
            "harness.engines.asking.depth_trial",
        }
    ),
}
"""The cycles that there are still. A cycle that is gone has to leave this list."""


def module_names() -> dict[str, ast.Module]:
    """Return the syntax tree of every module of the package, by its name below `perft_check`."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in module_paths()
    }


def imports_of(name: str, tree: ast.Module, names: set[str]) -> Iterator[str]:
    """Yield the modules of the package that a module imports, wherever the statement stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            package = name.split(".")[: -node.level]
            base = ".".join([*package, *filter(None, [node.module])])
            for one in node.names:
                inner = f"{base}.{one.name}" if base else one.name
                yield from (found for found in (inner, base) if found in names)


def cycles(graph: dict[str, set[str]]) -> set[frozenset[str]]:
    """Return the strongly connected components with more than one module (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: set[frozenset[str]] = set()

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.add(frozenset(stack[at:]))
            del stack[at:]

    for node in graph:
        if node not in index:
            visit(node)
    return found


def test_cycles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"f", "a"}}
    assert cycles(graph) == {frozenset("abc"), frozenset("de")}


def test_no_module_imports_itself_through_others() -> None:
    trees = module_names()
    graph = {name: set(imports_of(name, tree, set(trees))) for name, tree in trees.items()}
    assert cycles(graph) == KNOWN
