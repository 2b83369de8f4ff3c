"""The answers of an engine to many questions, read as bytes and compared with what a right generator answers.

An answer is lines: root moves with their counts in any order, and a total that ends it. All other lines are skipped.
The questions of a block are asked without waiting, so an answer is told from the next one by its place alone. After a
block the engine is asked about a *marker*, a position whose answer is known. An answer that is missing or comes twice
is noticed where the answers after it agree with the neighbours of their questions, at the latest at the marker.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..machine.bits import ONE, ZERO, load, load8, load16, store, store16
from ..machine.jit import inlined, kernel, subroutine

MOST_LISTED = 1024
"""Root moves of an answer that are kept; an answer with more of them does not agree."""
KEYS = 5 << 12
"""Root moves have smaller keys: `origin | target << 6 | promotion << 12`."""
STATE_WORDS = 4
QUESTION, LISTED, CLOSED, STRAY = (np.uint64(place) for place in range(STATE_WORDS))
"""The question whose answer comes next; its root moves so far; whether the marker has been answered; how many
answers were those of another question than the one that was next."""

NUMBER, DEPTH, WORD, ANYTHING = range(1, 5)
"""Bytes of a template of the line with the total that stand for the total, the depth, one word, any text."""


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


class Form(NamedTuple):
    """How an engine writes its answers: the address of the template of its totals, the least depth at which it lists
    root moves, and a byte that separates thousands beside the usual ones, 0 for none.
    """

    template: np.uint64
    lists_from: np.uint64
    separator: np.uint64


class AnswerMemory(NamedTuple):
    """Addresses of memory between two calls: `STATE_WORDS`, keys (`uint16`) and counts of `MOST_LISTED` root moves,
    `KEYS` places (`uint16`, all 0), and a mark (`uint16`) for each question whose answer does not agree.
    """

    state: np.uint64
    keys: np.uint64
    counts: np.uint64
    places: np.uint64
    marks: np.uint64


_TWO, _THREE, _FOUR, _FIVE, _SIX, _TEN, _TWELVE = (np.uint64(number) for number in (2, 3, 4, 5, 6, 10, 12))
_EXPECTED, _MARKER, _MEMORY = np.uint64(3), np.uint64(9), np.uint64(15)
_TAB, _NEWLINE, _RETURN, _SPACE = (np.uint64(ord(letter)) for letter in "\t\n\r ")
_QUOTE, _OPEN, _CLOSE, _COMMA, _DASH, _DOT, _COLON, _EQUAL, _MORE, _UNDERSCORE = (
    np.uint64(ord(letter)) for letter in "'(),-.:=>_"
)
_LATIN_SPACE, _LATIN_QUOTE, _SPACE_LEAD = (np.uint64(byte) for byte in (0xA0, 0x92, 0xC2))
_GENERAL_LEAD, _GENERAL_NEXT, _NARROW_SPACE, _THIN_SPACE, _RIGHT_QUOTE = (
    np.uint64(byte) for byte in (0xE2, 0x80, 0xAF, 0x89, 0x99)
)
"""Bytes of a no-break space and of a right quotation mark, and of those and other spaces in UTF-8."""
_0, _1, _8, _9, _A, _Z, _a, _h, _x = (np.uint64(ord(letter)) for letter in "0189AZahx")
_PIECES = tuple(np.uint64(ord(letter)) for letter in "PNBRQK")
_N, _B, _R, _Q = (np.uint64(ord(letter)) for letter in "nbrq")
_NUMBER, _DEPTH, _WORD, _ANYTHING = (np.uint64(code) for code in (NUMBER, DEPTH, WORD, ANYTHING))
_NO_MOVE = np.uint64(KEYS)
_MOST_LISTED = np.uint64(MOST_LISTED)


@kernel
def read_answers(text: np.uint64, size: np.uint64, words: np.uint64) -> np.uint64:
    """Read the whole lines among `size` bytes at the address `text`, up to the answer about the marker.

    `words` is the address of the words of a `Form`, of what is `Expected`, of the same of the marker, and of the
    `AnswerMemory`. Returns how many bytes have been read; a line without its end is left for the next call.
    """
    form = Form(load(words, ZERO), load(words, ONE), load(words, _TWO))
    expected, marker = _expect(words, _EXPECTED), _expect(words, _MARKER)
    memory = _memory(words, _MEMORY)
    begin, at = ZERO, ZERO
    while at < size and load(memory.state, CLOSED) == ZERO:
        if _ends_line(load8(text, at)):
            if at > begin:
                _hear(text + begin, form, expected, marker, memory)
            begin = at + ONE
        at += ONE
    return begin


@inlined
def _expect(words: np.uint64, at: np.uint64) -> Expected:
    return Expected(
        load(words, at),
        load(words, at + ONE),
        load(words, at + _TWO),
        load(words, at + _THREE),
        load(words, at + _FOUR),
        load(words, at + _FIVE),
    )


@inlined
def _memory(words: np.uint64, at: np.uint64) -> AnswerMemory:
    return AnswerMemory(
        load(words, at),
        load(words, at + ONE),
        load(words, at + _TWO),
        load(words, at + _THREE),
        load(words, at + _FOUR),
    )


@inlined
def _hear(line: np.uint64, form: Form, expected: Expected, marker: Expected, memory: AnswerMemory) -> None:
    """Take in one line."""
    key, count = _root_move(line, form.separator)
    if key != _NO_MOVE:
        listed = load(memory.state, LISTED)
        if listed < _MOST_LISTED:
            store16(memory.keys, listed, key)
            store(memory.counts, listed, count)
        store(memory.state, LISTED, listed + ONE)
        return
    is_total, total, depth = _total(line, form.template, form.separator)
    if is_total:
        if depth == ZERO or depth == _depth_asked(expected, marker, memory):
            _judge(total, form, expected, marker, memory)
        store(memory.state, LISTED, ZERO)  # the total of another depth comes on the way to this one


@inlined
def _depth_asked(expected: Expected, marker: Expected, memory: AnswerMemory) -> np.uint64:
    question = load(memory.state, QUESTION)
    return load(expected.depths, question) if question < expected.number else load(marker.depths, ZERO)


@subroutine
def _judge(total: np.uint64, form: Form, expected: Expected, marker: Expected, memory: AnswerMemory) -> None:
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
def _agrees(total: np.uint64, question: np.uint64, form: Form, expected: Expected, memory: AnswerMemory) -> bool:
    """Tell whether the answer that has been heard is right for a question: total, root moves and counts."""
    if total != load(expected.totals, question):
        return False
    if load(expected.depths, question) < form.lists_from:
        return True
    first = load(expected.ends, question - ONE) if question > ZERO else ZERO
    listed = load(memory.state, LISTED)
    if listed != load(expected.ends, question) - first or listed > _MOST_LISTED:
        return False
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
    index = ZERO
    while index < listed and not agrees:
        store16(memory.places, load16(expected.keys, first + index), ZERO)
        index += ONE
    return agrees


@inlined
def _ends_line(byte: np.uint64) -> bool:
    return byte == _NEWLINE or byte == _RETURN


@inlined
def _is_blank(byte: np.uint64) -> bool:
    return byte == _SPACE or byte == _TAB


@inlined
def _is_digit(byte: np.uint64) -> bool:
    return bool(_0 <= byte and byte <= _9)


@inlined
def _after_blanks(line: np.uint64, at: np.uint64) -> np.uint64:
    while _is_blank(load8(line, at)):
        at += ONE
    return at


@inlined
def _ends_in_thousands(line: np.uint64, at: np.uint64) -> bool:
    """Tell whether three digits stand here, and no fourth one."""
    return bool(
        _is_digit(load8(line, at))
        and _is_digit(load8(line, at + ONE))
        and _is_digit(load8(line, at + _TWO))
        and not _is_digit(load8(line, at + _THREE))
    )


@subroutine
def _after_separator(line: np.uint64, at: np.uint64, separator: np.uint64) -> np.uint64:
    """Return where a number goes on behind what separates thousands, else `at`.

    The usual characters are those of `harness/engines/stdio/dialects.py`: of UTF-8, and of the alphabets that have them
    in one byte.
    """
    byte, after = load8(line, at), at
    if byte == _COMMA or byte == _UNDERSCORE or byte == _QUOTE or (byte == separator and separator != ZERO):
        after = at + ONE
    elif byte == _LATIN_SPACE or byte == _LATIN_QUOTE:
        after = at + ONE
    elif byte == _SPACE_LEAD and load8(line, at + ONE) == _LATIN_SPACE:
        after = at + _TWO
    elif byte == _GENERAL_LEAD and load8(line, at + ONE) == _GENERAL_NEXT:
        last = load8(line, at + _TWO)
        if last == _NARROW_SPACE or last == _THIN_SPACE or last == _RIGHT_QUOTE:
            after = at + _THREE
    return after if after > at and _ends_in_thousands(line, after) else at


@inlined
def _number(line: np.uint64, at: np.uint64, separator: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the number that begins at a digit, which may have separators of thousands, and where it ends."""
    number = ZERO
    byte = load8(line, at)
    while _is_digit(byte):
        number = number * _TEN + (byte - _0)
        at += ONE
        byte = load8(line, at)
        if not _is_digit(byte) and not _ends_line(byte):
            at = _after_separator(line, at, separator)
            byte = load8(line, at)
    return number, at


