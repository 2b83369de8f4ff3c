"""What calls of C functions are in compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ..foreign import call_count, call_list
from .bits import INLINED, are_words

_U64, _INT = ir.IntType(64), ir.IntType(32)


def _call(builder: Any, arguments: Any) -> Any:
    """Emit a call of the function whose address comes first; the second argument after it is an `int`."""
    address, text, number, *rest = arguments
    kinds = [_U64, _INT, *(_U64 for _ in rest)]
    function = builder.inttoptr(address, ir.FunctionType(_U64, kinds).as_pointer())
    return builder.call(function, [text, builder.trunc(number, _INT), *rest])


@intrinsic
def _call_count(_typing: Any, _function: Any, _text: Any, _number: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _call(builder, arguments)

    return types.uint64(*[types.uint64] * 3), codegen


@intrinsic
def _call_list(_typing: Any, _function: Any, _text: Any, _number: Any, _out: Any, _room: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return _call(builder, arguments)

    return types.uint64(*[types.uint64] * 5), codegen


@overload(call_count, **INLINED)
def _count(function: Any, text: Any, number: Any) -> Any:
    if not are_words(function, text, number):
        return None
    return lambda function, text, number: _call_count(function, text, number)


@overload(call_list, **INLINED)
def _list(function: Any, text: Any, number: Any, out: Any, room: Any) -> Any:
    if not are_words(function, text, number, out, room):
        return None
    return lambda function, text, number, out, room: _call_list(function, text, number, out, room)
