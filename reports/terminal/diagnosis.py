"""The report of `diagnose`: the known bugs that reproduce an engine's counts, and the next question to ask it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from ...harness.model.results.diagnosis import Candidate, Diagnosis, Prediction
from ..layout import Indented
from ..text import count

MOST_SHOWN = 3
"""Maximum number of candidates to describe; the others are only named."""


def render(diagnosis: Diagnosis) -> RenderableType:
    """Return the candidates, each with its evidence, and the question that distinguishes them."""
    return Group(*_parts(diagnosis))


def _parts(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    total = diagnosis.differing + diagnosis.correct
    if not diagnosis.differing:
        yield Text("all counts are correct" if total > 1 else "the count is correct", style="bold green")
        return
    yield Text(
        f"{diagnosis.differing:,} of {count(total, 'count')} {_are(diagnosis.differing)} incorrect", style="bold red"
    )
    if diagnosis.candidates:
        found = len(diagnosis.candidates)
        yield Text(f"{found} of {diagnosis.tried} known bugs {'reproduces' if found == 1 else 'reproduce'} all counts:")
        for number, candidate in enumerate(diagnosis.candidates[:MOST_SHOWN], 1):
            yield from _candidate(f"{number}. ", candidate, diagnosis)
        if others := [one.name for one in diagnosis.candidates[MOST_SHOWN:]]:
            yield Text(f"and {', '.join(others)}", overflow="fold")
    elif diagnosis.together:
        yield Text("no known bug reproduces all counts alone, but these two do together:")
        for candidate in diagnosis.together:
            yield from _candidate("- ", candidate, diagnosis)
    else:
        yield Text(f"none of {diagnosis.tried} known bugs reproduces all counts, alone or with another one")
        for candidate in diagnosis.partial:
            yield from _candidate("- ", candidate, diagnosis)
    if diagnosis.out_of_time:
        yield Text("the search reached its time limit; for a longer search, set --time", style="bold yellow")
    if diagnosis.untried:
        yield Text(
            f"{count(diagnosis.untried, 'count')} too large to be tried: give those of a smaller depth", style="dim"
        )
    if diagnosis.next_question is not None:
        yield Text(f"to ask next: {_question(diagnosis.next_question)}", style="bold", overflow="fold")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _candidate(mark: str, candidate: Candidate, diagnosis: Diagnosis) -> Iterator[RenderableType]:
    scope = f" ({candidate.scope})" if candidate.scope else ""
    yield Text.assemble((f"{mark}{candidate.fault}{scope}", "bold"), f": {candidate.story}", overflow="fold")
    facts = f"reproduces {candidate.reproduced} of {count(diagnosis.differing, 'incorrect count')}"
    if diagnosis.correct:
        facts += f" and agrees with {candidate.agreed} of {count(diagnosis.correct, 'correct count')}"
    if candidate.setup:
        facts += f", if the engine was set up by {candidate.setup}"
    lines = [Text(facts, style="dim", overflow="fold")]
    if candidate.rule:
        lines.append(Text(f"rule: perft-check explain {candidate.rule}", style="dim", overflow="fold"))
    asked = candidate.confirmed_by
    if asked is not None:
        lines.append(Text(f"to confirm: {_question(asked)}", style="dim", overflow="fold"))
    yield from map(Indented, lines)


def _question(asked: Prediction) -> str:
    """Return a question to ask the engine, with the correct count and the counts of up to `MOST_SHOWN` candidates."""
    played = f" moves {' '.join(asked.moves)}" if asked.moves else ""
    setup = f", set up by {asked.setup}" if asked.setup else ""
    predicted = [f"{_number(nodes)} with {name}" for name, nodes in asked.predicted[:MOST_SHOWN]]
    counts = ", ".join([f"{asked.expected:,} is correct", *predicted])
    command = "perft" if predicted else "divide"
    return f"{command} {asked.depth} of {asked.fen}{played}{setup}: {counts}"


def _number(nodes: int | None) -> str:
    return "no count" if nodes is None else f"{nodes:,}"
