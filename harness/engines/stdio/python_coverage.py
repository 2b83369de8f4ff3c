"""Branch counters for the user's Python code, added when `python_child.py` imports a module.

This module requires only the standard library of Python 3.8 or later. `sys.settrace` makes a generator several times
slower, and `sys.monitoring` is newer and disables a line after its first hit. Therefore counters are added to the
syntax tree, similar to how Atheris adds them to bytecode:

* `counts[i] += 1` at the start of each block of statements.
* `is_new_i and mark(i) or OPERAND` in place of an operand, a filter or an alternative.
* `compare_i(A, B) if is_noted_i else A == B` in place of a comparison. The function records how close the values were
  to being equal, until it finds nothing new.

The results are appended to the file named by PERFT_CHECK_COVERAGE, one per line:

    P NUMBER LINE "PATH" "FUNCTION"     the source location of a counter
    Q CRC FEATURE ...                   the features that a question reached first, and the CRC of its FEN
    C NUMBER:COUNT ...                  the counters after a single question (not in a pipeline)

Features are numbered as in `coverage/model.py`; those of comparisons follow `MOST_BRANCHES` branches.
"""

from __future__ import annotations

import ast
import json
import operator
import os
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import Any

VARIABLE = "PERFT_CHECK_COVERAGE"
MOST_BRANCHES = 1 << 20
EQUAL = 15
_STEPS = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 48, 64, 96)
_BIT_OF_DISTANCE = [EQUAL - step for step in range(EQUAL + 1) for _ in range(_STEPS[step], _STEPS[step + 1])]
"""The bit that represents each distance between the values of a comparison, as in the C header."""
_FARTHEST = len(_BIT_OF_DISTANCE)
NEWS_CALLS = 128
"""Number of calls without new results after which a comparison is no longer recorded."""
AGAIN_EACH = 32
"""Number of questions after which a comparison of numbers is recorded again."""
COUNTS, MARK = "_perft_check_counts", "_perft_check_mark"
IS_NEW, COMPARE, IS_NOTED = (f"_perft_check_{name}_" for name in ("is_new", "compare", "is_noted"))
INSTALLED = ("site-packages", "dist-packages")
OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
LARGEST_COPIED = 200
"""Maximum number of nodes in a comparison to duplicate, because nested copies grow exponentially."""
_BIT_OF_COUNT = [0, 1, 2, 4, *[8] * 4, *[16] * 8, *[32] * 16, *[64] * 96, 128]
_LAST = len(_BIT_OF_COUNT) - 1


