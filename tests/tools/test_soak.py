"""The soak: correct kernels pass it, the same seed gives the same games, and every faulty kernel is detected."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import soak as soak_tool
from helpers import oracle
from helpers.sources import copy_generator
from perft_check.generator import Position
from soak.soaking import soak

pytestmark = pytest.mark.slow  # the kernel takes half a minute to compile

SOAK_TOOL = Path(soak_tool.__file__).parent


@cache
def starts() -> tuple[Position, ...]:
    return tuple(known.position() for known in oracle.known_positions())


def test_the_kernels_agree() -> None:
    result = soak(starts(), 200_000, seed=1)
    assert (result.failures, result.differences) == (0, ())
    assert result.positions == 200_000
    assert 1_000 < result.samples < 2_000
    assert 1_000 < result.games < 100_000
    assert result.moves > 200_000
    assert all(result.events)


SAMPLE_ALL = ("crosscheck.py", "SAMPLE, PATTERNS_SAMPLE = np.uint64(128)", "SAMPLE, PATTERNS_SAMPLE = np.uint64(1)")
PINNED_KNIGHT = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1"
PINNED_EN_PASSANT = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1"
FAULTS = {
    "list: pinned pieces go anywhere": (
        [("generate.py", "return bool(line(tables, king, origin) & bit(target) != ZERO)", "return True")],
        PINNED_KNIGHT,
        "count",
    ),
    "list: castling through an attack": (
        [("generate.py", "if safe and (gentype", "if (gentype")],
        "4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
        "count",
    ),
    "list: no rook of Chess960 is pinned": (
        [("generate.py", "free_castling(tables, board, own, king, occupied) & ~orthogonal_pins",
          "free_castling(tables, board, own, king, occupied)")],
        "4k3/8/8/8/8/8/8/rR2K1N1 w B - 0 1",
        "count",
    ),
    "count: en passant always safe": (
        [("counting/last_ply.py", "if en_passant_is_safe(tables, board, king, occupied, lowest(takers)):", "if True:")],
        PINNED_EN_PASSANT,
        "count",
    ),
    "perft: the pawn taken en passant stays": (
        [
            ("counting/walk.py", "orthogonals, at, ~(to << _8), ZERO, rights", "orthogonals, at, ALL, ZERO, rights"),
            SAMPLE_ALL,
        ],
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "perft",
    ),
    "play: castling rights survive a king move": (
        [("play.py", "if origin & king != ZERO:\n        rights &= ~byteswap(ours(board))",
          "if origin & king != ZERO:")],
        "4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
        "board",
    ),
    "both: no pins": (
        [("safety.py", "pins |= path | ONE << square", "pins |= ZERO")],
        "4k3/8/8/8/4r3/8/3PNP2/3QKB2 w - - 0 1",
        "king left",
    ),
    "both: castling over pieces": (
        [("castling.py", "if way & (occupied ^ board.king ^ ONE << rook) == ZERO:", "if True:"), SAMPLE_ALL],
        "4k3/8/8/8/8/8/8/4KB1R w K - 0 1",
        "validator",
    ),
    "both: no knight goes to a1": (
        [("tables.py", "geometry.leaper_attacks(square, geometry.KNIGHT_STEPS)",
          "geometry.leaper_attacks(square, geometry.KNIGHT_STEPS) & ~1"), SAMPLE_ALL],
        "4k3/8/8/8/8/1N6/8/6K1 w - - 0 1",
        "mirror",
    ),
    "magic: no rook goes from a1 to c1": (
        [("tables.py", "attacks = ordered", "attacks = ordered if square else ordered & ~np.uint64(4)")],
        "4k3/8/8/8/8/8/8/R5K1 w - - 0 1",
        "back-end",
    ),
    "quiets: no underpromotions": (
        [("generate.py", "if gentype == QUIETS or gentype == EVASIONS", "if gentype == EVASIONS")],
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
        "stages",
    ),
    "quiet checks: none discovered by a double step": (
        [("generate.py", "opening_twice = (opening & RANK_3) << _8 & empty", "opening_twice = ZERO"), SAMPLE_ALL],
        "8/8/8/8/8/8/k3P2R/4K3 w - - 0 1",
        "quiet checks",
    ),
}  # fmt: skip
EACH_TIME = (
    "list: pinned pieces go anywhere",
    "perft: the pawn taken en passant stays",
    "play: castling rights survive a king move",
    "both: castling over pieces",
    "magic: no rook goes from a1 to c1",
)
"""Faults in different files; the others are tested by the nightly job."""

SOAK = """
from perft_check.generator import Position
from soak.soaking import soak
start = Position.from_fen({fen!r}, chess960=None)
for difference in soak([start], 30, 1).differences:
    position = difference.position
    at_start = position.board == start.board and position.chess960 == start.chess960
    print(difference.check, "at the start" if at_start else "later")
"""


def soaked(home: Path, fen: str) -> set[str]:
    """Run a short soak of the package at `home`, as plain Python; return the failed checks and positions."""
    code = f"import sys; sys.path.insert(0, {str(home)!r})" + SOAK.format(fen=fen)
    # With a separate cache, so that kernels of changed sources do not replace those of the tests.
    own = {"NUMBA_DISABLE_JIT": "1", "NUMBA_CACHE_DIR": str(home), "PYTHONPATH": str(home)}
    environment = os.environ | own
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert answer.returncode == 0, answer.stderr
    return set(answer.stdout.splitlines())


@pytest.mark.parametrize(
    "fault", [pytest.param(fault, marks=[pytest.mark.long] * (fault not in EACH_TIME)) for fault in FAULTS]
)
def test_a_faulty_kernel_is_detected(fault: str, tmp_path: Path) -> None:
    edits, fen, check = FAULTS[fault]
    generator = copy_generator(tmp_path)
    shutil.copytree(SOAK_TOOL, tmp_path / "soak")
    for name, right, wrong in edits:
        file = (tmp_path / "soak" if name == "crosscheck.py" else generator / "kernels") / name
        source = file.read_text()
        assert right in source
        file.write_text(source.replace(right, wrong))
    shows = "later" if check in ("board", "king left") else "at the start"
    assert f"{check} {shows}" in soaked(tmp_path, fen)
