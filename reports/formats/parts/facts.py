"""What is known about a failure, in a few lines of text: without a board, so that thousands are soon written."""

from __future__ import annotations

from collections.abc import Iterator

from ....harness.fuzzing.model import Find
from ....harness.model.command_lines import commands_of_case, difference_command
from ....harness.model.results.divide import DivideFinished
from ....harness.model.results.events import CaseResult, Finding
from ...terminal.parts.finding import SHOWN_MOVES, path_text, sentence, set_up_by
from ...text import counts, label

Lines = tuple[str, ...]


def case_lines(result: CaseResult, engine: str) -> Lines:
    """Return the facts about a position that does not agree with `engine`, and the commands that show it again."""
    head = f"{result.verdict.value.upper()}  {label(result.suite, result.name)}  ({result.source})"
    told = [head, result.fen, counts(result), result.message, *_finding_lines(result.finding)]
    return _with_commands(told, commands_of_case(result, engine))


def find_lines(find: Find) -> Lines:
    """Return the facts about a find of the fuzzer, and the command that shows it again."""
    found = find.discrepancy
    told = [f"{find.verdict.value.upper()}  {found.name}  (check: {found.check})", f"in {found.line}", found.message]
    return _with_commands([*told, *_finding_lines(found.finding)], (find.replay,))


def divide_lines(finished: DivideFinished) -> Lines:
    """Return the facts about engines that differ, and the commands that show it again."""
    counted = [
        f"depth {one.depth}: {one.engine} {one.got:,}, {one.reference} {one.expected:,}" for one in finished.differences
    ]
    return _with_commands([finished.fen, *counted, *_finding_lines(finished.finding)], divide_commands(finished))


def divide_commands(finished: DivideFinished) -> Lines:
    """Return the command that shows each difference again."""
    return tuple(difference_command(one) for one in finished.differences if one.differs)


def _with_commands(told: list[str], commands: Lines) -> Lines:
    return (*filter(None, told), *(f"again: {command}" for command in commands))


def _finding_lines(finding: Finding | None) -> Iterator[str]:
    """Yield the cause: what is wrong, the way to it, where it is, and a sentence for each wrong move."""
    if finding is None:
        return
    yield finding.headline
    if finding.path:
        yield f"after {path_text(finding)}"
    yield f"in {finding.fen}"
    yield set_up_by(finding)
    if finding.note != finding.headline:
        yield finding.note
    for move in (*finding.state, *finding.wrong)[:SHOWN_MOVES]:
        yield sentence(move).plain
