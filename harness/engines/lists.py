"""Engines that may list moves by GenType: the protocol, and who has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeGuard

from ...generator.line import Line
from ...generator.types.moves import GenType
from .task import Task


class ListsMoves(Protocol):
    """An engine of a kind that may list moves by GenType."""

    @property
    def listed(self) -> tuple[GenType, ...]:
        """The GenTypes that it may be asked for; known once it has been started, and empty where it lists none."""

    @property
    def convention(self) -> Mapping[str, str]:
        """What is known of its convention, values by the names of `model.conventions.SETTINGS`."""

    def moves(self, setup: Line, gentype: GenType, task: Task) -> list[str] | None:
        """Return the moves of a GenType, castling as king takes rook; None where they are not offered.

        Raises EngineError.
        """


def may_list(engine: object) -> TypeGuard[ListsMoves]:
    """Tell whether an engine may list moves by GenType, as far as is known before it has been started."""
    return getattr(engine, "listed", None) is not None


def lists_of(engine: object) -> tuple[GenType, ...]:
    """Return the GenTypes that an engine may be asked for, once it has been started."""
    return engine.listed if may_list(engine) else ()