@inlined
def _is_square(line: np.uint64, at: np.uint64) -> bool:
    file, rank = load8(line, at), load8(line, at + ONE)
    return bool(_a <= file and file <= _h and _1 <= rank and rank <= _8)


@inlined
def _square(line: np.uint64, at: np.uint64) -> np.uint64:
    return (load8(line, at) - _a) | (load8(line, at + ONE) - _1) << _THREE


@inlined
def _promotion(line: np.uint64, at: np.uint64) -> np.uint64:
    """Return the number of a promotion piece in upper or lower case, 0 for any other letter."""
    letter = load8(line, at) | _SPACE
    if letter == _Q:
        return _FOUR
    if letter == _R:
        return _THREE
    if letter == _B:
        return _TWO
    return ONE if letter == _N else ZERO


@inlined
def _after_running_number(line: np.uint64, at: np.uint64) -> np.uint64:
    """Return where a line goes on behind a number that only counts root moves, else `at`."""
    after = at
    while _is_digit(load8(line, after)):
        after += ONE
    if after > at and (load8(line, after) == _DOT or load8(line, after) == _CLOSE):
        after += ONE
    return _after_blanks(line, after) if _is_blank(load8(line, after)) else at


@inlined
def _is_piece(byte: np.uint64) -> bool:
    found = False
    for piece in _PIECES:
        found |= byte == piece
    return found


