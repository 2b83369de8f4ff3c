"""An illegal root move is a mismatch and is quoted, whether or not the total includes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.program import WIDE, Run

pytestmark = pytest.mark.slow  # each test starts processes

ENGINE = """
extra, in_total = {extra!r}, {in_total!r}

class Mine(UciEngine):
    def answer(self, depth):
        total = 0
        for move, below in self.counts(self.board, depth):
            total += below
            print(f"{{move.uci()}}: {{below}}")
        if not self.board.castling_rights:
            print(f"{{extra}}: 1")
            total += in_total
        print(f"Nodes searched: {{total}}")

mine = Mine()
if sys.argv[1:]:
    mine.set_up(chess.Board(sys.argv[2]), [])
    mine.answer(int(sys.argv[1]))
else:
    mine.serve()
"""
SUITE = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n4k3/8/8/8/8/8/P7/4K3 w - - 0 1 ;D1 7\n"
)
EXTRA = {
    "a2h0": "'a2h0' is not a move: the board has no square h0.",
    "z9z9": "'z9z9' is not a move: the board has no square z9.",
    "a2a5": "The pawn on a2 cannot reach a5",
    "h1h2": "There is no piece on h1 that could move to h2.",
}


def engine(folder: Path, engine_type: str, extra: str, *, in_total: bool) -> str:
    spec = written_engine(folder / "mine.py", ENGINE.format(extra=extra, in_total=in_total))
    return spec if engine_type == "uci" else f"cmd:{spec.removeprefix('uci:')} {{depth}} {{fen}}"


@pytest.mark.parametrize(
    ("engine_type", "extra", "in_total"),
    [
        ("uci", "a2h0", True),
        ("uci", "z9z9", False),
        ("uci", "a2a5", True),
        ("uci", "h1h2", False),
        ("cmd", "a2h0", False),
        ("cmd", "h1h2", True),
        ("uci", "Ra8", True),
        ("uci", "Ra8", False),
    ],
)
def test_illegal_root_move_is_a_mismatch_in_run(
    run: Run, tmp_path: Path, engine_type: str, extra: str, in_total: bool
) -> None:
    (tmp_path / "mine.epd").write_text(SUITE)
    done = run("run", "-e", engine(tmp_path, engine_type, extra, in_total=in_total), "-s", "mine.epd", **WIDE)
    if extra == "Ra8" and not in_total:  # not recognized as a root move
        assert done.returncode == 0, done.stdout
        return
    assert done.returncode == 1, done.stdout
    assert "1 of 2 positions agree, 1 mismatch" in done.stdout
    assert EXTRA.get(extra, "'Ra8' is not a move") in done.stdout


@pytest.mark.parametrize(("extra", "in_total"), [("a2h0", True), ("a2h0", False), ("h8h0", False)])
def test_illegal_root_move_is_a_mismatch_in_fuzz(fuzz: Run, tmp_path: Path, extra: str, in_total: bool) -> None:
    spec = engine(tmp_path, "uci", extra, in_total=in_total)
    done = fuzz("-e", spec, "-n", "6", "--jobs", "1", "--seed", "1", **WIDE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{extra} extra: '{extra}' is not a move: the board has no square {extra[2:]}." in done.stdout
