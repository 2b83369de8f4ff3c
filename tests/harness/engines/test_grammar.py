"""The examples of every dialect in the table, read one question at a time and when asked ahead."""

from __future__ import annotations

import re
from unittest.mock import patch

import pytest
from helpers.budget import budget, properties
from hypothesis import given
from hypothesis import strategies as st
from perft_check.generator.sampling.position_batch import UCI_TEXTS
from perft_check.harness.engines.stdio import lines as reading
from perft_check.harness.engines.stdio.descriptor import Descriptor
from perft_check.harness.engines.stdio.dialects import ROOT_MOVES, TOTALS, LineFormat
from perft_check.harness.engines.stdio.grammar import OTHER_SEPARATORS, pattern
from perft_check.harness.engines.stdio.lines import is_rejection, root_move, totals
from perft_check.harness.engines.stdio.process import plain_text
from perft_check.harness.engines.stdio.stream.block import (
    AnswerReader,
    ExpectedAnswers,
    Marker,
    StreamBlock,
    StreamProtocol,
)
from perft_check.harness.engines.stdio.stream.opening import TrialAnswer, block_of
from perft_check.harness.engines.stdio.transcript import Transcript

DEPTH, NODES, MOVE = 3, 8902, ("e2e4", 600)
FORMATS = (*ROOT_MOVES, *TOTALS.values())
EXAMPLES = [(one, example) for one in FORMATS for example in one.examples]
ENDING = "Nodes searched: N"
"""The format of totals of engines with a format of root moves."""
END = "Nodes searched: 1"
MARKER = TrialAnswer("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 2, [("h1h8", 3)], 3)
PIECES = st.sampled_from([*"\t  ::==()->.,'_x\N{RIGHT SINGLE QUOTATION MARK}0123456789abhnqrNQROekEnodsDPtp%"])
PIECES |= st.sampled_from((",345", ".678", " 901", "_23", "12345", " nodes ", "a7a8=Q", "O-O", "3.5", "perft", "->"))
MOVES = [text for text in UCI_TEXTS if text[:2] != text[2:4]]


def protocol_of(total_format: str, separator: str = "") -> StreamProtocol:
    descriptor = Descriptor("fake", ("fake",), "{fen} {depth}", separator=separator, total_format=total_format)
    return StreamProtocol(descriptor, lists_from=1)


def answer_of(lines: list[str], total_format: str, separator: str = "") -> TrialAnswer:
    """Return the answer as read line by line."""
    transcript = Transcript(DEPTH, total_format, separator=separator)
    assert [transcript.add(line) for line in lines] == [False] * (len(lines) - 1) + [True]
    return TrialAnswer("", DEPTH, transcript.pairs, transcript.total or 0)


def is_agreed(lines: list[str], total_format: str, separator: str = "") -> bool:
    """Return True if the answer is accepted twice when the engine is asked ahead."""
    protocol = protocol_of(total_format, separator)
    sampled = block_of([answer_of(lines, total_format, separator)] * 3)
    reader, marker = AnswerReader(protocol), Marker(b"", ExpectedAnswers(block_of([MARKER]), protocol))
    for _ in range(2):  # the format of the engine is learned from the first one
        block = StreamBlock(sampled, ExpectedAnswers(sampled, protocol), marker, reader)
        assert block.read([line.encode() for line in lines] * 3, 0) == 3 * len(lines)
        done = block.finish(None)
        if (done.answered, len(done.doubtful)) != (3, 0):
            return False
    return True


@pytest.mark.parametrize(("one", "example"), EXAMPLES)
def test_examples_are_read(one: LineFormat, example: str) -> None:
    if one in ROOT_MOVES:
        assert root_move(example) == MOVE
        assert is_agreed([example, END], ENDING)
    else:
        assert root_move(example) is None
        found = list(totals(example, one.name if one.is_loose else None))
        names = [name for name, _, _ in found]
        assert names == [one.name], f"{example!r} is already read as {', '.join(names) or 'nothing'}"
        assert [(nodes, depth or DEPTH) for _, nodes, depth in found] == [(NODES, DEPTH)]
        assert is_agreed([example], one.name)
        others = [other for other in TOTALS if other != one.name and not TOTALS[other].is_loose]
        assert not any(Transcript(DEPTH, other).add(example) for other in others)
        assert all(is_agreed([example, TOTALS[other].examples[0]], other) for other in others)


@st.composite
def candidates_for(draw: st.DrawFn) -> tuple[str, LineFormat]:
    """Draw a line that differs slightly from an example, with its format."""
    one, line = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(1, 3))):
        edges = [edge.start() for edge in re.finditer(r"\b|$", line)]
        begin = draw(st.sampled_from(edges) | st.integers(0, len(line)))
        end = begin + draw(st.sampled_from((0, 0, 0, 1, 2, 8)))
        line = line[:begin] + draw(PIECES | st.just(line[begin:end] * 2)) + line[end:]
    return line, one


