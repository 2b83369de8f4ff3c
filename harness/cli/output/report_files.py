"""Parsing of `--report`, and writing of reports to stdout and files.

Formats are imported only when a report is requested, so that other commands start about 10% faster.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType

from ....atomic import write_atomically
from ....errors import UsageError, concerning, did_you_mean
from ...engines.files import digest_of, files_of
from ...model.results.verdict import ExitCode
from ...report_context import ReportContext, report_context
from ..configuration.file import FILE_NAME, PYPROJECT, find
from ..failures import write_fallback_file
from . import console

if TYPE_CHECKING:
    from ....reports.formats.base import Format

CONFIGURATIONS = (FILE_NAME, PYPROJECT)
"""Names of files that a report must not replace."""
STDOUT, AFTER_TEXT = "-", ""
"""Paths of reports on stdout: one that replaces the text output, and one that follows it."""


@dataclass(frozen=True)
class Target:
    """A report to write: its format, and a path, `STDOUT` or `AFTER_TEXT`."""

    format: Format
    path: str

    @property
    def destination(self) -> str:
        """The absolute path, or `STDOUT`. No two reports may have the same destination."""
        return STDOUT if self.path in (STDOUT, AFTER_TEXT) else os.path.realpath(self.path)


def parse_target(text: str, result: type[Any]) -> Target:
    """Parse KIND, FILE or KIND=PATH as the target of a report for a type of result. Raises UsageError."""
    with concerning(text):
        return _parse(text, result)


def _parse(text: str, result: type[Any]) -> Target:
    from ....reports.formats.table import FORMATS, formats_of

    formats = formats_of(result)
    kind, equals, path = text.partition("=")
    if text in formats:
        return Target(formats[text], _usable_path(formats[text].default_path, text))
    if kind in {one.name for one in FORMATS} - formats.keys() and bool(equals) == bool(path):
        raise UsageError(f"--report {text!r}: this command supports only {', '.join(formats)}")
    if equals and path:
        if kind not in formats:
            raise UsageError(f"--report {text!r}: unknown kind {kind!r}: {did_you_mean(kind, formats)}")
        return Target(formats[kind], _usable_path(path, text))
    by_ending = {one.extension: one for one in formats.values() if one.extension}
    ending = Path(text).suffix
    if ending not in by_ending:
        endings = ", ".join(by_ending)
        raise UsageError(
            f"--report {text!r}: give a file name that ends in {endings}, or a kind (alone or as KIND=PATH): "
            f"{', '.join(formats)}"
        )
    return Target(by_ending[ending], _usable_path(text, text))


def report_targets(
    texts: Sequence[str] | None, result: type[Any], engines: Iterable[str], others: Iterable[str] = ()
) -> Sequence[Target]:
    """Return the targets given by `--report` for a type of result.

    No report may replace an engine, given as a SPEC, or one of `others` (see `check_distinct`). Raises UsageError, also
    for an invalid SPEC.
    """
    targets = [parse_target(text, result) for text in texts or ()]
    used = [*others]
    for spec in dict.fromkeys(engines) if targets else ():
        used += [spec, *map(str, files_of(spec))]
    return check_distinct(targets, used)


def check_distinct(targets: Sequence[Target], others: Iterable[str] = ()) -> Sequence[Target]:
    """Return the targets after checking that their files differ from each other and from `others`.

    `others` are paths that the command reads or writes. Raises UsageError.
    """
    taken = set(map(os.path.realpath, others))
    destinations = [target.destination for target in targets]
    for target, destination in zip(targets, destinations, strict=True):
        if destinations.count(destination) > 1:
            name = "stdout" if destination == STDOUT else repr(target.path)
            raise UsageError(f"--report: two reports go to {name}; give each its own file", target.path)
        if destination in taken:
            raise UsageError(f"--report: this command already uses {target.path!r}; name another file", target.path)
    return targets


def _usable_path(path: str, text: str) -> str:
    """Return a path after checking that a report may be written there. Raises UsageError that quotes the option."""
    if path in (STDOUT, AFTER_TEXT):
        return path
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"--report {text!r}: there is no folder {str(Path(path).parent)!r}")
    if Path(path).name in CONFIGURATIONS:
        raise UsageError(f"--report {text!r}: {path!r} is a configuration file; name another file")
    if Path(path).is_dir():
        raise UsageError(f"--report {text!r}: {path!r} is a folder; name a file in it")
    return path


def report(
    result: object, shown: RenderableType, targets: Sequence[Target], status: ExitCode, out: Console
) -> ExitCode:
    """Print a result, unless a report replaces it on stdout. Write the reports and return the exit status."""
    if not takes_stdout(targets):
        out.print(shown)
    return write_reports(result, targets, status)


def takes_stdout(targets: Sequence[Target]) -> bool:
    """Return True if a report replaces the text output on stdout."""
    return any(target.path == STDOUT for target in targets)


def write_reports(result: object, targets: Sequence[Target], status: ExitCode) -> ExitCode:
    """Write the reports and return the exit status. If one cannot be written, write the others anyway."""
    failed = False
    context = report_context(_builds(result), _configuration()) if targets else None
    for target in targets:
        try:
            _write(target, result, context)
        except UsageError as error:
            console.err().print(f"perft-check: {error}")
            failed = True
    return ExitCode.USAGE if failed and status is ExitCode.AGREE else status


def _write(target: Target, result: object, context: ReportContext | None) -> None:
    """Write one report, atomically if it is a file. Raises UsageError if it cannot be written."""
    from ....reports.formats.github import GITHUB
    from .github_actions import append_summary

    if target.path in (STDOUT, AFTER_TEXT):
        sys.stdout.flush()
        sys.stdout.buffer.writelines(_pieces(target, result, context))
    else:
        try:
            write_atomically(Path(target.path), _pieces(target, result, context))
        except OSError as error:
            elsewhere = _write_elsewhere(target, result, context)
            raise UsageError(f"cannot write {target.path}: {error.strerror}{elsewhere}") from None
    if target.format is GITHUB:
        append_summary(result)


def _pieces(target: Target, result: object, context: ReportContext | None) -> Iterator[bytes]:
    return (piece.encode(errors="backslashreplace") for piece in target.format.chunks(result, context))


def _configuration() -> str:
    """Return the path of the project's configuration file, or "" if there is none."""
    with suppress(UsageError):  # the file is invalid, so the user has given --no-config or --config
        if (file := find()) is not None:
            return str(file.path)
    return ""


def _builds(result: object) -> Iterator[tuple[str, str]]:
    """Yield the engine that a result is about and the digest of its files, if they can be read."""
    of_what = getattr(result, "started", None) or next(iter(getattr(result, "divides", ())), result)
    spec = getattr(of_what, "engine", None)
    with suppress(UsageError):
        if isinstance(spec, str) and (digest := digest_of(spec)):
            yield spec, digest


def _write_elsewhere(target: Target, result: object, context: ReportContext | None) -> str:
    """Write a report to another folder and return a clause with its path, or "" if that is impossible."""
    path = Path(target.path)
    if path.exists() and not path.is_file():
        return ""
    try:
        return f"; the report is in {write_fallback_file(path.stem, path.suffix, _pieces(target, result, context))}"
    except OSError:
        return ""
