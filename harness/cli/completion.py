"""Shell completion of the names of positions, suites, engines, faults and rules.

Each function takes the incomplete word and returns candidates, as typer's `autocompletion` expects. Typer selects the
matching ones. Expensive imports are local.
"""

from __future__ import annotations

from collections.abc import Callable

PREFIXES = ("uci:", "cmd:", "script:", "python:", "lib:", "zoo:")
"""Prefixes of SPECs that specify an engine type."""


def positions(incomplete: str) -> list[str]:
    """Return the names of well-known positions and those of the bundled suites."""
    from ...suites.bundled import BUNDLED, bundled_path
    from ...suites.loader import load_suite
    from ...suites.positions import ALIASES

    names = [*ALIASES, *(case.name for suite in BUNDLED for case in load_suite(bundled_path(suite)))]
    return [name for name in names if " " not in name]


def suites(incomplete: str) -> list[str]:
    """Return the names of the bundled suites."""
    from ...suites.bundled import ALL_BUNDLED

    return list(ALL_BUNDLED)


def faults(incomplete: str) -> list[str]:
    """Return the names of the faults of the zoo."""
    from ..zoo.catalogue import ZOO

    return list(ZOO)


def fault_classes(incomplete: str) -> list[str]:
    """Return the names of the fault classes."""
    from ..zoo.catalogue import faults_by_class

    return [name for name in faults_by_class() if " " not in name]


def rules(incomplete: str) -> list[str]:
    """Return the names of the rules of chess that a report may cite."""
    from ..explaining.rules import Rule

    return [rule.value for rule in Rule]


def techniques(incomplete: str) -> list[str]:
    """Return the SPECs of perft-check's move generation techniques."""
    from ...generator.techniques.technique import TechniqueName

    return [f"own:{name.value}" for name in TechniqueName]


def gentypes(incomplete: str) -> list[str]:
    """Return the names of the GenTypes."""
    from ...generator.types.moves import GenType

    return [gentype.name.lower() for gentype in GenType]


def engines(incomplete: str) -> list[str]:
    """Return SPECs and prefixes of SPECs. Faults are listed once the word begins with `zoo:`."""
    if incomplete.startswith("zoo:"):
        return [f"zoo:{name}" for name in faults(incomplete)]
    return ["own", "own:two-plies", *techniques(incomplete), "python-chess", *PREFIXES]


def words(*known: str) -> Callable[[str], list[str]]:
    """Return a completion function for a fixed set of words."""

    def complete(incomplete: str) -> list[str]:
        return list(known)

    return complete
