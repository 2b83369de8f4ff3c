"""Paths in a configuration: they start from the folder of the file, not from the working folder."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

from ....suites.bundled import EVERY

COMMANDS = ("uci", "cmd", "script")
"""Prefixes of a SPEC before a command."""
LIBRARY = "lib"
"""The prefix of a SPEC before a path; what other prefixes take is none."""
_HERE = ("./", "../")


class Places:
    """Values as they are from the working folder."""

    def __init__(self, folder: Path) -> None:
        """Start from `folder`, which is real and absolute."""
        self._folder = folder
        self._is_here = os.path.realpath(os.curdir) == str(folder)

    def value(self, kind: str, text: str) -> str:
        """Return the value of an option whose kind the help names so."""
        return text if self._is_here or kind not in KINDS else KINDS[kind](self, text)

    def path(self, path: str) -> str:
        """Return a path."""
        if not path or os.path.isabs(path):
            return path
        found = os.path.relpath(self._folder / path)
        return found if os.sep in found else os.path.join(os.curdir, found)

    def spec(self, spec: str) -> str:
        """Return a SPEC: the program, and each word of its command that begins with ./ or ../, is a path."""
        prefix, colon, rest = spec.partition(":")
        if colon and prefix in COMMANDS:
            return f"{prefix}:{self._command(rest)}"
        if prefix == LIBRARY:
            return f"{prefix}:{self.path(rest)}"
        if prefix.startswith("python["):
            return self._foreign(spec)
        if colon and "/" not in prefix:
            return spec
        return self.path(spec) if "/" in spec or spec.endswith(".json") else spec

    def suite(self, suite: str) -> str:
        """Return a suite; bundled ones stay names."""
        return suite if suite in EVERY else self.path(suite)

    def report(self, report: str) -> str:
        """Return a report, FILE or KIND=PATH; neither "-" nor a kind alone is a path."""
        kind, equals, path = report.partition("=")
        if equals:
            return f"{kind}={path if path == '-' else self.path(path)}"
        return self.path(report) if "/" in report or Path(report).suffix else report

    def _command(self, text: str) -> str:
        try:
            words = shlex.split(text)
        except ValueError:  # whoever starts it says what is wrong
            return text
        placed = [
            self.path(word) if word.startswith(_HERE) or (number == 0 and "/" in word) else word
            for number, word in enumerate(words)
        ]
        return text if placed == words else shlex.join(placed)

    def _foreign(self, spec: str) -> str:
        python, bracket, rest = spec.removeprefix("python[").partition("]")
        return f"python[{self.path(python) if '/' in python else python}{bracket}{rest}"


KINDS: dict[str, Callable[[Places, str], str]] = {
    "SPEC": Places.spec,
    "NAME|FILE": Places.suite,
    "KIND|FILE|KIND=PATH": Places.report,
    "FILE|SPEC": Places.spec,
    "FILE": Places.path,
    "FILE.json": Places.path,
}
"""How the values of an option are placed, by the name that the help has for them."""
