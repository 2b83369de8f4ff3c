"""What a shared library that includes `perft_check_coverage.h` tells of its coverage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...coverage.model import Counters, SourcePlace
from ...coverage.places import find_places
from ..base import EngineError
from .interface import MOST_BRANCHES

Ask = Callable[[dict[str, Any]], dict[str, Any]]


class LibraryCoverage:
    """The counters of a library; see `CoverageSource`. A library that does not answer has none."""

    def __init__(self, path: str, ask: Ask) -> None:
        """Take the path of the library, and what asks its process a question; that may raise EngineError."""
        self._path, self._ask = path, ask
        self._places: tuple[SourcePlace | None, ...] = ()
        """Those that were found, where there are no others."""

    def addresses(self) -> list[int]:
        """Return where the code of each branch is, relative to the library, as `find_places` takes it."""
        try:
            found = self._ask({"ask": "places"}).get("places", [])
        except EngineError:
            return []
        return found if isinstance(found, list) and all(type(one) is int for one in found) else []

    def places(self) -> tuple[SourcePlace | None, ...]:
        """Return the place of each counter."""
        if not self._places or None in self._places:
            self._places = find_places(self._path, self.addresses())
        return self._places

    def read(self) -> Counters:
        """Return the counters since they were read for the last time."""
        try:
            text = str(self._ask({"ask": "coverage"}).get("counters", ""))
            return np.frombuffer(bytes.fromhex(text[: 2 * MOST_BRANCHES]), dtype=np.uint8)
        except (EngineError, ValueError):
            return np.zeros(0, dtype=np.uint8)

    def reset(self) -> None:
        """Set all counters to 0."""
        self.read()
