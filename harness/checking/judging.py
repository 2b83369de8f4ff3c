"""The judgement where suite, engine and references contradict each other: which of them is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from ..engines.base import Divide
from ..model.results.verdict import Verdict
from .comparing import agree


def judge(engine: str, got: int, expected: int, references: Sequence[tuple[str, int]]) -> tuple[Verdict, str]:
    """Return the verdict on a count, and a sentence about it.

    The suite and the references are witnesses. An engine that none of them supports is wrong; so is
    the suite if all references support the engine. A lone reference that contradicts everyone else
    is named, and where both sides have a reference, the references disagree.
    """
    if got == expected and not references:
        return Verdict.AGREE, ""
    with_suite = [name for name, count in references if count == expected]
    with_engine = [name for name, count in references if count == got]
    others = [(name, count) for name, count in references if count not in (got, expected)]
    if got == expected:
        dissenters = [(name, count) for name, count in references if count != got]
        return (Verdict.SPLIT, _dissent(engine, dissenters)) if dissenters else (Verdict.AGREE, "")
    if with_engine and with_suite:
        return Verdict.SPLIT, (
            f"the references are split: {_names(with_suite)} with the suite for {expected:,}, "
            f"{_names(with_engine)} with {engine} for {got:,}"
        )
    if with_engine:
        message = f"{engine} and {_names(with_engine)} agree: the count in the suite looks wrong"
    else:
        message = f"{got - expected:+,} nodes"
    if others:
        message += f"; {_claims(others)}"
    return Verdict.MISMATCH, message


def _dissent(engine: str, dissenters: list[tuple[str, int]]) -> str:
    return f"{engine} agrees with the suite, {_claims(dissenters)}"


def _claims(claims: list[tuple[str, int]]) -> str:
    alone = " alone" if len(claims) == 1 else ""
    return " and ".join(f"{name}{alone} says {count:,}" for name, count in claims)


def _names(names: list[str]) -> str:
    return " and ".join(names)


def vote(divides: Sequence[tuple[str, Divide]]) -> tuple[list[str], bool]:
    """Return who dissents among engines that divided one position, and whether there is a majority.

    With a majority (more than half give the same divide, or the same total where one prints no more),
    the dissenters are all others; without one, everybody is named.
    """
    groups: list[tuple[Divide, list[str]]] = []
    for name, divide in divides:
        for known, names in groups:
            if agree(known, divide):
                names.append(name)
                break
        else:
            groups.append((divide, [name]))
    largest = max(groups, key=lambda group: len(group[1]))[1]
    if 2 * len(largest) <= len(divides):
        return [name for name, _ in divides], False
    return [name for name, _ in divides if name not in largest], True
