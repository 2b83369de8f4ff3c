"""The distinct positions of a ply: the same ones on disk as in memory, and nothing left there afterwards."""

from __future__ import annotations

import collections
import errno
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from helpers import oracle
from helpers.each import check_each
from helpers.oracle import Known
from perft_check.generator import Position, perft
from perft_check.generator.counting.counter import Counter, Stopped
from perft_check.generator.counting.distinct import Distinct, distinct
from perft_check.generator.counting.plies import Ply
from perft_check.generator.counting.records import Records, ply_of
from perft_check.generator.kernels.board import Board
from perft_check.generator.kernels.machine.memory import Control

START = Position.start()
KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
MATE = Position.from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
KINGS = Position.from_fen("7k/8/8/8/8/8/8/K7 w - - 0 1")
DISTINCT = 1, 20, 400, 5_362, 72_078, 822_518
"""A083276 of the encyclopedia of integer sequences. After 6 plies it has 2 fewer than we: there a pawn is pinned that
stands ready to take en passant."""
GAMES = 1, 20, 400, 8_902, 197_281, 4_865_609


def records_in(found: Distinct, most: int = 1 << 20) -> Records:
    return np.concatenate([np.empty((0, 4), np.uint64), *found.blocks(most)])


def boards_in(found: Distinct) -> dict[Board, int]:
    return {board: games for block in found.blocks(1_000) for board, games in ply_of(block, 0)}


def naive(known: Known, plies: int) -> dict[Board, int]:
    """Return the positions some plies below, by python-chess, and how many games lead to each."""
    boards = [known.board()]
    for _ in range(plies):
        after = []
        for board in boards:
            for move in board.legal_moves:
                after.append(board.copy(stack=False))
                after[-1].push(move)
        boards = after
    return collections.Counter(oracle.position_of(board).board for board in boards)


@pytest.mark.parametrize("plies", range(6))
def test_the_positions_below_the_start(plies: int) -> None:
    told: list[tuple[int, int]] = []
    with distinct(START.board, plies, tell=lambda ply, positions: told.append((ply, positions))) as found:
        assert (len(found), found.games) == (DISTINCT[plies], GAMES[plies])
        assert told == list(enumerate(DISTINCT[: plies + 1]))[1:]
        assert sum(len(block) for block in found.blocks(1_000)) == DISTINCT[plies]


@pytest.mark.parametrize("memory", [1 << 20, 1 << 30])
def test_the_same_positions_as_one_game_after_the_other(memory: int) -> None:
    def check(known: Known) -> None:
        for plies in (1, 2):
            with distinct(known.position().board, plies, memory=memory) as found:
                assert boards_in(found) == naive(known, plies)
                assert found.games == known.counts[plies - 1]

    known = [one for one in oracle.known_positions() if len(one.counts) > 1 and one.counts[1] < 1_000]
    assert any(one.chess960 for one in known)
    check_each(check, known, lambda known: known.name)


@pytest.mark.parametrize(("plies", "memory"), [(2, 1), (3, 1 << 18), (4, 1 << 20), (4, 1 << 22)])
def test_positions_that_outgrow_the_memory_are_the_same(plies: int, memory: int, tmp_path: Path) -> None:
    files: list[int] = []

    def tell(_ply: int, _positions: int) -> None:
        files.append(len(list(tmp_path.glob("*/*"))))

    board = (KIWIPETE if plies < 4 else START).board
    with (
        distinct(board, plies) as expected,
        distinct(board, plies, memory=memory, folder=tmp_path, tell=tell) as found,
    ):
        assert files[-1] == 1
        assert (len(found), found.games) == (len(expected), expected.games)
        records = records_in(expected)
        for most in (500, 1 << 20):
            assert records_in(found, most).tobytes() == records.tobytes()
    assert list(tmp_path.iterdir()) == []


def test_records_are_in_ascending_order_in_blocks_of_so_many() -> None:
    with distinct(KIWIPETE.board, 2, memory=1 << 14) as found:
        blocks = list(found.blocks(100))
        assert {len(block) for block in blocks[:-1]} == {100}
        assert 0 < len(blocks[-1]) <= 100
        positions = [tuple(row[:3]) for block in blocks for row in block.tolist()]
        assert positions == sorted(set(positions))
        assert len(positions) == len(found)


