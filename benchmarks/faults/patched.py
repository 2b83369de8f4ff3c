"""Faults of a compiled generator, each a small patch of the example in C: read from the files here, built, proved.

A file holds the faults of one class. `variants.toml` turns the example into other kinds of generators first, which are
right, too: without a fault they are the controls.
"""

from __future__ import annotations

import subprocess
import tomllib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from perft_check.generator import Position, perft
from perft_check.generator.game import Game
from perft_check.harness.engines.base import EngineError
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.library import LibraryEngine

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EXAMPLE, HEADERS = ROOT / "examples" / "c", ROOT / "harness" / "engines" / "library"
KINDS = ("making", "rights", "capacity", "hashing", "legality")
SECONDS = 60
"""How long one count may take."""


@dataclass(frozen=True)
class SourceChange:
    """A text of the source, which it has once, and what takes its place."""

    old: str
    new: str


@dataclass(frozen=True)
class Proof:
    """A position that a generator with the fault counts incorrectly at a depth, and correctly at each depth before."""

    position: Position
    depth: int
    before: tuple[Position, ...] = ()
    """Positions to be asked about at depth 1 first."""


@dataclass(frozen=True)
class PatchedFault:
    """A generator with one fault, or a control."""

    name: str
    kind: str
    wrong: str
    """What is wrong, in one sentence; of a control, what kind of generator it is."""
    changes: tuple[SourceChange, ...]
    proof: Proof | None
    """None for a control."""
    chess960: bool = False
    """Whether it shows in Chess960 only."""

    def built(self, folder: Path) -> Path:
        """Compile it in a folder; return the library. Raises ValueError, CalledProcessError."""
        source, library = folder / f"{self.name}.c", folder / f"lib{self.name}.so"
        source.write_text(patched(self.changes), encoding="utf-8")
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-I", str(HEADERS), "-o", str(library), str(source)], check=True
        )
        return library


@cache
def _example() -> str:
    glue, generator = ((EXAMPLE / name).read_text(encoding="utf-8") for name in ("library.c", "generator.h"))
    return glue.replace('#include "generator.h"\n', generator)


def patched(changes: Iterable[SourceChange]) -> str:
    """Return the source of the example after some changes. Raises ValueError where one does not fit."""
    text = _example()
    for change in changes:
        if text.count(change.old) != 1:
            raise ValueError(f"the source has this text {text.count(change.old)} times: {change.old}")
        text = text.replace(change.old, change.new)
    return text


def faults() -> list[PatchedFault]:
    """Return all faults, by class."""
    return [_fault(kind, fields) for kind in KINDS for fields in _read(kind)["fault"]]


def controls() -> list[PatchedFault]:
    """Return the generators without a fault."""
    variants = [
        PatchedFault(one["name"], "control", one["is"], _variant(one["name"]), None)
        for one in _read("variants")["variant"]
    ]
    return [PatchedFault("example", "control", "The example as it is.", (), None), *variants]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def _fault(kind: str, fields: dict[str, Any]) -> PatchedFault:
    chess960 = fields.get("chess960", False)
    before, here = (Position.from_fen(fen, chess960) for fen in fields.get("before", ())), fields["fen"]
    proof = Proof(Position.from_fen(here, chess960), fields["depth"], tuple(before))
    changes = (*_variant(fields.get("variant")), *_changes(fields))
    return PatchedFault(fields["name"], kind, fields["wrong"], changes, proof, chess960)


def _variant(name: str | None) -> tuple[SourceChange, ...]:
    return next((_changes(one) for one in _read("variants")["variant"] if one["name"] == name), ())


def _changes(fields: dict[str, Any]) -> tuple[SourceChange, ...]:
    return tuple(SourceChange(change["old"], change["new"]) for change in fields["change"])


def counts(library: Path, proof: Proof) -> list[tuple[int | str, int]]:
    """Return what a library counts and what is right, from depth 1 to that of the proof; a text where it fails."""
    with closing(LibraryEngine(library.name, str(library))) as engine:
        engine.start(EngineCall(SECONDS))
        for position in proof.before:
            _counted(engine, position, 1)
        depths = range(1, proof.depth + 1)
        return [(_counted(engine, proof.position, depth), perft(proof.position, depth)) for depth in depths]


def _counted(engine: LibraryEngine, position: Position, depth: int) -> int | str:
    try:
        return engine.perft(Game(position), depth, EngineCall(SECONDS))
    except EngineError as failure:
        return str(failure)
