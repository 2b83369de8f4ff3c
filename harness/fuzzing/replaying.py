"""Show a find again: the command `perft-check fuzz --replay`, and the examination that it runs."""

from __future__ import annotations

from ...errors import UsageError
from ...generator.line import Line
from ...suites.positions import resolve_position
from ..model.command_lines import command_line, repeated
from ..model.verdict import Verdict
from .examining import Examiner
from .model import Discrepancy
from .plan import Plan

DEFAULT_DEPTH = 2


def replay_command(plan: Plan, discrepancy: Discrepancy, depth: int) -> str:
    """Return the command that examines the line of a discrepancy again."""
    words = ["fuzz", "--replay", str(discrepancy.line), "-e", plan.engine, *repeated("-a", plan.references)]
    words += repeated("--gentype", [gentype.name.lower() for gentype in plan.gentypes])
    if plan.self_consistency:
        words.append("--self-consistency")
    if plan.ignore_clocks:
        words += ["--ignore", "clocks"]
    if discrepancy.line.base.chess960:
        words.append("--chess960")
    if depth != DEFAULT_DEPTH:
        words += ["--depth", str(depth)]
    if discrepancy.verdict is Verdict.TIMEOUT:
        words += ["--timeout", f"{plan.timeout:g}"]
    if plan.limits.memory_bytes is not None:
        words += ["--memory", str(plan.limits.memory_bytes >> 20)]
    return command_line(*words)


def read_line(text: str, chess960: bool | None) -> Line:
    """Return the line of "FEN" or "FEN moves e2e4 e7e5"; the FEN may be a name. Raises UsageError."""
    fen, _, moves = text.partition(" moves ")
    line = Line(resolve_position(fen, chess960))
    for move in moves.split():
        try:
            line = line.after(line.position.parse_uci(move))
        except ValueError as error:
            raise UsageError(f"--replay {text!r}: {error}") from None
    return line


def replay(line: Line, depth: int, examiner: Examiner) -> list[Discrepancy]:
    """Examine one line, and close the engines. Raises EngineError, Interrupted."""
    try:
        examiner.start()
        return examiner.examine(line, depth)
    finally:
        examiner.close()
