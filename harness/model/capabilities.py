"""Capabilities of engines: which exist, which were used, and which were not tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum


class Capability(Enum):
    """A capability that an engine may have, with a stable short name and a title."""

    title: str

    def __new__(cls, name: str, title: str) -> Capability:
        """Create a member whose value is only the short name."""
        member = object.__new__(cls)
        member._value_ = name
        member.title = title
        return member

    LISTS = "lists", "move lists from FENs"
    COUNTS = "counts", "counts deeper than 1"
    MOVES = "moves", "playing moves"
    UNDO = "undo", "taking moves back"
    STARTPOS = "startpos", "the starting position by its name"
    FEN = "fen", "FENs printed by the engine"
    CHESS960 = "chess960", "Chess960"
    GENTYPES = "gentypes", "lists by move type"
    SEARCH = "search", "the moves of a search"
    KEYS = "keys", "its hash keys"
    PREDICATES = "predicates", "its predicates, such as is_check"
    SYSTEMATIC = "systematic", "special moves on every file, wing and color"

    @property
    def is_essential(self) -> bool:
        """Whether every generator has the capability, so that a run without it is incomplete."""
        return self in (Capability.LISTS, Capability.COUNTS, Capability.MOVES, Capability.UNDO)


NOT_APPLICABLE = ""
"""The entry in `MissingCapabilities` for a capability that does not apply to the type of engine."""

IGNORED = "it ignores the moves that follow a FEN"
"""The reason that is given if an engine ignores the moves that it is sent."""

LONGEST_LINE = 80 - len("not tried: ")
"""The space for untried capabilities in a line of 80 columns."""

MissingCapabilities = Mapping[Capability, str]
"""Maps the capabilities that an engine lacks to what would provide them."""


@dataclass(frozen=True)
class UntriedCapability:
    """A capability that was not tried."""

    capability: Capability
    how: str
    """How to try the capability."""
    is_required: bool
    """Whether `--require-all` requires the capability, because the engine or every generator has it."""


@dataclass(frozen=True)
class CapabilityUse:
    """The capabilities of an engine that were used, and those that it lacks."""

    asked: frozenset[Capability] = frozenset()
    lacks: MissingCapabilities = field(default_factory=dict)

    def join(self, other: CapabilityUse) -> CapabilityUse:
        """Return the combined capability use of two processes of one engine."""
        return CapabilityUse(self.asked | other.asked, {**self.lacks, **other.lacks})

    def list_untried(self, advice: Mapping[Capability, str]) -> tuple[UntriedCapability, ...]:
        """Return the untried capabilities, essential ones first; the result is empty if the engine has not answered.

        `advice` describes, for each capability, how a run of this type can try it.
        """
        if not self.asked:
            return ()
        found = []
        for capability in Capability:
            how = self.lacks.get(capability, advice.get(capability, NOT_APPLICABLE))
            if capability not in self.asked and how != NOT_APPLICABLE:
                is_required = capability.is_essential or capability not in self.lacks
                found.append(UntriedCapability(capability, how, is_required))
        return tuple(sorted(found, key=lambda one: not one.is_required))


def sentence_of(untried: Iterable[UntriedCapability]) -> str:
    """Return one line that says what was not tried and how to try it, or "" if everything was tried."""
    return "; ".join(clauses_of(untried))


def clauses_of(untried: Iterable[UntriedCapability]) -> list[str]:
    """Return clauses that name untried capabilities and how to try them, one clause for each way to try them."""
    by_how: dict[str, list[str]] = {}
    for one in untried:
        by_how.setdefault(one.how, []).append(one.capability.title)
    return [f"{', '.join(titles)} ({how})" for how, titles in by_how.items()]


def line_of(untried: Iterable[UntriedCapability], longest: int = LONGEST_LINE) -> str:
    """Return a line of at most `longest` characters about what could be tried but was not, or "".

    Optional capabilities that the engine lacks are left out. If the advice does not fit, it is replaced by a hint to
    use `-v`, which prints it.
    """
    possible = [one for one in untried if one.is_required]
    if len(line := sentence_of(possible)) <= longest:
        return line
    titles = list(dict.fromkeys(one.capability.title for one in possible))
    for shown in range(len(titles), 0, -1):
        more = f" and {len(titles) - shown} more" if shown < len(titles) else ""
        line = f"{', '.join(titles[:shown])}{more} (-v explains how)"
        if len(line) <= longest:
            break
    return line
