"""What pytest knows positions by: a name that no other position of the suite has, and the line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ...errors import shorten
from ...suites.case import Case

LONGEST = 200
"""Characters of a name. Engines inherit it: pytest keeps it in the environment while a test runs."""
_SEPARATORS = re.compile(":{2,}")
"""What stands between a file and a name in pytest."""


def names_of(cases: Sequence[Case]) -> list[str]:
    """Return a name for each case of a suite: its own, with its line behind it where others have that name, too."""
    names = [shorten(_SEPARATORS.sub(":", case.name), LONGEST) for case in cases]
    while len(set(names)) < len(names):
        times = Counter(names)
        names = [
            name if times[name] == 1 else f"{name}:{line_of(case)}" for name, case in zip(names, cases, strict=True)
        ]
    return names


def line_of(case: Case) -> int:
    """Return the line of the file on which a case stands."""
    return int(case.source.rpartition(":")[2])
