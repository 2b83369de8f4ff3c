"""Recording the steps of a technique: the squares it visits, the sets it looks up, the moves it stores.

Compiled code cannot be observed, so the same functions run as plain Python in a separate process, in which the
traceable `operations` are replaced by functions that record their arguments. `trace` starts that process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from perft_check.generator.types.squares import squares_in

if TYPE_CHECKING:
    from perft_check.generator.position import Position

StepType = Literal["visit", "look-up", "store", "test"]
"""A test is a visit during a legality test, on a board on which a move has been tried."""
_TECHNIQUES = "perft_check.generator.techniques."
_TRACED = ("is_occupied", "is_occupied_on_trial", "looked_up", "append", "append_if")


@dataclass(frozen=True)
class Step:
    """One step of a walk. Squares are from White's view."""

    kind: StepType
    square: int
    """The visited square; for a lookup, the square of the piece; for a stored move, its target."""
    move: int | None = None
    """The stored 16-bit move."""
    targets: tuple[int, ...] = ()
    """For a lookup, the squares found."""
    kept: bool = True
    """For a stored move, whether it stays in the list instead of being overwritten by the next one."""
    questions: int = 1
    """For a visit, the number of consecutive tests of the square."""


@dataclass(frozen=True)
class Trace:
    """The steps of a technique, and the number of legal moves found."""

    steps: tuple[Step, ...]
    legal: int
    """Number of legal moves found, including castling."""

    def number(self, kind: StepType) -> int:
        """Return the number of steps of a type; only kept moves count as stores."""
        return sum(step.kind == kind and step.kept for step in self.steps)


def trace(name: str, position: Position) -> Trace:
    """Return the steps of a technique in a position, which takes about a second. Raises KeyError, NoChess960."""
    return next(traces(name, [position]))


def traces(name: str, positions: list[Position]) -> Iterator[Trace]:
    """Yield the steps of a technique in several positions."""
    from perft_check.generator.techniques.registry import ensure_knows

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
    """Replaces the traceable operations and records their arguments."""

    def __init__(self) -> None:
        from perft_check.generator.techniques import operations

        self.steps: list[Step] = []
        self.flip = 0
        self._originals = {name: getattr(operations, name) for name in _TRACED}

    def install(self) -> None:
        """Replace the operations in all modules of techniques that import them."""
        for name, module in list(sys.modules.items()):
            for operation, original in self._originals.items():
                if (
                    name.startswith("perft_check.generator.techniques.")
                    and getattr(module, operation, None) is original
                ):
                    setattr(module, operation, self._watch(operation))

    def _watch(self, operation: str) -> Callable[..., object]:
        original, record = self._originals[operation], getattr(self, f"_{operation}")

        def call_and_record(*arguments: int) -> object:
            answer = original(*arguments)
            record(*map(int, arguments))
            return answer

        return call_and_record

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
    """Merge consecutive tests of the same square into one visit."""
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
    """Answer each question on stdin with one line of JSON."""
    from perft_check.generator.position import Position
    from perft_check.generator.techniques.registry import legal_moves
    from perft_check.generator.types.pieces import Color

    recorder = Recorder()
    recorder.install()
    for question in json.load(sys.stdin):
        position = Position.from_fen(question["fen"], question["chess960"])
        recorder.steps.clear()
        recorder.flip = 0 if position.turn is Color.WHITE else 56
        legal = len(legal_moves(sys.argv[1], position))
        steps = [asdict(step) for step in merge_steps(recorder.steps)]
        print(json.dumps({"steps": steps, "legal": legal}))


if __name__ == "__main__":
    _main()
