"""Shared libraries for tests: the examples, and small ones that misbehave; blocks of questions to put to them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from perft_check.generator import Position
from perft_check.generator.counting.leaves import perft
from perft_check.generator.types.squares import square_of
from perft_check.harness.engines import library

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HEADERS = Path(library.__file__).parent
WARNINGS = ("-Wall", "-Wextra", "-Werror")

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


def built(folder: Path, source: Path | str, *flags: str, compiler: str = "cc") -> Path:
    """Return the library of a source file, or of a text in C."""
    if isinstance(source, str):
        text, source = source, folder / "made.c"
        source.write_text(text, encoding="utf-8")
    library = folder / "libmade.so"
    shared = ("-O1", "-shared", "-fPIC", "-I", str(HEADERS), "-o", str(library))
    subprocess.run([compiler, *shared, *flags, str(source)], check=True)
    return library


@dataclass(frozen=True)
class Asked:
    """A block of questions, as kernels draw them."""

    text: NDArray[np.uint8]
    text_ends: NDArray[np.int64]
    depths: NDArray[np.int64]
    keys: NDArray[np.uint16]
    ends: NDArray[np.int64]
    totals: NDArray[np.int64]


def questions(positions: Sequence[Position], depths: Sequence[int], castles_to_rook: bool = False) -> Asked:
    """Return a block of positions, with the answers of our own generator."""
    texts = [
        position.fen(castling="shredder" if position.chess960 else "xfen").encode() + b"\n" for position in positions
    ]
    keys = [
        sorted(_key(move.uci(chess960=castles_to_rook or position.chess960)) for move in position.legal_moves)
        for position in positions
    ]
    return Asked(
        np.frombuffer(b"".join(texts), np.uint8),
        np.cumsum([len(text) for text in texts], dtype=np.int64) - 1,
        np.array(depths, np.int64),
        np.array([key for of_position in keys for key in of_position], np.uint16),
        np.cumsum([len(of_position) for of_position in keys], dtype=np.int64),
        np.array([perft(position, depth) for position, depth in zip(positions, depths, strict=True)], np.int64),
    )


def _key(uci: str) -> int:
    promotion = " nbrq".index(uci[4]) if uci[4:] else 0
    return square_of(uci[:2]) | square_of(uci[2:4]) << 6 | promotion << 12
