"""BranchCounters in the author's own Python code, put in when a module is imported; part of `python_child.py`.

It needs nothing but the standard library of any Python 3.8 or later. `sys.settrace` makes a generator several times
slower, and `sys.monitoring`, which newer versions have, switches a line off after its first hit: neither counts. So
counters are put into the syntax tree, as Atheris puts them into byte code: at the beginning of each block of statements
`counts[i] += 1`, before an operand, a filter or a choice `is_new[i] and mark(i) or OPERAND`, and comparisons of two
values are done by a function that notes how near they were to being equal, until that tells nothing new.

What was reached is appended to a file that PERFT_CHECK_COVERAGE names, in lines of words:

    P NUMBER LINE "PATH" "FUNCTION"     the place of a counter
    Q CRC FEATURE ...                   what a question was the first to reach; CRC is that of its FEN
    C NUMBER:COUNT ...                  the counters of a question that is asked alone

Features are numbered as in `coverage/tally.py`; a comparison stands behind `MOST_BRANCHES` branches.
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
"""The bit of a comparison by the distance of its values, as the header in C has it."""
_FARTHEST = len(_BIT_OF_DISTANCE)
NEWS_CALLS = 128
"""A comparison that tells nothing new so often is left alone ..."""
AGAIN_EACH = 1_024
"""... until the next of so many questions."""
COUNTS, IS_NEW, MARK, COMPARED = (f"_perft_check_{name}" for name in ("counts", "is_new", "mark", "compared_"))
INSTALLED = ("site-packages", "dist-packages")
OPERATORS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_BIT_OF_COUNT = [0, 1, 2, 4, *[8] * 4, *[16] * 8, *[32] * 16, *[64] * 96, 128]
_LAST = len(_BIT_OF_COUNT) - 1


class BranchCounters:
    """The counters of all modules, and what was reached so far."""

    def __init__(self, file: int, folders: list[str]) -> None:
        """Take a file to append to, and the folders whose code counts."""
        self._file = file
        self._folders = [os.path.join(os.path.realpath(folder), "") for folder in folders]
        self.counts: list[int] = []
        self.marks: set[int] = set()
        self.is_new: list[bool] = []
        """Whether a mark is to be made: always where questions are asked alone, else until it was made once."""
        self._seen: list[int] = []
        self._near: list[int] = []
        self._news: list[int] = []
        """Features of comparisons that this question was the first to reach."""
        self._quiet: list[tuple[dict[str, Any], str, Callable[[Any, Any], Any]]] = []
        """Comparisons that are left alone: the globals and the name by which they are done, and what else does them."""
        self._questions = 0

    def is_own(self, path: str) -> bool:
        """Tell whether the code of a file is the author's own."""
        real = os.path.realpath(path)
        installed = any(part in INSTALLED for part in real.split(os.sep))
        return not installed and any(real.startswith(folder) for folder in self._folders)

    def add_place(self, path: str, line: int, function: str) -> int:
        """Return the number of a new counter."""
        number = len(self.counts)
        self.counts.append(0)
        self._seen.append(0)
        self.is_new.append(True)
        self._write(f"P {number} {line} {json.dumps(path)} {json.dumps(function)}")
        return number

    def add_comparison(self, names: dict[str, Any], name: str, compare: Callable[[Any, Any], Any]) -> None:
        """Have a comparison done by a function of this name among the globals of a module."""
        site = len(self._near)
        self._near.append(0)
        near, news, quiet = self._near, self._news, self._quiet
        left = [NEWS_CALLS]

        def note(one: Any, other: Any) -> Any:
            if type(one) is int and type(other) is int:
                distance = one - other if one > other else other - one
                if distance < _FARTHEST:
                    bit = _BIT_OF_DISTANCE[distance]
                    if not near[site] >> bit & 1:
                        near[site] |= 1 << bit
                        news.append(8 * MOST_BRANCHES + 16 * site + bit)
                        left[0] = NEWS_CALLS
                        return compare(one, other)
            left[0] -= 1
            if left[0] <= 0:
                left[0] = NEWS_CALLS
                names[name] = compare
                quiet.append((names, name, note))
            return compare(one, other)

        names[name] = note

    def finish(self, fen: str, is_alone: bool) -> None:
        """Tell what a question has reached, and begin with the next."""
        counts, seen = self.counts, self._seen
        for number in self.marks:
            counts[number] += 1
            self.is_new[number] = is_alone
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
            for names, name, note in self._quiet:
                names[name] = note
            self._quiet.clear()

    def _write(self, line: str) -> None:
        with suppress(OSError):
            os.write(self._file, f"{line}\n".encode("utf-8", "backslashreplace"))


