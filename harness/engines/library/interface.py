"""Load a library, call the functions of `perft_check.h`, and check their results."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

from ..predicates import BY_NAME, KEY, PREDICATES, Form
from ..written_moves import bare_move

VERSION = 1
"""The supported PERFT_CHECK_VERSION."""
ROOM = 1024
"""Size of the buffer for root moves, in entries."""
GUARD = 64
"""Number of guard entries after the buffer, which a library must not change."""
FEN_SIZE = 1024
"""Size of the buffer for a FEN, in bytes."""
TEXT_SIZE = 32
"""Size of the buffer for a move in algebraic notation, in bytes."""
LEGAL = 5
"""The value of PERFT_CHECK_LEGAL in the header."""
UNSUPPORTED = -2
"""The result of `perft_check_moves` for an unsupported GenType."""
MOST_REASON = 300
"""Maximum number of characters of a reason to report."""
MOST_BRANCHES = 1 << 20
"""Maximum number of counters to read. No generator has as many."""

_UNTOUCHED = 0xA5


class RootCount(ctypes.Structure):
    """The struct `perft_check_move` of the header."""

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
"""Result and argument types of the functions, by name without prefix."""
_POSITION = (ctypes.c_char_p, ctypes.c_char_p)
PREDICATE_TYPES: dict[Form, tuple[Any, tuple[Any, ...]]] = {
    Form.POSITION: (ctypes.c_int, _POSITION),
    Form.MOVE: (ctypes.c_int, (*_POSITION, ctypes.c_char_p)),
    Form.TEXT: (ctypes.c_int64, (*_POSITION, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t)),
    Form.KEY: (ctypes.c_int, (*_POSITION, ctypes.POINTER(ctypes.c_uint64))),
}
"""Result and argument types of predicates."""
SIGNATURES |= {one.name: PREDICATE_TYPES[one.form] for one in PREDICATES}


class PositionRejected(Exception):
    """The library rejected the position. The message is the reason, or empty."""


class InvalidAnswer(Exception):
    """The result of a function violates the interface. The message says how."""


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
        """Return the names of the functions, without prefix."""
        return list(self._functions)

    def address(self, name: str) -> int:
        """Return the address of a function, or 0 if it is not exported."""
        function = self._functions.get(name)
        return (ctypes.cast(function, ctypes.c_void_p).value or 0) if function else 0  # type: ignore[arg-type]

    def version(self) -> int:
        """Return the version of the header that the library was compiled with."""
        return int(self._functions["version"]()) if "version" in self._functions else VERSION

    def chess960(self) -> bool:
        """Return True if the library declares support for Chess960."""
        return "chess960" in self._functions and bool(self._functions["chess960"]())

    def perft(self, fen: str, depth: int) -> int:
        """Return the number of leaf nodes. Raises PositionRejected."""
        return self._check_accepted(self._functions["perft"](fen.encode(), depth))

    def divide(self, fen: str, depth: int) -> list[tuple[str, int]]:
        """Return the root moves with the leaf nodes below each. Raises PositionRejected, InvalidAnswer."""
        return self._list("divide", fen, depth)

    def moves(self, fen: str, gentype: int) -> list[str] | None:
        """Return the moves of a GenType, or None if it is not supported. Raises PositionRejected, InvalidAnswer."""
        try:
            return [move for move, _ in self._list("moves", fen, gentype, UNSUPPORTED)]
        except _Unsupported:
            return None

    def fen_after(self, fen: str, moves: str) -> str:
        """Return the FEN after blank-separated moves. Raises PositionRejected, InvalidAnswer."""
        text = ctypes.create_string_buffer(bytes([_UNTOUCHED]) * FEN_SIZE, FEN_SIZE)
        length = self._check_accepted(self._functions["fen_after"](fen.encode(), moves.encode(), text, FEN_SIZE))
        if length >= FEN_SIZE:
            raise InvalidAnswer(f"returned a FEN of {length:,} characters: the buffer has room for {FEN_SIZE - 1:,}")
        if text.raw[length] != 0:
            raise InvalidAnswer(f"returned a FEN without a terminating zero at its end, byte {length:,}")
        return text.raw[:length].decode(errors="replace")

    def ask(self, name: str, fen: str, moves: str, texts: list[str] | None) -> list[bool | str | None]:
        """Return the answers of a predicate, one for each text, or a single one about the position.

        An answer is None for a move that the library refuses. Raises PositionRejected if it refuses the position, and
        InvalidAnswer.
        """
        function, where = self._functions[name], (fen.encode(), moves.encode())
        if texts is None:
            return [bool(self._check_accepted(function(*where)))]
        if BY_NAME[name].form is Form.TEXT:
            return [self._text_of(function, where, text) for text in texts]
        answers = (function(*where, text.encode()) for text in texts)
        return [None if answer < 0 else bool(answer) for answer in answers]

    def key(self, fen: str, moves: str = "") -> str:
        """Return the hash key of a position in hexadecimal. Raises PositionRejected."""
        key = ctypes.c_uint64()
        self._check_accepted(self._functions[KEY](fen.encode(), moves.encode(), ctypes.byref(key)))
        return f"{key.value:X}"

    def keys(self, fens: list[str]) -> list[str | None]:
        """Return the hash keys of many positions, or None for a position that is refused."""
        keys: list[str | None] = []
        for fen in fens:
            try:
                keys.append(self.key(fen))
            except PositionRejected:
                keys.append(None)
        return keys

    def _text_of(self, function: Callable[..., Any], where: tuple[bytes, bytes], text: str) -> str | None:
        out = ctypes.create_string_buffer(bytes([_UNTOUCHED]) * TEXT_SIZE, TEXT_SIZE)
        length = function(*where, text.encode(), out, TEXT_SIZE)
        if length < 0:
            return None
        if length >= TEXT_SIZE or out.raw[length] != 0:
            raise InvalidAnswer(f"returned the length {length:,} of a text, and no terminating zero after it")
        return out.raw[:length].decode(errors="replace")

    def coverage_places(self) -> list[int]:
        """Return the code offset of each branch in the library, or -1 if unknown."""
        branches = min(int(self._functions["coverage_branches"]()), MOST_BRANCHES) if self.has_coverage else 0
        return [int(self._functions["coverage_place"](number)) for number in range(branches)]

    def read_coverage(self) -> bytes:
        """Return the execution count of each branch since the last call, one byte per branch."""
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
            raise InvalidAnswer(f"wrote past the end of the buffer for {ROOM:,} moves")
        if found > ROOM:
            raise InvalidAnswer(f"returned {found:,} moves: the buffer has room for {ROOM:,}")
        return [(_text(bytes(one)[:8]), one.count) for one in out[:found]]

    def _check_accepted(self, answer: int) -> int:
        if answer < 0:
            raise PositionRejected(self._reason())
        return int(answer)

    def _reason(self) -> str:
        said = self._functions["error"]() if "error" in self._functions else None
        return " ".join(said.decode(errors="replace").split())[:MOST_REASON] if said else ""


class _Unsupported(Exception):
    """The library does not support this GenType."""


def _text(field: bytes) -> str:
    """Decode a move, in the form of `bare_move`. Raises InvalidAnswer."""
    move, zero, _ = field.partition(b"\0")
    if not zero:
        raise InvalidAnswer(f"returned a move without a terminating zero: {_quote(field)}")
    text = bare_move(move.decode(errors="replace"))
    if text is None:
        raise InvalidAnswer(f"returned {_quote(move)} as a move; expected UCI text, such as e2e4 or e7e8q")
    return text


def _quote(text: bytes) -> str:
    return repr(text)[1:]


class NotLoaded(Exception):
    """The library cannot be loaded. The message says why."""


def load(path: str) -> ctypes.CDLL:
    """Load a library into this process. Raises NotLoaded."""
    try:
        return ctypes.CDLL(path, mode=os.RTLD_NOW)
    except OSError as error:
        raise NotLoaded(_advice(" ".join(str(error).split()), path)) from None


def _advice(message: str, path: str) -> str:
    """Return the system's error message, followed by advice if the cause is known."""
    missing, _, rest = message.partition(": cannot open shared object file")
    if missing == path and "No such file" in rest and os.path.exists(path):
        return f"{path} is for another processor: build it for this machine"
    if rest and os.path.basename(missing) != os.path.basename(path):
        return f"{path} needs {missing}, which is not here: install it, or name its folder in LD_LIBRARY_PATH"
    if "undefined symbol" in message:
        return f"{message}: link the library with what defines it"
    if "dynamically load" in message:
        return f"{message}: build it with -shared"
    return message
