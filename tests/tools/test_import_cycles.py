"""The modules of the package have no import cycles."""

from __future__ import annotations

import grimp


def cycles(imports: dict[str, set[str]]) -> set[frozenset[str]]:
    """Return the strongly connected components of a graph of imports."""

    def reached_from(module: str) -> set[str]:
        found: set[str] = set()
        left = [module]
        while left:
            new = imports[left.pop()] - found
            found |= new
            left += new
        return found

    reached = {module: reached_from(module) for module in imports}
    together = {frozenset(one for one in reached[module] if module in reached[one]) for module in imports}
    return {cycle for cycle in together if len(cycle) > 1}


def test_cycles_are_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"f", "a"}}
    assert cycles(graph) == {frozenset("abc"), frozenset("de")}


def test_there_are_no_cycles() -> None:
    # The graph is that of import-linter. Re-exports of a package are not imports by the modules inside it.
    graph = grimp.build_graph("perft_check", cache_dir=None)
    modules = {name for name in graph.modules if not graph.find_children(name)}
    imports = {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}
    assert cycles(imports) == set()