class BranchCounters:
    """The counters of all modules, and the features reached."""

    def __init__(self, file: int, folders: list[str]) -> None:
        self._file = file
        self._folders = [os.path.join(os.path.realpath(folder), "") for folder in folders]
        self.counts: list[int] = []
        self.marks: set[int] = set()
        self.modules: list[dict[str, Any]] = []
        """The globals of each counter's module. They contain the flags `is_new_i`, which are always set for single
        questions, and in a pipeline until the branch is reached."""
        self._seen: list[int] = []
        self._near: list[int] = []
        self._seen_by_others: list[int] = []
        self._near_by_others: list[int] = []
        """The same as `_seen` and `_near` for the other type of question (depth 1 or trees)."""
        self._is_tree = False
        self._news: list[int] = []
        """Features of comparisons that this question reached first."""
        self._quiet: list[tuple[dict[str, Any], str]] = []
        """Comparisons that are currently not recorded, as globals and the names of their flags."""
        self._questions = 0

    def is_users_code(self, path: str) -> bool:
        """Return True if a file is part of the user's code."""
        real = os.path.realpath(path)
        installed = any(part in INSTALLED for part in real.split(os.sep))
        return not installed and any(real.startswith(folder) for folder in self._folders)

    def add_place(self, path: str, line: int, function: str, names: dict[str, Any]) -> int:
        """Add a counter to a module with the globals `names`, and return its number."""
        number = len(self.counts)
        self.counts.append(0)
        self._seen.append(0)
        self.modules.append(names)
        self._write(f"P {number} {line} {json.dumps(path)} {json.dumps(function)}")
        return number

    def add_comparison(self, compare: Callable[[Any, Any], Any], names: dict[str, Any]) -> int:
        """Add a comparison function to the globals `names` of a module, and return its number."""
        site = len(self._near)
        self._near.append(0)
        near, news, quiet = self._near, self._news, self._quiet
        left, is_noted, has_numbers = [NEWS_CALLS], f"{IS_NOTED}{site}", [False]

        def note(one: Any, other: Any) -> Any:
            left[0] -= 1
            if type(one) is int and type(other) is int:
                has_numbers[0] = True
                distance = one - other if one > other else other - one
                if distance < _FARTHEST:
                    bit = _BIT_OF_DISTANCE[distance]
                    if not near[site] >> bit & 1:
                        near[site] |= 1 << bit
                        news.append(8 * MOST_BRANCHES + 16 * site + bit)
                        left[0] = NEWS_CALLS
                        # Values cannot be closer than equal, so the comparison need not be recorded again.
                        names[is_noted] = bit != EQUAL or self._is_tree
            if left[0] <= 0:
                left[0] = NEWS_CALLS
                names[is_noted] = False
                if has_numbers[0]:
                    quiet.append((names, is_noted))
            return compare(one, other)

        names[f"{COMPARE}{site}"], names[is_noted] = note, True
        return site

    def begin(self, *, is_tree: bool) -> None:
        """Begin a question. At depth 1, features reached only by trees count as new."""
        if is_tree == self._is_tree:
            return
        self._is_tree = is_tree
        for known, other in ((self._seen, self._seen_by_others), (self._near, self._near_by_others)):
            other += [0] * (len(known) - len(other))
            before = known.copy()
            known[:] = map(operator.or_, known, other) if is_tree else other
            other[:] = before

    def finish(self, fen: str, is_alone: bool) -> None:
        """Write the features that a question reached, and reset the counters."""
        counts, seen = self.counts, self._seen
        for number in self.marks:
            counts[number] += 1
            self.modules[number][f"{IS_NEW}{number}"] = is_alone
        self.marks.clear()
        features = []
        for number, count in enumerate(counts):
            if count:
                bit = _BIT_OF_COUNT[count if count < _LAST else _LAST]
                if not seen[number] & bit:
                    seen[number] |= bit
                    features.append(8 * number + bit.bit_length() - 1)
        if is_alone:
            reached = " ".join(f"{number}:{min(count, 255)}" for number, count in enumerate(counts) if count)
            self._write(f"C {reached}")
        if features or self._news:
            self._write(f"Q {zlib.crc32(fen.encode())} {' '.join(map(str, features + self._news))}")
        self._news.clear()
        counts[:] = [0] * len(counts)
        self._questions += 1
        if self._questions % AGAIN_EACH == 0:
            for names, is_noted in self._quiet:
                names[is_noted] = True
            self._quiet.clear()

    def _write(self, line: str) -> None:
        with suppress(OSError):
            os.write(self._file, f"{line}\n".encode("utf-8", "backslashreplace"))


def begin_counting(folders: list[str]) -> BranchCounters | None:
    """Add counters to modules imported from these folders from now on, if the environment names a file."""
    path = os.environ.get(VARIABLE)
    if not path:
        return None
    try:
        counters = BranchCounters(os.open(path, os.O_WRONLY | os.O_APPEND), folders)
    except OSError:
        return None
    sys.meta_path.insert(0, _Finder(counters))
    return counters


class _Finder:
    """Import finder for modules to which counters are added."""

    def __init__(self, counters: BranchCounters) -> None:
        self._counters = counters

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader or not spec.origin:
            return None
        if not self._counters.is_users_code(spec.origin):
            return None
        spec.loader = _Loader(name, spec.origin, self._counters)
        return spec


