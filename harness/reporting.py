"""Reports that go to files: which formats there are, and how `--report KIND=PATH` is carried out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..atomic import write_atomically
from ..reports import json, svg
from .errors import UsageError
from .events import RunFinished

FORMATS: dict[str, Callable[[RunFinished], str]] = {"json": json.render, "svg": svg.render}
"""The formats by the name that users give."""


@dataclass(frozen=True)
class Target:
    """One report to be written: a format and a path, where "-" is stdout."""

    kind: str
    path: str


def parse_target(text: str) -> Target:
    """Read `KIND=PATH`. Raises UsageError."""
    kind, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f"--report {text!r}: write KIND=PATH, such as json=report.json ('-' is stdout)")
    if kind not in FORMATS:
        raise UsageError(f"--report {text!r}: no format {kind!r}, there are {', '.join(FORMATS)}")
    if path != "-" and not Path(path).absolute().parent.is_dir():
        raise UsageError(f"--report {text!r}: there is no folder {str(Path(path).parent)!r}")
    if path != "-" and Path(path).is_dir():
        raise UsageError(f"--report {text!r}: {path!r} is a folder: name a file in it")
    return Target(kind, path)


def write_report(target: Target, finished: RunFinished) -> None:
    """Write one report, to stdout or whole to its file. Raises UsageError where that is impossible."""
    text = FORMATS[target.kind](finished)
    if target.path == "-":
        sys.stdout.write(text)
        return
    try:
        write_atomically(Path(target.path), text.encode())
    except OSError as error:
        raise UsageError(f"cannot write {target.path}: {error.strerror}") from None
