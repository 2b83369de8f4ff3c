"""Every dialect of the table: its examples, and that the regular expressions and the compiled reader agree on lines."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from helpers.budget import budget, properties
from hypothesis import given
from hypothesis import strategies as st
from perft_check.generator.kernels.machine.folders import SOURCES, digest_of, room_digest, source_digest
from perft_check.harness.engines.kernels import answers
from perft_check.harness.engines.kernels.answers import read_answers
from perft_check.harness.engines.kernels.lines import TOO_LARGE
from perft_check.harness.engines.stdio import dialects
from perft_check.harness.engines.stdio.descriptor import Descriptor
from perft_check.harness.engines.stdio.dialects import ROOT_MOVES, TOTALS, LineFormat
from perft_check.harness.engines.stdio.grammar import OTHER_SEPARATORS, pattern
from perft_check.harness.engines.stdio.lines import root_move, totals
from perft_check.harness.engines.stdio.stream.block import ExpectedAnswers, Marker, Reader, StreamBlock, StreamProtocol
from perft_check.harness.engines.stdio.stream.opening import TrialAnswer, block_of, is_uci
from perft_check.harness.engines.stdio.transcript import Transcript

DEPTH, NODES, MOVE = 3, 8902, ("e2e4", 600)
FORMATS = (*ROOT_MOVES, *TOTALS.values())
EXAMPLES = [(one, example) for one in FORMATS for example in one.examples]
ENDING = "Nodes searched: N"
"""The totals of engines that use a format of root moves."""
END = "Nodes searched: 1\n"
NO_SQUARES = re.compile(r"^(?!(?:[a-h][1-8]){2})(?:[a-z][0-9]){2}$")
"""A root move that names squares which no board has: the compiled reader takes it for a1a1."""
MARKER = block_of([TrialAnswer("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 2, [("h1h8", 3)], 3)])
PIECES = st.sampled_from([*"\t  ::==()->.,'_x\N{RIGHT SINGLE QUOTATION MARK}0123456789abhnqrNQROekEnodsDPtp"])
PIECES |= st.sampled_from((",345", ".678", " 901", "_23", "12345", " nodes ", "a7a8=Q", "O-O", "3.5", "perft", "->"))


def as_word(count: int) -> int:
    """Return what the compiled reader makes of a count, as a signed word: one that is too large is `TOO_LARGE`."""
    word = int(TOO_LARGE) if count // 10 >= (2**64 - 1) // 10 else count
    return word - 2**64 if word >= 2**63 else word


def careful_answers(text: str, total_format: str, separator: str = "") -> list[TrialAnswer]:
    """Return the answers that are read one line at a time, without moves that the compiled reader leaves out."""
    found, careful = [], Transcript(DEPTH, total_format, separator=separator)
    for line in text.splitlines():
        if careful.hear(line):
            listed = [(NO_SQUARES.sub("a1a1", move), as_word(count)) for move, count in careful.pairs if count >= 0]
            pairs = [(move, count) for move, count in listed if is_uci(move) and move[4:] not in ("k", "p")]
            found.append(TrialAnswer("", DEPTH, pairs, as_word(careful.total or 0)))
            careful = Transcript(DEPTH, total_format, separator=separator)
    return found


def is_agreed(text: str, total_format: str, separator: str = "") -> bool:
    """Tell whether the compiled reader reads the same answers."""
    right = block_of(careful_answers(text, total_format, separator))
    descriptor = Descriptor("fake", ("fake",), "{fen} {depth}", separator=separator)
    reader = Reader(StreamProtocol(descriptor, total_format, lists_from=1))
    block = StreamBlock(right, ExpectedAnswers(right), Marker(b"", ExpectedAnswers(MARKER)), reader)
    memory = np.frombuffer(text.encode(), dtype=np.uint8)
    assert block.read(memory.ctypes.data, len(memory)) == len(memory)
    done = block.finish(None)
    return (done.answered, len(done.doubtful), done.strays) == (len(right), 0, 0)


@pytest.mark.parametrize(("one", "example"), EXAMPLES)
def test_both_readers_read_the_examples(one: LineFormat, example: str) -> None:
    if one in ROOT_MOVES:
        assert root_move(example) == MOVE
        assert is_agreed(f"{example}\n{END}", ENDING)
    else:
        assert root_move(example) is None
        found = list(totals(example, one.name if one.is_loose else None))
        names = [name for name, _, _ in found]
        assert names == [one.name], f"{example!r} is already read as {', '.join(names) or 'nothing'}"
        assert [(nodes, depth or DEPTH) for _, nodes, depth in found] == [(NODES, DEPTH)]
        assert is_agreed(f"{example}\n", one.name)
        others = [other for other in TOTALS if other != one.name and not TOTALS[other].is_loose]
        assert not any(Transcript(DEPTH, other).hear(example) for other in others)
        assert all(is_agreed(f"{example}\n{TOTALS[other].examples[0]}\n", other) for other in others)


@st.composite
def changed_lines(draw: st.DrawFn) -> tuple[str, LineFormat]:
    """Draw a line that is nearly an example, and its format."""
    one, line = draw(st.sampled_from(EXAMPLES))
    for _ in range(draw(st.integers(1, 3))):
        edges = [edge.start() for edge in re.finditer(r"\b|$", line)]
        begin = draw(st.sampled_from(edges) | st.integers(0, len(line)))
        end = begin + draw(st.sampled_from((0, 0, 0, 1, 2, 8)))
        line = line[:begin] + draw(PIECES | st.just(line[begin:end] * 2)) + line[end:]
    return line, one


@pytest.mark.parametrize("line", ["e2e4 -5", "e2e4: -5", "e2e4\t-5"])
def test_a_sign_before_a_digit_is_no_arrow(line: str) -> None:
    assert (root_move(line), list(totals(line.replace("e2e4", "Total"), None))) == (None, [])
    assert root_move("e2e4 - 5") == root_move("e2e4-5") == ("e2e4", 5)
    assert is_agreed(f"{line}\n{END}", ENDING)


@budget(1_000, 50_000)
def test_both_readers_agree_on_changed_lines(number: int) -> None:
    @properties(number)
    @given(changed_lines(), st.sampled_from(("", *OTHER_SEPARATORS)))
    def check(changed: tuple[str, LineFormat], separator: str) -> None:
        line, one = changed
        total_format = ENDING if one in ROOT_MOVES else one.name
        assert is_agreed(f"{line}\n{TOTALS[total_format].examples[0]}\n", total_format, separator)

    check()


def test_a_new_dialect_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compiled does not depend on the table, neither in the generator nor here."""
    assert is_agreed(END, ENDING)
    compiled, digest = list(read_answers.compiled), source_digest()  # type: ignore[attr-defined]
    new = LineFormat("Leaves at D are N", ("leaves at {depth} are {nodes} ...",), ("Leaves at 3 are 8,902, says he",))
    monkeypatch.setitem(TOTALS, new.name, new)
    assert pattern(*new.templates).fullmatch("leaves at 3 are 8902")
    block = block_of([TrialAnswer("", DEPTH, [("e2e4", 600)], NODES)])
    reader = Reader(StreamProtocol(Descriptor("fake", ("fake",), "{fen} {depth}"), new.name, lists_from=1))
    streamed = StreamBlock(block, ExpectedAnswers(block), Marker(b"", ExpectedAnswers(MARKER)), reader)
    text = np.frombuffer(b"e2e4: 600\nLeaves at 2 are 400\ne2e4: 600\nLEAVES AT 3 are 8,902 \n", dtype=np.uint8)
    streamed.read(text.ctypes.data, len(text))
    assert (streamed.finish(None).answered, len(streamed.finish(None).doubtful)) == (1, 0)
    assert (read_answers.compiled, source_digest()) == (compiled, digest)  # type: ignore[attr-defined]
    room = Path(str(answers.__file__)).parent
    assert room_digest(read_answers.__module__) == digest_of(room)
    assert not Path(str(dialects.__file__)).is_relative_to(room)
    assert not room.is_relative_to(SOURCES)
