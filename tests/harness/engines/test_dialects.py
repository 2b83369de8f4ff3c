"""Reading lines of engines: root moves, totals, and others."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from helpers.budget import properties
from hypothesis import given
from hypothesis import strategies as st
from perft_check.errors import UsageError
from perft_check.harness.engines.stdio import lines
from perft_check.harness.engines.stdio.descriptor import Descriptor, load_descriptor, save_descriptor
from perft_check.harness.engines.stdio.lines import is_rejection, root_move
from perft_check.harness.engines.stdio.transcript import Transcript

ROOT_MOVE_LINES = [
    ("  1     a2a3          380        0.000s ... kN/s", ("a2a3", 380)),
    ("Nd4-e6  390479  390479", ("d4e6", 390479)),
    ("e7e8q: 4", ("e7e8q", 4)),
    ("e7e8=Q 4", ("e7e8q", 4)),
    ("e2e4: 1,234,567", ("e2e4", 1234567)),
    ("O-O 25", ("O-O", 25)),
    ("0-0-0: 25", ("O-O-O", 25)),
]
NOISE = [
    "info string e2e4: 600",
    "info depth 1 score cp 12 nodes 20 pv e2e4",
    "bestmove e2e4",
    "e2e4",
    "e2e4: many",
    "",
    "Nodes: many",
    "the 8902 nodes",
    "info string 8902 nodes",
]


@pytest.mark.parametrize(("line", "pair"), ROOT_MOVE_LINES)
def test_root_moves(line: str, pair: tuple[str, int]) -> None:
    assert root_move(line) == pair
    assert not Transcript(3, None).add(line)


@properties(200)
@given(st.from_regex(lines.PLAIN_ROOT_MOVE, fullmatch=True))
def test_fast_path_reads_root_moves_like_the_table(line: str) -> None:
    with patch.object(lines, "PLAIN_ROOT_MOVE", re.compile("(?!)")):
        read = root_move(line)
    assert root_move(line) == read


@pytest.mark.parametrize("line", NOISE)
def test_noise_is_neither_a_root_move_nor_a_total(line: str) -> None:
    assert root_move(line) is None
    transcript = Transcript(3, None)
    assert not transcript.add(line)
    assert (transcript.pairs, transcript.total) == ([], None)


@pytest.mark.parametrize("line", ["perft 2 time 0 nodes 400 ()", "Perft 2: 400", "info depth 2 nodes 400"])
def test_total_of_another_depth_is_skipped(line: str) -> None:
    assert not Transcript(3, None).add(line)


@pytest.mark.parametrize("line", ["Invalid FEN", "info string bad position", "ERROR: fen is malformed", "Illegal FEN!"])
def test_rejections(line: str) -> None:
    assert is_rejection(line)


@pytest.mark.parametrize("line", ["No such option: UCI_Chess960", "info string dropped illegal en passant", "invalid"])
def test_other_complaints_are_not_rejections(line: str) -> None:
    assert not is_rejection(line)


def test_descriptor_of_a_program_that_reads_stdin(tmp_path: Path) -> None:
    path = tmp_path / "horsie.json"
    keys = {"launch": "bin/horsie -x", "setup": ["setoption name Hash value 1"], "end_re": "^Total: \\d+"}
    case = {"case": "position fen {fen}\nperft {depth}", "quit": "quit"}
    path.write_text(json.dumps({"name": "horsie", "version": "1", "min_depth": 2, **keys, **case}))
    descriptor = load_descriptor(path)
    assert descriptor.launch == ("bin/horsie", "-x")
    assert descriptor.setup == ("setoption name Hash value 1",)
    assert descriptor.min_depth == 2
    assert descriptor.end is not None
    assert descriptor.end.is_in("Total: 20")
    assert not descriptor.plays_moves
    assert descriptor.lines("FEN", [], 3) == ["position fen FEN", "perft 3"]
    assert descriptor.position_lines == ["position fen {fen}"]


def test_descriptor_round_trip(tmp_path: Path) -> None:
    descriptor = Descriptor(
        "x", ("a b", "c"), "position fen {fen}{moves}\ngo perft {depth}", total_format="n = N", min_depth=2
    )
    save_descriptor(tmp_path / "x.json", descriptor)
    assert load_descriptor(tmp_path / "x.json") == descriptor


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "{path} is not JSON: "),
        ("[]", "{path}: an engine descriptor is a JSON object"),
        ("{}", "{path}: Object missing required field `launch`"),
        ('{"launch": "x"}', "{path}: 'case' is missing"),
        ('{"launch": "x", "case": "go {depth}"}', "{path}: 'case' has no {{fen}}"),
        ('{"launch": "\'x", "case": "{fen} {depth}"}', "{path}: No closing quotation in 'launch'"),
        ('{"launch": "x", "case": "{fen} {depth}", "end_re": "("}', "{path}: 'end_re' is not a regular expression: "),
        (
            '{"launch": "x", "case": "{fen} {depth}", "min_depth": "2"}',
            "{path}: 'min_depth': Expected `int`",
        ),
        (
            '{"launch": "x", "case": "{fen} {depth}", "setup": 3}',
            "{path}: 'setup': Expected `str | array | null`",
        ),
        ('{"launch": "x", "case": "{fen} {depth}", "total": "?"}', "{path}: 'total' '?' is none of "),
        (
            '{"launch": "x", "case": "{fen} {depth}", "end_er": "x"}',
            "{path}: unknown key 'end_er': did you mean 'end_re'?",
        ),
    ],
)
def test_invalid_descriptors(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(UsageError) as raised:
        load_descriptor(path)
    assert str(raised.value).startswith(message.format(path=path))


def test_missing_descriptor_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*none\.json: No such file"):
        load_descriptor(tmp_path / "none.json")
