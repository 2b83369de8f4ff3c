"""Loading a shared library, and why one cannot be loaded, in one line that says what to do."""

from __future__ import annotations

import ctypes
import os
import sys

_ELF = b"\x7fELF"
_CLASSES = {1: "32 bits", 2: "64 bits"}
_MACHINES = {3: "x86", 8: "MIPS", 20: "PowerPC", 21: "PowerPC64", 22: "S390", 40: "ARM", 62: "x86-64", 183: "AArch64"}
_MACHINES |= {243: "RISC-V", 258: "LoongArch"}


class NotLoaded(Exception):
    """The library cannot be loaded; the message says why."""


def load(path: str) -> ctypes.CDLL:
    """Load a library for this process. Raises NotLoaded."""
    _check_file(path)
    try:
        return ctypes.CDLL(path, mode=os.RTLD_NOW)
    except OSError as error:
        raise NotLoaded(_advice(" ".join(str(error).split()), path)) from None


def _check_file(path: str) -> None:
    """Look at the first bytes: the system says of a library for another machine that there is no such file."""
    ours, theirs = _head(sys.executable), _head(path)
    if not ours.startswith(_ELF):
        return
    if not theirs.startswith(_ELF):
        begins = f"it begins with {repr(theirs[:8])[1:]}" if theirs else "it is empty"
        raise NotLoaded(f"{path} is no shared library: {begins}")
    for what, known, one, other in zip(
        ("a machine of ", "the processor "), (_CLASSES, _MACHINES), _kind(ours), _kind(theirs), strict=True
    ):
        if one != other:
            wanted, given = known.get(one, f"number {one}"), known.get(other, f"number {other}")
            raise NotLoaded(f"{path} is for {what}{given}, and this is one for {wanted}: build it for this one")


def _head(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(20)
    except OSError as error:
        raise NotLoaded(f"cannot read {path}: {error.strerror}") from None


def _kind(head: bytes) -> tuple[int, int]:
    """Return the class and the machine of an ELF file."""
    return head[4], int.from_bytes(head[18:20], "big" if head[5:6] == b"\x02" else "little")


def _advice(told: str, path: str) -> str:
    """Return what the system says, with what to do about it where that is known."""
    missing, _, rest = told.partition(": cannot open shared object file")
    if rest and os.path.basename(missing) != os.path.basename(path):
        return f"{path} needs {missing}, which is not here: install it, or name its folder in LD_LIBRARY_PATH"
    if "undefined symbol" in told:
        return f"{told}: link the library with what defines it"
    if "dynamically load" in told:
        return f"{told}: build it with -shared"
    return told
