"""Read suites: EPD lines with counts, tables, JSON, and `.perft` files, which consist of blocks.

Invalid lines are never skipped, because a suite that silently lost cases would still pass.
"""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cache
from itertools import islice
from pathlib import Path

from ..generator.position import read_fen
from ..generator.types.pieces import Color
from ..generator.types.squares import name_of
from .bundled import display_path, is_bundled
from .case import UNPRINTABLE, Case, Problem, Suite, SuiteError
from .epd import LINE, Epd, Record
from .json_rows import as_epd_lines as json_lines
from .json_rows import is_json
from .tables import HEADERLESS, is_header, is_headerless_row
from .tables import as_epd_lines as table_lines

# Some tools end records with NUL bytes before, after or instead of a newline.
_LINE_END = re.compile(r"\0*(?:\r\n|\r|\n)\0*|\0+")
_STRAY = re.compile(r"[\udc80-\udcff]")
"""Bytes that are not valid UTF-8."""
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f\x7f]")
COMMENTS = ("#", "%", "//")
"""The prefixes of comment lines."""
_GZIP = b"\x1f\x8b"
MAX_BYTES = 256 * 2**20
"""Maximum size of a file, because a path may refer to an endless device."""
MAX_JSON_LENGTH = 32 * 2**20
"""Maximum number of characters of JSON, because the tree takes many times as much memory."""
LONGEST_LINE = 100_000
"""Maximum number of characters in a line, far more than a position with its counts needs."""

_Line = tuple[int, str]


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises SuiteError."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise SuiteError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise SuiteError(f"{path} is a directory: give a suite file") from None
    except OSError as error:
        raise SuiteError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:  # a NUL in the path
        raise SuiteError(f"cannot read {str(path)!r}: {error}") from None
    if len(data) > MAX_BYTES:
        raise _too_large(path)
    return data


def _decompress(path: Path, data: bytes) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SuiteError(f"cannot decompress {path}: {error}") from None
    if len(data) > MAX_BYTES:
        raise _too_large(path)
    return data


def _too_large(path: Path) -> SuiteError:
    return SuiteError(f"{path} has more than {MAX_BYTES >> 20} MiB: split it into smaller suites")


def decode(path: Path, data: bytes) -> str:
    """Return the text of a file, with bytes that are not UTF-8 as lone surrogates. Raises SuiteError."""
    data = _decompress(path, data) if data.startswith(_GZIP) else data
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as PowerShell writes it
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


def significant_lines(text: str, problems: list[Problem]) -> Iterator[_Line]:
    """Yield the numbered lines that are neither blank nor comments. Append errors to `problems`."""
    for number, raw in enumerate(_raw_lines(text), start=1):
        line = raw.lstrip("\ufeff").strip()  # concatenated files contain byte order marks
        if not line or line.startswith(COMMENTS):
            continue
        if len(line) > LONGEST_LINE:
            problems.append(Problem(number, f"a line of {len(line):,} characters: the limit is {LONGEST_LINE:,}"))
            continue
        stray = _STRAY.search(line)
        if stray:
            problems.append(_not_utf8(number, stray))
        else:
            yield number, line


def read_whole(text: str, problems: list[Problem]) -> str:
    """Return a text without its byte order mark, or "" after appending an error to `problems`."""
    if len(text) > MAX_JSON_LENGTH:
        problems.append(Problem(1, f"JSON is limited to {MAX_JSON_LENGTH >> 20} MiB: write EPD lines"))
        return ""
    stray = _STRAY.search(text)
    if stray is None:
        return text.removeprefix("\ufeff")
    problems.append(_not_utf8(text.count("\n", 0, stray.start()) + 1, stray))
    return ""


def _not_utf8(line: int, stray: re.Match[str]) -> Problem:
    byte = ord(stray.group()) - 0xDC00
    return Problem(line, f"byte 0x{byte:02x} is not UTF-8: save the file in that encoding")


def _raw_lines(text: str) -> Iterator[str]:
    begin = 0
    for end in _LINE_END.finditer(text):
        yield text[begin : end.start()]
        begin = end.end()
    yield text[begin:]


