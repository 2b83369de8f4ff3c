"""Use the boards of a user's Python class: construct them, list, push and pop moves, and read FENs.

The process of a Python callable imports this module as `perft_check_boards`; the prefix avoids conflicts with the
user's modules. Only the standard library of Python 3.8 or later is required.
"""

from __future__ import annotations

import copy
import inspect
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_SQUARES = re.compile(r"[PNBRQK]?([a-h][1-8])[-x:]?([a-h][1-8])(?:=?([nbrqkpNBRQKP]))?[+#]?")
"""A move with origin and target squares, as in UCI."""
_AS_IN_GAMES = re.compile(
    r"[KQRBNP\u2654-\u265f]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkpNBRQKP\u2654-\u265f])?[+#]?|[O0]-[O0](?:-[O0])?[+#]?"
)
"""A move in algebraic notation, such as Nf3, whose origin perft-check infers from the position."""
EXPECTED_MOVES = "expected a list of UCI moves"

OPEN_NAMES = ("from_fen", "fromFen", "set_fen", "setFen", "load_fen", "loadFen", "parse_fen", "read_fen")
LIST_NAMES = (
    "legal_moves", "generate_legal_moves", "get_legal_moves", "gen_legal_moves", "all_legal_moves",
    "get_all_legal_moves", "list_legal_moves", "legal_move_list", "legalMoves", "getLegalMoves", "generateLegalMoves",
    "legal_moves_uci", "valid_moves", "get_valid_moves", "getValidMoves", "available_moves", "possible_moves",
    "get_possible_moves", "generate_moves", "gen_moves", "get_moves", "getMoves", "moves",
)  # fmt: skip
PUSH_NAMES = (
    "push", "make_move", "makeMove", "do_move", "doMove", "apply_move", "applyMove", "play_move", "playMove", "move",
    "make", "apply", "play", "step", "push_move", "push_uci", "make_uci_move", "play_uci", "do",
)  # fmt: skip
POP_NAMES = (
    "pop", "undo_move", "undoMove", "unmake_move", "unmakeMove", "take_back", "takeback", "takeBack", "undo", "unmake",
    "unpush", "revert_move", "revert", "pop_move", "undo_last_move", "step_back",
)  # fmt: skip
COPY_NAMES = ("copy", "clone", "deep_copy", "deepcopy")
FEN_NAMES = ("fen", "get_fen", "getFen", "to_fen", "toFen", "as_fen", "board_to_fen", "fen_string", "FEN")
"""Names of FEN methods and properties of boards, by precedence."""


class NotCallable(Exception):
    """The callable does not exist or has an unknown signature. The message says why."""


class WrongAnswer(Exception):
    """The callable returned an invalid answer or raised an exception. The message gives details."""


class Undone(Exception):
    """Pushing and popping a move changed a board.

    `args` are the move, the FENs before and after, and the moves that lead from the question's FEN to the board. If the
    board has no FEN, the moves listed only before and only after are appended.
    """


class Unlisted(Exception):
    """A board does not list a move to be played. The message names the move."""


def _differences(before: Sequence[str], after: Sequence[str]) -> tuple[str, str]:
    """Return the sorted items that are only in `before`, and those that are only in `after`."""
    return " ".join(sorted(set(before) - set(after))), " ".join(sorted(set(after) - set(before)))


