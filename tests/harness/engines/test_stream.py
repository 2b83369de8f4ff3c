"""Engines that are asked ahead: all mismatches are noticed, nothing else is, and no wait is endless."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from helpers.blocks import correct_block, random_positions
from helpers.fakes import FAKES, ahead, fake
from helpers.processes import PATIENCE
from helpers.program import needs_stockfish
from helpers.streams import doubtful_positions, open_stream
from perft_check.generator import Position
from perft_check.harness.engines.base import CannotPipeline, EngineCrash, EngineTimeout, UnparseableOutput
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.stdio.stream.block import NEVER
from perft_check.harness.engines.stdio.stream.stream import Stream

POSITIONS = random_positions(40)
PLACE = 17
DISLIKED = POSITIONS[PLACE].fen()
SHORT = 1.0
"""Time limit for an engine that never answers."""


def why_not(spec: str) -> str:
    with pytest.raises(CannotPipeline) as caught, open_stream(spec):
        pass
    return str(caught.value)


@pytest.mark.slow
@needs_stockfish
def test_stockfish_agrees_on_thousands_of_positions_of_both_variants() -> None:
    blocks = [correct_block(random_positions(1024, seed=seed)) for seed in range(3)]
    blocks += [correct_block(random_positions(1024, chess960=True, seed=seed)) for seed in range(2)]
    blocks += [correct_block(random_positions(64, seed=7), 2), correct_block([])]
    with open_stream("uci:stockfish", chess960=True) as one:
        assert (one.castles_to_rook, one.min_depth) == ({False: False, True: True}, 1)
        assert doubtful_positions(one, *blocks) == [[]] * len(blocks)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["halves", "crlf", "chatters", "stderr-flood", "one-line-at-a-time", "totals-only"])
def test_odd_but_correct_answers_are_no_mismatches(mode: str) -> None:
    block = correct_block(POSITIONS)
    with open_stream(ahead(mode)) as one:
        assert doubtful_positions(one, block, correct_block(random_positions(10, chess960=True)), block) == [[], [], []]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "doubtful"),
    [
        ("omits", [PLACE]),
        ("repeats", [PLACE]),
        ("miscounts-total", [PLACE]),
        ("garbage", [PLACE]),
        ("refuses", [PLACE]),
        ("keeps", [PLACE - 1, PLACE]),
        ("twice", [PLACE, PLACE + 1]),
    ],
)
def test_incorrect_answer_is_assigned_to_its_position(mode: str, doubtful: list[int]) -> None:
    with open_stream(ahead(mode, DISLIKED)) as one:
        block, other = correct_block(POSITIONS), correct_block(POSITIONS[PLACE + 1 :])
        assert doubtful_positions(one, block, other, block) == [doubtful, [], doubtful]


@pytest.mark.parametrize("mode", ["crashes", "crashes-halfway"])
def test_crash_is_assigned_to_the_first_unanswered_position(mode: str) -> None:
    with open_stream(ahead(mode, DISLIKED)) as one:
        for _ in range(2):
            for _ in range(3):
                one.stream.submit(correct_block(POSITIONS))
            found = [one.stream.collect() for _ in range(3)]
            assert [done.doubtful.tolist() for done in found] == [[PLACE], [], []]
            assert [done.answered for done in found] == [PLACE, 0, 0]
            for done in found:
                assert isinstance(done.trouble, EngineCrash)
                assert str(done.trouble).endswith("was killed by SIGSEGV")
            one.stream.start(EngineCall(PATIENCE))
        assert doubtful_positions(one, correct_block(POSITIONS[:PLACE])) == [[]]


def test_engine_that_stops_reading_times_out() -> None:
    with open_stream(ahead("hangs", DISLIKED)) as one:
        assert isinstance(one.stream, Stream)
        one.stream.seconds = SHORT
        block = correct_block(POSITIONS)
        for _ in range(200):  # more than any pipe holds
            one.stream.submit(block)
        found = [one.stream.collect() for _ in range(200)]
        assert {type(done.trouble) for done in found} == {EngineTimeout}
        assert str(found[0].trouble).endswith("has not answered within 1 second")
        assert found[0].doubtful.tolist() == [found[0].answered] <= [PLACE]  # a busy machine may be late before that
        assert {done.answered for done in found[1:]} == {0}
        assert one.stream.under_way == 0


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["floods", "answers-without-end"])
def test_flood_ends_the_stream(mode: str) -> None:
    with open_stream(ahead(mode, DISLIKED)) as one:
        one.stream.submit(correct_block(POSITIONS))
        done = one.stream.collect()
        assert isinstance(done.trouble, UnparseableOutput)
        assert str(done.trouble).endswith("floods: more than 8 MiB and no total")
        assert PLACE in done.doubtful.tolist()
        assert mode != "floods" or (done.doubtful.tolist(), done.answered) == ([PLACE], PLACE)


def test_interrupt_ends_the_stream() -> None:
    with open_stream(ahead("hangs", DISLIKED)) as one:
        one.stream.submit(correct_block(POSITIONS))
        one.stream.interrupt()
        done = one.stream.collect()
        assert isinstance(done.trouble, EngineCrash)
        assert str(done.trouble).endswith("was killed by SIGKILL")


def test_castling_is_compared_in_the_notation_of_the_engine() -> None:
    castling = [Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")]
    with open_stream(ahead("king-takes-rook")) as one:
        assert one.castles_to_rook == {False: True, True: True}
        assert doubtful_positions(one, correct_block(castling, 1, True), correct_block(castling)) == [[], [0]]


def test_reason_why_an_engine_cannot_be_asked_ahead(tmp_path: Path) -> None:
    assert why_not(ahead("letters")) == "it does not write root moves, or castling, as UCI text"
    others = "sent many questions at once, it gives other answers, or writes them in an unknown way"
    assert why_not(ahead("muddles")) == why_not(fake("wrong-every-third")) == others
    case = "position fen {fen}\ngo perft {depth}"
    launch = shlex.join([sys.executable, str(FAKES / "ahead.py"), "right"])
    (tmp_path / "fake.json").write_text(json.dumps({"launch": launch, "case": f"position fen {{fen}}\n{case}"}))
    assert why_not(str(tmp_path / "fake.json")) == "its descriptor names the FEN more than once"


def test_engine_with_end_re_is_asked_ahead(tmp_path: Path) -> None:
    case = "position fen {fen}\ngo perft {depth}"
    launch = shlex.join([sys.executable, str(FAKES / "ahead.py"), "omits", DISLIKED])
    described = {"launch": launch, "case": case, "uci": True, "end_re": "^Nodes searched"}
    (tmp_path / "fake.json").write_text(json.dumps(described))
    with open_stream(str(tmp_path / "fake.json")) as one:
        assert doubtful_positions(one, correct_block(POSITIONS)) == [[PLACE]]


CALLABLES = f"""
import os
import chess

