"""Find and call the predicates of a user's Python class, callable or module, such as `is_check` and `is_legal(move)`.

The process of a Python callable imports this module as `perft_check_predicates`; the prefix avoids conflicts with the
user's modules. Only the standard library of Python 3.8 or later is required.

For a class, the predicates are attributes or methods of its instances, the boards. For a callable, they are functions
stored as its attributes, or functions of its module. A function is called with the FEN after the moves or, if it takes
one more argument than `f(fen)` or `f(fen, move)`, with the FEN and the moves: `f(fen, moves)` and `f(fen, moves,
move)`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import perft_check_boards as boards
else:
    import perft_check_boards as boards

OTHER = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""A position other than the starting position, to recognize hash keys."""
SMALLEST_KEY = 1 << 12
"""Smaller numbers are not hash keys but, for example, counters."""
TOO_GENERAL = frozenset({"key", "get_key", "hash", "get_hash", "getHash", "san"})
"""Names that functions of a module may have for other reasons. As attributes they are accepted."""
MOVE_READERS = ("from_uci", "parse_uci", "fromUci", "from_str", "from_string")
"""Class methods that create a move from UCI text."""
_UCI = re.compile("([a-h][1-8]){2}[nbrq]?")
COUNT_NAMES = frozenset({"count", "n", "times", "number", "fold", "repetitions"})
"""Names of the parameter for the number of repetitions."""


