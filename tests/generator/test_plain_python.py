"""Kernels as plain Python, for other targets, and for processors without PEXT."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from helpers.program import PROGRAM, printed_by_python
from perft_check.generator.kernels.machine.execution_mode import ExecutionMode, current_mode

SNIPPETS = {
    "counts, lists and kinds of moves": """
from perft_check.generator import GenType, MoveList, Position, perft, stats
endgame = Position.from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
chess960 = Position.from_fen("1k1q1nrr/1pppppbp/p5p1/8/8/P1N5/1PPPPPPP/RK1R3N w DA - 0 1", chess960=None)
for position in (endgame, chess960):
    for backend in BACKENDS:
        print(*(perft(position, 2, kernel=name, backend=backend) for name in ("list", "turbo", "two-plies")), end=" ")
        for gentype in (GenType.CAPTURES, GenType.QUIETS, GenType.QUIET_CHECKS, GenType.NON_EVASIONS, GenType.LEGAL):
            print(len(MoveList(position, gentype, backend)), end=" ")
    print(stats(position, 2).captures)
check = Position.from_fen("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5P2/PPPP2PP/RNBQKBNR w KQkq - 1 3")
print(*sorted(m.uci() for m in MoveList(check, GenType.EVASIONS).moves))
""",
    "FENs": """
from perft_check.generator import Position
from perft_check.generator.fens import states_of, write_states
fens = ["r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1", "4k3/8/8/8/8/8/8/4KR1R w F - 7 99999"]
print(write_states(states_of([Position.from_fen(fen, None) for fen in fens])).decode())
""",
    "rare events": """
from perft_check.generator.events import event_bits
from perft_check.strategies.common import smallest_positions
print(*(event_bits(position) for position in smallest_positions().values()))
""",
    "generated positions": """
from perft_check.generator import Position
from perft_check.generator.sampling.sampler import PositionSampler
for fen in ("r3k2r/8/8/3pP3/8/8/P6p/R3K2R w KQkq d6 0 1", "k7/p7/P7/8/8/5p1p/5P1P/4K2R w K - 0 1"):
    source = PositionSampler([Position.from_fen(fen)], 6)
    for drawn in (source.sample(6, 30), source.sample_sparse(1, 1000) if fen.startswith("k") else source.sample(1)):
        print(drawn.text.tobytes(), drawn.keys.tolist(), drawn.counts.tolist(), drawn.events.tolist())
        print(drawn.bases.tolist(), drawn.moves.tolist(), drawn.depths.tolist(), drawn.totals.tolist())
""",
    "counts with a table and in threads": """
from perft_check.generator import Position, perft
from perft_check.generator.counting import counter
from perft_check.generator.counting.counter import Table
endgame = Position.from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
table = Table(1 << 20)
for worth in (counter.WORTH_CUTTING, 0.5):
    counter.WORTH_CUTTING = worth
    for kernel in ("turbo", "two-plies"):
        print(perft(endgame, 3, kernel=kernel, table=table), perft(endgame, 3, kernel=kernel, threads=2))
""",
    "distinct positions": """
from perft_check.generator import Position
from perft_check.generator.counting.records import distinct_positions, total_games
kiwipete = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
found = distinct_positions(kiwipete.board, 2)
print(len(found), total_games(found), found.tolist())
""",
}
SLOW = ("counts with a table and in threads", "distinct positions")
BEGIN = {
    "counts, lists and kinds of moves": "191 191 191 1 15 1 16 14 ",
    "FENs": "r3k2r/8/8/8/4Pp2/8/8/R3K2R b KQkq e3 0 1\n4k3/8/8/8/8/8/8/4KR1R w F - 7 99999\n",
    "counts with a table and in threads": "2812 2812\n" * 4,
    "distinct positions": "2038 2039 ",
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in SNIPPETS])
def test_plain_python_agrees_with_compiled_code(name: str) -> None:
    """Compiled code has the PEXT back-end only on some machines; plain Python always has it."""
    compiled = printed_by_python(f'BACKENDS = ("magic", "magic")\n{SNIPPETS[name]}', NUMBA_DISABLE_JIT="0")
    plain = printed_by_python(f'BACKENDS = ("pext", "magic")\n{SNIPPETS[name]}', NUMBA_DISABLE_JIT="1")
    assert plain == compiled
    assert plain.startswith(BEGIN.get(name, ""))
    assert plain.strip()


TARGET = """
from perft_check.generator.kernels.machine import target
print(target.cpu_name())
print(target.features())
print(target.target_has_pext())
"""
NUMBAS = """
from numba.core import registry
_, cpu, features = registry.cpu_target.target_context.codegen().magic_tuple()
print(cpu)
print(features)
print("+bmi2" in features.split(","))
"""


def _lines(code: str, **variables: str) -> list[str]:
    return printed_by_python(code, **variables).split("\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"NUMBA_CPU_NAME": "generic"},
        {"NUMBA_CPU_NAME": "haswell"},
        {"NUMBA_CPU_FEATURES": "+sse2,+bmi2"},
        {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "+popcnt"},
        {"NUMBA_CPU_FEATURES": ""},
        {"NUMBA_ENABLE_AVX": "0"},
    ],
    ids=str,
)
def test_the_target_agrees_with_numba(settings: dict[str, str]) -> None:
    assert _lines(TARGET, **settings) == _lines(NUMBAS, **settings)


@pytest.mark.parametrize("setting", ["1", "2"])
def test_plain_python_has_pext(setting: str) -> None:
    code = f"{TARGET}\nprint(target.current_mode())"
    assert _lines(code, NUMBA_DISABLE_JIT=setting, NUMBA_CPU_NAME="generic")[-3:] == [
        "True",
        "ExecutionMode.PYTHON",
        "",
    ]


WORK = """
import sys
from perft_check.generator import GenType, MoveList, Position, perft
start = Position.start()
print(*(perft(start, 3, kernel=name) for name in ("two-plies", "turbo", "list")), len(MoveList(start, GenType.LEGAL)))
print("numba" in sys.modules)
"""


@pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python")
def test_compiled_kernels_run_without_numba() -> None:
    _lines(WORK)
    assert _lines(WORK) == ["8902 8902 8902 20", "False", ""]


SUITES = ["-s", "standard", "-s", "chess960", "-s", "special", "-s", "chess960-special"]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel", [*(pytest.param(name, marks=pytest.mark.long) for name in ("own", "own:turbo")), "own:two-plies"]
)
def test_kernels_for_a_generic_target_count_the_suites(kernel: str, tmp_path: Path) -> None:
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    done = subprocess.run(
        [*PROGRAM, "run", "-e", kernel, *SUITES, "--max-nodes", "20k"],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | generic,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^all 426 positions agree  ", done.stdout, re.MULTILINE)
    (folder,) = (tmp_path / "kernels").iterdir()
    assert list(folder.glob("*.kernel")), "the kernels were compiled in this test, for this target"