@inlined
def _root_move(line: np.uint64, separator: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return key and count of a line with a root move, `_NO_MOVE` and 0 for any other line.

    What `harness/engines/stdio/dialects.py` takes for a root move is one here, but for O-O.
    """
    at = _after_running_number(line, _after_blanks(line, ZERO))
    if _is_piece(load8(line, at)):
        at += ONE
    if not _is_square(line, at):
        return _NO_MOVE, ZERO
    origin = _square(line, at)
    at += _TWO
    byte = load8(line, at)
    if byte == _DASH or byte == _x or byte == _COLON:
        at += ONE
    if not _is_square(line, at):
        return _NO_MOVE, ZERO
    target = _square(line, at)
    at += _TWO
    if load8(line, at) == _EQUAL and _promotion(line, at + ONE) != ZERO:
        at += ONE
    promotion = _promotion(line, at)
    if promotion != ZERO:
        at += ONE
    behind = at
    at = _after_blanks(line, at)
    byte = load8(line, at)
    if byte == _DASH and load8(line, at + ONE) == _MORE:
        at = _after_blanks(line, at + _TWO)
    elif byte == _COLON or byte == _EQUAL:
        at = _after_blanks(line, at + ONE)
    if at == behind or not _is_digit(load8(line, at)):
        return _NO_MOVE, ZERO
    count, at = _number(line, at, separator)
    byte = load8(line, at)
    if not (_is_blank(byte) or _ends_line(byte)):
        return _NO_MOVE, ZERO
    return origin | target << _SIX | promotion << _TWELVE, count


@inlined
def _plain(byte: np.uint64) -> np.uint64:
    """Return a letter in lower case, and a colon for an equals sign: totals are written with either."""
    if byte >= _A and byte <= _Z:
        return byte | _SPACE
    return _COLON if byte == _EQUAL else byte


@subroutine
def _total(line: np.uint64, template: np.uint64, separator: np.uint64) -> tuple[bool, np.uint64, np.uint64]:
    """Return whether a line is written as the template says, the total, and the depth where it says one, else 0."""
    at, place, depth = ZERO, ZERO, ZERO
    free_place, free_at = ZERO, ZERO  # behind ANYTHING, and where the text that it stands for ends
    while True:
        byte = load8(line, at)
        while _is_blank(byte) or byte == _OPEN or byte == _CLOSE:
            at += ONE
            byte = load8(line, at)
        element = load8(template, place)
        place += ONE
        if element == _ANYTHING:
            free_place, free_at = place, at
            continue
        if element == _DEPTH and _is_digit(byte):
            depth, at = _number(line, at, ZERO)
            continue
        if element == _WORD and not _ends_line(byte):
            while not (_is_blank(load8(line, at)) or _ends_line(load8(line, at))):
                at += ONE
            continue
        if element == _NUMBER and _is_digit(byte):
            total, at = _number(line, at, separator)
            byte = load8(line, at)
            if _is_blank(byte) or _ends_line(byte):
                return True, total, depth
        elif element == _plain(byte):
            at += ONE
            continue
        if free_place == ZERO or _ends_line(load8(line, free_at)):
            return False, ZERO, ZERO
        free_at += ONE
        at, place = free_at, free_place
