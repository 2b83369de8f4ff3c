"""Check that a distribution contains no tests, no caches and no paths of the build machine.

    python tools/distributions.py FILE...

FILE is an sdist or a wheel. If it contains such files or paths, prints them and exits with status 1.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

OF_THE_PACKAGE = re.compile(r"perft_check(-[\w.]+\.dist-info)?/")
LEFT_OUT = re.compile(r"/(tests|benchmarks|tools|examples|docs|\.ci|\.github)/")
"""Folders of the repository that are not part of a distribution."""
CACHED = re.compile(r"__pycache__|\.py[cod]$|\.nb[ic]$|\.lock$|/\.(git|venv)/")
CHECKOUT = re.compile(rb"/(home|Users|tmp|work)/[\w.-]+/(main|source|perft-check)\b")
"""A checkout on the build machine; sources may contain other paths."""
MACHINE = re.compile(rb"/(home|Users|tmp|root)/")
"""A path of the build machine, in files written by programs."""


def main() -> None:
    """Check the given files."""
    found = 0
    for name in sys.argv[1:]:
        path = Path(name)
        files = read_distribution(path)
        faults = list(faults_of(path.name, files))
        found += len(faults)
        for fault in faults:
            print(f"{path.name}: {fault}")
        if not faults:
            print(f"{path.name}: {len(files)} files, nothing of tests, caches or this machine")
    sys.exit(found > 0)


def read_distribution(path: Path) -> dict[str, bytes]:
    """Return the files of a wheel or an sdist, by name."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith("/")}
    with tarfile.open(path) as sdist:
        opened = ((one.name, sdist.extractfile(one)) for one in sdist if one.isfile())
        return {name: file.read() for name, file in opened if file is not None}


def faults_of(name: str, files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a line for each problem in the files of a distribution."""
    is_wheel = name.endswith(".whl")
    for file, data in sorted(files.items()):
        if CACHED.search(f"/{file}"):
            yield f"{file} belongs to a cache"
        if LEFT_OUT.search(file) or (is_wheel and not OF_THE_PACKAGE.match(file)):
            yield f"{file} does not belong to the package"
        is_written = ".dist-info/" in file and not file.endswith(("/METADATA", "/LICENSE"))
        if path := find_path(data) if is_written else find_checkout(data):
            yield f"{file} contains a path of the build machine: {path!r}"


def find_checkout(data: bytes) -> bytes | None:
    """Return the path of a checkout that occurs in `data`, or None."""
    found = CHECKOUT.search(data)
    return found and found[0]


def find_path(data: bytes) -> bytes | None:
    """Return a path of the build machine that occurs in `data`, or None."""
    if found := MACHINE.search(data):
        return found[0]
    paths = (os.fsencode(path) for path in (tempfile.gettempdir(), os.getcwd(), sys.prefix))
    return next((path for path in paths if len(path) > 1 and path in data), None)


if __name__ == "__main__":
    main()
