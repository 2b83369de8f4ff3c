"""The detection score as a page of documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..harness.zoo.catalogue import ZOO
from ..harness.zoo.hunting.hunt import Outcome
from ..harness.zoo.hunting.score import GROUPS, Row, Score, grouped, summed
from .terminal.score import by_class, by_group, number, percent
from .text import count

WORDS = """\
*Reached*: the wrong code ran. *Triggered*: its answer differed from the right one. *Detected*: somebody said so.
*Explained*: of the detections of faults that break a rule of chess, those told by a right rule.

A family is *detected* at a time if, with at least half of the seeds, all its faults were by then. Faults of one family
that show in Chess960 only make a family of their own under *Chess960*, so groups and classes may add up to more than
there are. *Kept aside* is a third of the families, chosen by a hash of their names: strategies and their shares are
chosen without them. Missing checks were added for all.

Medians are over all hunts, one without detection counted as endless; of an even number it is the lower one. A dash says
that not even half of the hunts detected anything, or that there is nothing to count. Nothing in a suite depends on a
seed, so it is counted once. Seconds depend on the machine and on what else it does, and so does what is
detected just before the time is over; the positions drawn with a seed do not."""


def render(score: Score) -> str:
    """Return the score as a Markdown document, with a final newline."""
    parts = ["# Detection", _introduction(score)]
    if score.picture is not None:
        parts.append(f"![Families detected against seconds, a line for each strategy]({score.picture})")
    parts += [
        WORDS,
        "## Families detected",
        _by_group(score, lambda row: f"{_of(row)} ({percent(row.families_detected / row.families)})"),
        "## Detections explained by a right rule",
        _by_group(score, lambda row: percent(row.explained)),
        "## Families detected, by class",
        _by_class(score),
        "## Fault by fault",
        *(part for name, found in score.by_strategy.items() for part in (f"### {name}", _by_fault(found))),
    ]
    return "\n\n".join(parts) + "\n"


def _introduction(score: Score) -> str:
    faults = len({outcome.hunt.fault for outcome in score.outcomes})
    seeds = count(score.seeds, "seed")
    at_once = " or ".join(map(str, score.jobs))
    side_by_side = f", hunts side by side: {at_once}" if score.jobs else ""
    done = len(score.outcomes)
    unfinished = f"\n\n**Unfinished**: {done:,} of {score.planned:,} hunts are done." if done < score.planned else ""
    return (
        f"What is caught of the faults of the zoo, each hunted alone: {count(faults, 'fault')} of "
        f"{count(score.families, 'family', 'families')}, with {seeds}, for {score.budget:g} s "
        f"each at most{side_by_side}.{unfinished}\n\nMade by\n\n    {score.command}"
    )


def _of(row: Row) -> str:
    return f"{row.families_detected} of {row.families}"


def _by_group(score: Score, tell: Callable[[Row], str]) -> str:
    groups = {name: by_group(found) for name, found in score.by_strategy.items()}
    titles = [title for title in GROUPS if any(title in found for found in groups.values())]
    rows = [
        [name, *(tell(summed(found[title])) if title in found else "-" for title in titles)]
        for name, found in groups.items()
    ]
    return _table(["strategy", *titles], rows)


def _by_class(score: Score) -> str:
    classes = {name: by_class(found) for name, found in score.by_strategy.items()}
    titles = sorted({theme for found in classes.values() for theme in found}, key=str.casefold)
    rows = [
        [title, *(_of(summed(found[title])) if title in found else "-" for found in classes.values())]
        for title in titles
    ]
    return _table(["class", *classes], rows)


def _by_fault(outcomes: Iterable[Outcome]) -> str:
    by_fault = grouped(outcomes, lambda outcome: outcome.hunt.fault)
    titles = ["fault", "reached", "triggered", "detected", "positions", "nodes", "seconds", "pieces", "explained"]
    rows = [
        [f"`{name}`", *_figures(summed(by_fault[name]))]
        for name in sorted(by_fault, key=lambda name: (ZOO[name].theme.casefold(), name))
    ]
    return _table(titles, rows)


def _figures(row: Row) -> list[str]:
    return [
        *map(percent, (row.reached, row.triggered, row.detected)),
        number(row.positions),
        number(row.nodes or None),
        "-" if row.seconds is None else f"{row.seconds:.2f}",
        number(row.pieces),
        percent(row.explained),
    ]


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [titles, ["---", *["--:"] * (len(titles) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
