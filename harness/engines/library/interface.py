"""A library with the functions of `perft_check.h`: loading it, calling them, and what their answers mean."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from typing import Any

from ..binary_files import CLASSES, ELF, PROCESSORS, elf_target
from ..written_moves import bare_move

VERSION = 1
"""PERFT_CHECK_VERSION of the header that we know."""
ROOM = 1024
"""Root moves that we have room for."""
GUARD = 64
"""Entries behind that room which a library must leave alone."""
FEN_SIZE = 1024
"""Bytes that we have room for."""
LEGAL = 5
"""PERFT_CHECK_LEGAL."""
UNSUPPORTED = -2
"""What `perft_check_moves` returns about a kind of moves that it does not offer."""
MOST_REASON = 300
"""Characters of a reason that are told."""
MOST_BRANCHES = 1 << 20
"""More counters than any generator has: of a library that tells of more nothing is measured."""

_UNTOUCHED = 0xA5


class RootCount(ctypes.Structure):
    """`perft_check_move` of the header."""

    _fields_ = (("move", ctypes.c_char * 8), ("count", ctypes.c_uint64))


_LIST = ctypes.c_void_p
SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "perft": (ctypes.c_int64, (ctypes.c_char_p, ctypes.c_int)),
    "divide": (ctypes.c_int64, (ctypes.c_char_p, ctypes.c_int, _LIST, ctypes.c_size_t)),
    "moves": (ctypes.c_int64, (ctypes.c_char_p, ctypes.c_int, _LIST, ctypes.c_size_t)),
    "fen_after": (ctypes.c_int64, (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t)),
    "chess960": (ctypes.c_int, ()),
    "error": (ctypes.c_char_p, ()),
    "version": (ctypes.c_int, ()),
    "coverage_branches": (ctypes.c_int64, ()),
    "coverage_place": (ctypes.c_int64, (ctypes.c_int64,)),
    "coverage_read": (None, (ctypes.c_void_p, ctypes.c_size_t)),
    "coverage_take": (ctypes.c_int64, (ctypes.c_void_p, ctypes.c_int)),
}
"""What each function returns, and what it takes, by its name without the prefix."""


class PositionRejected(Exception):
    """The library rejects the position; the message is its reason, or empty."""


class InvalidAnswer(Exception):
    """The library has answered something that is no answer; the message says what."""


class Functions:
    """The functions that a loaded library exports."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._functions: dict[str, Callable[..., Any]] = {}
        for name, (returns, takes) in SIGNATURES.items():
            try:
                function = getattr(library, f"perft_check_{name}")
            except AttributeError:
                continue
            function.restype, function.argtypes = returns, takes
            self._functions[name] = function

    def names(self) -> list[str]:
        """Return the names of the functions, without their prefix."""
        return list(self._functions)

    def address(self, name: str) -> int:
        """Return the address of a function, or 0 if it is not exported."""
        function = self._functions.get(name)
        return (ctypes.cast(function, ctypes.c_void_p).value or 0) if function else 0  # type: ignore[arg-type]

    def version(self) -> int:
        """Return the version of the header that the library was built with."""
        return int(self._functions["version"]()) if "version" in self._functions else VERSION

    def chess960(self) -> bool:
        """Return True if positions of Chess960 may be asked about."""
        return "chess960" in self._functions and bool(self._functions["chess960"]())

    def perft(self, fen: str, depth: int) -> int:
        """Return the number of leaf nodes. Raises PositionRejected."""
        return self._check_accepted(self._functions["perft"](fen.encode(), depth))

    def divide(self, fen: str, depth: int) -> list[tuple[str, int]]:
        """Return the root moves and the leaf nodes below each. Raises PositionRejected, InvalidAnswer."""
        return self._list("divide", fen, depth)

    def moves(self, fen: str, kind: int) -> list[str] | None:
        """Return the moves of a GenType, or None if it does not offer it. Raises PositionRejected, InvalidAnswer."""
        try:
            return [move for move, _ in self._list("moves", fen, kind, UNSUPPORTED)]
        except _Unsupported:
            return None

    def fen_after(self, fen: str, moves: str) -> str:
        """Return the FEN after some moves. Raises PositionRejected, InvalidAnswer."""
        text = ctypes.create_string_buffer(bytes([_UNTOUCHED]) * FEN_SIZE, FEN_SIZE)
        length = self._check_accepted(self._functions["fen_after"](fen.encode(), moves.encode(), text, FEN_SIZE))
        if length >= FEN_SIZE:
            raise InvalidAnswer(f"says that its FEN has {length:,} characters: it has room for {FEN_SIZE - 1:,}")
        if text.raw[length] != 0:
            raise InvalidAnswer(f"returned a FEN without a terminating zero at its end, byte {length:,}")
        return text.raw[:length].decode(errors="replace")

    def coverage_places(self) -> list[int]:
        """Return where the code of each branch is, relative to the library, -1 if that is not known."""
        branches = min(int(self._functions["coverage_branches"]()), MOST_BRANCHES) if self.has_coverage else 0
        return [int(self._functions["coverage_place"](number)) for number in range(branches)]

    def read_coverage(self) -> bytes:
        """Return how often each branch ran since this was asked for the last time."""
        branches = min(int(self._functions["coverage_branches"]()), MOST_BRANCHES) if self.has_coverage else 0
        counters = ctypes.create_string_buffer(max(branches, 1))
        if branches > 0:
            self._functions["coverage_read"](counters, branches)
        return counters.raw[: max(branches, 0)]

    @property
    def has_coverage(self) -> bool:
        """Whether the library includes `perft_check_coverage.h`."""
        return all(f"coverage_{name}" in self._functions for name in ("branches", "place", "read", "take"))

    def _list(self, name: str, fen: str, number: int, unsupported: int | None = None) -> list[tuple[str, int]]:
        out = (RootCount * (ROOM + GUARD))()
        ctypes.memset(out, _UNTOUCHED, ctypes.sizeof(out))
        found = self._functions[name](fen.encode(), number, ctypes.addressof(out), ROOM)
        if found == unsupported:
            raise _Unsupported
        found = self._check_accepted(found)
        behind = bytes(out)[ROOM * ctypes.sizeof(RootCount) :]
        if behind.count(_UNTOUCHED) != len(behind):
            raise InvalidAnswer(f"wrote behind the room for {ROOM:,} moves that it was given")
        if found > ROOM:
            raise InvalidAnswer(f"says that it has written {found:,} moves: it has room for {ROOM:,}")
        return [(_text(bytes(one)[:8]), one.count) for one in out[:found]]

    def _check_accepted(self, answer: int) -> int:
        if answer < 0:
            raise PositionRejected(self._reason())
        return int(answer)

    def _reason(self) -> str:
        said = self._functions["error"]() if "error" in self._functions else None
        return " ".join(said.decode(errors="replace").split())[:MOST_REASON] if said else ""


class _Unsupported(Exception):
    """Moves of this kind are not offered."""


def _text(field: bytes) -> str:
    """Return the text of a move, which the position may have to make a whole one. Raises InvalidAnswer."""
    move, zero, _ = field.partition(b"\0")
    if not zero:
        raise InvalidAnswer(f"returned a move without a terminating zero: {_quote(field)}")
    text = bare_move(move.decode(errors="replace"))
    if text is None:
        raise InvalidAnswer(f"returned {_quote(move)} as a move; wanted is UCI text, such as e2e4 or e7e8q")
    return text


def _quote(text: bytes) -> str:
    return repr(text)[1:]


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
    if not ours.startswith(ELF):
        return
    if not theirs.startswith(ELF):
        begins = f"it begins with {repr(theirs[:8])[1:]}" if theirs else "it is empty"
        raise NotLoaded(f"{path} is no shared library: {begins}")
    for what, known, one, other in zip(
        ("a machine of ", "the processor "), (CLASSES, PROCESSORS), elf_target(ours), elf_target(theirs), strict=True
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
