"""The commented configuration that `perft-check init` writes, for a run of known length.

Which suites and counts an engine checks in a given time, and whether somebody has changed the file since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....reports.text import duration
from ....suites.bundled import DEFAULT, EVERY, QUICK, bundled_path
from ....suites.case import UNPRINTABLE, Suite
from ....suites.loader import load_suite
from ...engines.spec import EngineSpec

CHOICES: tuple[tuple[str, ...], ...] = (EVERY, tuple(DEFAULT), QUICK, ("smoke",))
"""Suites of a run, the most thorough first."""
LIMITS: tuple[int, ...] = tuple(digit * 10**power for power in range(2, 7) for digit in (1, 2, 5))
"""Limits of the nodes of a count, from 100 to 5,000,000: no bundled count is larger than the last one."""
TEMPLATE = """\
# Configuration of perft-check. A key is an option of the command line without its dashes; it is for all commands that
# have the option. The command line goes before this file.
# Paths start from the folder of this file.

# The engine under test:
{facts}
{engine}

# Generators that count everything as well:
# against = ["python-chess", "uci:stockfish"]

suite = {suites}
# Counts with more nodes are left out. With {limit} a run takes about {seconds}.
{max_nodes}
# Time for a count, beside a second for every 50,000 nodes:
# timeout = "10s"
# report = ["json=perft.json"]

# Random positions that no suite has: `perft-check fuzz`. The same seed draws the same positions.
seed = 1
examples = "10k"

# At night, or with a file of its own that --config names:
#   perft-check run {all} --max-nodes 1G
#   perft-check fuzz --examples 1M

"""
LAST_LINE = "# As long as nobody changes it, perft-check init -e SPEC replaces this file: {digest}\n"
"""It has the digest of all lines above it."""


@dataclass(frozen=True)
class QuestionCost:
    """How long an engine takes for a question."""

    seconds: float
    """Time for any question, whatever its size ..."""
    nodes_per_second: float
    """... and the leaf nodes that it counts beyond that."""
    min_depth: int = 0
    chess960: bool = True
    """Whether it is asked about Chess960."""

    def is_for(self, suite: Suite) -> bool:
        """Tell whether the engine can be asked about most positions of a suite."""
        return self.chess960 or sum(case.position.chess960 for case in suite) * 2 < len(suite)

    def seconds_for(self, suites: Iterable[Suite], max_nodes: int) -> float:
        """Return the time for all counts of suites that are not larger than the limit."""
        counts = [
            nodes
            for suite in suites
            for case in suite
            for depth, nodes in case.counts
            if nodes <= max_nodes and depth >= self.min_depth and (self.chess960 or not case.position.chess960)
        ]
        return len(counts) * self.seconds + sum(counts) / self.nodes_per_second


@dataclass(frozen=True)
class Budget:
    """A run of known length."""

    suites: tuple[str, ...]
    max_nodes: int
    seconds: float

    @property
    def leaves_nothing_out(self) -> bool:
        """Whether no count is larger than the limit."""
        return self.max_nodes >= LIMITS[-1]


def budget(cost: QuestionCost, seconds: float) -> Budget:
    """Return the most thorough run that takes no longer, or else the shortest one."""
    for names in CHOICES:
        suites = {name: load_suite(bundled_path(name)) for name in names}
        asked = tuple(name for name in names if cost.is_for(suites[name]))
        fitting = _budgets_within(cost, asked, [suites[name] for name in asked], seconds)
        if fitting:
            return fitting[-1]
    return Budget(asked, LIMITS[0], cost.seconds_for([suites[name] for name in asked], LIMITS[0]))


def _budgets_within(
    cost: QuestionCost, names: tuple[str, ...], suites: Sequence[Suite], seconds: float
) -> list[Budget]:
    """Return the runs that take no longer, in the order of their limits."""
    budgets = [Budget(names, limit, cost.seconds_for(suites, limit)) for limit in LIMITS]
    return [one for one in budgets if one.seconds <= seconds]


def document(engine: str, facts: Iterable[tuple[str, str]], run: Budget, chess960: bool) -> str:
    """Return the text of a configuration for an engine, and for a run of known length; `facts` become comments.

    Its last line tells by a digest whether it is as it was written.
    """
    every = [name for name in EVERY if chess960 or "chess960" not in name]
    spec = EngineSpec(engine)
    lines = [f"engine = {_toml_string(spec.bare)}"]
    lines += [f"option = {_toml_array(spec.options)}"] if spec.options else []
    lines += [f"name = {_toml_string(spec.name)}"] if spec.is_given else []
    text = TEMPLATE.format(
        engine="\n".join(lines),
        facts="\n".join(f"#   {UNPRINTABLE.sub('?', f'{name}: {value}')}" for name, value in facts),
        suites=_toml_array(run.suites),
        limit="all counts" if run.leaves_nothing_out else "this limit",
        seconds=duration(run.seconds),
        max_nodes=f"{'# ' if run.leaves_nothing_out else ''}max-nodes = {run.max_nodes:_}",
        all=" ".join(f"-s {name}" for name in every),
    )
    return text + _last_line(text.encode())


def is_as_written(data: bytes) -> bool:
    """Tell whether a file is one of `document`, and nobody has changed it."""
    *lines, last = data.splitlines(keepends=True) or [b""]
    return last == _last_line(b"".join(lines)).encode()


def _last_line(above: bytes) -> str:
    return LAST_LINE.format(digest=hashlib.sha256(above).hexdigest()[:32])


def _toml_string(text: str) -> str:
    """Return a text as a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_array(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_toml_string, texts))}]"
