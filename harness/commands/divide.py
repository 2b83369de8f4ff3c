"""`perft-check divide`: the count below each root move, and where two engines differ."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial

from rich.text import Text

from ...generator.position import Position
from ...reports.difference import render_difference
from .. import console
from ..asking import Interrupted, Worker
from ..comparing import compare_divides
from ..engines.base import Engine
from ..engines.registry import open_engine
from ..errors import UsageError
from ..interrupt import Interrupt, catch_interrupts
from ..positions import resolve_position
from ..verdict import ExitCode


def main(position: str, depth: int, spec: str, against: tuple[str, ...], chess960: bool) -> ExitCode:
    """Print the divide, or with references the root moves that differ. Raises UsageError, EngineError."""
    if depth < 1:
        raise UsageError(f"divide needs a depth of 1 or more, not {depth}")
    resolved = resolve_position(position, chess960)
    worker = Worker()
    with ExitStack() as stack:
        engines = [open_engine(name) for name in (spec, *against)]
        for engine in engines:
            stack.callback(engine.close)
        interrupt = stack.enter_context(catch_interrupts())
        try:
            divides = [_divide(engine, resolved, depth, worker, interrupt) for engine in engines]
        except Interrupted:
            console.err().print("interrupted: no divide")
            return ExitCode.INTERRUPTED
    if not against:
        _print_divide(resolved, divides[0])
        return ExitCode.AGREE
    differs = False
    for reference, expected in zip(engines[1:], divides[1:], strict=True):
        difference = compare_divides(resolved, depth, engines[0].name, divides[0], reference.name, expected)
        console.out().print(render_difference(difference))
        line = f"depth {depth}: {difference.engine} {difference.got:,}, {difference.reference} {difference.expected:,}"
        console.out().print(Text(line, style="bold red" if difference.moves else "bold green"))
        differs = differs or bool(difference.moves)
    return ExitCode.MISMATCH if differs else ExitCode.AGREE


def _divide(engine: Engine, position: Position, depth: int, worker: Worker, interrupt: Interrupt) -> dict[str, int]:
    console.start_engine(engine, worker, interrupt)
    return console.ask_with_status(
        partial(engine.divide, position, depth), worker, interrupt, f"{engine.name} depth {depth}"
    )


def _print_divide(position: Position, counts: dict[str, int]) -> None:
    """Print `move: count` lines in the notation of the position, a blank line, and the total."""
    notation = {move.uci(chess960=True): move.uci(position.chess960) for move in position.legal_moves}
    lines = [f"{notation.get(text, text)}: {count}" for text, count in counts.items()]
    console.out().print("\n".join([*sorted(lines), "", str(sum(counts.values()))]), soft_wrap=True)
