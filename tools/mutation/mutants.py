"""Generate all mutants of a source: one small change each, by every operator at every node."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from mutation.operators import OPERATORS
from mutation.targets import TARGETS, path_of


@dataclass(frozen=True)
class Mutant:
    """A single change in one source file."""

    id: str
    """Eight hexadecimal digits, which depend on the change and its statement, not on lines, layout or comments."""
    module: str
    function: str
    """The top-level function or variable that contains the change."""
    operator: str
    line: int
    before: str
    """The text that is replaced."""
    after: str
    start: int
    """The offset of that text in the source, in characters."""

    def applied_to(self, source: str) -> str:
        """Return the changed source."""
        assert source.startswith(self.before, self.start)
        return source[: self.start] + self.after + source[self.start + len(self.before) :]


def mutants_of_module(module: str) -> list[Mutant]:
    """Return all mutants of a target."""
    return mutants_of(path_of(module).read_text(encoding="utf-8"), module, TARGETS[module])


def mutants_of(source: str, module: str, left_out: tuple[str, ...] = ()) -> list[Mutant]:
    """Return all mutants of a source in order, except those of the names in `left_out`."""
    found: list[Mutant] = []
    starts = _line_starts(source)
    seen: Counter[tuple[str, ...]] = Counter()
    tree = ast.parse(source)
    known = _names_in(tree, top=True)
    for top in tree.body:
        name = _name_of(top)
        if name is None or name in left_out:
            continue
        statements = _statements_in(top)
        for operator, node, new in _changes(top, known | _names_in(top)):
            assert isinstance(node, ast.expr | ast.stmt)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start = starts[node.lineno - 1] + node.col_offset
            before, after = source[start : starts[node.end_lineno - 1] + node.end_col_offset], _text_of(new)
            key = (module, name, statements[node], operator, ast.unparse(node), after)
            seen[key] += 1
            digest = hashlib.sha256(repr((*key, seen[key])).encode()).hexdigest()[:8]
            found.append(Mutant(digest, module, name, operator, node.lineno, before, after, start))
    return found


def _statements_in(top: ast.stmt) -> dict[ast.AST, str]:
    """Return the first line of the innermost statement that each node belongs to."""
    owners: dict[ast.AST, str] = {}
    for statement in ast.walk(top):  # outer statements come before inner ones
        if isinstance(statement, ast.stmt):
            owners |= dict.fromkeys(ast.walk(statement), ast.unparse(statement).splitlines()[0])
    return owners


def _line_starts(source: str) -> list[int]:
    assert source.isascii(), "columns of the syntax tree count bytes"
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _name_of(top: ast.stmt) -> str | None:
    """Return the name that a top-level statement defines, or None if the statement is not mutated."""
    if isinstance(top, ast.FunctionDef):
        return top.name
    if isinstance(top, ast.Assign):
        names = [node.id for target in top.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
        return names[0]
    if isinstance(top, ast.AnnAssign) and isinstance(top.target, ast.Name) and top.value is not None:
        return top.target.id
    return None


def _names_in(tree: ast.AST, top: bool = False) -> set[str]:
    """Return the names that are known in a function, or in the whole module if `top` is True."""
    nodes = list(ast.iter_child_nodes(tree)) if top else list(ast.walk(tree))
    names = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names |= {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assigned = [node for top_node in nodes if isinstance(top_node, ast.Assign) for node in ast.walk(top_node)]
    return names | {node.id for node in [*nodes, *assigned] if isinstance(node, ast.Name)}


def _changes(top: ast.stmt, known: set[str]) -> Iterator[tuple[str, ast.AST, ast.AST]]:
    """Yield an operator, a node and its replacement for every mutation of the code in a top-level statement."""
    bound = {node.arg for node in ast.walk(top) if isinstance(node, ast.arg)}
    for node in _executed_nodes(top):
        first_binding = isinstance(node, ast.Assign) and not _targets(node) <= bound
        if isinstance(node, ast.Assign):
            bound |= _targets(node)
        is_last = isinstance(top, ast.FunctionDef) and node is top.body[-1]
        for name, operator in OPERATORS.items():
            if name == "statement" and (first_binding or is_last or node is top):
                continue  # an unknown name, or the result None: no likely fault
            for new in operator(node):
                if name == "twin" and isinstance(new, ast.Name) and new.id not in known:
                    continue
                yield name, node, new


def _targets(node: ast.Assign) -> set[str]:
    return {name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)}


def _executed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are executed, in order: no annotations, decorators, imports or `raise` statements."""
    yield node
    if isinstance(node, ast.FunctionDef):
        children: list[ast.AST] = [*node.args.defaults, *node.body]
    elif isinstance(node, ast.AnnAssign):
        children = [] if node.value is None else [node.value]
    elif isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.JoinedStr):
        children = []
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _executed_nodes(child)


def _text_of(new: ast.AST) -> str:
    text = ast.unparse(ast.fix_missing_locations(new))
    return text if isinstance(new, ast.stmt | ast.Name | ast.Constant | ast.Call | ast.Attribute) else f"({text})"
