"""Show a find again: the command `perft-check fuzz --replay`, and the examination that it runs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ...errors import UsageError
from ...generator.line import Line
from ..asking.histories import ENDING, load_history, read_line, save_history
from ..model.command_lines import command_line, fuzz_depth, repeat_option
from ..model.results.verdict import Verdict
from .examining import Examiner
from .model import Discrepancy
from .plan import FuzzPlan


def replay_command(plan: FuzzPlan, discrepancy: Discrepancy, depth: int) -> str:
    """Return the command that examines the line of a discrepancy again, or the history that led to it."""
    words = ["fuzz", "--replay", _place(discrepancy), "-e", plan.engine, *repeat_option("-a", plan.references)]
    words += repeat_option("--gentype", [gentype.name.lower() for gentype in plan.gentypes])
    words += repeat_option("--convention", [f"{name}={value}" for name, value in plan.convention.items()])
    if plan.self_consistency:
        words.append("--self-consistency")
    if plan.ignore_clocks:
        words += ["--ignore", "clocks"]
    if discrepancy.line.base.chess960:
        words.append("--chess960")
    words += fuzz_depth(depth)
    if discrepancy.verdict is Verdict.TIMEOUT:
        words += ["--timeout", f"{plan.timeout:g}"]
    if plan.limits.memory_bytes is not None:
        words += ["--memory", str(plan.limits.memory_bytes >> 20)]
    return command_line(*words)


def _place(discrepancy: Discrepancy) -> str:
    """Return the line of a discrepancy, or the file of its history if it has one that can be written."""
    if discrepancy.history:
        with suppress(UsageError):
            return str(save_history(discrepancy.history))
    return str(discrepancy.line)


def lines_to_replay(text: str, chess960: bool | None) -> list[Line]:
    """Return the line of a position with moves, or the lines of a history by its path. Raises UsageError."""
    return load_history(Path(text)) if text.endswith(ENDING) else [read_line(text, chess960)]


def replay(lines: Sequence[Line], depth: int, examiner: Examiner) -> list[Discrepancy]:
    """Examine lines one after the other, up to a crash; return what the last one shows. Closes the engines.

    Raises EngineError, Interrupted.
    """
    try:
        examiner.start()
        found: list[Discrepancy] = []
        for line in lines:
            found = examiner.examine(line, depth)
            if any(discrepancy.verdict is Verdict.CRASH for discrepancy in found):
                break
        return found
    finally:
        examiner.close()
