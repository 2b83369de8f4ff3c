"""A format of reports: its name, the ending of its files, and how it writes each kind of result that it knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from ...errors import UsageError
from ...harness.model.machine import Circumstances

R = TypeVar("R")
Writer = Callable[[R], str | Iterable[str]]
"""Writes a result as one text, or in pieces where that may be large."""


class Format:
    """A format such as JSON. Its file adds a function for each kind of result with the decorator `writes`."""

    def __init__(self, name: str, ending: str) -> None:
        self.name = name
        """What users write before the equals sign of `--report KIND=PATH`."""
        self.ending = ending
        """How its files end, such as ".json"; "" for lines that follow the text on stdout."""
        self._writers: dict[type[Any], Writer[Any]] = {}

    def writes(self, kind: type[R]) -> Callable[[Writer[R]], Writer[R]]:
        """Add the function that writes results of this kind."""

        def add(writer: Writer[R]) -> Writer[R]:
            self._writers[kind] = writer
            return writer

        return add

    @property
    def default_path(self) -> str:
        """Where a report goes for which no file is named; "" is stdout, after the text for people."""
        return f"perft-check{self.ending}" if self.ending else ""

    def knows(self, kind: type[Any]) -> bool:
        """Tell whether results of this kind can be written."""
        return kind in self._writers

    def render(self, result: Any) -> str:
        """Return a result as text, with a final newline. Raises UsageError for a kind that the format does not know."""
        return "".join(self.pieces(result))

    def pieces(self, result: Any, made: Circumstances | None = None) -> Iterator[str]:
        """Yield the text of a result in pieces, so that a large one is never whole in memory. Raises UsageError.

        A format for people says when, where and by which versions it was `made`.
        """
        text = self._write(result)
        yield from (text,) if isinstance(text, str) else text

    def _write(self, result: Any) -> str | Iterable[str]:
        writer = self._writers.get(type(result))
        if writer is None:
            raise UsageError(f"the format {self.name!r} does not know a {type(result).__name__}")
        return writer(result)
