"""A screen on top of the explorer that is left once, however many keys ask for it before it has gone."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """Returns a result when it is dismissed; keys that come faster than it goes change nothing."""

    _is_left = False

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Leave the screen. Textual raises an error where that is done twice."""
        if self._is_left:
            return AwaitComplete()
        self._is_left = True
        return super().dismiss(result)
