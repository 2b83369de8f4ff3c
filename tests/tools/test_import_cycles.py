"""The modules of the package import each other in one direction only."""

from __future__ import annotations

import grimp


def cycles(imports: dict[str, set[str]]) -> set[frozenset[str]]:
    """Return the greatest sets of modules each of which imports all others, perhaps through others."""

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


def test_no_module_imports_itself_through_others() -> None:
    """By the graph of import-linter; what a package imports for its users is no import of the modules inside it."""
    graph = grimp.build_graph("perft_check", cache_dir=None)
    modules = {name for name in graph.modules if not graph.find_children(name)}
    imports = {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}
    assert cycles(imports) == set()
