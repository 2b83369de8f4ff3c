"""The detection score as JSON: every outcome, and what they add up to."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from .. import __version__
from ..harness.zoo.catalogue import ZOO, kept_aside
from ..harness.zoo.hunting.hunt import Outcome
from ..harness.zoo.hunting.score import Score, grouped, is_chess960, summed
from .json import FORMAT
from .terminal.score import by_class, by_group


def render(score: Score) -> str:
    """Return the score as a JSON document, indented, with a final newline."""
    document = {
        "format": FORMAT,
        "perft_check": __version__,
        "command": score.command,
        "seconds": score.budget,
        "seeds": score.seeds,
        "jobs": list(score.jobs),
        "planned": score.planned,
        "done": len(score.outcomes),
        "strategies": {name: _strategy(found, score) for name, found in score.by_strategy.items()},
        "outcomes": [asdict(outcome) for outcome in score.outcomes],
    }
    return json.dumps(document, indent=2) + "\n"


def _strategy(outcomes: list[Outcome], score: Score) -> dict[str, Any]:
    name = outcomes[0].hunt.strategy
    return {
        "groups": {group: asdict(summed(found)) for group, found in by_group(outcomes).items()},
        "classes": {theme: asdict(summed(found)) for theme, found in by_class(outcomes).items()},
        "curve": [{"seconds": seconds, "families": families} for seconds, families in score.curves[name]],
        "faults": {
            fault: {**_fault(fault), "seeds": len(found), **asdict(summed(found))}
            for fault, found in grouped(outcomes, lambda outcome: outcome.hunt.fault).items()
        },
    }


def _fault(name: str) -> dict[str, Any]:
    fault = ZOO[name]
    return {
        "class": fault.theme,
        "family": fault.family,
        "chess960": is_chess960(fault),
        "kept_aside": kept_aside(fault.family),
    }
