"""One line of an answer, read as bytes by a *program*: a template of `harness/engines/stdio/dialects.py`, compiled.

A program is bytes, one for each element of the template. `harness/engines/stdio/grammar.py` makes it, and the regular
expression that reads the same lines. So a new dialect is new data, and nothing here is compiled again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....generator.kernels.machine.bits import ALL, ONE, ZERO, load8
from ....generator.kernels.machine.jit import inline, subroutine

(
    ROOT_MOVE, END, REST, BLANKS, OPTIONAL_BLANKS, ANYTHING, MOVE, NODES, DEPTH, NUMBERING, ARROW, INDEX, WORD, SECONDS,
    SIGN,
) = range(1, 16)  # fmt: skip
"""Bytes of a program. Three end it: END where the line must end, REST where more may follow behind a comma or white
space, and ROOT_MOVE, which is NUMBERING, MOVE, ARROW, NODES and REST at once. A space in a template is BLANKS, or
OPTIONAL_BLANKS beside a sign; ANYTHING goes on behind any white space. Other bytes stand for themselves, letters for
those in upper case as well, and a bracket may be missing in the line.
"""
KEYS = 5 << 12
"""Root moves have smaller keys: `origin | target << 6 | promotion << 12`."""
NO_MOVE, NO_DEPTH = np.uint64(KEYS), ALL


class LineContent(NamedTuple):
    """What a line tells: whether a program reads it, and the key of a root move, the nodes and the depth in it."""

    is_read: bool
    key: np.uint64
    nodes: np.uint64
    depth: np.uint64


_ROOT_MOVE, _END, _REST, _BLANKS, _OPTIONAL_BLANKS, _ANYTHING, _MOVE, _NODES = (np.uint64(code) for code in range(1, 9))
_DEPTH, _NUMBERING, _ARROW, _INDEX, _WORD, _SECONDS, _SIGN = (np.uint64(code) for code in range(9, 16))
_TWO, _THREE, _FOUR, _SIX, _TEN, _TWELVE = (np.uint64(number) for number in (2, 3, 4, 6, 10, 12))
_TAB, _NEWLINE, _RETURN, _SPACE = (np.uint64(ord(letter)) for letter in "\t\n\r ")
_OPEN, _CLOSE, _DASH, _DOT, _COLON, _EQUAL, _MORE = (np.uint64(ord(letter)) for letter in "()-.:=>")
_0, _1, _8, _9, _A, _Z, _a, _h, _x, _z = (np.uint64(ord(letter)) for letter in "0189AZahxz")
_COMMA, _SEMICOLON, _BAR = (np.uint64(ord(letter)) for letter in ",;|")
_SIGNS = tuple(np.uint64(ord(sign)) for sign in "-:=|,;")
_PIECES = tuple(np.uint64(ord(letter)) for letter in "PNBRQK")
_N, _B, _R, _Q = (np.uint64(ord(letter)) for letter in "nbrq")
_NOWHERE = ALL
"""In place of where a line goes on: it does not."""
TOO_LARGE, _LAST_EXACT = ALL - ONE, np.uint64((2**64 - 1) // 10)
"""Stands for any number that does not fit into 64 bits; a number below the second one has room for one more digit."""


@inline
def read_line(line: np.uint64, programs: np.uint64, separators: np.uint64) -> LineContent:
    """Read a line by the first program that fits it.

    `programs` is the address of programs, one behind the other and a zero behind the last; `separators` that of what
    may stand between thousands: for each its length and its bytes, and a zero behind the last.
    """
    begin, place = _after_blanks(line, ZERO), ZERO
    if load8(line, begin) == _BAR:  # of a table
        begin = _after_blanks(line, begin + ONE)
    while load8(programs, place) != ZERO:
        content = _run(line, begin, programs, place, separators)
        if content.is_read:
            return content
        # It does not fit: go on behind the element that ends this program.
        while load8(programs, place) > _REST:
            place += ONE
        place += ONE
    return LineContent(False, NO_MOVE, ZERO, NO_DEPTH)


@inline
def _run(line: np.uint64, at: np.uint64, programs: np.uint64, place: np.uint64, separators: np.uint64) -> LineContent:
    """Read a line from `at` on by the program that begins at `place`."""
    key, nodes, depth = NO_MOVE, ZERO, NO_DEPTH
    free_place, free_at = ZERO, ZERO  # behind ANYTHING, and where the text that it stands for ends
    while True:
        code = load8(programs, place)
        place += ONE
        if code == _ROOT_MOVE:
            key, nodes, at = _read_root_move(line, at, separators)
            if at != _NOWHERE:
                return LineContent(True, key, nodes, depth)
        elif code <= _REST:
            if ends_line(load8(line, _after_blanks(line, at))) or (code == _REST and _has_rest(line, at)):
                return LineContent(True, key, nodes, depth)
            at = _NOWHERE
        elif code == _MOVE:
            key, at = _read_move(line, at)
        elif code == _NODES:
            nodes, at = _read_number(line, at, separators)
        elif code == _DEPTH:
            depth, at = _read_digits(line, at)
        elif code == _ANYTHING:
            at = at + ONE if _is_blank(load8(line, at)) else _NOWHERE
            free_place, free_at = place, at
        else:
            at = _after_element(code, line, at)
        if at == _NOWHERE:
            # What follows "..." does not stand here: go on behind the next white space.
            at = _after_next_blank(line, free_at) if free_place != ZERO and free_at != _NOWHERE else _NOWHERE
            if at == _NOWHERE:
                return LineContent(False, NO_MOVE, ZERO, NO_DEPTH)
            place, free_at = free_place, at


@inline
def _read_root_move(line: np.uint64, at: np.uint64, separators: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the key of a root move, the nodes below it, and where the line goes on behind them, else `_NOWHERE`."""
    nodes = ZERO
    key, at = _read_move(line, _after_numbering(line, at))
    if at != _NOWHERE:
        at = _after_arrow(line, at)
    if at != _NOWHERE:
        nodes, at = _read_number(line, at, separators)
    if at != _NOWHERE and not _has_rest(line, at):
        at = _NOWHERE
    return key, nodes, at


