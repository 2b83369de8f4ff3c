"""Faults of the zoo, the public engine bugs that they represent, and the decorator that adds a fault."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import PositionSetup, parse_setup

if TYPE_CHECKING:
    from .generator import Generator


class Bug(NamedTuple):
    """A bug that was found in a public engine or library."""

    id: str
    fault_class: str
    """The class: the part of the rules or of the program that the bug affects."""
    family: str
    """The root cause; several bugs may have the same one."""
    scope: str
    """Where the bug becomes visible: node counts (std, or 960 for Chess960), fen, api, hash (keys), perft, or var (a
    variant)."""
    source: str
    """The projects that had the bug, with issue or commit."""


@cache
def bugs() -> dict[str, Bug]:
    """Return all bugs by ID."""
    with (files(__package__) / "bugs.csv").open(encoding="utf-8") as file:
        return {row["id"]: Bug(*row.values()) for row in csv.DictReader(file)}


PLAYED_MOVES = "played moves"
"""The class of faults that become visible only after a special move was played."""

Effect = Literal["extra", "missing", "duplicate", "state", "fen", "count", "crash", "hang"]
"""The effect of a fault: wrong moves, an incorrect state, FEN or count, or no answer."""


@dataclass(frozen=True)
class Demonstration:
    """A position that reveals a fault."""

    fen: str
    depth: int
    """A depth at which the count is incorrect, if possible with the wrong move a few plies below the root."""
    chess960: bool = False
    moves: tuple[str, ...] = ()
    """The moves that the engine plays first."""
    setup: str = ""
    """The setup options, named as in `generator.position_setup`; empty for none."""

    @property
    def game(self) -> Game:
        """The position with moves and setup options."""
        game = Game.from_uci(Position.from_fen(self.fen, self.chess960), " ".join(self.moves))
        return PositionSetup.of(game, parse_setup(self.setup)) if self.setup else game


@dataclass(frozen=True)
class Fault:
    """A seeded fault, or a control, which is a permitted change that no check may report."""

    name: str
    story: str
    """A sentence that describes what is wrong."""
    seeded: type[Generator]
    """The faulty class."""
    effect: Effect | None
    """The effect of the fault, or None for a control."""
    rules: tuple[str, ...]
    """The rules that a correct explanation may name."""
    demonstration: Demonstration
    ids: tuple[str, ...]
    """The IDs of the bugs that the fault represents; empty if it is not in the catalogue."""
    unlisted: str
    """The class, if the fault is not in the catalogue; otherwise empty."""

    @cached_property
    def bugs(self) -> tuple[Bug, ...]:
        """The bugs that the fault represents, all of the same family."""
        return tuple(bugs()[number] for number in self.ids)

    @property
    def fault_class(self) -> str:
        """The class of the fault."""
        return self.bugs[0].fault_class if self.ids else self.unlisted

    @property
    def family(self) -> str:
        """The root cause; a fault that is not in the catalogue forms its own family."""
        return self.bugs[0].family if self.ids else self.name

    @property
    def scope(self) -> str:
        """Where the fault becomes visible: in node counts (std, 960, perft, hash) or in FENs (fen)."""
        listed = self.bugs[0].scope if self.ids else ""
        if listed in ("", "api", "var"):
            return "960" if self.demonstration.chess960 else "std"
        return listed

    @property
    def sources(self) -> tuple[str, ...]:
        """The projects that had the bug, with issue or commit."""
        return tuple(bug.source for bug in self.bugs)

    @property
    def is_control(self) -> bool:
        """Whether the change is permitted, so that reporting it is a false alarm."""
        return self.effect is None


ZOO: dict[str, Fault] = {}
"""All faults by name; complete after `catalogue` is imported."""

_T = TypeVar("_T", bound="Generator")
_WORD = re.compile(r"Chess960|[A-Z]\d(?!\d)|[A-Z][a-z]*|\d+")


def fault(
    *,
    fen: str,
    depth: int = 1,
    effect: Effect | None = None,
    rules: str = "",
    ids: str = "",
    fault_class: str = "control",
    chess960: bool = False,
    moves: str = "",
    setup: str = "",
) -> Callable[[type[_T]], type[_T]]:
    """Add a faulty class to the zoo.

    The docstring of the class becomes `Fault.story`, and its name in kebab case the name of the fault.

    `rules`, `ids`, `moves` and `setup` are lists separated by spaces; see `Fault` and `Demonstration`. A fault without
    `ids` is not in the catalogue and gets the class `fault_class`. A FEN with rook files as castling rights implies
    `chess960`.
    """

    def enter(seeded: type[_T]) -> type[_T]:
        name = "-".join(_WORD.findall(seeded.__name__)).lower()
        if name in ZOO:
            raise ValueError(f"two faults are called {name!r}")
        ZOO[name] = Fault(
            name=name,
            story=" ".join((seeded.__doc__ or "").split()),
            seeded=seeded,
            effect=effect,
            rules=tuple(rules.split()),
            demonstration=Demonstration(fen, depth, chess960 or has_rook_files(fen), tuple(moves.split()), setup),
            ids=tuple(ids.split()),
            unlisted=fault_class,
        )
        return seeded

    return enter


def is_held_out(family: str) -> bool:
    """Return True if a hash of the family's name puts it in the third that is not used for tuning."""
    return int.from_bytes(sha256(family.encode()).digest(), "big") % 3 == 0


def has_rook_files(fen: str) -> bool:
    """Return True if the castling rights of a possibly incomplete FEN are written as rook files."""
    return any({*field.lower()} & {*"abcdefgh"} for field in fen.split()[2:3])
