"""A format of reports: its name, the ending of its files, and how it writes each kind of result that it knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...errors import UsageError

R = TypeVar("R")


class Format:
    """A format such as JSON. Its file adds a function for each kind of result with the decorator `writes`."""

    def __init__(self, name: str, ending: str) -> None:
        self.name = name
        """What users write before the equals sign of `--report KIND=PATH`."""
        self.ending = ending
        """How its files end, such as ".json"."""
        self._writers: dict[type[Any], Callable[[Any], str]] = {}

    def writes(self, kind: type[R]) -> Callable[[Callable[[R], str]], Callable[[R], str]]:
        """Add the function that writes results of this kind."""

        def add(writer: Callable[[R], str]) -> Callable[[R], str]:
            self._writers[kind] = writer
            return writer

        return add

    def knows(self, kind: type[Any]) -> bool:
        """Tell whether results of this kind can be written."""
        return kind in self._writers

    def render(self, result: Any) -> str:
        """Return a result as text, with a final newline. Raises UsageError for a kind that the format does not know."""
        writer = self._writers.get(type(result))
        if writer is None:
            raise UsageError(f"the format {self.name!r} does not know a {type(result).__name__}")
        return writer(result)
