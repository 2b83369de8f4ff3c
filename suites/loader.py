"""Reading suites: EPD lines with counts, and `.perft` files of `id`, `epd` and `perft` lines.

A bad line is never skipped: a suite that lost cases unnoticed would still look green.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..generator.position import Position, read_fen
from ..generator.validation import FenError
from .bundled import place_of
from .case import UNPRINTABLE, Case, Problem, Suite, SuiteError
from .epd import Epd, Record

# Some tools end records with NUL bytes, before or after the newline or instead of one.
_LINE_END = re.compile(r"\0*(?:\r\n|\r|\n)\0*|\0+")
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
COMMENTS = ("#", "%", "//")
"""What comment lines begin with."""
_BLOCK_LINE = re.compile(r"(?:id|epd|perft)(?:\s|$)", re.IGNORECASE)
_EPD_LINE = re.compile(r"epd(?:\s|$)", re.IGNORECASE)
_COUNT = re.compile(r"^perft\s|;\s*d[0-9]+\s|\sd[0-9]+\s+[0-9]", re.IGNORECASE | re.MULTILINE)
_LISTED_LINES = 8
MOST_BYTES = 256 * 2**20
"""The size of a file, which may also be a device without end."""
MANY = 5_000
"""Positions from which on it pays to load what is compiled for reading them."""
LONGEST_LINE = 100_000
"""Characters of a line: no position with its counts comes near it."""

_Lines = list[tuple[int, str]]


def has_blocks(lines: Sequence[str]) -> bool:
    """Tell whether the lines of a suite, without blank ones and comments, are in the format of `.perft` files."""
    return bool(lines) and _BLOCK_LINE.match(lines[0]) is not None


def load_suite(path: Path, chess960: bool | None = None) -> Suite:
    """Return the suite of a file, in either format, which the content tells.

    `chess960=None` lets each castling field decide. Raises SuiteError, with one line that says what is
    wrong, where the file cannot be read or has no cases; bad lines are all found first, and listed in
    its `problems`.
    """
    lines, problems = _significant_lines(_decode(path, _read(path)))
    read = _read_blocks if has_blocks([line for _, line in lines]) else _read_epd_lines
    records = read(lines, chess960)
    for record in records:
        problems += record.problems
    if problems:
        raise _bad_lines(path, sorted(problems, key=lambda problem: problem.line))
    if not records:
        raise SuiteError(f"{path} has no cases: write one a line, as FEN ;D1 20 ;D2 400")
    return Suite(_suite_name(path), tuple(_cases_of(records, path)))


def has_counts(path: Path) -> bool:
    """Tell whether a file may be a suite: it is text, and some line of it has a count, readable or not.

    Raises SuiteError where the file cannot be read.
    """
    data = _read(path)
    try:
        return _COUNT.search(_decode(path, data)) is not None
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


def _significant_lines(text: str) -> tuple[_Lines, list[Problem]]:
    """Return the numbered lines that are neither blank nor comments, and those that are not UTF-8."""
    lines: _Lines = []
    problems = []
    for number, raw in enumerate(_LINE_END.split(text), start=1):
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
            lines.append((number, line))
    return lines, problems


def _read_epd_lines(lines: _Lines, chess960: bool | None) -> list[Record]:
    records = []
    for (number, _), read in zip(lines, _read_positions([line for _, line in lines], chess960), strict=True):
        record = Record(number)
        record.read_epd(*read)
        _check_complete(record)
        records.append(record)
    return records


def _read_positions(texts: Sequence[str], chess960: bool | None) -> Iterable[tuple[Epd, Position | FenError]]:
    """Return the parts of EPD lines and the position of each, or what is wrong with it."""
    epds = list(map(Epd.split, texts))
    fens = [epd.fen for epd in epds]
    if len(fens) < MANY:
        return zip(epds, (read_fen(fen, chess960) for fen in fens), strict=True)
    from ..generator.fens import read_fens

    return zip(epds, read_fens(fens, chess960), strict=True)


def _read_blocks(lines: _Lines, chess960: bool | None) -> list[Record]:
    records: list[Record] = []
    epds = [line[len("epd") :] for _, line in lines if _EPD_LINE.match(line)]
    read = iter(_read_positions(epds, chess960))
    for number, line in lines:
        keyword, *rest = line.split(None, 1)
        value = rest[0] if rest else ""
        if not _BLOCK_LINE.match(line):
            _latest(records, number).fault(f"{keyword!r} is none of 'id', 'epd' and 'perft'", number)
        elif keyword.lower() == "id":
            records.append(Record(number))
            records[-1].read_name(value)
        elif keyword.lower() == "epd":
            if not records or records[-1].has_position:
                records.append(Record(number))
            records[-1].line = number
            records[-1].read_epd(*next(read))
        else:
            _read_perft(_latest(records, number), value, number)
    for record in records:
        _check_complete(record)
    return records


def _latest(records: list[Record], line: int) -> Record:
    if not records:
        records.append(Record(line))
    return records[-1]


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


def _cases_of(records: Iterable[Record], path: Path) -> Iterator[Case]:
    suite, place = _suite_name(path), UNPRINTABLE.sub("?", place_of(path))
    for record in records:
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
