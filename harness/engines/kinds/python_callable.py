"""Python callables as engines, each in a process of its own, so that it may crash or hang.

    def divide(fen: str, depth: int, moves: list[str]) -> dict[str, int] | list[tuple[str, int]] | int

`moves`, if the callable takes it, are UCI moves to play from the FEN. What comes back is the count
below each root move (a list may show a move twice), or just the total.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CASE = "case {depth} {fen}{moves}"
WANTED = "wanted is a count, or a dict or list of pairs of UCI moves and counts"
MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


def main() -> None:
    """Serve the callable named by the first argument, `module:callable`: one case a line on stdin."""
    # The callable shall not read our questions as its input.
    questions, sys.stdin = sys.stdin, open(os.devnull)  # noqa: SIM115 - open until the end
    try:
        answer = _load(sys.argv[1])
        takes_moves = len(inspect.signature(answer).parameters) > 2
        for line in questions:
            words = line.split()
            if words[:1] == ["quit"]:
                break
            if words[:1] == ["case"]:
                _serve(answer, takes_moves, words[1:])
    except Exception as error:
        sys.exit(_last_words(error))


def _serve(answer: Callable[..., Any], takes_moves: bool, words: list[str]) -> None:
    depth, rest = int(words[0]), words[1:]
    place = rest.index("moves") if "moves" in rest else len(rest)
    fen, moves = " ".join(rest[:place]), rest[place + 1 :]
    if takes_moves:
        _print(answer(fen, depth, moves))
    else:
        _print(answer(_fen_after(fen, moves), depth))


def _fen_after(fen: str, moves: list[str]) -> str:
    """Return the FEN after moves, for a callable that plays none itself."""
    if not moves:
        return fen
    from ....generator.position import Position

    position = Position.from_fen(fen, chess960=None)
    for move in moves:
        position = position.play(position.parse_uci(move))
    return position.fen()


def _load(spec: str) -> Callable[..., Any]:
    module, _, name = spec.partition(":")
    sys.path.insert(0, "")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(f"{spec} is not callable")
    return found  # type: ignore[no-any-return]


def _print(answer: Any) -> None:
    """Print what the callable has returned as a divide. Raises TypeError where it is none."""
    if _is_count(answer):
        print(f"Nodes searched: {answer}", flush=True)
        return
    if not isinstance(answer, Mapping | list | tuple):
        raise TypeError(f"returned {answer!r:.60}; {WANTED}")
    pairs = list(answer.items() if isinstance(answer, Mapping) else answer)
    for pair in pairs:
        if not _is_root_move(pair):
            raise TypeError(f"returned {pair!r:.60} for a root move; {WANTED}")
    lines = [f"{move}: {count}" for move, count in pairs]
    print("\n".join([*lines, f"Nodes searched: {sum(count for _, count in pairs)}"]), flush=True)


def _is_root_move(pair: Any) -> bool:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return False
    return MOVE.fullmatch(str(pair[0])) is not None and _is_count(pair[1])


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _last_words(error: Exception) -> str:
    """Return type, place and message of an error in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{place}: {' '.join(str(error).split())}"


if __name__ == "__main__":
    main()