@subroutine
def _after_element(code: np.uint64, line: np.uint64, at: np.uint64) -> np.uint64:
    """Return where a line goes on behind an element of which nothing is kept, else `_NOWHERE`."""
    byte = load8(line, at)
    if code == _NUMBERING:
        return _after_numbering(line, at)
    if code == _ARROW:
        return _after_arrow(line, at)
    if code == _OPTIONAL_BLANKS or (code == _BLANKS and _is_blank(byte)):
        return _after_blanks(line, at)
    if code == _INDEX:
        return _read_digits(line, at)[1]
    if code == _WORD:
        return _after_word(line, at)
    if code == _SECONDS:
        return _after_seconds(line, at)
    if code == _OPEN or code == _CLOSE:
        return at + ONE if byte == code else at
    if (code == _SIGN and (byte == _COLON or byte == _EQUAL)) or (code >= _SPACE and _lower(byte) == code):
        return at + ONE
    return _NOWHERE


@inline
def ends_line(byte: np.uint64) -> bool:
    """Tell whether a line ends at a byte."""
    return byte == _NEWLINE or byte == _RETURN


@inline
def _is_blank(byte: np.uint64) -> bool:
    return byte == _SPACE or byte == _TAB


@inline
def _is_over(byte: np.uint64) -> bool:
    """Tell whether what stood before a byte ends there."""
    return _is_blank(byte) or ends_line(byte)


@inline
def _has_rest(line: np.uint64, at: np.uint64) -> bool:
    """Tell whether anything may follow: white space or the end of the line, behind a comma or not."""
    byte = load8(line, at)
    is_comma = byte == _COMMA or byte == _SEMICOLON
    return _is_over(byte) or (is_comma and _is_over(load8(line, at + ONE)))


@inline
def _is_digit(byte: np.uint64) -> bool:
    return bool(_0 <= byte and byte <= _9)


@inline
def _lower(byte: np.uint64) -> np.uint64:
    return byte | _SPACE if byte >= _A and byte <= _Z else byte


@inline
def _after_blanks(line: np.uint64, at: np.uint64) -> np.uint64:
    while _is_blank(load8(line, at)):
        at += ONE
    return at


@inline
def _after_next_blank(line: np.uint64, at: np.uint64) -> np.uint64:
    while not _is_over(load8(line, at)):
        at += ONE
    return at + ONE if _is_blank(load8(line, at)) else _NOWHERE


@inline
def _after_word(line: np.uint64, at: np.uint64) -> np.uint64:
    after = at
    while not _is_over(load8(line, after)):
        after += ONE
    return after if after > at else _NOWHERE


@inline
def _with_digit(number: np.uint64, digit: np.uint64) -> np.uint64:
    """Return the number with one more digit, `TOO_LARGE` if it does not fit."""
    return number * _TEN + (digit - _0) if number < _LAST_EXACT else TOO_LARGE


