"""The suites that come with the package, and finding a suite by name or path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from ..errors import did_you_mean
from .case import SuiteError

SWEEPS: dict[bool, str] = {False: "sweep", True: "chess960-sweep"}
"""The suites whose questions a fuzzing run begins with, by whether they are of Chess960."""
BUNDLED: tuple[str, ...] = ("smoke", "standard", "chess960", "special", "chess960-special", *SWEEPS.values())
"""The bundled suites that are made of chosen and drawn positions, from the quickest to the most peculiar, and the
sweeps.
"""
SYSTEMATIC: tuple[str, ...] = ("mirrored", "chess960-castling")
"""The bundled suites that ask about each file, wing and color, made by `python -m tools.pages`."""
SETUPS = "setups"
"""The bundled suite of positions that are set up in other ways than by a FEN alone."""
EVERY = (*BUNDLED, *SYSTEMATIC, SETUPS)
"""All bundled suites."""
DEFAULT: Mapping[str, int] = {
    "sweep": 1_000,
    SETUPS: 600,
    "smoke": 200,
    "chess960-sweep": 1_000,
    "chess960-special": 200,
    **dict.fromkeys(SYSTEMATIC, 1_000),
}
"""The suites of a run for which none is named, with the most nodes of a count in each.

In this order, which puts first what finds most faults per second, they take ten seconds at 10,000 nodes a second.
"""
QUICK: tuple[str, ...] = ("smoke", "chess960-special", SETUPS)
"""The suites of a quick run, with all their counts."""

KNOWN = Path(__file__).with_name("known.epd")
"""Well-known positions, with their names and counts."""
RARE = Path(__file__).with_name("rare.epd")
"""Smallest known positions of rare events, named by the event."""
PLAYED = Path(__file__).with_name("played.epd")
"""Special moves that are played with each effect, found by `python -m tools.played`; the sweep ends with them."""
WALKS = Path(__file__).with_name("walks.epd")
"""Positions a short random walk away from those, made like the suites, from where fuzzing sets out."""

CLOSE_FILE = 0.8
"""How like the name of a file is to one that is not there: endings are alike anyway."""


def bundled_path(name: str) -> Path:
    """Return the file of a bundled suite; raises SuiteError for any other name."""
    if name not in EVERY:
        raise _unknown_suite(name)
    return Path(__file__).with_name(f"{name}.epd")


def find_suite(spec: str) -> Path:
    """Return the file that `spec` means: a bundled suite by name, else a path.

    A file that is named like a bundled suite is reached as `./smoke`. Raises SuiteError, with what
    may have been meant, where there is neither.
    """
    if spec in EVERY:
        return bundled_path(spec)
    try:
        os.stat(spec)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise _unknown_suite(spec) from None
    except OSError as error:
        raise SuiteError(f"cannot read {spec}: {error.strerror}") from None
    if os.path.isdir(spec):
        raise SuiteError(f"{spec} is a directory: give a suite file")
    return Path(spec)


def is_bundled(path: Path) -> bool:
    """Return True if a file comes with the package."""
    return path.parent == Path(__file__).parent


def place_of(path: Path) -> str:
    """Return a suite file as users know it: a bundled one by its name, any other one by its path.

    A file of the user that has the name of a bundled one has a dot before it, which tells the two apart.
    """
    if is_bundled(path):
        return path.name
    return os.path.join(os.curdir, path) if path.stem in EVERY and str(path) == f"{path.stem}.epd" else str(path)


def _unknown_suite(spec: str) -> SuiteError:
    folder, is_path = os.path.dirname(spec), os.path.splitext(spec)[1] != "" or os.sep in spec
    files = _files_in(folder) if is_path else []
    close = did_you_mean(spec, files, "", CLOSE_FILE) or did_you_mean(spec, EVERY, "")
    hint = f" ({close})" if close else ""
    missing = "there is no such file; " if is_path else ""
    return SuiteError(f"no suite named {spec!r}{hint}: {missing}name a file or one of {', '.join(EVERY)}")


def _files_in(folder: str) -> list[str]:
    """Return the files of a folder that can be looked into, with the folder as it is written before each."""
    try:
        return [os.path.join(folder, one.name) for one in os.scandir(folder or os.curdir) if one.is_file()]
    except (OSError, ValueError):
        return []
