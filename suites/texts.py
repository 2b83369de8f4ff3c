"""Read, decompress and decode suite files, and extract the lines that are not comments."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from .case import Problem, SuiteError

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
