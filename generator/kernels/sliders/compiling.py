"""What the index of a slider's attacks is in compiled code: the type of the tables chooses the back-end."""

from __future__ import annotations

from typing import Any

from numba.extending import overload

from ..machine.bits import ONE, load
from ..machine.compiling.bits import INLINED, are_words, call_llvm
from ..machine.jit import inline
from ..machine.target import target_has_pext
from .lookup import MagicTables, PextTables, magic_index, pext, slider_index

_pext = call_llvm("llvm.x86.bmi.pext.64", 2)


@overload(pext, **INLINED)
def _pext_word(bits: Any, mask: Any) -> Any:
    if not target_has_pext():
        raise TypeError("this compile target has no PEXT: use the magic sliders")
    return (lambda bits, mask: _pext(bits, mask)) if are_words(bits, mask) else None


_magic_index = inline(magic_index)


@overload(slider_index, **INLINED)
def _slider_index(tables: Any, occupied: Any, mask: Any, magics: Any) -> Any:
    if tables.instance_class is PextTables:
        return lambda tables, occupied, mask, magics: pext(occupied, mask)
    if tables.instance_class is MagicTables:

        def by_magic(tables: Any, occupied: Any, mask: Any, magics: Any) -> Any:
            return _magic_index(occupied & mask, load(tables.base, magics), load(tables.base, magics + ONE))

        return by_magic
    return None
