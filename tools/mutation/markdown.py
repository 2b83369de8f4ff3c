"""Markdown tables for the documentation: outcomes by module and operator, and survivors grouped by reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile

from mutation import report
from mutation.killing import MutantOutcome
from mutation.mutants import Mutant
from mutation.verdicts import MutantVerdict

SHOWN = 60
"""Longer texts are cut around their first difference."""
UNREAD = MutantVerdict("", "unread", "not read yet")


def tables(
    mutants: Sequence[Mutant], fates: Mapping[str, MutantOutcome], verdicts: Mapping[str, MutantVerdict]
) -> Iterator[str]:
    """Yield the lines of all tables."""
    keys: dict[str, Callable[[Mutant], str]] = {"module": lambda m: m.module, "operator": lambda m: m.operator}
    for title, key in keys.items():
        yield f"| {' | '.join((title, *report.HEADINGS))} |"
        yield f"| --- |{' ---: |' * len(report.HEADINGS)}"
        for row in report.rows(mutants, fates, verdicts, key):
            yield f"| {' | '.join((row.name, *row.cells))} |"
        yield ""
    yield f"Killed by: {', '.join(f'{name} {number}' for name, number in report.killers(fates).items())}."
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in report.survivors(mutants, fates):
        verdict = verdicts.get(mutant.id, UNREAD)
        groups.setdefault((verdict.verdict, verdict.reason), []).append(mutant)
    for (verdict_, reason), group in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]))):
        yield f"\n**{verdict_.capitalize()}**: {reason}.\n"
        for mutant in group:
            before, after = around_difference(*(" ".join(text.split()) for text in (mutant.before, mutant.after)))
            yield f"- {mutant.id} {mutant.module}:{mutant.line} `{before}` → `{after}`"


def around_difference(before: str, after: str) -> tuple[str, str]:
    """Return both texts, cut around their first difference if they are long."""
    if max(len(before), len(after)) <= SHOWN:
        return before, after
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = max(0, same - SHOWN // 3)
    return _cut(before, start), _cut(after, start)


def _cut(text: str, start: int) -> str:
    shown = text[start : start + SHOWN]
    return ("..." if start else "") + shown + ("..." if start + SHOWN < len(text) else "")