_BLOCK_LINE = re.compile(r"(?:id|epd|perft)(?:\s|$)", re.IGNORECASE)
_COUNT = re.compile(r"^perft\s|;\s*d[0-9]+\s|\sd[0-9]+\s+[0-9]", re.IGNORECASE | re.MULTILINE)
_LISTED_LINES = 8
_FIRST_LINES = 20
"""Number of lines within which a table must begin."""


class Format(Enum):
    """The format of a suite file; values appear in messages."""

    EPD = "EPD lines"
    BLOCKS = "in the format of .perft files"
    TABLE = "a table"
    JSON = "JSON"


def format_of(text: str) -> Format:
    """Return the format of a text, based on its first line that is neither blank nor a comment."""
    first = next((line for _, line in significant_lines(text, [])), "")
    if _BLOCK_LINE.match(first):
        return Format.BLOCKS
    if is_json(first):
        return Format.JSON
    return Format.TABLE if is_header(first) else Format.EPD


def lines_of(text: str, chess960: bool | None, problems: list[Problem]) -> Iterator[_Line]:
    """Yield the significant lines of a text, with tables and JSON converted to EPD lines.

    Errors are appended to `problems`.
    """
    lines = significant_lines(text, problems)
    match format_of(text):
        case Format.TABLE:
            return table_lines(lines, problems)
        case Format.JSON:
            return json_lines(read_whole(text, problems), chess960, problems)
        case Format.EPD | Format.BLOCKS:
            return lines


def load_suite(path: Path, chess960: bool | None = None) -> Suite:
    """Return the suite in a file, whose format is detected from its content.

    With `chess960=None`, the castling field of each position determines whether it is Chess960. Raises SuiteError with
    a one-line message if the file cannot be read, has invalid lines (all of them are in its `problems`) or has no
    cases. Bundled suites are cached.
    """
    return _load_once(path, chess960) if is_bundled(path) else _load(path, chess960)


@cache
def _load_once(path: Path, chess960: bool | None) -> Suite:
    return _load(path, chess960)


def _load(path: Path, chess960: bool | None) -> Suite:
    problems: list[Problem] = []
    text = decode(path, read_bytes(path))
    lines, are_blocks = lines_of(text, chess960, problems), format_of(text) is Format.BLOCKS
    records = _read_blocks(lines, chess960) if are_blocks else _read_epd_lines(lines, chess960)
    odd: list[Record] = []
    cases = tuple(_cases_of(records, path, problems, odd))
    if problems:
        raise _bad_lines(path, sorted(problems, key=lambda problem: problem.line))
    if not cases:
        raise SuiteError(f"{path} has no cases: write one per line, as {LINE}")
    return Suite(_suite_name(path), cases, _notice_of(path, odd) if chess960 is None else "")


def _notice_of(path: Path, odd: Sequence[Record]) -> str:
    """Return a notice about positions that look like standard chess but are read as Chess960, or ""."""
    if not odd or is_bundled(path):
        return ""
    first, others = odd[0], len(odd) - 1
    assert first.position is not None  # it was read without a problem
    squares = [
        name_of(first.position.king(color))
        for color in Color
        if set(first.castling) & set("KQ" if color is Color.WHITE else "kq")
    ]
    kings = f"the king{'s' * (len(squares) > 1)} on {' and '.join(squares)}"
    more = f", and {others:,} more position{'s' * (others > 1)}" if others else ""
    where = f"{UNPRINTABLE.sub('?', display_path(path))}:{first.line}"
    what = f"castling field {first.castling!r} with {kings} is read as Chess960{more}"
    return f"{where}: {what}: correct it if this is standard chess"


def has_counts(path: Path) -> bool:
    """Return True if a file may be a suite: it is text, and some line contains a count, even an invalid one.

    Raises SuiteError if the file cannot be read.
    """
    data = read_bytes(path)
    try:
        text = decode(path, data)
        first = islice(text.splitlines(), _FIRST_LINES)
        return _COUNT.search(text) is not None or any(is_header(line) or is_headerless_row(line) for line in first)
    except SuiteError:
        return False


