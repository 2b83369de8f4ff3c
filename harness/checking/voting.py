"""With several references: which engine stands alone, and where the references themselves disagree."""

from __future__ import annotations

from collections.abc import Sequence

from ..engines.base import Divide


def vote(divides: Sequence[tuple[str, Divide]]) -> tuple[list[str], bool]:
    """Return who dissents among engines that divided one position, and whether there is a majority.

    With a majority (more than half give the same divide), the dissenters are all others; without
    one, everybody is named.
    """
    groups: list[tuple[Divide, list[str]]] = []
    for name, divide in divides:
        for known, names in groups:
            if (known.counts, known.repeated, known.total) == (divide.counts, divide.repeated, divide.total):
                names.append(name)
                break
        else:
            groups.append((divide, [name]))
    largest = max(groups, key=lambda group: len(group[1]))[1]
    if 2 * len(largest) <= len(divides):
        return [name for name, _ in divides], False
    return [name for name, _ in divides if name not in largest], True
