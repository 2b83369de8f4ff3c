"""The process in which a Python callable runs. It requires only the standard library of Python 3.8 or later.

It is started by path, with this environment's Python or another one. The arguments are `module:callable` and the
folders in which to search for the module. Each line of JSON on stdin is answered by a line on stdout:

    {"fen": FEN, "depth": N, "moves": [...]}      ->  {"total": N} | {"divide": [[move, N], ...]} | {"moves": [...]}
                                                      | {"undone": [move, FEN before, FEN after, moves to there,
                                                                    moves listed only before, only after]}
    {"fen": FEN, "moves": [...], "prints": true}  ->  {"fen": FEN}
    {"fen": FEN, "gentype": "captures" ...}       ->  {"moves": [...] or null}
    {"find": {PREDICATE: [FORM, [NAME, ...]]}}    ->  {"found": {PREDICATE: NAME}, "makes_moves": BOOL}
    {"fen": FEN, "moves": [...], "fen_after": FEN, "undone": MOVE or "", "ask": {NAME: [TEXT, ...] or null}}
                                                  ->  {"answers": {NAME: [ANSWER, ...]}}
    {"keys": NAME, "fens": [FEN, ...]}            ->  {"keys": [KEY or null, ...]}

Other answers are {"rejects": WHY} and {"fails": WHY}. For pipelining, a line `DEPTH FEN` is answered by lines of text
with root moves and a total.

The first line of output is {"takes": PARAMETER, "offers": [...], "chess960": BOOL or null}, or {"refuses": WHY} if the
callable cannot be called. PARAMETER is "position", "depth" or "moves". "offers" may contain "boards", "undo", "fen" and
"lists".
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import sys
import time
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import perft_check_boards as boards
    from . import perft_check_predicates as predicates
    from . import python_coverage
else:  # this file is not part of a package if it is started by path
    import perft_check_boards as boards
    import perft_check_predicates as predicates
    import python_coverage

FORMS = (
    "f(fen) -> moves, f(fen, gentype) -> moves, f(fen, depth) -> count or divide, "
    "f(fen, depth, moves) -> count or divide, or a class with legal_moves and push"
)
NAMES = {
    "position": ("fen", "position", "pos", "board"),
    "depth": ("depth", "plies", "ply"),
    "moves": ("moves",),
}
"""Parameter names, in the order of the parameters. The depth is first if the first parameter is named so."""
BY_GENTYPE, LEGAL = "by_gentype", "legal"
EXPECTED = "expected a count, or a dict or list of pairs of UCI moves and counts"
TOTAL_NAMES = frozenset({"nodes", "total"})
"""Dict keys for the total. Other keys are moves, or statistics such as captures."""
MOVE_END = ": 1\n"
"""The text after each move in a list."""
LONGEST_READ = 65_536
"""Maximum number of bytes to read at once."""
WRITING_SECONDS = 0.001
"""Time in seconds to buffer answers. It is short, because buffered answers are lost if the process crashes."""
NO_TOTAL = 2**63 - 1
"""The total that replaces a failed answer, because every question needs an answer."""


def main() -> None:
    """Answer questions until the end of stdin. Output of the callable is redirected to stderr."""
    questions, answers = sys.stdin, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdin = open(os.devnull)  # noqa: SIM115 - stays open
    # Remove the folder of this file, so that the callable cannot import modules from it.
    sys.path = sys.argv[2:] + [folder for folder in sys.path if folder != os.path.dirname(os.path.abspath(__file__))]

    counters = python_coverage.begin_counting(sys.argv[2:])

    def send(**answer: Any) -> None:
        answers.write(f"{json.dumps(answer)}\n".encode())
        answers.flush()

    try:
        found, name = _find(sys.argv[1])
        own = boards.boards_of(found)
        takes, call, read = _form_of_callable(found, name) if own is None else _form_of_boards(own)
        lists = _lister(found, own)
        asked = predicates.Predicates(found, sys.argv[1], own)
    except boards.NotCallable as refusal:
        send(refuses=str(refusal))
        return
    offers = [*(own.offers if own else ()), *(["lists"] if lists else ())]
    send(takes=takes, offers=offers, chess960=_find_chess960(found, sys.argv[1]))
    pipeline = _PipelineAnswers(call, read, answers, counters)
    for lines in _waiting_lines(questions.fileno()):
        for line in lines:
            if line.startswith(b"{"):
                pipeline.write()
                question = json.loads(line)
                if "find" in question:
                    answer = asked.find(question["find"])
                elif "keys" in question:
                    answer = asked.keys(question["keys"], question["fens"])
                elif "ask" in question:
                    answer = _answer(asked.ask, lambda one: one, question, question["ask"])
                elif "gentype" in question and lists is not None:
                    words = question["fen"], question["gentype"]
                    answer = _answer(lists, lambda one: {"moves": None if one is None else _moves_of(one)}, *words)
                elif "prints" in question and own is not None:
                    answer = _answer(own.fen_after, lambda fen: {"fen": fen}, question["fen"], question["moves"])
                else:
                    answer = _answer(call, read, question["fen"], question["depth"], question["moves"])
                if counters is not None and "fen" in question:
                    counters.finish(question["fen"], is_alone=True)
                send(**answer)
            else:
                pipeline.answer(line)
        pipeline.write()


def _waiting_lines(source: int) -> Iterator[list[bytes]]:
    """Yield lists of available lines from a pipe until its end."""
    rest = b""
    while True:
        read = os.read(source, LONGEST_READ)
        if not read:
            return
        *lines, rest = (rest + read).split(b"\n")
        yield lines


class _PipelineAnswers:
    """Answers questions with lines of text. Answers are buffered, because a write takes as long as ten answers."""

    def __init__(
        self,
        call: Callable[..., Any],
        read: Callable[[Any], dict[str, Any]],
        out: IO[bytes],
        counters: python_coverage.BranchCounters | None,
    ) -> None:
        self._call, self._read, self._out, self._counters = call, read, out, counters
        self._answers: list[str] = []
        self._written = 0.0

    def answer(self, question: bytes) -> None:
        depth, _, fen = question.decode().partition(" ")
        if self._counters is not None:
            self._counters.begin(is_tree=int(depth) > 1)
        self._answers.append(_text(self._call, self._read, fen, int(depth)))
        if self._counters is not None:
            self._counters.finish(fen, is_alone=False)
        if time.perf_counter() - self._written > WRITING_SECONDS:
            self.write()

    def write(self) -> None:
        self._out.write("".join(self._answers).encode("utf-8", "backslashreplace"))
        self._out.flush()
        self._answers.clear()
        self._written = time.perf_counter()


def _text(call: Callable[..., Any], read: Callable[[Any], dict[str, Any]], fen: str, depth: int) -> str:
    """Return an answer as lines of text. To save time, results of simple types are not checked."""
    try:
        found = call(fen, depth, [])
        if depth == 1 and type(found) is list and found and type(found[0]) is str:
            return f"{MOVE_END.join(found)}{MOVE_END}Nodes searched: {len(found)}\n"
        if type(found) is dict and TOTAL_NAMES.isdisjoint(found) and not isinstance(sum(found.values()), float):
            lines = "".join([f"{move}: {count}\n" for move, count in found.items()])
            return f"{lines}Nodes searched: {sum(found.values())}\n"
        answer = read(found)
    except Exception as error:
        _, details = _failure(error)
        return f"{details!r}\nNodes searched: {NO_TOTAL}\n"
    pairs = answer["divide"] if "divide" in answer else [(move, 1) for move in answer.get("moves", ())]
    lines = "".join([f"{move}: {count}\n" for move, count in pairs])
    total = answer["total"] if "total" in answer else sum(count for _, count in pairs)
    return f"{lines}Nodes searched: {total}\n"


def _answer(call: Callable[..., Any], read: Callable[[Any], dict[str, Any]], *question: Any) -> dict[str, Any]:
    try:
        return read(call(*question))
    except Exception as error:
        failure, details = _failure(error)
        return {failure: details}


def _failure(error: Exception) -> tuple[str, Any]:
    """Return how a callable failed ("rejects", "fails" or "undone"), and details."""
    if isinstance(error, boards.Undone):
        return "undone", list(error.args)
    if isinstance(error, (boards.WrongAnswer, boards.Unlisted)):
        return "rejects" if isinstance(error, boards.Unlisted) else "fails", str(error)
    refuses = isinstance(error, ValueError) and re.search(r"\b(fen|position)\b", str(error), re.IGNORECASE)
    return "rejects" if refuses else "fails", boards.story_of(error)


def _find(spec: str) -> tuple[Any, str]:
    """Import a callable, given as `module:callable`, and return it with its name. Raises NotCallable."""
    module, _, name = spec.partition(":")
    try:
        found: Any = importlib.import_module(module)
    except Exception as error:
        raise boards.NotCallable(
            f"cannot import {module}: {type(error).__name__}: {' '.join(str(error).split())}"
        ) from None
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise boards.NotCallable(f"module {module} has no attribute {name!r}") from None
    if not callable(found):
        raise boards.NotCallable(f"{name} of {module} is not callable: write {FORMS}")
    return found, name


def _form_of_callable(found: Any, name: str) -> tuple[str, Callable[..., Any], Callable[[Any], dict[str, Any]]]:
    """Return the last parameter of a callable, and functions that call it and convert its result.

    The parameter is "position", "depth" or "moves". Raises NotCallable.
    """
    if _takes_gentype(found):
        return "position", lambda fen, _depth, _moves: found(fen, LEGAL), _read_moves
    roles = _roles(found, name)
    opened = _chess_board if _takes_chess_board(found) else str

    def ask(fen: str, depth: int, moves: Any) -> Any:
        values = {"position": opened(fen), "depth": depth, "moves": moves}
        return found(*(values[role] for role in roles))

    takes = next(role for role in ("moves", "depth", "position") if role in roles)
    return takes, ask, _read_moves if takes == "position" else _read_count


def _form_of_boards(own: boards.Boards) -> tuple[str, Callable[..., Any], Callable[[Any], dict[str, Any]]]:
    """Like `_form_of_callable`, for boards. The tree is walked if they play moves, else moves are only listed."""
    return ("moves", own.divide, _read_walk) if own.pushes else ("position", own.legal_moves, _read_moves)


def _read_walk(answer: Any) -> dict[str, Any]:
    """Convert the result of a walk, which is pairs or root moves, to an answer."""
    return {"divide": [[one, 1] if isinstance(one, str) else [*one] for one in answer]}


def _lister(found: Any, own: boards.Boards | None) -> Callable[[str, str], Any] | None:
    """Return the function that lists moves by GenType for a FEN, or None if there is none."""
    by_gentype = getattr(found, BY_GENTYPE, None)
    if callable(by_gentype):
        opened = found if own is None else own.open
        return (lambda fen, gentype: by_gentype(opened(fen), gentype)) if isinstance(found, type) else by_gentype
    return found if _takes_gentype(found) else None


def _find_chess960(found: Any, spec: str) -> bool | None:
    """Return the attribute `chess960` of the callable or its module, or None if there is none."""
    module = sys.modules.get(spec.partition(":")[0])
    declared = (getattr(one, "chess960", None) for one in (found, module))
    return next((one for one in declared if isinstance(one, bool)), None)


def _takes_gentype(function: Any) -> bool:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return False
    return names[1:2] == ["gentype"]


def _read_moves(answer: Any) -> dict[str, Any]:
    """Convert legal moves to an answer. Raises WrongAnswer."""
    return {"moves": _moves_of(answer)}


def _roles(function: Callable[..., Any], name: str) -> list[str]:
    """Return the roles of the arguments to pass ("position", "depth" or "moves"), in order. Raises NotCallable.

    Includes required parameters, and optional ones with known names.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # an extension type without a signature
        return ["position", "depth"]
    if parameters and parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:  # a decorator hides the signature
        return ["position", "depth"]
    names = [one.name for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    is_variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = [one.name for one in parameters if one.default is one.empty and one.kind not in is_variable]
    order = ["depth", "position", "moves"] if names[:1] and names[0] in NAMES["depth"] else [*NAMES]
    count = max(1, len(needed))
    while count < min(len(names), len(order)) and names[count] in NAMES[order[count]]:
        count += 1
    roles = order[:count]
    if count > len(names) or len(needed) > len(order) or "position" not in roles:  # or required ones are keyword-only
        raise boards.NotCallable(f"{name}{inspect.signature(function)} has unsupported parameters: write {FORMS}")
    return roles


def _takes_chess_board(function: Callable[..., Any]) -> bool:
    """Return True if a parameter is annotated as a python-chess board, which is then passed instead of a FEN."""
    try:
        hints = typing.get_type_hints(function)
    except Exception:  # annotations may be arbitrary
        return False
    hints.pop("return", None)
    return any(getattr(one, "__module__", "") == "chess" and one.__name__ == "Board" for one in hints.values())


def _chess_board(fen: str) -> Any:
    """Return a python-chess board, in Chess960 mode if castling rights are written as files."""
    import chess

    return chess.Board(fen, chess960=not set(fen.split()[2]) <= set("KQkq-"))


def _moves_of(answer: Any) -> list[str]:
    return [boards.text_of(move) for move in boards.each_of(answer)]


def _read_count(answer: Any) -> dict[str, Any]:
    """Convert a count or a divide to an answer. Raises WrongAnswer if it is neither."""
    if _is_count(answer):
        return {"total": int(answer)}
    if isinstance(answer, Iterator):  # a generator
        answer = list(answer)
    if not isinstance(answer, (Mapping, list, tuple)):
        raise boards.WrongAnswer(f"returned {answer!r:.60}; {EXPECTED}")
    pairs = list(answer.items() if isinstance(answer, Mapping) else answer)
    moves = [(str(pair[0]), int(pair[1])) for pair in pairs if _is_root_move(pair)]
    others = [pair for pair in pairs if not _is_root_move(pair)]
    if not others:
        return {"divide": moves}
    totals = [int(pair[1]) for pair in others if _is_total(pair)]
    if not totals:
        raise boards.WrongAnswer(
            f"returned {others[0]!r:.60} for a root move; {EXPECTED}; a dict may name the total 'nodes'"
        )
    added = sum(count for _, count in moves)
    if moves and added != totals[0]:
        raise boards.WrongAnswer(f"returned the total {totals[0]}, and moves with {added} nodes together")
    return {"divide": moves} if moves else {"total": totals[0]}


def _is_total(pair: Any) -> bool:
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        return False
    return isinstance(pair[0], str) and pair[0] in TOTAL_NAMES and _is_count(pair[1])


def _is_root_move(pair: Any) -> bool:
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        return False
    return boards.is_move(str(pair[0])) and _is_count(pair[1])


def _is_count(value: Any) -> bool:
    if isinstance(value, float):
        return value >= 0 and value.is_integer()
    return hasattr(value, "__index__") and not isinstance(value, bool) and value >= 0


if __name__ == "__main__":
    main()
