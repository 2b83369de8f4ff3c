"""Reading suites: EPD lines with counts, tables, and `.perft` files of `id`, `epd` and `perft` lines.

A bad line is never skipped: a suite that lost cases unnoticed would still look green.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from ..generator.position import Position, read_fen
from ..generator.validation import FenError
from ..paged import in_pages
from .bundled import place_of
from .case import UNPRINTABLE, Case, Problem, Suite, SuiteError
from .epd import LINE, Epd, Record
from .tables import as_epd_lines, is_row

# Some tools end records with NUL bytes, before or after the newline or instead of one.
_LINE_END = re.compile(r"\0*(?:\r\n|\r|\n)\0*|\0+")
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
COMMENTS = ("#", "%", "//")
"""What comment lines begin with."""
_BLOCK_LINE = re.compile(r"(?:id|epd|perft)(?:\s|$)", re.IGNORECASE)
_EPD_LINE = re.compile(r"epd(?:\s|$)", re.IGNORECASE)
_COUNT = re.compile(r"^perft\s|;\s*d[0-9]+\s|\sd[0-9]+\s+[0-9]", re.IGNORECASE | re.MULTILINE)
_LISTED_LINES = 8
_FIRST_LINES = 20
"""Among so many lines a table begins."""
MOST_BYTES = 256 * 2**20
"""The size of a file, which may also be a device without end."""
MANY = 5_000
"""Positions from which on it pays to load what is compiled for reading them."""
LONGEST_LINE = 100_000
"""Characters of a line: no position with its counts comes near it."""

BLOCK = 8_192
"""Lines that are read together."""

_Line = tuple[int, str]
_Read = tuple[Epd, Position | FenError]


def has_blocks(lines: Sequence[str]) -> bool:
    """Tell whether the lines of a suite, without blank ones and comments, are in the format of `.perft` files."""
    return bool(lines) and _BLOCK_LINE.match(lines[0]) is not None


def load_suite(path: Path, chess960: bool | None = None) -> Suite:
    """Return the suite of a file, in any of the formats, which the content tells.

    `chess960=None` lets each castling field decide. Raises SuiteError, with one line that says what is
    wrong, where the file cannot be read or has no cases; bad lines are all found first, and listed in
    its `problems`.
    """
    problems: list[Problem] = []
    lines = _significant_lines(_decode(path, _read(path)), problems)
    first = list(islice(lines, 1))
    whole = chain(first, lines)
    if has_blocks([line for _, line in first]):
        records = _read_blocks(whole, chess960)
    else:
        records = _read_epd_lines(as_epd_lines(whole), chess960)
    cases = in_pages(_cases_of(records, path, problems))
    if problems:
        raise _bad_lines(path, sorted(problems, key=lambda problem: problem.line))
    if not cases:
        raise SuiteError(f"{path} has no cases: write one a line, as {LINE}")
    return Suite(_suite_name(path), cases)


def has_counts(path: Path) -> bool:
    """Tell whether a file may be a suite: it is text, and some line of it has a count, readable or not.

    Raises SuiteError where the file cannot be read.
    """
    data = _read(path)
    try:
        text = _decode(path, data)
        return _COUNT.search(text) is not None or any(map(is_row, islice(text.splitlines(), _FIRST_LINES)))
    except SuiteError:
        return False


def _suite_name(path: Path) -> str:
    """Return the file's name without its ending, printable whatever the file is called."""
    return UNPRINTABLE.sub("?", path.stem)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise SuiteError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise SuiteError(f"{path} is a directory: give a suite file") from None
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # a NUL in the path
        raise SuiteError(f"cannot read {str(path)!r}: {error}") from None
    if len(data) > MOST_BYTES:
        raise SuiteError(f"{path} has more than {MOST_BYTES >> 20} MiB: divide it into smaller suites")
    return data


def _decode(path: Path, data: bytes) -> str:
    """Return the text of a file; bytes that are not UTF-8 stay in it as lone surrogates."""
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as PowerShell redirects
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8", "surrogateescape")
    except UnicodeDecodeError as error:
        raise SuiteError(f"{path} is not a text file: {error.reason}") from None
    text = text.rstrip("\0\x1a")  # DOS editors end a file with Ctrl-Z
    control = _CONTROL.search(text)
    if control:
        line = len(_LINE_END.findall(text, 0, control.start())) + 1
        raise SuiteError(f"{path} is not a text file: control character 0x{ord(control.group()):02x} on line {line}")
    return text


def _significant_lines(text: str, problems: list[Problem]) -> Iterator[_Line]:
    """Yield the numbered lines that are neither blank nor comments; add those that cannot be read to the problems."""
    for number, raw in enumerate(_raw_lines(text), start=1):
        line = raw.lstrip("\ufeff").strip()  # byte order marks also stand where files were joined
        if not line or line.startswith(COMMENTS):
            continue
        if len(line) > LONGEST_LINE:
            problems.append(Problem(number, f"a line of {len(line):,} characters: the limit is {LONGEST_LINE:,}"))
            continue
        stray = re.search(r"[\udc80-\udcff]", line)
        if stray:
            byte = ord(stray.group()) - 0xDC00
            problems.append(Problem(number, f"byte 0x{byte:02x} is not UTF-8: save the file in that encoding"))
        else:
            yield number, line