class _Loader(SourceFileLoader):
    """Loads a module with counters. Cached bytecode is neither read nor written."""

    def __init__(self, name: str, path: str, counters: BranchCounters) -> None:
        super().__init__(name, path)
        self._counters = counters

    def exec_module(self, module: Any) -> None:
        names = module.__dict__
        names[COUNTS], names[MARK] = self._counters.counts, self._counters.marks.add
        exec(self._compile(names), names)

    def _compile(self, names: dict[str, Any]) -> Any:
        source = self.get_data(self.path)
        try:
            instrumented = _Instrumenter(self._counters, self.path, names).visit(ast.parse(source, self.path))
            return compile(ast.fix_missing_locations(instrumented), self.path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return compile(source, self.path, "exec", dont_inherit=True)


class _Scope:
    """A module, class or function while its syntax tree is visited."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.has_blocks = False


class _Instrumenter(ast.NodeTransformer):
    """Adds counters to a syntax tree."""

    def __init__(self, counters: BranchCounters, path: str, names: dict[str, Any]) -> None:
        self._counters, self._path, self._names = counters, path, names
        self._scopes = [_Scope("")]

    def _number(self, node: Any) -> int:
        function = ".".join(scope.name for scope in self._scopes[1:])
        return self._counters.add_place(self._path, node.lineno, function, self._names)

    def _block(self, body: list[Any]) -> list[Any]:
        """Return a block of statements with a counter for how often it is entered."""
        self._scopes[-1].has_blocks = True
        return _after_docstring(body, self._counting) if body else body

    def _counting(self, node: Any) -> ast.stmt:
        return ast.AugAssign(_count(self._number(node)), ast.Add(), ast.Constant(1))

    def _marking(self, node: Any) -> ast.expr:
        number = self._number(node)
        self._names[f"{IS_NEW}{number}"] = True
        mark = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(number)], [])
        return ast.BoolOp(ast.And(), [ast.Name(f"{IS_NEW}{number}", ast.Load()), mark])

    def _mark(self, node: Any) -> Any:
        """Return an expression that records its evaluation."""
        return ast.copy_location(ast.BoolOp(ast.Or(), [self._marking(node), node]), node)

    def generic_visit(self, node: Any) -> Any:
        super().generic_visit(node)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try)):
            node.body = self._block(node.body)
            for name in ("orelse", "finalbody"):
                is_else_if = isinstance(node, ast.If) and len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
                if getattr(node, name, None) and not is_else_if:
                    setattr(node, name, self._block(getattr(node, name)))
        elif isinstance(node, ast.ExceptHandler) or type(node).__name__ == "match_case":
            node.body = self._block(node.body)
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        scope = _Scope(node.name)
        self._scopes.append(scope)
        super().generic_visit(node)
        if scope.has_blocks:
            node.body = self._block(node.body)
        else:  # small and often called, so that only the first call is recorded
            node.body = _after_docstring(node.body, lambda first: ast.Expr(self._marking(first)))
        self._scopes.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: Any) -> Any:
        self._scopes.append(_Scope(node.name))
        super().generic_visit(node)
        self._scopes.pop()
        return node

    def visit_BoolOp(self, node: Any) -> Any:
        super().generic_visit(node)
        node.values = [node.values[0], *map(self._mark, node.values[1:])]
        return node

    def visit_IfExp(self, node: Any) -> Any:
        super().generic_visit(node)
        node.body, node.orelse = self._mark(node.body), self._mark(node.orelse)
        return node

    def visit_ListComp(self, node: Any) -> Any:
        super().generic_visit(node)
        if any(loop.ifs for loop in node.generators):
            node.elt = self._mark(node.elt)
        return node

    visit_SetComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_JoinedStr(self, node: Any) -> Any:
        return node

    visit_arg = visit_JoinedStr

    def visit_AnnAssign(self, node: Any) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Compare(self, node: Any) -> Any:
        super().generic_visit(node)
        if len(node.ops) != 1 or type(node.ops[0]) not in OPERATORS:
            return node
        if any(isinstance(one, ast.Constant) and type(one.value) is not int for one in (node.left, *node.comparators)):
            return node
        site = self._counters.add_comparison(OPERATORS[type(node.ops[0])], self._names)
        call = ast.Call(ast.Name(f"{COMPARE}{site}", ast.Load()), [node.left, node.comparators[0]], [])
        ast.copy_location(call, node)
        if sum(1 for _ in ast.walk(node)) > LARGEST_COPIED:
            return call
        return ast.copy_location(ast.IfExp(ast.Name(f"{IS_NOTED}{site}", ast.Load()), call, node), node)


def _after_docstring(body: list[Any], make: Callable[[Any], Any]) -> list[Any]:
    """Insert a statement, created by `make` from the first one, after the docstring of a block, if any."""
    at = int(isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant))
    first = body[min(at, len(body) - 1)]
    return [*body[:at], ast.copy_location(make(first), first), *body[at:]]


def _count(number: int) -> Any:
    """Return the expression for a shared counter as an assignment target."""
    constant: Any = ast.Constant(number)
    index = constant if sys.version_info >= (3, 9) else ast.Index(constant)
    return ast.Subscript(ast.Name(COUNTS, ast.Load()), index, ast.Store())
