"""A block of questions that is sent to an engine at once, and the comparison of its answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .....generator.sampling.position_batch import UCI_TEXTS, PositionBatch
from ...base import EngineError
from ...block_stream import CollectedBlock
from ..descriptor import Descriptor
from ..process import plain_text
from ..transcript import Transcript

NEVER = 1_000
"""A depth greater than any in a question, for engines that list no root moves."""
_NUMBER = re.compile(rb"[0-9]+")
_NO_ROOT_MOVE, _NO_TOTAL = b"%b%d\n", b"%d\n"
"""Templates of lines that do not occur, because no line contains a line feed."""
_UCI_BYTES = tuple(text.encode() for text in UCI_TEXTS)


@dataclass(frozen=True)
class StreamProtocol:
    """How to ask an engine in a pipeline, and what its answers contain."""

    descriptor: Descriptor
    """The descriptor, whose format of totals is in `dialects.TOTALS` or is `TOTAL_RE`."""
    lists_from: int
    """The smallest depth at which root moves are listed, or `NEVER` if only totals can be compared."""
    leaves_out_final_moves: bool = False
    """Whether root moves with a count of 0 are omitted."""

    def questions(self, sampled: PositionBatch) -> bytes:
        """Return the input that asks about all positions of a block."""
        depths = sampled.depths.tolist()
        around = {depth: self._around(depth) for depth in set(depths)}
        pieces: list[bytes] = []
        for fen, depth in zip(sampled.text.tobytes().splitlines(), depths, strict=True):
            before, after = around[depth]
            pieces += (before, fen, after)
        return b"".join(pieces)

    def _around(self, depth: int) -> tuple[bytes, bytes]:
        """Return the parts of a question before and after the FEN."""
        lines = self.descriptor.lines("\0", [], depth)
        before, _, after = "\n".join(lines).partition("\0")
        return before.encode(), f"{after}\n".encode()


class AnswerForm(NamedTuple):
    """Templates for the `%` operator: a root move with its count, and a total. b"" means that there is none."""

    root_move: bytes = b""
    total: bytes = b""


def _template(line: bytes, number: int) -> bytes:
    """Return a line with `%d` in place of its number, or b"" if it has other digits or separators."""
    form = _NUMBER.sub(b"%d", line.replace(b"%", b"%%"))
    return form if form.count(b"%d") == 1 and form % number == line else b""


def _root_move_template(line: bytes, move: str, count: int) -> bytes:
    """Return the template of a line that was parsed as this move and count, or b"" if it cannot predict other lines."""
    before, found, after = line.partition(move.encode())
    form = _template(after, count)
    return before.replace(b"%", b"%%") + b"%b" + form if found and form and not _NUMBER.search(before) else b""


@lru_cache(maxsize=2)
def _lines_with_one(root_move: bytes) -> list[bytes]:
    """Return the line of each move with a count of 1, as at depth 1."""
    return [root_move % (move, 1) for move in _UCI_BYTES]


class AnswerReader:
    """Parses the answers of one engine, and predicts the lines of correct answers.

    An answer that consists of exactly the predicted lines is correct and need not be parsed, which would take much
    longer. Predictions are learned from a correct answer, unless its lines contain other digits. In that case, all
    answers are parsed.
    """

    def __init__(self, protocol: StreamProtocol) -> None:
        self.protocol, self.form = protocol, AnswerForm()

    def transcript(self, depth: int) -> Transcript:
        """Return an empty answer to a question at this depth."""
        return Transcript.of(self.protocol.descriptor, depth)

    def learn(self, root_move_line: bytes, pair: tuple[str, int], total_line: bytes, total: int) -> None:
        """Learn templates from a line with a root move (b"" if there is none) and a line with a total."""
        root_move = _root_move_template(root_move_line, *pair) if root_move_line else b""
        total_form = _template(total_line, total)
        self.form = AnswerForm(root_move or self.form.root_move, total_form or self.form.total)


class ExpectedAnswers:
    """The correct answers to the questions of a block."""

    def __init__(self, sampled: PositionBatch, protocol: StreamProtocol) -> None:
        """Store a block and the engine's protocol. Raises ValueError if the lengths of the arrays differ."""
        per_position = (sampled.ends, sampled.totals, sampled.depths)
        number, listed = len(sampled.text_ends), len(sampled.keys)
        fits = all(len(one) == number for one in per_position) and len(sampled.counts) == listed
        if not fits or (number and int(sampled.ends[-1]) != listed):
            raise ValueError("the arrays of the block have inconsistent lengths")
        keys, counts, ends = sampled.keys, sampled.counts, sampled.ends
        if protocol.leaves_out_final_moves:
            has_leaves = counts != 0
            keys, counts = keys[has_leaves], counts[has_leaves]
            ends = np.concatenate(([0], np.cumsum(has_leaves)))[ends]
        self.depths: list[int] = sampled.depths.tolist()
        self._totals: list[int] = sampled.totals.tolist()
        self._keys: list[int] = keys.tolist()
        self._counts: list[int] = counts.tolist()
        self._parts = [slice(*part) for part in pairwise([0, *ends.tolist()])]
        self._are_listed = [depth >= protocol.lists_from for depth in self.depths]

    def __len__(self) -> int:
        """Return the number of questions."""
        return len(self.depths)

    def root_moves(self, question: int) -> list[tuple[str, int]]:
        """Return the root moves to compare, with their counts."""
        part = self._parts[question] if self._are_listed[question] else slice(0)
        return [(UCI_TEXTS[key], count) for key, count in zip(self._keys[part], self._counts[part], strict=True)]

    def agree(self, question: int, total: int | None, pairs: Sequence[tuple[str, int]]) -> bool:
        """Return True if an answer has the correct total and each root move once, in any order."""
        if total != self._totals[question]:
            return False
        expected = self.root_moves(question)
        return not self._are_listed[question] or (len(pairs) == len(expected) and dict(pairs) == dict(expected))

    def lines(self, form: AnswerForm) -> Iterator[tuple[set[bytes], bytes]]:
        """Yield the lines of each answer: those of the compared root moves, and that of the total."""
        root_move, total_form = form.root_move or _NO_ROOT_MOVE, form.total or _NO_TOTAL
        ones = _lines_with_one(root_move)
        for part, depth, are_listed, total in zip(
            self._parts, self.depths, self._are_listed, self._totals, strict=True
        ):
            keys = self._keys[part] if are_listed else []
            if depth == 1:  # each count is 1
                root_moves = set(map(ones.__getitem__, keys))
            else:
                pairs = zip(keys, self._counts[part], strict=False)
                root_moves = {root_move % (_UCI_BYTES[key], count) for key, count in pairs}
            yield root_moves, total_form % total