def begin_counting(folders: list[str]) -> BranchCounters | None:
    """Have the modules below these folders counted that are imported from now on, where a file is named for that."""
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
    """Finds the modules whose code is counted."""

    def __init__(self, counters: BranchCounters) -> None:
        self._counters = counters

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader or not spec.origin:
            return None
        if not self._counters.is_own(spec.origin):
            return None
        spec.loader = _Loader(name, spec.origin, self._counters)
        return spec


class _Loader(SourceFileLoader):
    """Loads a module with counters; the file of its byte code is neither read nor written."""

    def __init__(self, name: str, path: str, counters: BranchCounters) -> None:
        super().__init__(name, path)
        self._counters = counters
        self._comparisons: list[tuple[str, Callable[[Any, Any], Any]]] = []

    def get_code(self, fullname: str) -> Any:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        try:
            tree = ast.parse(source, path)
            instrumented = _Instrumenter(self._counters, path)
            tree = ast.fix_missing_locations(instrumented.visit(tree))
            code = compile(tree, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return compile(source, path, "exec", dont_inherit=True)
        self._comparisons = instrumented.comparisons
        return code

    def exec_module(self, module: Any) -> None:
        code = self.get_code(module.__name__)
        names = module.__dict__
        counters = self._counters
        names[COUNTS], names[IS_NEW], names[MARK] = counters.counts, counters.is_new, counters.marks.add
        for name, compare in self._comparisons:
            self._counters.add_comparison(names, name, compare)
        exec(code, names)


class _Instrumenter(ast.NodeTransformer):
    """Puts counters into a syntax tree."""

    def __init__(self, counters: BranchCounters, path: str) -> None:
        self._counters, self._path = counters, path
        self._functions: list[str] = []
        self.comparisons: list[tuple[str, Callable[[Any, Any], Any]]] = []
        """The names of the functions by which comparisons are done, with what they do."""

    def _number(self, node: Any) -> int:
        return self._counters.add_place(self._path, node.lineno, ".".join(self._functions))

    def _block(self, body: list[Any]) -> list[Any]:
        """Return a block of statements that counts how often it is begun."""
        if not body:
            return body
        is_documented = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
        first = body[1] if is_documented and len(body) > 1 else body[0]
        place = ast.Subscript(ast.Name(COUNTS, ast.Load()), _index(self._number(first)), ast.Store())
        counting = ast.copy_location(ast.AugAssign(place, ast.Add(), ast.Constant(1)), first)
        at = int(is_documented)
        return [*body[:at], counting, *body[at:]]

    def _mark(self, node: Any) -> Any:
        """Return an expression that notes when it is evaluated."""
        number = self._number(node)
        is_new = ast.Subscript(ast.Name(IS_NEW, ast.Load()), _index(number), ast.Load())
        mark = ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(number)], [])
        once = ast.BoolOp(ast.And(), [is_new, mark])
        return ast.copy_location(ast.BoolOp(ast.Or(), [once, node]), node)

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
        self._functions.append(node.name)
        super().generic_visit(node)
        node.body = self._block(node.body)
        self._functions.pop()
        return node

    def visit_AsyncFunctionDef(self, node: Any) -> Any:
        return self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: Any) -> Any:
        self._functions.append(node.name)
        super().generic_visit(node)
        self._functions.pop()
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

    def visit_SetComp(self, node: Any) -> Any:
        return self.visit_ListComp(node)

    def visit_GeneratorExp(self, node: Any) -> Any:
        return self.visit_ListComp(node)

    def visit_JoinedStr(self, node: Any) -> Any:
        return node

    def visit_AnnAssign(self, node: Any) -> Any:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_arg(self, node: Any) -> Any:
        return node

    def visit_Compare(self, node: Any) -> Any:
        super().generic_visit(node)
        if len(node.ops) != 1 or type(node.ops[0]) not in OPERATORS:
            return node
        if any(isinstance(one, ast.Constant) and type(one.value) is not int for one in (node.left, *node.comparators)):
            return node
        name = f"{COMPARED}{len(self.comparisons)}"
        self.comparisons.append((name, OPERATORS[type(node.ops[0])]))
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [node.left, node.comparators[0]], []), node)


def _index(number: int) -> Any:
    constant = ast.Constant(number)
    return constant if sys.version_info >= (3, 9) else ast.Index(constant)
