"""The base class of report formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ...harness.report_context import ReportContext


@dataclass(frozen=True)
class Format:
    """A report format such as JSON, with a writer for each type of result that it supports."""

    name: str
    """The name used in `--report NAME=PATH`."""
    extension: str
    """The file extension, such as ".json", or "" if the report follows the terminal output on stdout."""
    writers: Mapping[type[Any], Callable[..., str | Iterable[str]]]
    """Maps each supported result type to a function that returns the text or yields it in chunks."""
    takes_circumstances: bool = False
    """Whether the writers take `ReportContext` (or None) as a second argument."""

    @property
    def default_path(self) -> str:
        """The default file name of a report, or "" for stdout."""
        return f"perft-check{self.extension}" if self.extension else ""

    def supports(self, kind: type[Any]) -> bool:
        """Return True if the format supports results of this type."""
        return kind in self.writers

    def render(self, result: Any, made: ReportContext | None = None) -> str:
        """Return a result as text with a trailing newline. Raises UsageError if its type is not supported."""
        return "".join(self.chunks(result, made))

    def chunks(self, result: Any, made: ReportContext | None = None) -> Iterator[str]:
        """Yield the text of a result in chunks, so that it need not fit into memory. Raises UsageError."""
        writer = self.writers.get(type(result))
        if writer is None:
            raise UsageError(f"the format {self.name!r} does not support {type(result).__name__}")
        text = writer(result, made) if self.takes_circumstances else writer(result)
        yield from (text,) if isinstance(text, str) else text
