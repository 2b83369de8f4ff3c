"""Say who is wrong when the suite, the engine and the references do not all give one count."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.verdict import Verdict


def judge(engine: str, got: int, expected: int, references: Sequence[tuple[str, int]]) -> tuple[Verdict, str]:
    """Return the verdict on a count, and a sentence about it.

    The suite and the references are witnesses. An engine that none of them supports is wrong; so is
    the suite if all references support the engine. A lone reference that contradicts everyone else
    is named, and where both sides have a reference, the references disagree.
    """
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
