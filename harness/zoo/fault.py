"""`Fault`, the bugs of public engines that faults stand for, and `fault`, which enters a class into the zoo."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from ...generator.game import Game
from ...generator.position import Position
from ...generator.position_setup import PositionSetup, read_options

if TYPE_CHECKING:
    from .seeded.generator import Generator


class Bug(NamedTuple):
    """A bug that some engine or library has had."""

    id: str
    fault_class: str
    """The class: the part of the rules, or of the program, that it concerns."""
    family: str
    """The root cause, which several bugs may share."""
    scope: str
    """Where it shows: node counts (std, or 960 for Chess960), fen, api, hash (keys), perft, or var (a variant)."""
    source: str
    """The projects, with issue or commit."""


@cache
def bugs() -> dict[str, Bug]:
    """Return all bugs by their number."""
    with (files(__package__) / "bugs.csv").open(encoding="utf-8") as file:
        return {row["id"]: Bug(*row.values()) for row in csv.DictReader(file)}


PLAYED_MOVES = "played moves"
"""The class of faults that show only after a special move was played."""

Effect = Literal["extra", "missing", "duplicate", "state", "fen", "count", "crash", "hang"]
"""How a fault shows: wrong moves, a wrong position after a move, a wrong FEN, a wrong count, or no answer."""


@dataclass(frozen=True)
class Demonstration:
    """A position that shows a fault."""

    fen: str
    depth: int
    """The depth of a wrong count, if possible some plies above the wrong move."""
    chess960: bool = False
    moves: tuple[str, ...] = ()
    """The moves that the engine plays first."""
    setup: str = ""
    """The options by which the engine is brought there, as `generator.position_setup` names them; empty for none."""

    @property
    def game(self) -> Game:
        """The position, with moves and setup, to be asked about."""
        game = Game.from_uci(Position.from_fen(self.fen, self.chess960), " ".join(self.moves))
        return PositionSetup.of(game, read_options(self.setup)) if self.setup else game


@dataclass(frozen=True)
class Fault:
    """One seeded fault, or a control: a change that is no fault."""

    name: str
    story: str
    """What is wrong, in one sentence."""
    seeded: type[Generator]
    """The faulty class; each instance has a tally of its own."""
    effect: Effect | None
    """None for a control."""
    rules: tuple[str, ...]
    """The rules that a right explanation may name."""
    demonstration: Demonstration
    ids: tuple[str, ...]
    """The numbers of the bugs that it stands for; empty for a fault that is in no catalogue."""
    unlisted: str
    """The class of a fault that is in no catalogue; otherwise empty."""

    @cached_property
    def bugs(self) -> tuple[Bug, ...]:
        """The bugs that it stands for; all are of one family."""
        return tuple(bugs()[number] for number in self.ids)

    @property
    def fault_class(self) -> str:
        """The class of the fault."""
        return self.bugs[0].fault_class if self.ids else self.unlisted

    @property
    def family(self) -> str:
        """The root cause; a fault that is in no catalogue is a family of its own."""
        return self.bugs[0].family if self.ids else self.name

    @property
    def scope(self) -> str:
        """Where the seeded fault shows: in node counts (std, 960, perft, hash) or in FENs (fen)."""
        listed = self.bugs[0].scope if self.ids else ""
        if listed in ("", "api", "var"):
            return "960" if self.demonstration.chess960 else "std"
        return listed

    @property
    def sources(self) -> tuple[str, ...]:
        """The projects that had it, with issue or commit."""
        return tuple(bug.source for bug in self.bugs)

    @property
    def is_control(self) -> bool:
        """Whether it never shows, so that reporting it is a false alarm."""
        return self.effect is None


ZOO: dict[str, Fault] = {}
"""All faults by name; complete once `catalogue` is imported."""

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
    """Enter a faulty class into the zoo: its docstring is the story, and its name, with hyphens, that of the fault.

    `rules`, `ids`, `moves` and `setup` are words separated by blanks; `Fault` and `Demonstration` describe them. A
    fault without `ids` is in no catalogue, and `fault_class` gives its class. A FEN whose castling rights are the
    files of rooks is of Chess960 without `chess960`, too.
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


def has_rook_files(fen: str) -> bool:
    """Return True if a FEN, which may lack fields, has castling rights as the files of the rooks."""
    return any({*field.lower()} & {*"abcdefgh"} for field in fen.split()[2:3])
