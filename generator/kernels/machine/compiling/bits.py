"""What the bit primitives are in compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ..bits import (
    ONE,
    ZERO,
    byteswap,
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

INLINED: dict[str, Any] = {"jit_options": {"forceinline": True}, "strict": False}
"""Options of an overload that LLVM always inlines."""
_U64, _U128 = ir.IntType(64), ir.IntType(128)
_FOR_READING = 0, 3, 1
"""What `llvm.prefetch` takes: for reading, into the nearest cache, data."""
_PREFETCH = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), *[ir.IntType(32)] * len(_FOR_READING)])


def are_words(*operands: types.Type) -> bool:
    """Tell whether Numba has found all operands to be `uint64`; an overload is for no other type."""
    # For other types there is no overload, and Numba refuses the call instead of converting in silence.
    return all(operand == types.uint64 for operand in operands)


def call_llvm(name: str, arity: int) -> Any:
    """Return an intrinsic that calls LLVM's `name` on `arity` words; `cttz` also takes its zero flag."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kinds = [_U64] * arity
        operands = list(arguments)
        if name.startswith("llvm.cttz"):
            kinds.append(ir.IntType(1))
            # Zero is never asked about: told so, LLVM makes no test for it where the instruction leaves it undefined.
            operands.append(ir.Constant(ir.IntType(1), 1))
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_U64, kinds), name)
        return builder.call(function, operands)

    if arity == 1:

        @intrinsic
        def unary(_typing: Any, _bits: Any) -> Any:
            return types.uint64(types.uint64), codegen

        return unary

    @intrinsic
    def binary(_typing: Any, _left: Any, _right: Any) -> Any:
        return types.uint64(types.uint64, types.uint64), codegen

    return binary


_ctpop = call_llvm("llvm.ctpop.i64", 1)
_cttz = call_llvm("llvm.cttz.i64", 1)
_bswap = call_llvm("llvm.bswap.i64", 1)


@intrinsic
def _product_high(_typing: Any, _left: Any, _right: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        # One multiplication in machine code, which leaves both halves of a product in registers.
        left, right = (builder.zext(word, _U128) for word in arguments)
        return builder.trunc(builder.lshr(builder.mul(left, right), ir.Constant(_U128, 64)), _U64)

    return types.uint64(types.uint64, types.uint64), codegen


def _element(builder: Any, address: Any, index: Any, kind: ir.IntType) -> Any:
    # Addresses are numbers to kernels: arrays of Numba's would come with shape, strides and an owner in each call.
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [index])


@intrinsic
def _load(_typing: Any, _address: Any, _index: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address, index = arguments
        return builder.load(_element(builder, address, index, _U64))

    return types.uint64(types.uint64, types.uint64), codegen


@intrinsic
def _prefetch(_typing: Any, _address: Any, _index: Any) -> Any:
    def codegen(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address, index = arguments
        place = builder.bitcast(_element(builder, address, index, _U64), ir.IntType(8).as_pointer())
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], _PREFETCH)
        builder.call(fetch, [place, *(ir.Constant(ir.IntType(32), number) for number in _FOR_READING)])
        return context.get_dummy_value()

    return types.none(types.uint64, types.uint64), codegen


@intrinsic
def _store(_typing: Any, _address: Any, _index: Any, _value: Any) -> Any:
    def codegen(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        address, index, value = arguments
        builder.store(value, _element(builder, address, index, _U64))
        return context.get_dummy_value()

    return types.none(types.uint64, types.uint64, types.uint64), codegen


def _load_narrow(kind: ir.IntType) -> Any:
    """Return an intrinsic that loads an element of a narrow type and widens it."""

    @intrinsic
    def narrow(_typing: Any, _address: Any, _index: Any) -> Any:
        def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            address, index = arguments
            return builder.zext(builder.load(_element(builder, address, index, kind)), _U64)

        return types.uint64(types.uint64, types.uint64), codegen

    return narrow


_load8, _load16, _load32 = (_load_narrow(ir.IntType(bits)) for bits in (8, 16, 32))


def _store_narrow(kind: ir.IntType) -> Any:
    """Return an intrinsic that stores the low bits of a word as an element of a narrow type."""

    @intrinsic
    def narrow(_typing: Any, _address: Any, _index: Any, _value: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            address, index, value = arguments
            builder.store(builder.trunc(value, kind), _element(builder, address, index, kind))
            return context.get_dummy_value()

        return types.none(types.uint64, types.uint64, types.uint64), codegen

    return narrow


_store8, _store16, _store32 = (_store_narrow(ir.IntType(bits)) for bits in (8, 16, 32))


@overload(popcount, **INLINED)
def _popcount(bits: Any) -> Any:
    return (lambda bits: _ctpop(bits)) if are_words(bits) else None


@overload(lsb, **INLINED)
def _lsb(bits: Any) -> Any:
    return (lambda bits: _cttz(bits)) if are_words(bits) else None


@overload(lowest, **INLINED)
def _lowest(bits: Any) -> Any:
    return (lambda bits: bits & (ZERO - bits)) if are_words(bits) else None


@overload(rest, **INLINED)
def _rest(bits: Any) -> Any:
    return (lambda bits: bits & (bits - ONE)) if are_words(bits) else None


@overload(byteswap, **INLINED)
def _byteswap(bits: Any) -> Any:
    return (lambda bits: _bswap(bits)) if are_words(bits) else None


@overload(multiply, **INLINED)
def _multiply(left: Any, right: Any) -> Any:
    return (lambda left, right: left * right) if are_words(left, right) else None


@overload(multiply_high, **INLINED)
def _multiply_high(left: Any, right: Any) -> Any:
    return (lambda left, right: _product_high(left, right)) if are_words(left, right) else None


@overload(load, **INLINED)
def _load_word(address: Any, index: Any) -> Any:
    return (lambda address, index: _load(address, index)) if are_words(address, index) else None


@overload(prefetch, **INLINED)
def _prefetch_word(address: Any, index: Any) -> Any:
    return (lambda address, index: _prefetch(address, index)) if are_words(address, index) else None


@overload(store, **INLINED)
def _store_word(address: Any, index: Any, value: Any) -> Any:
    return (lambda address, index, value: _store(address, index, value)) if are_words(address, index, value) else None


@overload(load8, **INLINED)
def _load_byte(address: Any, index: Any) -> Any:
    return (lambda address, index: _load8(address, index)) if are_words(address, index) else None


@overload(load32, **INLINED)
def _load_double(address: Any, index: Any) -> Any:
    return (lambda address, index: _load32(address, index)) if are_words(address, index) else None


@overload(load16, **INLINED)
def _load_half(address: Any, index: Any) -> Any:
    return (lambda address, index: _load16(address, index)) if are_words(address, index) else None


@overload(store16, **INLINED)
def _store_half(address: Any, index: Any, value: Any) -> Any:
    return (lambda address, index, value: _store16(address, index, value)) if are_words(address, index, value) else None


@overload(store8, **INLINED)
def _store_byte(address: Any, index: Any, value: Any) -> Any:
    return (lambda address, index, value: _store8(address, index, value)) if are_words(address, index, value) else None


@overload(store32, **INLINED)
def _store_double(address: Any, index: Any, value: Any) -> Any:
    return (lambda address, index, value: _store32(address, index, value)) if are_words(address, index, value) else None