@inline
def _read_digits(line: np.uint64, at: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the number that digits make, and where they end."""
    number, after = ZERO, at
    while _is_digit(load8(line, after)):
        number = _with_digit(number, load8(line, after))
        after += ONE
    return number, after if after > at else _NOWHERE


@inline
def _after_seconds(line: np.uint64, at: np.uint64) -> np.uint64:
    _, point = _read_digits(line, at)
    return _read_digits(line, point + ONE)[1] if point != _NOWHERE and load8(line, point) == _DOT else _NOWHERE


@inline
def _after_numbering(line: np.uint64, at: np.uint64) -> np.uint64:
    """Return where a line goes on behind a number that only counts root moves, else `at`."""
    after = at
    while _is_digit(load8(line, after)):
        after += ONE
    if after > at and (load8(line, after) == _DOT or load8(line, after) == _CLOSE):
        after += ONE
    return _after_blanks(line, after) if _is_blank(load8(line, after)) else at


@inline
def _after_arrow(line: np.uint64, at: np.uint64) -> np.uint64:
    """Return where the count begins behind an arrow, a sign or white space."""
    after = _after_blanks(line, at)
    byte = load8(line, after)
    if (byte == _DASH or byte == _EQUAL) and load8(line, after + ONE) == _MORE:
        after = _after_blanks(line, after + _TWO)
    elif byte == _DOT and load8(line, after + ONE) == _DOT:
        after = _after_blanks(line, _after_dots(line, after))
    elif _is_sign(byte) and not (byte == _DASH and after > at and _is_digit(load8(line, after + ONE))):  # else a minus
        after = _after_blanks(line, after + ONE)
    return after if after > at else _NOWHERE


@inline
def _after_dots(line: np.uint64, at: np.uint64) -> np.uint64:
    while load8(line, at) == _DOT:
        at += ONE
    return at + ONE if load8(line, at) == _COLON else at


@inline
def _is_sign(byte: np.uint64) -> bool:
    """Tell whether a byte may stand between a name and its count."""
    found = False
    for sign in _SIGNS:
        found |= byte == sign
    return found


@subroutine
def _after_separator(line: np.uint64, at: np.uint64, separators: np.uint64) -> np.uint64:
    """Return where a number goes on behind what separates thousands, else `at`."""
    place = ZERO
    length = load8(separators, place)
    while length != ZERO:
        same = ZERO
        while same < length and load8(line, at + same) == load8(separators, place + ONE + same):
            same += ONE
        if same == length and _has_three_digits(line, at + length):
            return at + length
        place += length + ONE
        length = load8(separators, place)
    return at


@inline
def _has_three_digits(line: np.uint64, at: np.uint64) -> bool:
    """Tell whether three digits stand here, and no fourth one."""
    return bool(
        _is_digit(load8(line, at))
        and _is_digit(load8(line, at + ONE))
        and _is_digit(load8(line, at + _TWO))
        and not _is_digit(load8(line, at + _THREE))
    )


@inline
def _read_number(line: np.uint64, at: np.uint64, separators: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return a number, which may have separators of thousands, and where it ends."""
    number, group, after = ZERO, at, at  # `group` is where the digits since the last separator begin
    byte = load8(line, at)
    while _is_digit(byte):
        number = _with_digit(number, byte)
        after += ONE
        byte = load8(line, after)
        # A separator follows three digits at most: "1234,567" is no number.
        if not _is_digit(byte) and not ends_line(byte) and after - group <= _THREE:
            after = group = _after_separator(line, after, separators)
            byte = load8(line, after)
    return number, after if after > at else _NOWHERE


@inline
def _is_square(line: np.uint64, at: np.uint64) -> bool:
    file, rank = load8(line, at), load8(line, at + ONE)
    return bool(_a <= file and file <= _h and _1 <= rank and rank <= _8)


@inline
def _is_like_a_square(line: np.uint64, at: np.uint64) -> bool:
    letter, digit = load8(line, at), load8(line, at + ONE)
    return bool(_a <= letter and letter <= _z) and _is_digit(digit)


@inline
def _square(line: np.uint64, at: np.uint64) -> np.uint64:
    return (load8(line, at) - _a) | (load8(line, at + ONE) - _1) << _THREE


@inline
def promotion_of(letter: np.uint64) -> np.uint64:
    """Return the number of a promotion in a key, 0 for a letter that names none."""
    if letter == _Q:
        return _FOUR
    if letter == _R:
        return _THREE
    if letter == _B:
        return _TWO
    return ONE if letter == _N else ZERO


@inline
def _is_piece(byte: np.uint64) -> bool:
    found = False
    for piece in _PIECES:
        found |= byte == piece
    return found


@inline
def _read_move(line: np.uint64, at: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the key of a move and where its text ends; O-O is none, nor is a promotion to a king or a pawn.

    A text that names squares which no board has, such as a2h0, has the key of a1a1, which no position has.
    """
    if _is_piece(load8(line, at)):
        at += ONE
    if not _is_like_a_square(line, at):
        return NO_MOVE, _NOWHERE
    first, is_on_board = at, _is_square(line, at)
    at += _TWO
    byte = load8(line, at)
    if byte == _DASH or byte == _x or byte == _COLON:
        at += ONE
    if not _is_like_a_square(line, at):
        return NO_MOVE, _NOWHERE
    if not (is_on_board and _is_square(line, at)):
        return ZERO, at + _TWO
    origin, target = _square(line, first), _square(line, at)
    at += _TWO
    if load8(line, at) == _EQUAL and promotion_of(load8(line, at + ONE) | _SPACE) != ZERO:
        at += ONE
    promotion = promotion_of(load8(line, at) | _SPACE)  # in upper or lower case
    if promotion != ZERO:
        at += ONE
    return origin | target << _SIX | promotion << _TWELVE, at
