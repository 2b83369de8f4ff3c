"""Python callables as engines, each in a process of its own, so that it may crash or hang.

    def divide(fen: str, depth: int, moves: list[str]) -> dict[str, int] | list[tuple[str, int]] | int

`moves`, if the callable takes it, are UCI moves to play from the FEN. What comes back is the count
below each root move (a list may show a move twice), or just the total.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

CASE = "case {depth} {fen}{moves}"


def main() -> None:
    """Serve the callable named by the first argument, `module:callable`: one case a line on stdin."""
    answer = _load(sys.argv[1])
    takes_moves = len(inspect.signature(answer).parameters) > 2
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["quit"]:
            break
        if words[:1] != ["case"]:
            continue
        depth, rest = int(words[1]), words[2:]
        place = rest.index("moves") if "moves" in rest else len(rest)
        fen, moves = " ".join(rest[:place]), rest[place + 1 :]
        _print(answer(fen, depth, moves) if takes_moves else answer(fen, depth))


def _load(spec: str) -> Callable[..., Any]:
    module, _, name = spec.partition(":")
    sys.path.insert(0, "")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise TypeError(f"{spec} is not callable")
    return found  # type: ignore[no-any-return]


def _print(answer: int | Mapping[str, int] | Iterable[tuple[str, int]]) -> None:
    if isinstance(answer, int):
        print(f"Nodes searched: {answer}", flush=True)
        return
    pairs = list(answer.items() if isinstance(answer, Mapping) else answer)
    lines = [f"{move}: {count}" for move, count in pairs]
    print("\n".join([*lines, f"Nodes searched: {sum(count for _, count in pairs)}"]), flush=True)


if __name__ == "__main__":
    main()