@pytest.mark.parametrize("line", ["e2e4 -5", "e2e4: -5", "e2e4\t-5"])
def test_minus_sign_is_not_an_arrow(line: str) -> None:
    assert (root_move(line), list(totals(line.replace("e2e4", "Total"), None))) == (None, [])
    assert root_move("e2e4 - 5") == root_move("e2e4-5") == ("e2e4", 5)


@properties(50)
@given(st.from_regex(reading.PLAIN_ROOT_MOVE, fullmatch=True))
def test_fast_path_reads_root_moves_like_the_table(line: str) -> None:
    with patch.object(reading, "PLAIN_ROOT_MOVE", re.compile("(?!)")):
        read = root_move(line)
    assert root_move(line) == read


@pytest.mark.parametrize("line", ["perft 2 time 0 nodes 400 ()", "Perft 2: 400", "info depth 2 nodes 400"])
def test_total_of_another_depth_is_skipped(line: str) -> None:
    assert not Transcript(DEPTH, None).add(line)


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        *((line, True) for line in ("Invalid FEN", "info string bad position", "ERROR: fen is malformed")),
        *((line, True) for line in ("Illegal FEN!", "Error: bad fen", "invalid move e1g1")),
        ("Illegal position: 8/8/8/8/8/8/8/8 w - - 0 1", True),
        ("info string illegal position: 2 kings", True),
        *((line, False) for line in ("invalid", "No such option: UCI_Chess960", "Illegal moves: 0")),
        *((line, False) for line in ("12 illegal moves", "illegal moves = 1,204 (0.2 %)")),
        ("Bad captures: 3, bad moves: 0", False),
        ("info string dropped illegal en passant", False),
    ],
)
def test_rejections(line: str, is_one: bool) -> None:
    assert is_rejection(line) is is_one


@budget(1_000, 50_000)
def test_predicted_lines_are_parsed_to_the_same_answer(number: int) -> None:
    @properties(number)
    @given(
        candidates_for(),
        st.sampled_from(("", *OTHER_SEPARATORS)),
        st.sampled_from(MOVES),
        st.integers(0, 2**63 - 1) | st.integers(0, 2_000),
    )
    def check(changed: tuple[str, LineFormat], separator: str, move: str, count: int) -> None:
        line, one = changed
        is_root_move = one in ROOT_MOVES
        total_format = ENDING if is_root_move else one.name
        reader = AnswerReader(protocol_of(total_format, separator))
        transcript, text = reader.transcript(DEPTH), plain_text(line.encode())
        has_ended = transcript.add(text)
        if is_root_move and root_move(text, separator):
            reader.learn(line.encode(), transcript.pairs[-1], b"", 0)
        elif has_ended and not is_root_move:
            reader.learn(b"", MOVE, line.encode(), transcript.total or 0)
        expected = ExpectedAnswers(block_of([TrialAnswer("", DEPTH, [(move, count)], count)]), reader.protocol)
        ((root_moves, total),) = expected.lines(reader.form)
        for predicted in (
            one for one in root_moves if not one.endswith(b"\n")
        ):  # no line of output ends with a line feed
            assert root_move(plain_text(predicted), separator) == (move, count)
        if not total.endswith(b"\n"):
            transcript = reader.transcript(DEPTH)
            assert transcript.add(plain_text(total))
            assert (transcript.total, transcript.pairs) == (count, [])

    check()


def test_new_dialect_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    new = LineFormat("Leaves at D are N", ("leaves at {depth} are {nodes} ...",), ("Leaves at 3 are 8,902, says he",))
    monkeypatch.setitem(TOTALS, new.name, new)
    assert pattern(*new.templates).fullmatch("leaves at 3 are 8902")
