"""What shells complete beside commands and options: the names of positions, suites, engines, faults and rules.

Each function gets the beginning of a word, and returns the names that it may become. It imports what is heavy.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable

VARIABLE = "_PERFT_CHECK_COMPLETE"
"""The variable by which a shell asks for completions."""
PREFIXES = ("uci:", "cmd:", "script:", "python:", "lib:", "zoo:")
"""Kinds of engines by the beginning of their SPEC."""


def positions(begun: str) -> list[str]:
    """Return the names of the positions that the bundled suites have, and those that people use."""
    from ...suites.bundled import BUNDLED, bundled_path
    from ...suites.loader import load_suite
    from ...suites.positions import ALIASES

    names = [*ALIASES, *(case.name for suite in BUNDLED for case in load_suite(bundled_path(suite)))]
    return [name for name in names if " " not in name]


def suites(begun: str) -> list[str]:
    """Return the names of the bundled suites."""
    from ...suites.bundled import ALL_BUNDLED

    return list(ALL_BUNDLED)


def faults(begun: str) -> list[str]:
    """Return the names of the faults of the zoo."""
    from ..zoo.catalogue import ZOO

    return list(ZOO)


def fault_classes(begun: str) -> list[str]:
    """Return the classes of faults."""
    from ..zoo.catalogue import faults_by_class

    return [name for name in faults_by_class() if " " not in name]


def rules(begun: str) -> list[str]:
    """Return the names of the rules that a report may name."""
    from ..explaining.rules import Rule

    return [rule.value for rule in Rule]


def techniques(begun: str) -> list[str]:
    """Return the SPECs of the techniques."""
    from ...generator.techniques.technique import TechniqueName

    return [f"own:{name.value}" for name in TechniqueName]


def gentypes(begun: str) -> list[str]:
    """Return the names of the GenTypes."""
    from ...generator.types.moves import GenType

    return [gentype.name.lower() for gentype in GenType]


def engines(begun: str) -> list[str]:
    """Return the SPECs of engines, of some kinds their beginning; of faults all once `zoo:` is there."""
    if begun.startswith("zoo:"):
        return [f"zoo:{name}" for name in faults(begun)]
    return ["own", "own:two-plies", *techniques(begun), "python-chess", *PREFIXES]


def words(*known: str) -> Callable[[str], list[str]]:
    """Return a function that completes one of several words."""

    def complete(begun: str) -> list[str]:
        return list(known)

    return complete


def complete(answer: Callable[[], object]) -> None:
    """Answer a shell. bash takes a colon for the end of a word, so that it is told what comes behind it alone."""
    if os.environ[VARIABLE] != "complete_bash":
        answer()
        return
    text = os.environ.get("COMP_WORDS", "")
    between = "\n" if "\n" in text else " "
    behind, words, place = _join_colons(text.split(between), int(os.environ.get("COMP_CWORD", "0")))
    os.environ |= {"COMP_WORDS": between.join(words), "COMP_CWORD": str(place)}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            answer()
    finally:
        print("\n".join(line.removeprefix(behind) for line in printed.getvalue().splitlines()))


def _join_colons(words: list[str], place: int) -> tuple[str, list[str], int]:
    """Join the words that bash has taken apart at colons, up to the one that is completed.

    Return what stands in that one before its last part, the words, and its place among them.
    """
    joined: list[str] = []
    for number, word in enumerate(words[: place + 1]):
        if joined and (word == ":" or words[number - 1] == ":"):
            joined[-1] += word
        else:
            joined.append(word)
    is_joined = joined[-1:] != words[place : place + 1]
    behind = joined[-1][: joined[-1].rfind(":") + 1] if joined and is_joined else ""
    return behind, joined + words[place + 1 :], len(joined) - 1
