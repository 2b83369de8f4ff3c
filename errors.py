"""Errors that are reported to the user on one line, and helpers for their messages."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec

_LEFT_OUT = " ... "


class UserError(Exception):
    """An error whose message is reported on one line. Any other exception is an internal error."""

    advice = ""
    """Advice on what to try next, such as a command line."""
    is_usage = False
    """Whether the command or its input is invalid, so that the exit status is 2."""
    names_cure = False
    """Whether the message already says what to do."""

    @property
    def with_advice(self) -> str:
        """The message followed by the advice."""
        return f"{self}; try: {self.advice}" if self.advice and not self.names_cure else str(self)


class UsageError(UserError):
    """Invalid input. The message says what is wrong, where, and what to do. The exit status is 2."""

    is_usage = True

    def __init__(self, message: str, value: str | None = None) -> None:
        """Store the message, and the input value that caused the error, if known."""
        super().__init__(message)
        self.value = value


@contextmanager
def concerning(value: str | None) -> Iterator[None]:
    """Set the value of any UsageError raised within the `with` block that has none."""
    try:
        yield
    except UsageError as error:
        error.value = error.value or value
        raise


def shorten(text: str, most: int) -> str:
    """Shorten a text to `most` characters by cutting out its middle, because the end often states the error."""
    if len(text) <= most:
        return text
    kept = most - len(_LEFT_OUT)
    return text[: kept // 2] + _LEFT_OUT + text[len(text) - (kept - kept // 2) :]


def did_you_mean(name: str, known: Iterable[str], otherwise: str | None = None, cutoff: float = 0.6) -> str:
    """Return a hint for an unknown name: the most similar known name, or else `otherwise`, or else all known names.

    Case is ignored. `cutoff` is the minimum similarity from 0 to 1, as in `difflib.get_close_matches`.
    """
    names = {one.casefold(): one for one in known}
    close = get_close_matches(name.casefold(), names, n=1, cutoff=cutoff)
    if close:
        return f"did you mean {names[close[0]]!r}?"
    return f"choose from {', '.join(names.values())}" if otherwise is None else otherwise


def require(package: str, extra: str, what: str) -> None:
    """Raise UsageError if a package from an optional extra is not installed."""
    if find_spec(package) is None:
        raise UsageError(
            f"{what} needs {package}, which is not installed: pip install {shlex.join(_packages_of(extra, package))}"
        )


def _packages_of(extra: str, otherwise: str) -> list[str]:
    """Return the packages of an extra, because `pip install perft-check[extra]` requires a package index."""
    try:
        needed = [one.partition(";") for one in requires("perft-check") or ()]
    except PackageNotFoundError:
        return [otherwise]
    own = re.compile(rf"""extra\s*==\s*["']{re.escape(extra)}["']""")
    return [name.strip() for name, _, condition in needed if own.search(condition)] or [otherwise]
