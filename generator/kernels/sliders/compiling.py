"""LLVM code for the index of a slider's attacks; the type of the tables selects the back-end."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin

from ..machine.compiling.bits import are_words, call_llvm, declare, emit_load, emits
from ..machine.target import target_has_pext
from .lookup import MagicTables, PextTables, pext, slider_index


@emits(pext)
def _pext(builder: Any, bits: Any, mask: Any) -> Any:
    if not target_has_pext():
        raise TypeError("this compile target has no PEXT: use the magic sliders")
    return call_llvm("llvm.x86.bmi.pext.64", builder, bits, mask)


def _is_slider_index(tables: Any, *words: Any) -> bool:
    return getattr(tables, "instance_class", None) in (PextTables, MagicTables) and are_words(*words)


declare(slider_index, _is_slider_index)


@lower_builtin(slider_index, types.NamedUniTuple, *[types.uint64] * 3)
def _slider_index(_context: Any, builder: Any, called: Any, operands: Any) -> Any:
    tables, occupied, mask, magics = operands
    if called.args[0].instance_class is PextTables:
        return _pext(builder, occupied, mask)
    base, behind = builder.extract_value(tables, 0), builder.add(magics, ir.Constant(magics.type, 1))
    magic, shift = (emit_load(builder, base, place) for place in (magics, behind))
    return builder.lshr(builder.mul(builder.and_(occupied, mask), magic), shift)
