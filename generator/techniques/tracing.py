"""Follow a technique on its walk: which squares it asks for, what it looks up, what it stores.

Compiled code cannot be watched, so the walk is taken by the same functions as plain Python, in a
process of its own (`python -m perft_check.generator.techniques.tracing NAME FEN`), where the words
of the `vocabulary` tell what they are asked. `trace` starts that process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from ..types.squares import squares_in

if TYPE_CHECKING:
    from ..position import Position

StepType = Literal["visit", "look-up", "store", "test"]
"""A test is a visit for the sake of legality, on a board where a move has been tried."""
_WORDS = ("is_occupied", "is_occupied_on_trial", "looked_up", "append", "append_if")


@dataclass(frozen=True)
class Step:
    """One step of a walk. Squares are those of White's view."""

    kind: StepType
    square: int
    """The square visited; of a look-up, where the piece stands; of a move stored, where it goes."""
    move: int | None = None
    """The move stored, in 16 bits."""
    targets: tuple[int, ...] = ()
    """Of a look-up: the squares found at once."""
    kept: bool = True
    """Of a move stored: whether the list became longer by it, or the next one is written over it."""
    questions: int = 1
    """Of a visit: how often in a row the square was asked about."""


@dataclass(frozen=True)
class Trace:
    """A walk, and what it came to."""

    steps: tuple[Step, ...]
    legal: int
    """How many of the moves stored are legal, castling included."""

    def number(self, kind: StepType) -> int:
        """Return how many steps are of a kind; of stores, those that were kept."""
        return sum(step.kind == kind and step.kept for step in self.steps)


def trace(name: str, position: Position) -> Trace:
    """Return the walk of a technique through a position, in a second or so. Raises KeyError, NoChess960."""
    return next(traces(name, [position]))


def traces(name: str, positions: list[Position]) -> Iterator[Trace]:
    """Yield the walks of a technique through several positions."""
    from .registry import ensure_knows

    for position in positions:
        ensure_knows(name, position)
    questions = [{"fen": position.fen(castling="shredder"), "chess960": position.chess960} for position in positions]
    done = subprocess.run(
        [sys.executable, "-P", "-m", __name__, name],
        input=json.dumps(questions),
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=True,
    )
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        yield Trace(tuple(_step(fields) for fields in answer["steps"]), answer["legal"])


def _step(fields: dict[str, Any]) -> Step:
    return Step(**{**fields, "targets": tuple(fields["targets"])})


class Recorder:
    """Stands in for the words of the vocabulary, and writes down what they are asked."""

    def __init__(self) -> None:
        from . import operations

        self.steps: list[Step] = []
        self.flip = 0
        self._words = {name: getattr(operations, name) for name in _WORDS}

    def enter(self) -> None:
        """Take the place of the words wherever a module of the techniques has imported them."""
        for name, module in list(sys.modules.items()):
            for word, true in self._words.items():
                if name.startswith(f"{__package__}.") and getattr(module, word, None) is true:
                    setattr(module, word, self._watch(word))

    def _watch(self, word: str) -> Callable[..., object]:
        true, note = self._words[word], getattr(self, f"_{word}")

        def call_and_note(*arguments: int) -> object:
            answer = true(*arguments)
            note(*map(int, arguments))
            return answer

        return call_and_note

    def _is_occupied(self, _occupied: int, square: int) -> None:
        self.steps.append(Step("visit", square ^ self.flip))

    def _is_occupied_on_trial(self, _occupied: int, square: int) -> None:
        self.steps.append(Step("test", square ^ self.flip))

    def _looked_up(self, origin: int, targets: int) -> None:
        self.steps.append(
            Step("look-up", origin ^ self.flip, targets=tuple(square ^ self.flip for square in squares_in(targets)))
        )

    def _append(self, _moves: int, _count: int, move: int) -> None:
        self._store(move, True)

    def _append_if(self, _moves: int, _count: int, move: int, condition: int) -> None:
        self._store(move, bool(condition))

    def _store(self, move: int, kept: bool) -> None:
        code = (move ^ self.flip * 65) & 0xFFFF
        self.steps.append(Step("store", code & 63, move=code, kept=kept))


def merge_steps(steps: list[Step]) -> list[Step]:
    """Return the steps with all questions about a square as one visit, until another square's turn comes."""
    walk: list[Step] = []
    visit: int | None = None
    for step in steps:
        if visit is not None and (step.kind, step.square) == (walk[visit].kind, walk[visit].square):
            walk[visit] = replace(walk[visit], questions=walk[visit].questions + 1)
            continue
        if step.kind != "store":
            visit = None if step.kind == "look-up" else len(walk)
        walk.append(step)
    return walk


def _main() -> None:
    """Answer the questions on stdin, one JSON line each."""
    from ..position import Position
    from ..types.pieces import Color
    from .registry import legal_moves

    recorder = Recorder()
    recorder.enter()
    for question in json.load(sys.stdin):
        position = Position.from_fen(question["fen"], question["chess960"])
        recorder.steps.clear()
        recorder.flip = 0 if position.turn is Color.WHITE else 56
        legal = len(legal_moves(sys.argv[1], position))
        steps = [asdict(step) for step in merge_steps(recorder.steps)]
        print(json.dumps({"steps": steps, "legal": legal}))


if __name__ == "__main__":
    _main()