def moves(fen):
    board = chess.Board(fen)
    listed = [move.uci() for move in board.legal_moves]
    return listed[1:] if fen == {DISLIKED!r} else listed

def divide(fen, depth):
    if fen == {DISLIKED!r}:
        raise IndexError("no such square")
    return {{move: 1 if depth == 1 else total_after(fen, move) for move in moves(fen)}}

def total_after(fen, move):
    board = chess.Board(fen)
    board.push_uci(move)
    return board.legal_moves.count()

def total(fen, depth):
    board = chess.Board(fen)
    count = board.legal_moves.count() + (fen == {DISLIKED!r})
    return count if depth == 1 else count * 1000 + sum(map(len, fen.split())) + depth

def dies(fen, depth):
    if fen == {DISLIKED!r}:
        os._exit(5)
    print("a word on the way")
    return list(divide(fen, depth).items())
"""


@pytest.mark.slow
def test_python_callables_are_asked_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "callables.py").write_text(CALLABLES)
    monkeypatch.chdir(tmp_path)
    block = correct_block(POSITIONS)
    for name, max_depth in (("moves", 1), ("divide", NEVER), ("total", NEVER)):
        with open_stream(f"python:callables:{name}") as one:
            assert one.max_depth == max_depth
            assert doubtful_positions(one, block, block) == [[PLACE], [PLACE]]
    with open_stream("python:callables:dies") as one:
        one.stream.submit(block)
        done = one.stream.collect()
        assert done.doubtful.tolist() == [done.answered]
        assert done.answered <= PLACE  # its last answers may be lost
        assert str(done.trouble) == "python:callables:dies exited with status 5: a word on the way"