class Boards:
    """The boards of a class. If moves cannot be undone, they are pushed to copies."""

    def __init__(self, board_class: Any) -> None:
        """Find the methods of the class with a board in the starting position. Raises NotCallable."""
        self._class = board_class
        self.open = self._opener()
        """Constructs a board from a FEN."""
        try:
            board: Any = self.open(START)
        except Exception:  # the first question will report it
            board = board_class
        self._list = _list_name(board)
        self._push = _method(board, PUSH_NAMES, takes_argument=True)
        self._pop = _method(board, POP_NAMES)
        self._pop_takes_move = self._pop is not None and _needs_argument(getattr(board, self._pop))
        self._fen = _fen_name(board)
        self._copy_name = _method(board, COPY_NAMES)
        self._copies = self._pop is not None or self._can_copy(board)
        if not self._follows_moves():
            self._fen = None

    @property
    def lists(self) -> bool:
        """Whether boards list moves."""
        return self._list is not None

    @property
    def pushes(self) -> bool:
        """Whether boards play moves."""
        return self._push is not None

    @property
    def offers(self) -> list[str]:
        """The capabilities of the boards: "boards" if they play moves, "undo", "fen"."""
        can = {"boards": self.pushes, "undo": self.pushes and self._pop is not None, "fen": self._fen is not None}
        return [name for name, has in can.items() if has]

    def legal_moves(self, fen: str, _depth: int = 1, _moves: Iterable[str] = ()) -> list[str]:
        """Return the moves that a board lists. Raises WrongAnswer."""
        return [text for text, _ in self.list_moves(self.open(fen))]

    def divide(self, fen: str, depth: int, moves: Sequence[str]) -> Any:
        """Return pairs of root moves and counts, or only the root moves at depth 1.

        The tree is walked with the methods of the class, by pushing a move, listing the replies, and popping the move.
        After each root move, the board must be unchanged.

        Raises WrongAnswer, Undone, Unlisted.
        """
        board = self.after(fen, moves)
        if depth == 1:
            return [text for text, _ in self.list_moves(board)]
        before, fen_before, pairs = self._state(board), self._read_fen(board), []
        for text, move in self.list_moves(board):
            pairs.append((text, self._count_after(board, (fen, moves), text, move, depth - 1)))
            state = self._state(board) if self._pop else before
            if state != before:
                gone, new = ("", "") if self._fen else _differences(before, state)
                raise Undone(text, fen_before, self._read_fen(board), " ".join(moves), gone, new)
        return pairs

    def fen_after(self, fen: str, moves: Sequence[str]) -> str:
        """Return the FEN of a board after moves. Raises WrongAnswer, Unlisted."""
        return self._read_fen(self.after(fen, moves))

    def after(self, fen: str, moves: Sequence[str]) -> Any:
        """Return a board after moves. Raises WrongAnswer, Unlisted."""
        board = self.open(fen)
        for text in moves:
            move = next((move for listed, move in self.list_moves(board) if listed == text), None)
            if move is None:
                raise Unlisted(f"{text} is no move in {self._read_fen(board) or 'this position'}, as it lists them")
            board = self._push_move(board, text, move)
        return board

    def push_and_pop(self, board: Any, text: str) -> None:
        """Play a move on a board and take it back. Raises WrongAnswer, Unlisted."""
        move = next((move for listed, move in self.list_moves(board) if listed == text), None)
        if move is None or self._pop is None:
            raise Unlisted(f"{text} is not listed, or cannot be taken back")
        if self._push_move(board, text, move) is board:
            self._pop_move(board, text, move)

    def _pop_move(self, board: Any, text: str, move: Any) -> None:
        assert self._pop is not None, "only boards that take moves back are popped"
        call(f"{self._pop}() after {text}", getattr(board, self._pop), *[move] * self._pop_takes_move)

    def _count_after(self, board: Any, path: tuple[str, Sequence[str]], text: str, move: Any, depth: int) -> int:
        """Return the number of leaf nodes below a move. `path` is the FEN and the moves leading to the board."""
        fen, moves = path
        if self._copies:
            child = self._push_move(board if self._pop else self._copy(board), text, move)
        else:
            child = self.after(fen, [*moves, text])
        listed = self.list_moves(child)
        if depth == 1:
            count = len(listed)
        else:
            below = (fen, [*moves, text])
            try:
                count = sum(self._count_after(child, below, *one, depth - 1) for one in listed)
            except WrongAnswer:
                if self._pop:  # an earlier move may have been undone incorrectly
                    self.divide(fen, 2, below[1])
                raise
        if self._pop and child is board:
            self._pop_move(board, text, move)
        return count

    def _push_move(self, board: Any, text: str, move: Any) -> Any:
        """Return the board after a move, which may be a new object. Raises WrongAnswer."""
        assert self._push is not None, "only boards that play moves are walked"
        after = call(f"{self._push}({text})", getattr(board, self._push), text if "uci" in self._push else move)
        if after is False:
            raise WrongAnswer(f"{self._push}({text}) returned False about a move that it lists")
        return after if isinstance(after, type(board)) else board

    def _copy(self, board: Any) -> Any:
        return getattr(board, self._copy_name)() if self._copy_name else copy.deepcopy(board)

    def _can_copy(self, board: Any) -> bool:
        try:
            return type(self._copy(board)) is type(board)
        except Exception:  # for example an extension type; a board is then constructed for each move
            return False

    def _follows_moves(self) -> bool:
        """Return True if moves change the FEN. Boards of some classes keep the FEN they were constructed from."""
        try:
            board = self.open(START)
            before = self._read_fen(board)
            return self._read_fen(self._push_move(board, *self.list_moves(board)[0])) != before
        except Exception:  # the first question will report it
            return True

    def list_moves(self, board: Any) -> list[tuple[str, Any]]:
        """Return pairs of text and move object for the moves of a board. Raises WrongAnswer."""
        assert self._list is not None, "checked by boards_of"
        moves = list(each_of(getattr(board, self._list)))
        return [(text_of(move), move) for move in moves]

    def _read_fen(self, board: Any) -> str:
        """Return the FEN of a board, or "" if it has none."""
        found = getattr(board, self._fen) if self._fen else ""
        return str(found() if callable(found) else found)

    def _state(self, board: Any) -> Any:
        """Return a value that identifies the position of a board: its FEN, or else its moves."""
        return self._read_fen(board) if self._fen else sorted(text for text, _ in self.list_moves(board))

    def _opener(self) -> Callable[[str], Any]:
        """Return a function that constructs a board from a FEN. Raises NotCallable."""
        made = self._class
        name = _method(made, OPEN_NAMES)
        if name is not None and isinstance(inspect.getattr_static(made, name), (classmethod, staticmethod)):
            opened: Callable[[str], Any] = getattr(made, name)
            return opened
        if parameters_of(made) == []:
            if name is None:
                raise NotCallable(
                    f"{made.__name__}() takes no FEN: write {made.__name__}(fen), or a method set_fen(fen)"
                )
            return lambda fen: _set_up(made(), name, fen)
        if "chess960" in (parameters_of(made) or ()):
            return lambda fen: made(fen, chess960=True) if _is_chess960(fen) else made(fen)
        return lambda fen: made(fen)