@pytest.mark.parametrize("position", [START, KIWIPETE], ids=["start", "kiwipete"])
def test_games_and_what_is_below_make_the_perft_of_the_root(position: Position) -> None:
    counter = Counter("turbo", None)
    for plies, depth in ((1, 3), (2, 1), (2, 2), (3, 1)):
        with distinct(position.board, plies, memory=1 << 18) as found:
            total = sum(games * counter.count(board, depth) for board, games in boards_in(found).items())
            assert found.games == perft(position, plies)
            assert total == perft(position, plies + depth)


def test_positions_without_moves_have_no_children() -> None:
    for plies in (1, 2):
        with distinct(MATE.board, plies) as found:
            assert (len(found), found.games, list(found.blocks(5))) == (0, 0, [])
    with distinct(MATE.board, 0) as found:
        assert (len(found), found.games, boards_in(found)) == (1, 1, {MATE.board: 1})


def test_games_may_be_more_than_64_bits_hold() -> None:
    with distinct(KINGS.board, 26) as above, distinct(KINGS.board, 27) as found:
        assert len(above) == len(found) == 3_612  # both kings anywhere, but not side by side
        assert above.games > 1 << 64
        assert sum(games * Ply.of(board, 1).moves for board, games in boards_in(above).items()) == found.games
    with pytest.raises(ValueError, match=r"^more games lead to a position than 64 bits hold$"):
        distinct(KINGS.board, 28)


@pytest.mark.slow
def test_the_arrays_fit_the_memory() -> None:
    memory = 1 << 24
    distinct(START.board, 2).close()
    tracemalloc.start()
    try:
        with distinct(START.board, 5, memory=memory) as found:
            assert len(found) == DISTINCT[5]
        assert tracemalloc.get_traced_memory()[1] < memory
    finally:
        tracemalloc.stop()


def test_files_are_removed_whatever_happens(tmp_path: Path) -> None:
    def fail(ply: int, _positions: int) -> None:
        if ply == 3:
            assert list(tmp_path.glob("*/*"))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        distinct(START.board, 4, memory=1 << 16, folder=tmp_path, tell=fail)
    assert list(tmp_path.iterdir()) == []
    found = distinct(START.board, 3, memory=1 << 16, folder=tmp_path)
    assert list(tmp_path.glob("*/*"))
    found.close()
    found.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda _path, mode: opened(Path("/dev/full"), mode))
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        distinct(START.board, 3, memory=1 << 16, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_it_stops_when_asked(tmp_path: Path) -> None:
    control = Control()
    told: list[int] = []

    def stop(ply: int, _positions: int) -> None:
        told.append(ply)
        if ply == 2:
            control.stop()

    with pytest.raises(Stopped):
        distinct(START.board, 9, control=control, tell=stop, folder=tmp_path)
    assert told == [1, 2]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(Stopped):
        distinct(START.board, 9, control=control)


def test_what_cannot_be_enumerated(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^the plies must be 0 or more, not -1$"):
        distinct(START.board, -1)
    crowded = Position.from_fen("bbbbbbbb/bbbbbbbb/8/8/PPPPPPPP/PPPPPPP1/K6k/8 w - - 0 1")
    with pytest.raises(ValueError, match=r"^a board has 33 pieces, and a record has room for 32$"):
        distinct(crowded.board, 1)
    with pytest.raises(FileNotFoundError):
        distinct(START.board, 1, folder=tmp_path / "absent")


PLAIN = """
from perft_check.generator import Position
from perft_check.generator.counting.distinct import distinct
kiwipete = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
with distinct(kiwipete.board, 2, memory=1 << 16) as found:
    print(len(found), found.games, *(block.tolist() for block in found.blocks(100)))
"""


@pytest.mark.slow
def test_plain_python_finds_the_same() -> None:
    outputs = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-c", PLAIN]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stderr == ""
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert " 2039 " in outputs[0]
