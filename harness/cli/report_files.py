"""Reports that go to files: which formats there are, and how `--report KIND=PATH` is carried out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rich.console import Console, RenderableType

from ...atomic import write_atomically
from ...errors import UsageError, did_you_mean
from ..model.verdict import ExitCode

T = TypeVar("T")
Formats = Mapping[str, Callable[[T], str]]
"""How to write a result, by the name that users give."""


@dataclass(frozen=True)
class Target(Generic[T]):
    """One report to be written: a format and a path, where "-" is stdout."""

    write: Callable[[T], str]
    path: str


def parse_target(text: str, formats: Formats[T]) -> Target[T]:
    """Read `KIND=PATH`. Raises UsageError."""
    kind, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f"--report {text!r}: write KIND=PATH, such as json=report.json ('-' is stdout)")
    if kind not in formats:
        raise UsageError(f"--report {text!r}: no format {kind!r}: {did_you_mean(kind, formats)}")
    return Target(formats[kind], usable_path(path, f"--report {text!r}"))


def distinct(targets: Sequence[Target[T]], others: Iterable[str] = ()) -> Sequence[Target[T]]:
    """Return reports of which no two are written to one place, and none to a file with another use.

    `others` are the paths that the run reads, or adds to. Raises UsageError.
    """
    taken = set(map(os.path.realpath, others))
    places = [target.path if target.path == "-" else os.path.realpath(target.path) for target in targets]
    for target, place in zip(targets, places, strict=True):
        if places.count(place) > 1:
            raise UsageError(f"--report: two reports go to {target.path!r}; give each its own path")
        if place in taken:
            raise UsageError(f"--report: {target.path!r} is read or added to by this run; give another path")
    return targets


def usable_path(path: str, option: str) -> str:
    """Return a path to which a report can be written; "-" always. Raises UsageError, which names the option."""
    if path != "-" and not Path(path).absolute().parent.is_dir():
        raise UsageError(f"{option}: there is no folder {str(Path(path).parent)!r}")
    if path != "-" and Path(path).is_dir():
        raise UsageError(f"{option}: {path!r} is a folder: name a file in it")
    return path


def report(
    result: T, shown: RenderableType, targets: Sequence[Target[T]], status: ExitCode, out: Console, err: Console
) -> ExitCode:
    """Show a result, unless a report takes its place on stdout, and write the reports; return the exit status.

    One that cannot be written does not hide what was found.
    """
    if not any(target.path == "-" for target in targets):
        out.print(shown, crop=False)
    failed = False
    for target in targets:
        try:
            _write(target, result)
        except UsageError as error:
            err.print(f"perft-check: {error}")
            failed = True
    return ExitCode.USAGE if failed and status is ExitCode.AGREE else status


def _write(target: Target[T], result: T) -> None:
    """Write one report, to stdout or whole to its file. Raises UsageError where that is impossible."""
    text = target.write(result)
    if target.path == "-":
        sys.stdout.write(text)
        return
    try:
        write_atomically(Path(target.path), text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {target.path}: {error.strerror}") from None