def _suite_name(path: Path) -> str:
    """Return the file name without its extension and without unprintable characters."""
    return UNPRINTABLE.sub("?", Path(path.stem).stem if path.suffix == ".gz" else path.stem)


def _read_epd_lines(lines: Iterable[_Line], chess960: bool | None) -> Iterator[Record]:
    for number, line in lines:
        record = Record(number)
        if is_headerless_row(line):
            record.add_problem(HEADERLESS)
        else:
            _read_epd(record, line, chess960)
        _check_complete(record)
        yield record


def _read_epd(record: Record, text: str, chess960: bool | None) -> None:
    """Read an EPD line into a record."""
    epd = Epd.split(text)
    record.read_epd(epd, read_fen(epd.fen, chess960))


def _read_blocks(lines: Iterable[_Line], chess960: bool | None) -> Iterator[Record]:
    record: Record | None = None
    for number, line in lines:
        keyword, *rest = line.split(None, 1)
        value, word = rest[0] if rest else "", keyword.lower()
        if record is None or word == "id" or (word == "epd" and record.has_position):
            if record is not None:
                _check_complete(record)
                yield record
            record = Record(number)
        if not _BLOCK_LINE.match(line):
            record.add_problem(f"{keyword!r} is not 'id', 'epd' or 'perft'", number)
        elif word == "id":
            record.read_name(value)
        elif word == "epd":
            record.line = number
            _read_epd(record, value, chess960)
        else:
            _read_perft(record, value, number)
    if record is not None:
        _check_complete(record)
        yield record


def _read_perft(record: Record, value: str, line: int) -> None:
    depth, *rest = value.split(None, 1) or [""]
    if not record.has_position:
        record.add_problem("'perft' without an 'epd' line before it", line)
    elif not (depth.isascii() and depth.isdigit()):
        record.add_problem(f"{f'perft {value}'.strip()!r} is not a count: write it as 'perft 3 8902'", line)
    else:
        record.read_count(depth, rest[0] if rest else "", line)


def _check_complete(record: Record) -> None:
    if record.problems or record.counts:
        return
    if record.has_position:
        record.add_problem("a position without counts: add those that are known, such as ;D1 20")
    else:
        record.add_problem(f"id {record.name!r} without an 'epd' line")


def _cases_of(records: Iterable[Record], path: Path, problems: list[Problem], odd: list[Record]) -> Iterator[Case]:
    """Yield the cases of a file, and append errors of the records to `problems`.

    Chess960 records whose castling field looks like that of standard chess are appended to `odd`.
    """
    suite, source = _suite_name(path), UNPRINTABLE.sub("?", display_path(path))
    unnamed, number = 0, 1
    """The last line with an unnamed case, and the number of cases on it, because JSON is often written on one line."""
    for record in records:
        if record.problems:
            problems += record.problems
            continue
        assert record.position is not None  # otherwise there would be a problem
        name = record.name or f"{suite}:{record.line}"
        if not record.name:
            number = number + 1 if record.line == unnamed else 1
            unnamed = record.line
            name += f".{number}" if number > 1 else ""
        if record.castling and not record.castling.strip("KQkq"):
            odd.append(record)
        counts = tuple(sorted(record.counts.items()))
        yield Case(name, record.position, counts, f"{source}:{record.line}", record.purpose, record.moves, record.setup)


def _bad_lines(path: Path, problems: Sequence[Problem]) -> SuiteError:
    first = problems[0]
    others = sorted({problem.line for problem in problems} - {first.line})
    message = f"{path}:{first.line}: {first.message}"
    if others:
        numbers = ", ".join(map(str, others[:_LISTED_LINES])) + (", ..." if len(others) > _LISTED_LINES else "")
        message += f" (and {len(others)} more bad line{'s' if len(others) > 1 else ''}: {numbers})"
    return SuiteError(message, tuple(problems))
