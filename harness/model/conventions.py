"""Conventions for move lists by GenType: choices in which correct generators differ, with names for users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from ...errors import UsageError, concerning, did_you_mean
from ...generator.types.moves import GenType

CAPTURES, QUIETS, NEITHER = "captures", "quiets", "neither"
LEGAL, PSEUDO_LEGAL, EITHER = "legal", "pseudo-legal", "either"
LISTED, LEFT_OUT = "listed", "left-out"
KNIGHTS, NONE = "knights", "none"
NOT_ASKED, ASKED = "not-asked", "asked"

_BY_STAGE = frozenset({GenType.CAPTURES, GenType.QUIETS})
_PSEUDO = frozenset(GenType) - {GenType.LEGAL}
_CHECKS = frozenset({GenType.QUIET_CHECKS})


@dataclass(frozen=True)
class ConventionSetting:
    """One choice in which conventions differ."""

    name: str
    """The name for users, such as "en-passant"."""
    values: Mapping[str, str]
    """Maps the possible values to clauses that describe their meaning."""
    guessed: tuple[str, ...]
    """The values that may be guessed, most common first; other values look like faults."""
    about: frozenset[GenType]
    """The lists that the setting affects."""

    @property
    def key(self) -> str:
        """The corresponding field of `Convention`."""
        return self.name.replace("-", "_")


def _set(default: str, values: dict[str, str], guessed: Iterable[str], about: frozenset[GenType]) -> Any:
    return field(default=default, metadata={"values": values, "guessed": tuple(guessed), "about": about})


def _among(default: str, what: str, *guessed: str) -> Any:
    """Return a dataclass field whose value is the list that contains certain moves."""
    values = {name: f"{what} are among the {name}" for name in (CAPTURES, QUIETS)}
    values[NEITHER] = f"{what} are in neither list"
    return _set(default, values, guessed or (default,), _BY_STAGE)


@dataclass(frozen=True)
class Convention:
    """How a generator divides moves among its lists. The defaults are perft-check's (see docs/gentypes.md)."""

    legality: str = _set(
        PSEUDO_LEGAL,
        {
            PSEUDO_LEGAL: "lists have moves that leave the king in check",
            LEGAL: "no list has a move that leaves the king in check",
            EITHER: "lists have some moves that leave the king in check, which are not compared",
        },
        (PSEUDO_LEGAL, LEGAL, EITHER),
        _PSEUDO,
    )
    queen_push: str = _among(CAPTURES, "promotions to a queen by push", CAPTURES, QUIETS)
    queen_capture: str = _among(CAPTURES, "promotions to a queen by capture")
    underpromotion_push: str = _among(QUIETS, "underpromotions by push", QUIETS, CAPTURES, NEITHER)
    underpromotion_capture: str = _among(QUIETS, "underpromotions by capture", QUIETS, CAPTURES, NEITHER)
    en_passant: str = _among(CAPTURES, "en passant captures")
    castling: str = _among(QUIETS, "castlings", QUIETS, NEITHER)
    castling_checks: str = _set(
        LISTED,
        {LISTED: "castling that gives check is a quiet check", LEFT_OUT: "castling is no quiet check"},
        (LISTED, LEFT_OUT),
        _CHECKS,
    )
    promotion_checks: str = _set(
        KNIGHTS,
        {
            KNIGHTS: "promotions to a knight among the quiets that check directly are quiet checks",
            QUIETS: "promotions among the quiets that give check are quiet checks",
            NONE: "no promotion is a quiet check",
        },
        (KNIGHTS, QUIETS, NONE),
        _CHECKS,
    )
    discovered_checks: str = _set(
        LISTED,
        {LISTED: "discovered checks are quiet checks", LEFT_OUT: "only direct checks are quiet checks"},
        (LISTED,),
        _CHECKS,
    )
    in_check: str = _set(
        NOT_ASKED,
        {
            NOT_ASKED: "in check only evasions and legal moves are asked for",
            ASKED: "in check captures, quiets and both together are asked for as well",
        },
        (NOT_ASKED,),
        _BY_STAGE | {GenType.NON_EVASIONS},
    )

    def value(self, setting: ConventionSetting) -> str:
        """Return the value of a setting."""
        return str(getattr(self, setting.key))

    def with_value(self, setting: ConventionSetting, value: str) -> Convention:
        """Return the convention with one setting changed."""
        return replace(self, **{setting.key: value})

    @property
    def differing(self) -> tuple[str, ...]:
        """The settings that differ from perft-check's convention, as `NAME=VALUE`."""
        default = Convention()
        return tuple(
            f"{one.name}={self.value(one)}" for one in CONVENTION_SETTINGS if self.value(one) != default.value(one)
        )


CONVENTION_SETTINGS = tuple(ConventionSetting(one.name.replace("_", "-"), **one.metadata) for one in fields(Convention))
"""All choices in which conventions differ."""
SETTINGS_BY_NAME = {setting.name: setting for setting in CONVENTION_SETTINGS}


def read_given(texts: Iterable[str], where: str) -> dict[str, str]:
    """Map the names of settings to values, given texts such as "en-passant=quiets".

    Raises UsageError, whose message begins with `where`, the source of the texts.
    """
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        with concerning(text):
            if not equals:
                raise UsageError(
                    f"{where} {text!r:.60}: write NAME=VALUE, such as {CONVENTION_SETTINGS[1].name}={QUIETS}"
                )
            given |= check_given([(name, value)], where)
    return given


def check_given(pairs: Iterable[tuple[str, object]], where: str) -> dict[str, str]:
    """Return the given settings with their values. Raises UsageError if a setting or value is unknown."""
    given = {}
    for name, value in pairs:
        if name not in SETTINGS_BY_NAME:
            raise UsageError(f"{where} {name!r:.60}: {did_you_mean(name[:60], tuple(SETTINGS_BY_NAME))}")
        values = SETTINGS_BY_NAME[name].values
        if not isinstance(value, str) or value not in values:
            raise UsageError(f"{where} {name}={value!s:.60}: {did_you_mean(str(value)[:60], tuple(values))}")
        given[name] = value
    return given
