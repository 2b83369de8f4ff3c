"""Reports that go to files: how `--report` is read, and how each report is written whole or not at all.

Formats are loaded where one is asked for: most commands start without, and so a tenth sooner.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType

from ....atomic import write_atomically
from ....errors import UsageError, concerning, did_you_mean
from ...engines.files import digest_of, files_of
from ...engines.spec import short_name
from ...model.machine import Circumstances, circumstances
from ...model.results.verdict import ExitCode
from ..configuration.file import OURS, PYPROJECT, find
from ..failures import write_spare
from . import console
from .working_folder import restore_folder

if TYPE_CHECKING:
    from ....reports.formats.base import Format

CONFIGURATIONS = (OURS, PYPROJECT)
"""Names of files that no report replaces."""
STDOUT, AFTER_TEXT = "-", ""
"""The paths of reports that take the place of the text for people, and of those that follow it."""
_OTHERS = re.compile(r"[^A-Za-z0-9_.]+")


@dataclass(frozen=True)
class Target:
    """One report to be written: a format and a path, or `STDOUT` or `AFTER_TEXT`."""

    format: Format
    path: str

    @property
    def place(self) -> str:
        """Where it goes: no two reports may go to one place."""
        return STDOUT if self.path in (STDOUT, AFTER_TEXT) else os.path.realpath(self.path)

    def of(self, name: str) -> Target:
        """Return where the report of one of several engines goes: `found.html` becomes `found-NAME.html`.

        Raises UsageError for stdout, which takes one report.
        """
        if self.path == STDOUT:
            raise UsageError(f"--report {self.format.name}=-: stdout takes the report of one engine; name a file")
        if self.path == AFTER_TEXT:
            return self
        path = Path(self.path)
        return replace(self, path=str(path.with_name(f"{path.stem}-{name}{path.suffix}")))


def parse_target(text: str, result: type[Any]) -> Target:
    """Read KIND, FILE, whose ending says the format, or `KIND=PATH`, for a kind of result. Raises UsageError."""
    with concerning(text):
        return _parse(text, result)


def _parse(text: str, result: type[Any]) -> Target:
    from ....reports.formats.table import FORMATS, formats_of

    formats = formats_of(result)
    kind, equals, path = text.partition("=")
    if text in formats:
        return Target(formats[text], _usable_path(formats[text].default_path, text))
    if kind in {one.name for one in FORMATS} - formats.keys() and bool(equals) == bool(path):
        raise UsageError(f"--report {text!r}: not for this command, which has {', '.join(formats)}")
    if equals and path:
        if kind not in formats:
            raise UsageError(f"--report {text!r}: no format {kind!r}: {did_you_mean(kind, formats)}")
        return Target(formats[kind], _usable_path(path, text))
    by_ending = {one.extension: one for one in formats.values() if one.extension}
    ending = Path(text).suffix
    if ending not in by_ending:
        kinds = f"one of the kinds {', '.join(formats)}, alone or as KIND=PATH"
        raise UsageError(f"--report {text!r}: name a file that ends in {', '.join(by_ending)}, or {kinds}")
    return Target(by_ending[ending], _usable_path(text, text))


def report_targets(
    texts: Sequence[str] | None, result: type[Any], engines: Iterable[str], others: Iterable[str] = ()
) -> Sequence[Target]:
    """Return where the reports of a kind of result go, as `--report` names them. Raises UsageError."""
    return written_beside([parse_target(text, result) for text in texts or ()], engines, others)


def written_beside(targets: Sequence[Target], engines: Iterable[str], others: Iterable[str] = ()) -> Sequence[Target]:
    """Return the reports of a run, after the check of `distinct`, and that none replaces an engine.

    `engines` are SPECs. Raises UsageError, also where one of them names no engine.
    """
    used = [*others]
    for spec in dict.fromkeys(engines) if targets else ():
        used += [spec, *map(str, files_of(spec))]
    return distinct(targets, used)


def distinct(targets: Sequence[Target], others: Iterable[str] = ()) -> Sequence[Target]:
    """Return the reports, after a check that no two go to one file, and none to a file with another use.

    `others` are the paths that the run reads, or adds to. Raises UsageError.
    """
    taken = set(map(os.path.realpath, others))
    places = [target.place for target in targets]
    for target, place in zip(targets, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(
                f"--report: two reports go to {target.path or place!r}; give each its own path", target.path
            )
        if place in taken:
            raise UsageError(
                f"--report: {target.path!r} is read or added to by this run; give another path", target.path
            )
    return targets


def _usable_path(path: str, text: str) -> str:
    """Return a path to which a report can be written; stdout always. Raises UsageError, which names the option."""
    if path in (STDOUT, AFTER_TEXT):
        return path
    if not Path(path).absolute().parent.is_dir():
        raise UsageError(f"--report {text!r}: there is no folder {str(Path(path).parent)!r}")
    if Path(path).name in CONFIGURATIONS:
        raise UsageError(f"--report {text!r}: {path!r} is a configuration; give another path")
    if Path(path).is_dir():
        raise UsageError(f"--report {text!r}: {path!r} is a folder: name a file in it")
    return path


def report(
    result: object, shown: RenderableType, targets: Sequence[Target], status: ExitCode, out: Console
) -> ExitCode:
    """Show a result, unless a report takes its place on stdout, and write the reports; return the exit status."""
    if not takes_stdout(targets):
        out.print(shown)
    return write_reports(result, targets, status)


def takes_stdout(targets: Sequence[Target]) -> bool:
    """Return True if a report goes to stdout, in place of the text for people."""
    return any(target.path == STDOUT for target in targets)


def write_reports(result: object, targets: Sequence[Target], status: ExitCode) -> ExitCode:
    """Write the reports and return the exit status. One that cannot be written does not hide the others."""
    failed = False
    if targets:
        restore_folder()
    made = circumstances(_builds(result), _configuration()) if targets else None
    for target in targets:
        try:
            _write(target, result, made)
        except UsageError as error:
            console.err().print(f"perft-check: {error}")
            failed = True
    return ExitCode.USAGE if failed and status is ExitCode.AGREE else status


def _write(target: Target, result: object, made: Circumstances | None) -> None:
    """Write one report, to stdout or whole to its file. Raises UsageError where that is impossible."""
    from ....reports.formats.github import GITHUB
    from .github_actions import append_summary

    if target.place == STDOUT:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(_pieces(target, result, made))
    else:
        try:
            write_atomically(Path(target.path), _pieces(target, result, made))
        except OSError as error:
            spare = _spare(target, result, made)
            raise UsageError(f"cannot write {target.path}: {error.strerror}{spare}") from None
    if target.format is GITHUB:
        append_summary(result)


def _pieces(target: Target, result: object, made: Circumstances | None) -> Iterator[bytes]:
    return (piece.encode(errors="backslashreplace") for piece in target.format.chunks(result, made))


def _configuration() -> str:
    """Return the configuration file of the project, "" if there is none."""
    with suppress(UsageError):  # --no-config, or another file, was given because this one cannot be used
        if (file := find()) is not None:
            return str(file.path)
    return ""


def _builds(result: object) -> Iterator[tuple[str, str]]:
    """Yield the engine that a result is about, with the digest of its files, where they can be read."""
    of_what = getattr(result, "started", None) or next(iter(getattr(result, "divides", ())), result)
    spec = getattr(of_what, "engine", None)
    with suppress(UsageError):
        if isinstance(spec, str) and (digest := digest_of(spec)):
            yield spec, digest


def _spare(target: Target, result: object, made: Circumstances | None) -> str:
    """Write a report to another place, and return the end of the sentence that says where; empty for pipes, devices."""
    path = Path(target.path)
    if path.exists() and not path.is_file():
        return ""
    try:
        return f"; the report is in {write_spare(path.stem, path.suffix, _pieces(target, result, made))}"
    except OSError:
        return ""


def names_of(engines: Sequence[str]) -> list[str]:
    """Return a name for each SPEC that can stand in the name of a file, no two alike: its program, or the SPEC itself.

    `uci:./build/mine --fast` becomes `mine`, a second one of that name `mine-2`, and `own:turbo` becomes `own-turbo`.
    """
    plain = [_plain(engine) for engine in engines]
    names: list[str] = []
    for name in plain:
        numbers = (f"{name}-{number}" for number in range(2, len(engines) + 2))
        names.append(name if name not in names else next(one for one in numbers if one not in names + plain))
    return names


def _plain(engine: str) -> str:
    return _OTHERS.sub("-", short_name(engine)).strip("-.") or "engine"
