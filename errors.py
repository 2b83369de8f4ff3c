"""Failures that are reported in one line, such as mistakes of the user."""

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
    """A failure that is reported in one line, its message. Any other exception is an internal error."""

    advice = ""
    """What to try next, such as a command line, which the message does not have."""
    is_usage = False
    """Whether the user has to give something else: the exit status is 2 then."""
    names_cure = False
    """Whether the message says itself what to do."""

    @property
    def with_advice(self) -> str:
        """The message, and what to try next."""
        return f"{self}; try: {self.advice}" if self.advice and not self.names_cure else str(self)


class UsageError(UserError):
    """Bad input; the message is one line that says what, where, and what to do. Exit status 2."""

    is_usage = True

    def __init__(self, message: str, value: str | None = None) -> None:
        """`value` is what the user has given and the message is about, as it was given, where that is known."""
        super().__init__(message)
        self.value = value


@contextmanager
def concerning(value: str | None) -> Iterator[None]:
    """Note in a UsageError of this block which value of the user it is about, unless it is about another one."""
    try:
        yield
    except UsageError as error:
        error.value = error.value or value
        raise


def shorten(text: str, most: int) -> str:
    """Return a text without its middle where it is longer than `most` characters: its end often says what is wrong."""
    if len(text) <= most:
        return text
    kept = most - len(_LEFT_OUT)
    return text[: kept // 2] + _LEFT_OUT + text[len(text) - (kept - kept // 2) :]


def did_you_mean(name: str, known: Iterable[str], otherwise: str | None = None, cutoff: float = 0.6) -> str:
    """Return a hint for an unknown name: the known one that is close to it, else `otherwise` or all that are known.

    Upper and lower case are the same. `cutoff` from 0 to 1 says how close is close, as in `difflib`.
    """
    names = {one.casefold(): one for one in known}
    close = get_close_matches(name.casefold(), names, n=1, cutoff=cutoff)
    if close:
        return f"did you mean {names[close[0]]!r}?"
    return f"there are {', '.join(names.values())}" if otherwise is None else otherwise


def require(package: str, extra: str, what: str) -> None:
    """Raise UsageError if a package is not here that comes with an extra."""
    if find_spec(package) is None:
        raise UsageError(
            f"{what} needs {package}, which is not here: pip install {shlex.join(_packages_of(extra, package))}"
        )


def _packages_of(extra: str, otherwise: str) -> list[str]:
    """Return what pip installs for an extra: perft-check itself may be on no index."""
    try:
        needed = [one.partition(";") for one in requires("perft-check") or ()]
    except PackageNotFoundError:
        return [otherwise]
    own = re.compile(rf"""extra\s*==\s*["']{re.escape(extra)}["']""")
    return [name.strip() for name, _, condition in needed if own.search(condition)] or [otherwise]
