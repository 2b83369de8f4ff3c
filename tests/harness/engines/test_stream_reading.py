"""Comparison of answers to questions asked ahead, in all formats and in reads of any size."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from fakes.counting import divide
from fakes.dialect import DIALECTS
from helpers.blocks import correct_answer, random_positions
from helpers.games import board_of
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.block_stream import CollectedBlock
from perft_check.harness.engines.stdio.descriptor import Descriptor
from perft_check.harness.engines.stdio.lines import root_move
from perft_check.harness.engines.stdio.stream.block import (
    NEVER,
    AnswerReader,
    ExpectedAnswers,
    Marker,
    StreamBlock,
    StreamProtocol,
)
from perft_check.harness.engines.stdio.stream.opening import TrialAnswer, block_of
from perft_check.harness.engines.stdio.transcript import Transcript

DESCRIPTOR = Descriptor("fake", ("fake",), "position fen {fen}\ngo perft {depth}")
MARKER = TrialAnswer("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 2, [("h1h8", 3), ("e1e2", 5)], 8)
END = "Nodes searched: 5"
MARKED = ["h1h8: 3", "e1e2: 5", "Nodes searched: 8"]


def answer_lines(answers: list[TrialAnswer]) -> list[str]:
    lines = [[*(f"{move}: {count}" for move, count in one.pairs), f"Nodes searched: {one.total}"] for one in answers]
    return [line for answer in lines for line in answer]


def read(
    answers: list[TrialAnswer],
    lines: list[str],
    piece: int = 1 << 20,
    total: str = "Nodes searched: N",
    lists_from: int = 1,
    *,
    separator: str = "",
) -> tuple[StreamBlock, CollectedBlock, int]:
    """Return the block of correct answers, its result, and the number of lines, read in pieces of this size.

    It is the second block. The first one had the same lines, so that their format is known.
    """
    protocol = StreamProtocol(replace(DESCRIPTOR, separator=separator, total_format=total), lists_from)
    reader, sampled = AnswerReader(protocol), block_of(answers)
    marker = Marker(b"", ExpectedAnswers(block_of([MARKER]), protocol))
    found = []
    for _ in range(2):
        block, at = StreamBlock(sampled, ExpectedAnswers(sampled, protocol), marker, reader), 0
        for end in (*range(piece, len(lines), piece), len(lines)):
            at = block.read([line.encode() for line in lines[:end]], at)
        found.append((block, block.finish(None), at))
    (_, unknown, size), (_, known, same_size) = found
    assert (unknown.answered, unknown.doubtful.tolist(), size) == (known.answered, known.doubtful.tolist(), same_size)
    return found[1]


def is_agreed(
    answers: list[TrialAnswer],
    lines: list[str],
    total: str = "Nodes searched: N",
    lists_from: int = 1,
    separator: str = "",
) -> bool:
    _, done, _ = read(answers, lines, total=total, lists_from=lists_from, separator=separator)
    return (done.answered, len(done.doubtful)) == (len(answers), 0)


ANSWERS = [correct_answer(position, 1, False) for position in random_positions(30)]


def test_size_of_reads_makes_no_difference() -> None:
    text = answer_lines(ANSWERS) + MARKED
    behind = ["Nodes searched: 3"]
    for piece in (1, 2, 7, 64, 1 << 20):
        block, done, size = read(ANSWERS, text + behind, piece)
        assert block.is_closed
        assert (done.doubtful.tolist(), done.answered) == ([], 30)
        assert size == len(text)  # what follows belongs to the next block


def test_order_of_moves_makes_no_difference() -> None:
    chance = random.Random(1)
    shuffled = [replace(one, pairs=chance.sample(one.pairs, len(one.pairs))) for one in ANSWERS]
    assert is_agreed(ANSWERS, answer_lines(shuffled))


def test_every_single_fault_of_an_answer_is_a_mismatch() -> None:
    right = ANSWERS[5]
    (first, one), (second, two), *rest = right.pairs
    wrong = {
        "omitted": ([(second, two), *rest], right.total - 1),
        "added": ([*right.pairs, ("a1a1", 1)], right.total + 1),
        "repeated": ([(first, one), (first, one), *rest], right.total),
        "added again": ([*right.pairs, right.pairs[0]], right.total + 1),
        "counted": ([(first, one + 1), (second, two - 1), *rest], right.total),
        "another": ([("a1a1", one), (second, two), *rest], right.total),
        "promoted": ([(f"{first}q", one), (second, two), *rest], right.total),
        "total": (right.pairs, right.total + 1),
        "none": ([], right.total),
        "listed without end": ([(first, one)] * 5_000, right.total),
    }
    for name, (pairs, total) in wrong.items():
        answers = [*ANSWERS[:5], replace(right, pairs=pairs, total=total), *ANSWERS[6:]]
        _, done, _ = read(ANSWERS, answer_lines(answers) + MARKED)
        assert done.doubtful.tolist() == [5], name


def test_only_missing_or_repeated_answers_are_mismatches() -> None:
    for changed, doubtful in (
        ([*ANSWERS[:5], *ANSWERS[6:]], [5]),
        ([*ANSWERS[:5], *ANSWERS[7:]], [5, 6, *range(7, 30)]),
        ([*ANSWERS[:5], ANSWERS[4], *ANSWERS[6:]], [4, 5]),
        ([*ANSWERS[:5], ANSWERS[4], *ANSWERS[5:]], [4, 5]),
        (ANSWERS[1:], [0]),
        (ANSWERS[:-1], [29]),
        ([*ANSWERS, ANSWERS[-1]], [29]),
        ([], [*range(30)]),
    ):
        block, done, _ = read(ANSWERS, answer_lines(changed) + MARKED)
        assert block.is_closed
        assert done.doubtful.tolist() == doubtful


def test_incorrect_answer_to_the_marker_ends_the_block() -> None:
    block, done, _ = read(ANSWERS, [*answer_lines(ANSWERS), *MARKED[:-1], "Nodes searched: 9"])
    assert block.is_closed
    assert done.doubtful.tolist() == [29]


def test_an_empty_block_ends_with_its_marker() -> None:
    for text in (MARKED, answer_lines(ANSWERS[:1])):
        block, done, _ = read([], text)
        assert block.is_closed
        assert (done.doubtful.tolist(), done.answered) == ([], 0)


def test_interrupted_block_reports_its_next_position() -> None:
    block, _, _ = read(ANSWERS, answer_lines(ANSWERS[:7]))
    assert not block.is_closed
    trouble = EngineCrash("it has crashed")
    for was_asked, doubtful in ((False, []), (True, [7])):
        done = block.finish(trouble, was_asked)
        assert (done.answered, done.doubtful.tolist(), done.trouble) == (7, doubtful, trouble)


ROOT_MOVES = {
    **dict.fromkeys(("e2e4->20", "e2e4=20", "12. e2e4: 20", "3) e2e4 20", "e2e4: 20 nodes", "e2e4:20"), ("e2e4", 20)),
    **dict.fromkeys(("Nd4-e6  20  39", "Nd4xe6 20"), ("d4e6", 20)),
    **dict.fromkeys(("a7-a8=Q 20", "a7a8q: 20", "a7a8Q 20", "a7a8=Q 20"), ("a7a8q", 20)),
    "a7xb8=N: 20": ("a7b8n", 20),
    "e2e4: 1,234": ("e2e4", 1_234),
    "e2e4 1_234_567": ("e2e4", 1_234_567),
    "e2e4: 1'234": ("e2e4", 1_234),
    "O-O 25": ("O-O", 25),
    "0-0-0: 25": ("O-O-O", 25),
}
NOISE = (
    "e2e4", "e2e4:", "e2e4x 20", "info e2e4: 20", "e2e4: 20x", "bestmove e2e4 20", "e2 e4: 20", "1e2e4: 20", "e2e4q",
    "Ze2e4: 20", "e2e420", "\x00e2e4: 20", "Nodes/second: 20", "info string e2e4: 600", "e2e4: many", "", "Nodes: many",
    "info depth 1 score cp 12 nodes 20 pv e2e4", "bestmove e2e4", "the 8902 nodes", "info string 8902 nodes",
    "Time: 12 ms", "NPS: 20000", "x" * 70_000,
)  # fmt: skip
"""Lines that are neither root moves nor totals."""


def test_root_moves_are_read_the_same_when_asked_ahead() -> None:
    for line, pair in ROOT_MOVES.items():
        assert root_move(line) == pair
        assert not Transcript(3, None).add(line)
        if "O" not in line and "0-0" not in line:  # castling is compared as the king's move
            assert is_agreed([TrialAnswer("", 1, [pair], 5)], [line, END]), line
    for line in NOISE:
        transcript = Transcript(3, None)
        assert (root_move(line), transcript.add(line), transcript.pairs) == (None, False, []), line
        assert is_agreed([TrialAnswer("", 1, [], 5)], [line, END]), line
    for line in ("e9e4: 20", "i2i4: 20", "z9-z9 20", "Na2h0: 20"):  # squares that do not exist: an extra move
        assert root_move(line) == (line.strip("N").split(" ")[0].strip(":").replace("-", ""), 20)
        assert not is_agreed([TrialAnswer("", 1, [], 5)], [line, END]), line
    for line in ("e7e8k: 20", "e7e8=P 20", "O-O: 20", "e2e4: -20"):  # moves and counts that are never correct
        assert not is_agreed([TrialAnswer("", 1, [], 5)], [line, END]), line


USUAL_SEPARATORS = ",_'`\N{RIGHT SINGLE QUOTATION MARK}\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
NUMBERS: dict[str, int | None] = {
    **{text: int(text) for text in ("20", "0020", "0", "18446744073709551636", str(2**64), str(10**30), str(10**200))},
    **{f"1{separator}234": 1234 for separator in USUAL_SEPARATORS},
    "18,446,744,073,709,551,636": 2**64 + 20,
    "1 234": 1,  # the next column of a table
    "-20": -20,
    **dict.fromkeys(("1.234", "20.0", "1234,567", "1,23", "0x14", "+20", "--20", ".5", "x14", "twenty", "")),
    **dict.fromkeys(("\N{ARABIC-INDIC DIGIT TWO}", "1" * 5_000)),
}
"""Counts as engines may write them, with the value that is read: None if the line is no root move and no total."""
OWN_SEPARATORS = {("1.234", "."): 1234, ("1 234", " "): 1234}
"""The same for engines with another known thousands separator."""


@pytest.mark.parametrize("text", NUMBERS)
@pytest.mark.parametrize("separator", ["", ".", " "])
def test_numbers_are_read_the_same_when_asked_ahead(text: str, separator: str) -> None:
    """A number is never mistaken for another one, such as its remainder modulo 2**64."""
    number = OWN_SEPARATORS.get((text, separator), NUMBERS[text])
    transcript = Transcript(1, "Nodes searched: N", separator=separator)
    assert transcript.add(f"e2e4: {text}") is False
    assert transcript.pairs == ([] if number is None else [("e2e4", number)])
    assert transcript.add(f"Nodes searched: {text}") is (number is not None)
    assert transcript.total == number
    for value in (0, 1, 2, 20, 234, 1234, 2**63 - 1):
        move, total = TrialAnswer("", 1, [("e2e4", value)], 5), TrialAnswer("", 1, [("e2e4", 5)], value)
        for one, lines in ((move, [f"e2e4: {text}", END]), (total, ["e2e4: 5", f"Nodes searched: {text}"])):
            assert is_agreed([one], lines, separator=separator) == (value == number)


def test_total_of_another_depth_does_not_end_an_answer() -> None:
    text = ["e2e4 1", " 1 1 0.01 100.0nps", "e2e4 20", " 2 20 0.01 100.0nps"]
    assert is_agreed([TrialAnswer("", 2, [("e2e4", 20)], 20)], text, "D N seconds")


def test_answers_in_every_dialect_agree() -> None:
    positions = random_positions(5, seed=4)
    for name, dialect in DIALECTS.items():
        answers: list[TrialAnswer] = []
        text: list[str] = []
        for position in positions:
            moves = divide(board_of(Game(position)), 2)
            lines = dialect.answer(moves, sum(move.nodes for move in moves), 2)
            transcript = Transcript(2, None)
            text += lines
            assert any(transcript.add(line) for line in lines)
            answers.append(correct_answer(position, 2, False))
        assert transcript.total_format is not None
        assert is_agreed(answers, text, transcript.total_format, 1 if transcript.pairs else NEVER), name


def test_questions_are_the_same_when_asked_ahead() -> None:
    protocol = StreamProtocol(replace(DESCRIPTOR, total_format="Nodes searched: N"), 1)
    answers = [correct_answer(position, depth, False) for depth, position in enumerate(random_positions(3), 1)]
    assert protocol.questions(block_of(answers)).decode() == "".join(
        f"{line}\n" for one in answers for line in DESCRIPTOR.lines(one.fen, [], one.depth)
    )
    assert Position.from_fen(answers[1].fen) == random_positions(2)[1]
