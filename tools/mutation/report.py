"""Tables of outcomes by module and operator, and the survivors with their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from mutation.killing import MutantOutcome
from mutation.mutants import Mutant
from mutation.targets import path_of
from mutation.verdicts import MutantVerdict
from rich.console import Console
from rich.table import Table

FATES = ("wrong answer", "error", "crash", "time", "survived")
HEADINGS = ("mutants", *FATES, "explained", "killed")


class Row(NamedTuple):
    """One line of a table."""

    name: str
    fates: tuple[int, ...]
    explained: int
    """Survivors with a verdict."""

    @property
    def total(self) -> int:
        """The number of mutants."""
        return sum(self.fates)

    @property
    def cells(self) -> list[str]:
        """The numbers as text, in the order of `HEADINGS`."""
        killed = self.total - self.fates[-1]
        numbers = map(str, (self.total, *self.fates, self.explained))
        return [*numbers, _percent(killed, self.total)]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def rows(
    mutants: Sequence[Mutant],
    fates: Mapping[str, MutantOutcome],
    verdicts: Mapping[str, MutantVerdict],
    key: Callable[[Mutant], str],
) -> Iterator[Row]:
    """Yield one row per group of mutants with an outcome, and one row for all of them."""
    tried = [mutant for mutant in mutants if mutant.id in fates]
    names = list(dict.fromkeys(map(key, tried)))
    for name in [*names, "all"]:
        group = [fates[mutant.id] for mutant in tried if name in (key(mutant), "all")]
        counts = tuple(sum(outcome.fate == fate for outcome in group) for fate in FATES)
        yield Row(name, counts, sum(outcome.survived and outcome.id in verdicts for outcome in group))


def killers(fates: Mapping[str, MutantOutcome]) -> dict[str, int]:
    """Return the number of mutants that each kind of question has killed, largest first."""
    names = [outcome.by for outcome in fates.values() if not outcome.survived]
    return {name: names.count(name) for name in sorted(set(names), key=lambda name: -names.count(name))}


def survivors(mutants: Sequence[Mutant], fates: Mapping[str, MutantOutcome]) -> list[Mutant]:
    """Return the mutants that survived."""
    return [mutant for mutant in mutants if mutant.id in fates and fates[mutant.id].survived]


def changed_line(mutant: Mutant) -> tuple[str, str]:
    """Return the first changed line, as it is in the source and in the mutant."""
    source = path_of(mutant.module).read_text(encoding="utf-8")
    original, changed = (text.splitlines()[mutant.line - 1].strip() for text in (source, mutant.applied_to(source)))
    return original, changed


def show(
    console: Console,
    mutants: Sequence[Mutant],
    fates: Mapping[str, MutantOutcome],
    verdicts: Mapping[str, MutantVerdict],
) -> None:
    """Print the tables, and the survivors that have no verdict yet."""
    for title, key in (("module", lambda m: m.module), ("operator", lambda m: m.operator)):
        table = Table(title, *HEADINGS)
        for row in rows(mutants, fates, verdicts, key):
            table.add_row(row.name, *row.cells)
        console.print(table)
    console.print("killed by", ", ".join(f"{name} {number}" for name, number in killers(fates).items()))
    for mutant in survivors(mutants, fates):
        if mutant.id not in verdicts:
            original, changed = changed_line(mutant)
            place = f"{mutant.id} {mutant.module}:{mutant.line} {mutant.function}, {mutant.operator}"
            console.print(f"{place}\n    - {original}\n    + {changed}", markup=False, highlight=False, soft_wrap=True)
