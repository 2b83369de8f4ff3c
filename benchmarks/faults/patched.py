"""Faults of a compiled generator: small patches of the example in C.

Each TOML file in this folder contains the faults of one class, except `variants.toml`, which turns the example into
other kinds of correct generators. A fault may apply to one of these variants. The example and the variants without a
fault are the controls.
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
"""Time limit of a count, in seconds."""


@dataclass(frozen=True)
class SourceChange:
    """A text that occurs once in the source, and its replacement."""

    old: str
    new: str


@dataclass(frozen=True)
class Proof:
    """A position that the faulty generator counts incorrectly at a depth, and correctly at each smaller depth."""

    position: Position
    depth: int
    before: tuple[Position, ...] = ()
    """Positions to count at depth 1 first."""


@dataclass(frozen=True)
class PatchedFault:
    """A generator with one fault, or a control."""

    name: str
    kind: str
    wrong: str
    """One sentence about what is wrong, or about the kind of generator if this is a control."""
    changes: tuple[SourceChange, ...]
    proof: Proof | None
    """A position that proves the fault; None for a control."""
    chess960: bool = False
    """True if the fault shows only in Chess960."""
    variant: tuple[SourceChange, ...] = ()
    """Those of the changes that make the correct variant from which the fault starts."""

    def build(self, folder: Path) -> Path:
        """Compile the generator in a folder; return the library. Raises ValueError or CalledProcessError."""
        source, library = folder / f"{self.name}.c", folder / f"lib{self.name}.so"
        source.write_text(patch_example(self.changes), encoding="utf-8")
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-I", str(HEADERS), "-o", str(library), str(source)], check=True
        )
        return library


@cache
def _example() -> str:
    glue, generator = ((EXAMPLE / name).read_text(encoding="utf-8") for name in ("library.c", "generator.h"))
    return glue.replace('#include "generator.h"\n', generator)


def patch_example(changes: Iterable[SourceChange]) -> str:
    """Return the source of the example after changes. Raises ValueError if a text does not occur once."""
    text = _example()
    for change in changes:
        if text.count(change.old) != 1:
            raise ValueError(f"this text occurs {text.count(change.old)} times in the source: {change.old}")
        text = text.replace(change.old, change.new)
    return text


def faults() -> list[PatchedFault]:
    """Return all faults, ordered by class."""
    return [_fault(kind, fields) for kind in KINDS for fields in _read(kind)["fault"]]


def controls() -> list[PatchedFault]:
    """Return the generators without a fault: the example and its variants."""
    variants = [
        PatchedFault(one["name"], "control", one["is"], _variant(one["name"]), None)
        for one in _read("variants")["variant"]
    ]
    return [PatchedFault("example", "control", "The unchanged example.", (), None), *variants]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def _fault(kind: str, fields: dict[str, Any]) -> PatchedFault:
    chess960 = fields.get("chess960", False)
    before, here = (Position.from_fen(fen, chess960) for fen in fields.get("before", ())), fields["fen"]
    proof = Proof(Position.from_fen(here, chess960), fields["depth"], tuple(before))
    variant = _variant(fields.get("variant"))
    changes = (*variant, *_changes(fields))
    return PatchedFault(fields["name"], kind, fields["wrong"], changes, proof, chess960, variant)


def _variant(name: str | None) -> tuple[SourceChange, ...]:
    return next((_changes(one) for one in _read("variants")["variant"] if one["name"] == name), ())


def _changes(fields: dict[str, Any]) -> tuple[SourceChange, ...]:
    return tuple(SourceChange(change["old"], change["new"]) for change in fields["change"])


def counts(library: Path, proof: Proof) -> list[tuple[int | str, int]]:
    """Return the actual count (or an error message) and the expected count for each depth up to that of the proof."""
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