class Predicates:
    """The predicates of a Python callable."""

    def __init__(self, found: Any, module: str, own: boards.Boards | None) -> None:
        self._found, self._module, self._own = found, sys.modules.get(module.partition(":")[0]), own
        self._calls: dict[str, Callable[[Any, Any], Any]] = {}
        """Functions of a place (see `_place`) and an argument, by usual names."""
        self._make_move: Callable[[str], Any] | None = None
        self._moves: dict[str, Any] = {}
        """Move objects by their text. They are the same for all positions, because they are made from the text."""

    def find(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return the usual names that were found, by predicate, and whether moves can be made from text.

        `table` maps names of predicates to the form ("POSITION", "MOVE", "TEXT" or "KEY") and the usual names.
        """
        self._make_move = self._maker()
        names: dict[str, str] = {}
        for name, (form, usual) in table.items():
            for one in usual:
                ask = self._function(one, name, form)
                if ask is not None and self._answers(ask, name, form):
                    self._calls[one], names[name] = ask, one
                    break
        return {"found": names, "makes_moves": self._make_move is not None}

    def ask(self, game: Mapping[str, Any], questions: Mapping[str, Any]) -> dict[str, Any]:
        """Return answers by usual name. Raises WrongAnswer if a predicate of the position raises an exception.

        `game` has the keys "fen", "moves", "fen_after" and, to play and take back a move first, "undone".
        """
        where = self._place(game["fen"], game["moves"], game["fen_after"])
        if self._own is not None and game.get("undone"):
            self._own.push_and_pop(where, game["undone"])
        return {"answers": {name: self._ask(where, name, texts) for name, texts in questions.items()}}

    def keys(self, name: str, fens: Sequence[str]) -> dict[str, Any]:
        """Return the hash keys of positions as text, or None for a position that raises an exception."""
        return {"keys": [self._attempt(name, fen) for fen in fens]}

    def _attempt(self, name: str, fen: str) -> Any:
        try:
            return self._calls[name](self._place(fen), None)
        except Exception:  # other checks report a position that is refused
            return None

    def _ask(self, where: Any, name: str, texts: Sequence[str] | None) -> list[Any]:
        ask = self._calls[name]
        if texts is None:
            return [boards.call(f"{name}()", ask, where, None)]
        listed = self._listed(where)
        return [self._ask_about(ask, where, text, listed) for text in texts]

    def _ask_about(self, ask: Callable[[Any, Any], Any], where: Any, text: str, listed: Mapping[str, Any]) -> Any:
        try:
            return ask(where, listed[text] if text in listed else self._move(text))
        except Exception:  # for example about a move that cannot be made; the parent knows which answer is expected
            return None

    def _place(self, fen: str, moves: Sequence[str] = (), fen_after: str = "") -> Any:
        """Return the first argument of the functions in `_calls`: a board, or the two forms of the position."""
        return (fen, list(moves), fen_after or fen) if self._own is None else self._own.after(fen, moves)

    def _listed(self, where: Any) -> dict[str, Any]:
        """Return the legal moves of a board by text if moves can only be taken from its list."""
        if self._own is None or self._make_move is not None:
            return {}
        return dict(self._own.list_moves(where))

    def _move(self, text: str) -> Any:
        if self._own is None or self._make_move is None or not _UCI.fullmatch(text):
            return text
        if text not in self._moves:
            self._moves[text] = self._make_move(text)
        return self._moves[text]

    def _maker(self) -> Callable[[str], Any] | None:
        """Return a function that makes a move object from UCI text, or None if there is none."""
        if self._own is None:
            return str
        try:
            text, move = self._own.list_moves(self._own.open(boards.START))[0]
        except Exception:  # the first question will report it
            return None
        if isinstance(move, str):
            return str if move == text else None
        for make in [*(getattr(type(move), name, None) for name in MOVE_READERS), type(move)]:
            try:
                if make is not None and boards.text_of(make(text)) == text and make("a1h8") is not None:
                    return make
            except Exception:
                continue
        return None

    def _function(self, usual: str, name: str, form: str) -> Callable[[Any, Any], Any] | None:
        """Return a function of a place and an argument that calls what has this usual name, or None."""
        attribute, _, number = usual.rstrip(")").partition("(")
        ask: Callable[[Any, Any], Any] | None = None
        if self._own is not None:
            ask = _method_caller(self._found, attribute, number, form)
        elif not number:
            function = getattr(self._found, attribute, None)
            if not callable(function) and attribute not in TOO_GENERAL:
                function = getattr(self._module, attribute, None)
            if callable(function):
                ask = _function_caller(function, form, needs_moves="repetition" in name)
        if ask is None:
            return None
        convert = key_text if form == "KEY" else plain
        return lambda where, move: convert(ask(where, move))

    def _answers(self, ask: Callable[[Any, Any], Any], name: str, form: str) -> bool:
        """Return True if a predicate gives an answer of the expected type in the starting position."""
        try:
            if form == "KEY":
                return self._is_key(ask)
            where = self._place(boards.START)
            if form == "POSITION":
                return isinstance(ask(where, None), bool)
            listed = self._listed(where)
            text = "e4" if name == "parse_san" else "e2e4"
            return isinstance(ask(where, listed.get(text) or self._move(text)), str if form == "TEXT" else bool)
        except Exception:
            return False

    def _is_key(self, ask: Callable[[Any, Any], Any]) -> bool:
        """Return True if a key depends on the position alone: it is the same for two boards of one FEN."""
        first, again, other = (ask(self._place(fen), None) for fen in (boards.START, boards.START, OTHER))
        return first is not None and abs(int(first, 16)) >= SMALLEST_KEY and first == again != other


def _method_caller(owner: Any, name: str, number: str, form: str) -> Callable[[Any, Any], Any]:
    """Return a function that calls a method of a board, or reads one of its attributes.

    A number is passed only to a parameter whose name says that it is the number of repetitions.
    """
    if number and COUNT_NAMES.intersection(boards.parameters_of(getattr(owner, name, None)) or ()):
        return lambda board, _move: getattr(board, name)(int(number))
    if form in ("MOVE", "TEXT"):
        return lambda board, move: getattr(board, name)(move)
    return lambda board, _move: None if number else _value_of(getattr(board, name))


def _value_of(attribute: Any) -> Any:
    return attribute() if callable(attribute) else attribute


def _function_caller(function: Callable[..., Any], form: str, needs_moves: bool) -> Callable[[Any, Any], Any] | None:
    """Return a function that calls a function with a FEN, and with the moves if it takes them.

    Return None if the predicate needs the moves and the function does not take them.
    """
    least = 2 if form in ("MOVE", "TEXT") else 1
    takes_moves = len(boards.parameters_of(function) or ()) > least

    def ask(where: tuple[str, list[str], str], move: Any) -> Any:
        fen, moves, fen_after = where
        words = [move] * (least == 2)
        return function(fen, moves, *words) if takes_moves else function(fen_after, *words)

    return None if needs_moves and not takes_moves else ask


def key_text(value: Any) -> str | None:
    """Return a hash key as a hexadecimal number, or None if it is no number."""
    if isinstance(value, str):
        return value if re.fullmatch(r"(0x)?[0-9a-fA-F]{4,}", value) else None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    return f"{value.__index__():X}"


def plain(value: Any) -> Any:
    """Convert an answer to a bool or to text, such as a move. Return None for a number, which may be a counter."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if type(value).__name__ in ("bool_", "bool"):  # of NumPy
        return bool(value)
    return None if isinstance(value, (int, float)) else boards.text_of(value)