@dataclass(frozen=True)
class Marker:
    """The question that follows a block, and the engine's answer to it."""

    question: bytes
    expected: ExpectedAnswers


class StreamBlock:
    """A block of questions and the marker that follows them, with the answers that have been read.

    Answers are matched to questions only by their order. If an answer is missing or repeated, the following ones match
    the adjacent questions. This is detected at the latest by the marker, whose answer is known.
    """

    def __init__(self, sampled: PositionBatch, expected: ExpectedAnswers, marker: Marker, reader: AnswerReader) -> None:
        self.sampled, self.marker = sampled, marker
        self._expected, self._reader = expected, reader
        self._question = 0
        self._doubtful: set[int] = set()
        self.is_closed = False
        """Whether the marker has been answered, so that the block is complete."""
        self._predicted: list[tuple[set[bytes], bytes]] = []
        """The lines of each answer, and of the answer to the marker."""
        self._answer: Transcript | None = None
        """The parsed part of the next answer."""
        self._last: tuple[bytes, tuple[str, int]] = b"", ("", 0)
        """The last line that was parsed as a root move, with the move and its count."""

    @property
    def progress(self) -> tuple[int, ...]:
        """A value that changes with each answer to a new question, but not with repeated answers."""
        return self._question, int(self.is_closed)

    def read(self, lines: Sequence[bytes], at: int) -> int:
        """Read the lines of this block from index `at`, and return the index after them.

        Raises UnparseableOutput.
        """
        if not self._predicted:
            form = self._reader.form
            self._predicted = [*self._expected.lines(form), *self.marker.expected.lines(form)]
        while at < len(lines) and not self.is_closed:
            root_moves, total = self._predicted[self._question]
            behind = at + len(root_moves)
            if (self._answer is None or not self._has_begun) and set(lines[at:behind]) == root_moves:
                if lines[behind : behind + 1] == [total]:
                    self._accept()
                    at = behind + 1
                    continue
                if root_moves:
                    expected, question = self._next
                    self._parsed.pairs += expected.root_moves(question)
                    at = behind
                    continue
            self._add(lines[at])
            at += 1
        return at

    def finish(self, trouble: EngineError | None, was_asked: bool = True) -> CollectedBlock:
        """Return the result of the block. After an error, `was_asked` states whether the block had been sent."""
        answered = min(self._question, len(self.sampled))
        doubtful = self._doubtful | ({answered} if trouble is not None and was_asked else set())
        numbers = sorted(number for number in doubtful if 0 <= number < len(self.sampled))
        return CollectedBlock(self.sampled, np.array(numbers, dtype=np.int64), answered, trouble)

    @property
    def _next(self) -> tuple[ExpectedAnswers, int]:
        """The next question to be answered, as `ExpectedAnswers` and the index in it."""
        is_marker = self._question == len(self._expected)
        return (self.marker.expected, 0) if is_marker else (self._expected, self._question)

    @property
    def _has_begun(self) -> bool:
        return bool(self._parsed.pairs or self._parsed.san_moves)

    @property
    def _parsed(self) -> Transcript:
        """The next answer, to which lines are added."""
        if self._answer is None:
            expected, question = self._next
            self._answer = self._reader.transcript(expected.depths[question])
        return self._answer

    def _accept(self) -> None:
        """Proceed to the next question after a correct answer, or close the block if that was the marker."""
        self.is_closed = self._question == len(self._expected)
        self._question += not self.is_closed
        self._answer = None

    def _add(self, line: bytes) -> None:
        text, answer = plain_text(line), self._parsed
        if answer.add_root_move(text):
            self._last = line, answer.pairs[-1]
        elif answer.add_total(text):
            self._judge(answer, line)
            self._answer = None

    def _agrees(self, answer: Transcript, question: int) -> bool:
        expected = self._expected
        return 0 <= question < len(expected) and expected.agree(question, answer.total, answer.pairs)

    def _judge(self, answer: Transcript, line: bytes) -> None:
        """Compare an answer that ends with `line` with the next question, or find the question that it answers."""
        question, number = self._question, len(self._expected)
        if self._agrees(answer, question):
            self._question += 1
            self._reader.learn(*self._last, line, answer.total or 0)
            return
        if self.marker.expected.agree(0, answer.total, answer.pairs):
            self._doubtful.update(range(question, number))  # these answers are missing
            self._question, self.is_closed = number, True
            return
        # The answer is incorrect, or matches an adjacent question because an answer is missing or repeated.
        repeats = self._agrees(answer, question - 1)
        self._doubtful.add(question)
        if self._agrees(answer, question + 1):
            self._question += 2  # the answer to this question is missing
        elif not repeats and question < number:
            self._question += 1
            return
        else:
            self._doubtful.add(question - 1)  # that question was answered twice, or this one was not answered
        # An incorrect answer to the marker also completes the block, because nothing follows it.
        self.is_closed = question == number and not repeats
