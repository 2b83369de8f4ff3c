"""Answers read by a kernel: the same root moves and totals as the careful reader hears, however they come in."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from fakes.counting import divide
from fakes.dialect import DIALECTS
from helpers.drawn import played, right_answer
from helpers.lines import board_of
from perft_check.generator import Position
from perft_check.generator.line import Line
from perft_check.harness.engines.asking_ahead import Collected
from perft_check.harness.engines.base import EngineCrash
from perft_check.harness.engines.kernels import lines as codes
from perft_check.harness.engines.stdio.descriptor import Descriptor
from perft_check.harness.engines.stdio.dialects import TOTALS
from perft_check.harness.engines.stdio.grammar import program
from perft_check.harness.engines.stdio.lines import root_move as heard
from perft_check.harness.engines.stdio.stream.block import (
    NEVER,
    ExpectedAnswers,
    Marker,
    Reader,
    StreamBlock,
    StreamProtocol,
)
from perft_check.harness.engines.stdio.stream.opening import TrialAnswer, block_of
from perft_check.harness.engines.stdio.transcript import Transcript

DESCRIPTOR = Descriptor("fake", ("fake",), "position fen {fen}\ngo perft {depth}")
MARKER = TrialAnswer("4k3/8/8/8/8/8/8/4K2R w - - 0 1", 2, [("h1h8", 3), ("e1e2", 5)], 8)
MARKED = b"h1h8: 3\ne1e2: 5\nNodes searched: 8\n"


def told(answers: list[TrialAnswer]) -> bytes:
    lines = [[*(f"{move}: {count}" for move, count in one.pairs), f"Nodes searched: {one.total}"] for one in answers]
    return "".join(f"{line}\n" for answer in lines for line in answer).encode()


def read(
    answers: list[TrialAnswer], text: bytes, piece: int = 1 << 20, total: str = "Nodes searched: N", lists_from: int = 1
) -> tuple[StreamBlock, Collected, int]:
    """Return the block of answers that are right, what became of it, and how many bytes were read in such pieces."""
    reader = Reader(StreamProtocol(DESCRIPTOR, total, lists_from))
    drawn = block_of(answers)
    block = StreamBlock(drawn, ExpectedAnswers(drawn), Marker(b"", ExpectedAnswers(block_of([MARKER]))), reader)
    at = size = 0
    memory = np.frombuffer(text, dtype=np.uint8)
    while size < len(text):
        size = min(size + piece, len(text))
        at += block.read(memory.ctypes.data + at, size - at)
    return block, block.finish(None), at


def is_agreed(answers: list[TrialAnswer], text: bytes, total: str = "Nodes searched: N", lists_from: int = 1) -> bool:
    _, done, _ = read(answers, text, total=total, lists_from=lists_from)
    return (done.answered, len(done.doubtful)) == (len(answers), 0)


ANSWERS = [right_answer(position, 1, False) for position in played(30)]


def test_the_size_of_the_pieces_makes_no_difference() -> None:
    text = told(ANSWERS) + MARKED
    behind = b"Nodes searched: 3\n"
    for piece in (1, 2, 7, 64, 4096, 1 << 20):
        block, done, size = read(ANSWERS, text + behind, piece)
        assert block.is_closed
        assert (done.doubtful.tolist(), done.answered, done.strays) == ([], 30, 0)
        assert size == len(text)  # what follows belongs to the next block


def test_the_order_of_the_moves_makes_no_difference() -> None:
    chance = random.Random(1)
    shuffled = [replace(one, pairs=chance.sample(one.pairs, len(one.pairs))) for one in ANSWERS]
    assert is_agreed(ANSWERS, told(shuffled))


def test_every_single_fault_of_an_answer_is_doubtful() -> None:
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
        _, done, _ = read(ANSWERS, told(answers) + MARKED)
        assert done.doubtful.tolist() == [5], name


def test_answers_that_are_missing_or_come_twice_are_noticed_and_the_others_are_not_doubted() -> None:
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
        block, done, _ = read(ANSWERS, told(changed) + MARKED)
        assert block.is_closed
        assert done.doubtful.tolist() == doubtful


def test_a_marker_that_is_answered_wrongly_ends_the_block_in_doubt() -> None:
    block, done, _ = read(ANSWERS, told(ANSWERS) + MARKED.replace(b"8\n", b"9\n"))
    assert block.is_closed
    assert done.doubtful.tolist() == [29]


def test_an_empty_block_ends_with_its_marker() -> None:
    for text in (MARKED, told(ANSWERS[:1])):
        block, done, _ = read([], text)
        assert block.is_closed
        assert (done.doubtful.tolist(), done.answered) == ([], 0)


def test_a_block_that_was_broken_off_has_its_next_position_in_doubt() -> None:
    block, _, _ = read(ANSWERS, told(ANSWERS[:7]))
    assert not block.is_closed
    trouble = EngineCrash("it has crashed")
    for was_asked, doubtful in ((False, []), (True, [7])):
        done = block.finish(trouble, was_asked)
        assert (done.answered, done.doubtful.tolist(), done.trouble) == (7, doubtful, trouble)


def test_root_moves_are_read_as_the_careful_reader_does() -> None:
    lines = [
        "e2e4: 20",
        "e2e4 20",
        "e2e4 -> 20",
        "e2e4->20",
        "e2e4\t20",
        "e2e4 : 20",
        "e2e4=20",
        "  e2e4: 20",
        "1 e2e4 20",
        "12. e2e4: 20",
        "3) e2e4 20",
        "Pe2e4 20",
        "e2-e4 20",
        "Nd4-e6  20  39",
        "Nd4xe6 20",
        "a7-a8=Q 20",
        "a7a8q: 20",
        "a7a8Q 20",
        "a7xb8=N: 20",
        "e2e4: 1,234",
        "e2e4 1_234_567",
        "e2e4: 1'234",
        "  1  a2a3  380  0.000s",
        "e2e4: 20 nodes",
        "e2e4:20",
    ]
    for line in lines:
        pair = heard(line)
        assert pair is not None, line
        assert is_agreed([TrialAnswer("", 1, [pair], 5)], f"{line}\r\nNodes searched: 5\n".encode()), line
    others = [
        "e2e4",
        "e2e4:",
        "e2e4x 20",
        "info e2e4: 20",
        "e2e4: 20x",
        "e2e4: -20",
        "bestmove e2e4 20",
        "e2 e4: 20",
        "1e2e4: 20",
        "e2e4q",
        "Ze2e4: 20",
        "e2e420",
        "\x00e2e4: 20",
        "Nodes/second: 20",
    ]
    for line in others:
        assert heard(line) is None, line
        assert is_agreed([TrialAnswer("", 1, [], 5)], f"{line}\nNodes searched: 5\n".encode()), line
    for line in ("e9e4: 20", "i2i4: 20", "z9-z9 20", "Na2h0: 20"):  # squares that no board has: an extra move
        assert heard(line) == (line.strip("N").split(" ")[0].strip(":").replace("-", ""), 20)
        assert not is_agreed([TrialAnswer("", 1, [], 5)], f"{line}\nNodes searched: 5\n".encode()), line
    for line in ("e7e8k: 20", "e7e8=P 20"):  # no right answer has them: the careful reader alone tells what they are
        assert heard(line) == ("e7e8" + line[4:].strip("=")[0].lower(), 20)
        assert is_agreed([TrialAnswer("", 1, [], 5)], f"{line}\nNodes searched: 5\n".encode()), line


@pytest.mark.parametrize(
    "count", [str(2**64), str(2**64 + 20), str(2**64 + 5), "9" * 30, f"{2**64 + 20:,}", "1" + "0" * 200]
)
def test_a_number_of_more_than_64_bits_never_wraps(count: str) -> None:
    value = int(count.replace(",", ""))
    assert heard(f"e2e4: {count}") == ("e2e4", value)
    careful = Transcript(1, "Nodes searched: N")
    assert careful.hear(f"Nodes searched: {count}")
    assert careful.total == value
    for wrapped in (value % 2**64, value % 2**63):
        if wrapped < 2**63:
            one = TrialAnswer("", 1, [("e2e4", wrapped)], 5)
            assert not is_agreed([one], f"e2e4: {count}\nNodes searched: 5\n".encode())
            total = TrialAnswer("", 1, [], wrapped)
            assert not is_agreed([total], f"Nodes searched: {count}\n".encode(), lists_from=NEVER)
    depth = TrialAnswer("", 3, [], 5)
    text = f"Perft {2**64 + 3}: 5\n".encode()
    assert not Transcript(3, "Perft D: N").hear(text.decode().strip())
    _, done, _ = read([depth], text, total="Perft D: N", lists_from=NEVER)
    assert done.answered == 0


def test_totals_are_read_in_every_way_that_is_known() -> None:
    written = {
        "Nodes searched: N": ["Nodes searched: 20", "nodes searched : 1,020"],
        "Nodes: N": ["Nodes: 20", "nodes: 20 nps: 20000"],
        "Total nodes: N": ["Total nodes: 20"],
        "Total: N": ["Total: 20", "total: 20 in 1 ms", "Total 20 nodes in 0.001s, 20 kN/s"],
        "Total moves: N": ["total moves=20  time=0.00"],
        "perft D time T nodes N": ["perft 1 time 0.01s nodes 20 (0.02 Mnps)"],
        "Perft: N": ["Perft: 20 nodes in 0.001s => 20000nps"],
        "Perft D: N": ["Perft 1: 20", "perft(1) = 20"],
        "info depth D ... nodes N": [
            "info depth 1 nodes 20 time 1",
            "info depth 1 seldepth 2 score cp 3 nodes 20 nps 5",
        ],
        "info nodes N": ["info nodes 20"],
        "Node count: N": ["Node count = 20"],
        "Nodes at depth D: N": ["Raw nodes for depth 1: 20"],
        "n = N": ["n = 20"],
        "D N seconds": [" 1         20  0.01      2000.00nps"],
        "N": ["20", "  20"],
    }
    assert written.keys() <= TOTALS.keys()
    for dialect, lines in written.items():
        for line in lines:
            careful = Transcript(1, dialect)
            assert careful.hear(line), line
            assert careful.total is not None
            assert is_agreed([TrialAnswer("", 1, [], careful.total)], f"{line}\n".encode(), dialect), line
            assert not is_agreed([TrialAnswer("", 1, [], careful.total + 1)], f"{line}\n".encode(), dialect)
        for other in ("Time: 12 ms", "NPS: 20000", "", "Nodes/second: 20", "info string hello", "x" * 70_000):
            assert is_agreed([TrialAnswer("", 1, [], 20)], f"{other}\n{lines[0]}\n".encode(), dialect), other


def test_the_total_of_another_depth_does_not_end_an_answer() -> None:
    text = b"e2e4 1\n 1 1 0.01 100.0nps\ne2e4 20\n 2 20 0.01 100.0nps\n"
    assert is_agreed([TrialAnswer("", 2, [("e2e4", 20)], 20)], text, "D N seconds")
    assert program("{depth} {nodes} ...") == bytes([codes.DEPTH, codes.BLANKS, codes.NODES, codes.REST])
    sign = bytes([codes.OPTIONAL_BLANKS, ord(":"), codes.OPTIONAL_BLANKS])
    assert program("total nodes : {nodes}") == b"total%cnodes%b%c%c" % (codes.BLANKS, sign, codes.NODES, codes.END)
    assert program("{numbering}{move}{arrow}{nodes} ...") == bytes([codes.ROOT_MOVE])


def test_answers_in_every_dialect_agree() -> None:
    positions = played(5, seed=4)
    for name, dialect in DIALECTS.items():
        answers, text = [], b""
        for position in positions:
            moves = divide(board_of(Line(position)), 2)
            lines = dialect.answer(moves, sum(move.nodes for move in moves), 2)
            careful = Transcript(2, None)
            text += b"\n".join(line.encode() for line in lines) + b"\n"
            assert any(careful.hear(line) for line in lines)
            answers.append(right_answer(position, 2, False))
        assert careful.total_format is not None
        assert is_agreed(answers, text, careful.total_format, 1 if careful.pairs else NEVER), name


def test_the_questions_are_those_of_the_careful_reader() -> None:
    protocol = StreamProtocol(DESCRIPTOR, "Nodes searched: N", 1)
    answers = [right_answer(position, depth, False) for depth, position in enumerate(played(3), 1)]
    assert protocol.questions(block_of(answers)).decode() == "".join(
        f"{line}\n" for one in answers for line in DESCRIPTOR.lines(one.fen, [], one.depth, 1)
    )
    assert Position.from_fen(answers[1].fen) == played(2)[1]
