"""Bit primitives in compiled code: LLVM instructions, emitted at each call of a primitive."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from types import NoneType
from typing import Any, get_type_hints

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from ..bits import (
    byteswap,
    call_count,
    call_list,
    load,
    load8,
    load16,
    load32,
    lowest,
    lsb,
    multiply,
    multiply_high,
    popcount,
    prefetch,
    rest,
    store,
    store8,
    store16,
    store32,
)

Primitive = Callable[..., object]
_BIT, _INT, _U64, _U128 = (ir.IntType(bits) for bits in (1, 32, 64, 128))
_FOR_READING = 0, 3, 1
"""Arguments of `llvm.prefetch`: read, nearest cache, data."""
_PREFETCH = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), *[_INT] * len(_FOR_READING)])


def are_words(*operands: types.Type) -> bool:
    """Return True if Numba has inferred `uint64` for all operands."""
    return all(operand == types.uint64 for operand in operands)


def declare(primitive: Primitive, is_for: Callable[..., bool]) -> None:
    """Declare the return type of a primitive to Numba, for the operand types that `is_for` accepts.

    Numba rejects calls with other types instead of silently converting them.
    """
    returns = types.none if get_type_hints(primitive)["return"] is NoneType else types.uint64

    @type_callable(primitive)
    def type_call(_context: Any) -> Callable[..., Any]:
        def typer(*operands: Any) -> Any:
            return returns if is_for(*operands) else None

        typer.pysig = signature(primitive)  # type: ignore[attr-defined]  # Numba reads it
        return typer


def emits(primitive: Primitive) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator for the function that emits the code of a primitive, given a builder and the operands.

    Inlining a compiled function instead would take a hundred times as long per primitive, and longer per call.
    """

    def register(emit: Callable[..., Any]) -> Callable[..., Any]:
        declare(primitive, are_words)

        @lower_builtin(primitive, *[types.uint64] * len(signature(primitive).parameters))
        def lower(context: Any, builder: Any, called: Any, operands: Any) -> Any:
            emitted = emit(builder, *operands)
            return context.get_dummy_value() if called.return_type == types.none else emitted

        return emit

    return register


def call_llvm(name: str, builder: Any, *operands: Any) -> Any:
    """Emit a call to the LLVM function `name`, which returns a uint64 value."""
    kind = ir.FunctionType(_U64, [operand.type for operand in operands])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), operands)


@emits(popcount)
def _popcount(builder: Any, bits: Any) -> Any:
    return call_llvm("llvm.ctpop.i64", builder, bits)


@emits(lsb)
def _lsb(builder: Any, bits: Any) -> Any:
    # The operand is never zero; the flag avoids a test on processors whose instruction is undefined for zero.
    return call_llvm("llvm.cttz.i64", builder, bits, ir.Constant(_BIT, 1))


@emits(lowest)
def _lowest(builder: Any, bits: Any) -> Any:
    return builder.and_(bits, builder.neg(bits))


@emits(rest)
def _rest(builder: Any, bits: Any) -> Any:
    return builder.and_(bits, builder.sub(bits, ir.Constant(_U64, 1)))


@emits(byteswap)
def _byteswap(builder: Any, bits: Any) -> Any:
    return call_llvm("llvm.bswap.i64", builder, bits)


@emits(multiply)
def _multiply(builder: Any, left: Any, right: Any) -> Any:
    return builder.mul(left, right)


@emits(multiply_high)
def _multiply_high(builder: Any, left: Any, right: Any) -> Any:
    # In machine code, this is one multiplication, which leaves both halves of the product in registers.
    product = builder.mul(builder.zext(left, _U128), builder.zext(right, _U128))
    return builder.trunc(builder.lshr(product, ir.Constant(_U128, 64)), _U64)


def _element(builder: Any, address: Any, index: Any, kind: ir.IntType) -> Any:
    # Addresses are plain integers in kernels, because Numba arrays would pass their shape, strides and owner to each
    # call.
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [index])


def emit_load(builder: Any, address: Any, index: Any, kind: ir.IntType = _U64) -> Any:
    """Emit code that loads an element and extends it to 64 bits."""
    loaded = builder.load(_element(builder, address, index, kind))
    return loaded if kind == _U64 else builder.zext(loaded, _U64)


def _emit_store(builder: Any, address: Any, index: Any, value: Any, kind: ir.IntType) -> Any:
    """Emit code that stores the low bits of a value."""
    return builder.store(value if kind == _U64 else builder.trunc(value, kind), _element(builder, address, index, kind))


for _bits, _loading, _storing in ((64, load, store), (32, load32, store32), (16, load16, store16), (8, load8, store8)):
    emits(_loading)(partial(emit_load, kind=ir.IntType(_bits)))
    emits(_storing)(partial(_emit_store, kind=ir.IntType(_bits)))


@emits(prefetch)
def _prefetch(builder: Any, address: Any, index: Any) -> Any:
    place = builder.bitcast(_element(builder, address, index, _U64), ir.IntType(8).as_pointer())
    fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], _PREFETCH)
    return builder.call(fetch, [place, *(ir.Constant(_INT, number) for number in _FOR_READING)])


@emits(call_count)
@emits(call_list)
def _call(builder: Any, address: Any, text: Any, number: Any, *others: Any) -> Any:
    """Emit a call to the function at `address`; its second argument is an `int`."""
    kinds = [_U64, _INT, *(_U64 for _ in others)]
    function = builder.inttoptr(address, ir.FunctionType(_U64, kinds).as_pointer())
    return builder.call(function, [text, builder.trunc(number, _INT), *others])
