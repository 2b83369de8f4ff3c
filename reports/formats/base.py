"""A format of reports: its name, the ending of its files, and how it writes each type of result that it supports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ...harness.model.machine import Circumstances


@dataclass(frozen=True)
class Format:
    """A format such as JSON."""

    name: str
    """What users write before the equals sign of `--report KIND=PATH`."""
    ending: str
    """How its files end, such as ".json"; "" for lines that follow the text on stdout."""
    writers: Mapping[type[Any], Callable[..., str | Iterable[str]]]
    """For each supported type of result, the function that returns its text, or yields it in pieces."""
    takes_circumstances: bool = False
    """Whether the functions also take the `Circumstances` of the report, or None."""

    @property
    def default_path(self) -> str:
        """Where a report goes for which no file is named; "" is stdout, after the text for people."""
        return f"perft-check{self.ending}" if self.ending else ""

    def supports(self, kind: type[Any]) -> bool:
        """Return True if results of this type can be written."""
        return kind in self.writers

    def render(self, result: Any, made: Circumstances | None = None) -> str:
        """Return a result as text with a final newline. Raises UsageError for an unsupported type."""
        return "".join(self.chunks(result, made))

    def chunks(self, result: Any, made: Circumstances | None = None) -> Iterator[str]:
        """Yield the text of a result in pieces, so that a large one is never whole in memory. Raises UsageError."""
        writer = self.writers.get(type(result))
        if writer is None:
            raise UsageError(f"the format {self.name!r} does not know a {type(result).__name__}")
        text = writer(result, made) if self.takes_circumstances else writer(result)
        yield from (text,) if isinstance(text, str) else text
