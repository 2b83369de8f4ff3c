"""Build shared libraries for tests, and blocks of questions for them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from docs.blocks import blocks_of
from perft_check.generator import Position
from perft_check.generator.counting.perft import perft
from perft_check.generator.sampling.position_batch import PositionBatch, key_of
from perft_check.harness.engines import library

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
HEADERS = Path(library.__file__).parent
WARNINGS = ("-Wall", "-Wextra", "-Werror")

needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


def built(folder: Path, source: Path | str, *flags: str, compiler: str = "cc") -> Path:
    """Compile a library from a source file, or from a text in C; return its path."""
    if isinstance(source, str):
        text, source = source, folder / "made.c"
        source.write_text(text, encoding="utf-8")
    library = folder / "libmade.so"
    shared = ("-O1", "-shared", "-fPIC", "-I", str(HEADERS), "-o", str(library))
    subprocess.run([compiler, *shared, *flags, str(source)], check=True)
    return library


def questions(positions: Sequence[Position], depths: Sequence[int], castles_to_rook: bool = False) -> PositionBatch:
    """Return a block of positions with the answers of perft-check's generator."""
    texts = [
        position.fen(castling="shredder" if position.chess960 else "xfen").encode() + b"\n" for position in positions
    ]
    keys = [
        sorted(key_of(move.uci(chess960=castles_to_rook or position.chess960)) for move in position.legal_moves)
        for position in positions
    ]
    listed = np.array([key for of_position in keys for key in of_position], np.uint16)
    return PositionBatch.without_bases(
        np.frombuffer(b"".join(texts), np.uint8),
        np.array(depths, np.int64),
        listed,
        np.zeros(len(listed), np.int64),  # a library is not asked for counts of root moves
        np.cumsum([len(of_position) for of_position in keys], dtype=np.int64),
        np.array([perft(position, depth) for position, depth in zip(positions, depths, strict=True)], np.int64),
        chess960=any(position.chess960 for position in positions),
        castles_to_rook=castles_to_rook,
    )


def build_covered_library(folder: Path, *flags: str) -> None:
    """Build the example in C as docs/coverage.md describes, with its source in `folder`."""
    header, line = (block.text for block in list(blocks_of(ROOT / "docs" / "coverage.md"))[:2])
    for name in ("generator.h", "library.c"):
        shutil.copy(EXAMPLES / "c" / name, folder)
    (folder / "mine.c").write_text(f'{header}#include "library.c"\n', encoding="utf-8")
    command = [*line.splitlines()[0].split(), *flags, "-I", str(HEADERS)]
    subprocess.run(command, cwd=folder, check=True)