def _raw_lines(text: str) -> Iterator[str]:
    begin = 0
    for end in _LINE_END.finditer(text):
        yield text[begin : end.start()]
        begin = end.end()
    yield text[begin:]


def _read_epd_lines(lines: Iterable[_Line], chess960: bool | None) -> Iterator[Record]:
    for block in _blocks(lines):
        for (number, _), read in zip(block, _read_positions([line for _, line in block], chess960), strict=True):
            record = Record(number)
            record.read_epd(*read)
            _check_complete(record)
            yield record


def _blocks(lines: Iterable[_Line]) -> Iterator[list[_Line]]:
    """Yield lines, as many at once as are read together; a few that are left join those before them."""
    rest = iter(lines)
    block = list(islice(rest, BLOCK))
    while block:
        following = list(islice(rest, BLOCK))
        if len(following) < MANY:
            block, following = block + following, []
        yield block
        block = following


def _read_positions(texts: Sequence[str], chess960: bool | None) -> Iterable[_Read]:
    """Return the parts of EPD lines and the position of each, or what is wrong with it."""
    epds = list(map(Epd.split, texts))
    fens = [epd.fen for epd in epds]
    if len(fens) < MANY:
        return zip(epds, (read_fen(fen, chess960) for fen in fens), strict=True)
    from ..generator.fens import read_fens

    return zip(epds, read_fens(fens, chess960), strict=True)


def _read_blocks(lines: Iterable[_Line], chess960: bool | None) -> Iterator[Record]:
    record: Record | None = None
    for number, line, read in _with_positions(lines, chess960):
        keyword, *rest = line.split(None, 1)
        value, word = rest[0] if rest else "", keyword.lower()
        if record is None or word == "id" or (word == "epd" and record.has_position):
            if record is not None:
                _check_complete(record)
                yield record
            record = Record(number)
        if not _BLOCK_LINE.match(line):
            record.fault(f"{keyword!r} is none of 'id', 'epd' and 'perft'", number)
        elif word == "id":
            record.read_name(value)
        elif read is not None:
            record.line = number
            record.read_epd(*read)
        else:
            _read_perft(record, value, number)
    if record is not None:
        _check_complete(record)
        yield record


def _with_positions(lines: Iterable[_Line], chess960: bool | None) -> Iterator[tuple[int, str, _Read | None]]:
    """Yield numbered lines, those with the keyword `epd` with what was read of them."""
    for block in _blocks(lines):
        epds = [line[len("epd") :] for _, line in block if _EPD_LINE.match(line)]
        read = iter(_read_positions(epds, chess960))
        for number, line in block:
            yield number, line, next(read) if _EPD_LINE.match(line) else None


def _read_perft(record: Record, value: str, line: int) -> None:
    depth, *rest = value.split(None, 1) or [""]
    if not record.has_position:
        record.fault("'perft' without an 'epd' line before it", line)
    elif not (depth.isascii() and depth.isdigit()):
        record.fault(f"{f'perft {value}'.strip()!r} is no count: write it as 'perft 3 8902'", line)
    else:
        record.read_count(depth, rest[0] if rest else "", line)


def _check_complete(record: Record) -> None:
    if record.problems or record.counts:
        return
    if record.has_position:
        record.fault("a position without counts: add what is known, such as ;D1 20")
    else:
        record.fault(f"id {record.name!r} without an 'epd' line")


def _cases_of(records: Iterable[Record], path: Path, problems: list[Problem]) -> Iterator[Case]:
    """Yield the cases of a file, and add what is wrong with its records to the problems."""
    suite, place = _suite_name(path), UNPRINTABLE.sub("?", place_of(path))
    for record in records:
        if record.problems:
            problems += record.problems
            continue
        assert record.position is not None  # or there would have been a problem
        name = record.name or f"{suite}:{record.line}"
        counts = tuple(sorted(record.counts.items()))
        yield Case(name, record.position, counts, f"{place}:{record.line}", record.purpose, record.moves, record.setup)


def _bad_lines(path: Path, problems: Sequence[Problem]) -> SuiteError:
    first = problems[0]
    others = sorted({problem.line for problem in problems} - {first.line})
    message = f"{path}:{first.line}: {first.message}"
    if others:
        numbers = ", ".join(map(str, others[:_LISTED_LINES])) + (", ..." if len(others) > _LISTED_LINES else "")
        message += f" (and {len(others)} more bad line{'s' if len(others) > 1 else ''}: {numbers})"
    return SuiteError(message, tuple(problems))