def boards_of(found: Any) -> Boards | None:
    """Return the `Boards` of a class, or None if it is not a class whose boards list moves. Raises NotCallable."""
    if not isinstance(found, type) or not any(hasattr(found, name) for name in (*LIST_NAMES, *PUSH_NAMES)):
        return None
    boards = Boards(found)
    return boards if boards.lists else None


def each_of(answer: Any) -> Iterator[Any]:
    """Return an iterator over a list or generator of moves, or over the result of a method. Raises WrongAnswer."""
    found = answer() if callable(answer) else answer
    if isinstance(found, str) or not isinstance(found, Iterable):
        raise WrongAnswer(f"returned {found!r:.60}; {EXPECTED_MOVES}")
    return iter(found)


def text_of(move: Any) -> str:
    """Return a move as text, in UCI or algebraic notation.

    Objects are converted with `uci` or `str`; the items of a tuple or list are joined.

    Raises WrongAnswer.
    """
    if isinstance(move, (tuple, list)):
        parts = "".join(str(part) for part in move if part is not None)
        move = parts if is_move(parts) else move
    uci = getattr(move, "uci", None)
    text = move if isinstance(move, str) else str((uci() if callable(uci) else uci) or move)
    squares = _SQUARES.fullmatch(text)
    if squares is not None:
        return squares[1] + squares[2] + (squares[3] or "").lower()
    if not is_move(text):
        raise WrongAnswer(f"returned {text!r:.60} as a move; {EXPECTED_MOVES}")
    return text


def is_move(text: str) -> bool:
    """Return True if a text is a move in UCI or algebraic notation."""
    return _SQUARES.fullmatch(text) is not None or _AS_IN_GAMES.fullmatch(text) is not None


def story_of(error: Exception) -> str:
    """Return an exception as one line, including the source location where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    location = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{location}: {' '.join(str(error).split())}"


def _list_name(board: Any) -> str | None:
    """Return the attribute that lists moves, preferably one that is not empty in the starting position.

    In some classes, `moves` is the game history, which is empty in that position.
    """
    names = [name for name in LIST_NAMES if hasattr(board, name)]
    for name in names:
        try:
            if [text_of(move) for move in each_of(getattr(board, name))]:
                return name
        except Exception:  # it requires arguments or does not list moves
            continue
    return names[0] if names else None


def _fen_name(board: Any) -> str | None:
    """Return the attribute with the FEN, or None if there is none."""
    for name in FEN_NAMES:
        try:
            found = getattr(board, name)
            if len(str(found() if callable(found) else found).split()) >= 4:
                return name
        except Exception:
            continue
    return None


def _method(board: Any, names: Iterable[str], takes_argument: bool = False) -> str | None:
    """Return the first name that is a method of an object, or None if there is none."""
    for name in names:
        method = getattr(board, name, None)
        if callable(method) and not (takes_argument and parameters_of(method) == []):
            return name
    return None


def _set_up(board: Any, name: str, fen: str) -> Any:
    """Set up a board with one of its methods. Return the board that the method returns, or else the same board."""
    made = getattr(board, name)(fen)
    return made if isinstance(made, type(board)) else board


def call(what: str, method: Callable[..., Any], *arguments: Any) -> Any:
    """Call a method of a board. Raises WrongAnswer, with a description of the call, if the method fails."""
    try:
        return method(*arguments)
    except Exception as error:
        raise WrongAnswer(f"{what} raised {story_of(error)}") from None


def _is_chess960(fen: str) -> bool:
    """Return True if castling rights in a FEN are written as files, which occurs only in Chess960."""
    return re.search(r"[A-Ha-h]", fen.split()[2]) is not None


def parameters_of(function: Any) -> list[str] | None:
    """Return the names of a function's parameters, without `self` of a bound method; None if they are unknown."""
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # extension types may have no signature
        return None


def _needs_argument(method: Any) -> bool:
    try:
        parameters = inspect.signature(method).parameters.values()
    except (TypeError, ValueError):
        return False
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return any(one.kind in by_place and one.default is one.empty for one in parameters)
