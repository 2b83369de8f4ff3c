"""A line that resembles a rejection rejects nothing if a correct count follows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from helpers.fakes import written_engine
from helpers.program import WIDE, Run

pytestmark = pytest.mark.slow  # most tests start processes

ENGINE = """
before, after, speaks_uci = {before!r}, {after!r}, {speaks_uci!r}

class Mine(UciEngine):
    def hear(self, line):
        if speaks_uci or line.split() not in (["uci"], ["isready"]):
            super().hear(line)
    def set_up(self, board, moves):
        super().set_up(board, moves)
        if {refuses!r} and self.board.castling_rights == chess.BB_H1:
            self.board = None
            print("Invalid position: castling is unknown")
    def answer(self, depth):
        if self.board is None:
            return
        for text in before: print(text, flush=True)
        found = dict(self.counts(self.board, depth))
        for move, below in found.items(): print(f"{{move.uci()}}: {{below}}")
        for text in after: print(text)
        print(f"Nodes searched: {{sum(found.values())}}")

Mine().serve()
"""
SUITE = "8/8/8/3k4/8/8/3P4/3K4 w - - 0 1 ;D1 6 ;D2 44\n6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1 ;D1 17\n"
CASTLING = "4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n"
REMARKS = [
    ["Illegal moves: 0"],
    ["Bad captures: 3", "Invalid positions = 0", "errors: 0", "invalid"],
    ["info string 0 illegal moves, 0 bad positions"],
    ["checked for illegal moves and bad positions", "every fen error is counted"],
]


def engine(
    folder: Path, engine_type: str, before: Sequence[str] = (), after: Sequence[str] = (), *, refuses: bool = False
) -> str:
    text = ENGINE.format(before=[*before], after=[*after], speaks_uci=engine_type == "uci", refuses=refuses)
    spec = written_engine(folder / "mine.py", text)
    if engine_type == "uci":
        return spec
    case = "position fen {fen}{moves}\ngo perft {depth}"
    (folder / "mine.json").write_text(json.dumps({"launch": spec.removeprefix("uci:"), "case": case}))
    return "mine.json"


@pytest.mark.parametrize(("engine_type", "place"), [("uci", "before"), ("descriptor", "after")])
@pytest.mark.parametrize("remarks", REMARKS)
def test_remark_next_to_a_correct_count_is_not_a_rejection(
    run: Run, tmp_path: Path, engine_type: str, remarks: list[str], place: str
) -> None:
    (tmp_path / "mine.epd").write_text(SUITE + CASTLING)
    spec = engine(tmp_path, engine_type, *((remarks, []) if place == "before" else ([], remarks)))
    done = run("run", "-e", spec, "-s", "mine.epd", **WIDE)
    assert (done.returncode, "all 3 positions agree" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize("engine_type", ["uci", "descriptor"])
def test_remark_without_a_count_is_a_rejection(run: Run, tmp_path: Path, engine_type: str) -> None:
    (tmp_path / "mine.epd").write_text(SUITE + CASTLING)
    spec = engine(tmp_path, engine_type, refuses=True)
    done = run("run", "-e", spec, "-s", "mine.epd", "--timeout", "20", **WIDE)
    assert "refuses the position: Invalid position: castling is unknown" in done.stdout
    assert "timeout" not in done.stdout
