"""The mutation operators: each takes a node of the syntax tree and yields replacements."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from mutation.twins import TWIN_WORDS, TWINS

Operator = Callable[[ast.AST], Iterator[ast.AST]]

_BINARY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
}
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_WORDS = {"ZERO": ("ONE",), "ONE": ("ZERO",), "ALL": ("ZERO",)}


def arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    """Replace a binary operator, also in an augmented assignment; remove a complement or a sign."""
    if isinstance(node, ast.BinOp):
        for other in _BINARY.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)
    elif isinstance(node, ast.AugAssign):
        for other in _BINARY.get(type(node.op), ()):
            yield ast.AugAssign(node.target, other(), node.value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert | ast.USub):
        yield node.operand


def comparison(node: ast.AST) -> Iterator[ast.AST]:
    """Negate a comparison, or shift its boundary by one."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in _COMPARISONS[type(op)]:
                yield ast.Compare(node.left, [*node.ops[:place], other(), *node.ops[place + 1 :]], node.comparators)


def condition(node: ast.AST) -> Iterator[ast.AST]:
    """Swap `and` and `or`, remove `not`, or swap the branches of a conditional expression, except for comparisons."""
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp) and not isinstance(node.test, ast.Compare):
        yield ast.IfExp(node.test, node.orelse, node.body)


def branch(node: ast.AST) -> Iterator[ast.AST]:
    """Always use one branch of a conditional expression, or remove an operand of `and` or `or`."""
    if isinstance(node, ast.IfExp):
        yield node.body
        yield node.orelse
    elif isinstance(node, ast.BoolOp):
        for place in range(len(node.values)):
            left = [*node.values[:place], *node.values[place + 1 :]]
            yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)


def constant(node: ast.AST) -> Iterator[ast.AST]:
    """Add or subtract one; swap True and False, and ZERO and ONE; replace ALL by ZERO."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield from (ast.Constant(value) for value in (node.value + 1, node.value - 1) if value >= 0)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield from (ast.Name(name, ast.Load()) for name in _WORDS.get(node.id, ()))
        if re.fullmatch(r"_\d+", node.id):
            number = int(node.id[1:])
            yield from (ast.parse(f"np.uint64({value})", mode="eval").body for value in (number + 1, number - 1))


def twin(node: ast.AST) -> Iterator[ast.AST]:
    """Replace a name by one that is easily confused with it, or a field by the same field of the other side."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in TWINS:
        yield ast.Name(TWINS[node.id], ast.Load())
    elif isinstance(node, ast.Attribute):
        for twins in (TWINS, TWIN_WORDS):
            if node.attr in twins:
                yield ast.Attribute(node.value, twins[node.attr], node.ctx)


def arguments(node: ast.AST) -> Iterator[ast.AST]:
    """Swap two neighboring arguments of a call."""
    if isinstance(node, ast.Call):
        for place in range(len(node.args) - 1):
            first, second = node.args[place : place + 2]
            if ast.dump(first) != ast.dump(second):
                swapped = [*node.args[:place], second, first, *node.args[place + 2 :]]
                yield ast.Call(node.func, swapped, node.keywords)


def statement(node: ast.AST) -> Iterator[ast.AST]:
    """Remove a statement, or swap `break` and `continue`."""
    is_call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    is_plain_if = isinstance(node, ast.If) and not node.orelse
    if is_call or is_plain_if or isinstance(node, ast.Assign | ast.AugAssign | ast.Return):
        yield ast.Pass()
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()


OPERATORS: dict[str, Operator] = {
    operator.__name__: operator
    for operator in (arithmetic, comparison, condition, branch, constant, twin, arguments, statement)
}
