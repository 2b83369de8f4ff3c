"""The answers of an engine to many questions, read as bytes and compared with what a right generator answers.

An answer is lines: root moves with their counts in any order, and a total that ends it. All other lines are skipped.
The questions of a block are asked without waiting, so an answer is told from the next one by its place alone. After a
block the engine is asked about a *marker*, a position whose answer is known. An answer that is missing or comes twice
is noticed where the answers after it agree with the neighbours of their questions, at the latest at the marker.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....generator.kernels.machine.bits import ONE, ZERO, load, load8, load16, store, store16
from ....generator.kernels.machine.jit import inline, kernel, subroutine
from .lines import NO_DEPTH, NO_MOVE, ends_line, read_line

ROOT_MOVE_ROOM = 1024
"""Root moves of an answer that are kept; an answer with more of them does not agree."""
STATE_WORDS = 4
QUESTION, LISTED, CLOSED, STRAY = (np.uint64(place) for place in range(STATE_WORDS))
"""The question whose answer comes next; its root moves so far; whether the marker has been answered; how many
answers were those of another question than the one that was next."""


class Expected(NamedTuple):
    """Addresses of what a right generator answers to `number` questions (see `Drawn`); `keys` are `uint16`, the rest
    words of 64 bits.
    """

    keys: np.uint64
    counts: np.uint64
    ends: np.uint64
    totals: np.uint64
    depths: np.uint64
    number: np.uint64


class AnswerFormat(NamedTuple):
    """How an engine writes its answers: addresses of the programs that read root moves and totals and of separators of
    thousands (see `read_line`), and the least depth at which it lists root moves.
    """

    programs: np.uint64
    separators: np.uint64
    lists_from: np.uint64


class AnswerMemory(NamedTuple):
    """Addresses of memory between two calls: `STATE_WORDS`, keys (`uint16`) and counts of `ROOT_MOVE_ROOM` root moves,
    `KEYS` places (`uint16`, all 0), and a mark (`uint16`) for each question whose answer does not agree.
    """

    state: np.uint64
    keys: np.uint64
    counts: np.uint64
    places: np.uint64
    marks: np.uint64


_TWO, _THREE, _FOUR, _FIVE = (np.uint64(number) for number in (2, 3, 4, 5))
_EXPECTED, _MARKER, _MEMORY = np.uint64(3), np.uint64(9), np.uint64(15)
_ROOT_MOVE_ROOM = np.uint64(ROOT_MOVE_ROOM)


@kernel
def read_answers(text: np.uint64, size: np.uint64, words: np.uint64) -> np.uint64:
    """Read the whole lines among `size` bytes at the address `text`, up to the answer about the marker.

    `words` is the address of the words of an `AnswerFormat`, of what is `Expected`, of the same of the marker, and of
    the `AnswerMemory`. Returns how many bytes have been read; a line without its end is left for the next call.
    """
    form = AnswerFormat(load(words, ZERO), load(words, ONE), load(words, _TWO))
    expected, marker = _load_expected(words, _EXPECTED), _load_expected(words, _MARKER)
    memory = _load_memory(words, _MEMORY)
    begin, at = ZERO, ZERO
    while at < size and load(memory.state, CLOSED) == ZERO:
        if ends_line(load8(text, at)):
            if at > begin:
                _take_line(text + begin, form, expected, marker, memory)
            begin = at + ONE
        at += ONE
    return begin


@inline
def _load_expected(words: np.uint64, at: np.uint64) -> Expected:
    return Expected(
        load(words, at),
        load(words, at + ONE),
        load(words, at + _TWO),
        load(words, at + _THREE),
        load(words, at + _FOUR),
        load(words, at + _FIVE),
    )


@inline
def _load_memory(words: np.uint64, at: np.uint64) -> AnswerMemory:
    return AnswerMemory(
        load(words, at),
        load(words, at + ONE),
        load(words, at + _TWO),
        load(words, at + _THREE),
        load(words, at + _FOUR),
    )


@inline
def _take_line(line: np.uint64, form: AnswerFormat, expected: Expected, marker: Expected, memory: AnswerMemory) -> None:
    """Take in one line."""
    is_read, key, nodes, depth = read_line(line, form.programs, form.separators)
    if key != NO_MOVE:
        listed = load(memory.state, LISTED)
        if listed < _ROOT_MOVE_ROOM:
            store16(memory.keys, listed, key)
            store(memory.counts, listed, nodes)
        store(memory.state, LISTED, listed + ONE)
        return
    if is_read:
        if depth == NO_DEPTH or depth == _depth_asked(expected, marker, memory):
            _judge(nodes, form, expected, marker, memory)
        store(memory.state, LISTED, ZERO)  # the total of another depth comes on the way to this one


@inline
def _depth_asked(expected: Expected, marker: Expected, memory: AnswerMemory) -> np.uint64:
    question = load(memory.state, QUESTION)
    return load(expected.depths, question) if question < expected.number else load(marker.depths, ZERO)


@subroutine
def _judge(total: np.uint64, form: AnswerFormat, expected: Expected, marker: Expected, memory: AnswerMemory) -> None:
    """Compare a whole answer with the question that is next; where it does not agree, find out whose it is."""
    question, number = load(memory.state, QUESTION), expected.number
    if question < number and _agrees(total, question, form, expected, memory):
        store(memory.state, QUESTION, question + ONE)
        return
    if _agrees(total, ZERO, form, marker, memory):
        while question < number:  # nobody knows where their answers are
            store16(memory.marks, question, ONE)
            question += ONE
        store(memory.state, QUESTION, question)
        store(memory.state, CLOSED, ONE)
        return
    # The answer is wrong, or one before it is missing or came twice: then it is right for a neighbor of its question.
    repeats = question > ZERO and _agrees(total, question - ONE, form, expected, memory)
    if question < number:
        store16(memory.marks, question, ONE)
    if question + ONE < number and _agrees(total, question + ONE, form, expected, memory):
        store(memory.state, QUESTION, question + _TWO)  # its own answer is missing
    elif not repeats and question < number:
        store(memory.state, QUESTION, question + ONE)
        return
    elif question > ZERO:
        store16(memory.marks, question - ONE, ONE)  # it was answered twice, or this one not at all
    if question == number and not repeats:
        store(memory.state, CLOSED, ONE)  # the marker itself is answered wrongly: there is nothing more to wait for
    store(memory.state, STRAY, load(memory.state, STRAY) + ONE)


@subroutine
def _agrees(
    total: np.uint64, question: np.uint64, form: AnswerFormat, expected: Expected, memory: AnswerMemory
) -> bool:
    """Tell whether the answer that has been heard is right for a question: total, root moves and counts."""
    if total != load(expected.totals, question):
        return False
    if load(expected.depths, question) < form.lists_from:
        return True
    first = load(expected.ends, question - ONE) if question > ZERO else ZERO
    listed = load(memory.state, LISTED)
    if listed != load(expected.ends, question) - first or listed > _ROOT_MOVE_ROOM:
        return False
    # The engine lists in an order of its own: each right move has its place under its key, so that none is looked for.
    index = ZERO
    while index < listed:
        store16(memory.places, load16(expected.keys, first + index), index + ONE)
        index += ONE
    agrees, index = True, ZERO
    while index < listed:
        key = load16(memory.keys, index)
        place = load16(memory.places, key)
        if place == ZERO or load(expected.counts, first + place - ONE) != load(memory.counts, index):
            agrees = False
        store16(memory.places, key, ZERO)  # the same move once more is none of them
        index += ONE
    # Places of moves that are missing are left: the memory has to be all zero for the next answer.
    index = ZERO
    while index < listed and not agrees:
        store16(memory.places, load16(expected.keys, first + index), ZERO)
        index += ONE
    return agrees
