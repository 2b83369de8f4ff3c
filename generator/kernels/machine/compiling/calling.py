"""Code that calls a compiled function with words that lie in memory: Python then passes two addresses."""

from __future__ import annotations

from llvmlite import binding

_MODULE = """\
target triple = "{triple}"
target datalayout = "{layout}"
declare i32 @"{name}"(ptr, ptr{types})
define void @"{symbol}"(ptr %words, ptr %answer) {{
    %error = alloca ptr
{loads}
    %status = call i32 @"{name}"(ptr %answer, ptr %error{values})
    ret void
}}
"""
"""Numba's functions take an address for the answer, one for an exception, which no kernel raises, and the words."""
_LOAD = """\
    %at{place} = getelementptr i64, ptr %words, i64 {place}
    %word{place} = load i64, ptr %at{place}
"""


def symbol_of(name: str) -> str:
    """Return the name of the code that calls a function."""
    return f"{name}.from_memory"


def caller_of(name: str, words: int, layout: str) -> str:
    """Return code in LLVM's language that calls a function of so many words."""
    return _MODULE.format(
        triple=binding.get_process_triple(),
        layout=layout,
        name=name,
        symbol=symbol_of(name),
        types=", i64" * words,
        loads="".join(_LOAD.format(place=place) for place in range(words)),
        values="".join(f", i64 %word{place}" for place in range(words)),
    )
