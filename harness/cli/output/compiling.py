"""Compile kernels when they are first used on a machine, and print a notice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ....errors import UsageError
from ...engines.asking.session import EngineSession
from ...engines.engine import Engine
from ...engines.opening import open_session
from ...engines.types.own import compile_notice
from ...shutdown import Interrupt
from .console import err, wait_for

if TYPE_CHECKING:
    from ....generator.kernels.machine.jit import Specialization
    from ....generator.position import Position

SMALL_DEPTH = 1
"""A depth at which every tree is small."""


def start_engines(
    sessions: Sequence[EngineSession],
    interrupt: Interrupt,
    position: Position | None = None,
    depth: int = 0,
    others: Iterable[Specialization] = (),
) -> None:
    """Start engines, and compile the kernels that they and the command (`others`) need.

    With a `position` and a `depth`, only the kernels for that count are compiled. Raises EngineError, Interrupted, and
    UsageError if an engine cannot count to the depth.
    """
    engines = [session.engine for session in sessions]
    get_ready([*others, *_forms(engines, position, SMALL_DEPTH)], interrupt)
    # A small count with these kernels determines whether the tree is large and needs more kernels.
    get_ready([form for form in _forms(engines, position, depth) if not form.is_ready], interrupt)
    for session in sessions:
        if not session.engine.uses_kernels and (line := session.engine.notice()) is not None:
            err().print(line, style="dim")
        session.start()
        _check_depth(depth, session)


def _check_depth(depth: int, session: EngineSession) -> None:
    """Raise UsageError if a started engine cannot count to this depth. Raises Interrupted."""
    if depth < 1 or session.is_in_process:
        return
    if (limit := session.try_depth(depth)) is not None and not session.may_count(depth):
        raise UsageError(f"{limit}; choose another depth", session.spec)


def get_engines_ready(specs: Iterable[str], interrupt: Interrupt) -> None:
    """Compile the kernels of all engines that belong to perft-check. Raises UsageError, Interrupted."""
    get_ready(_forms(session.engine for session in map(open_session, specs)), interrupt)


def _forms(engines: Iterable[Engine], position: Position | None = None, depth: int = 0) -> list[Specialization]:
    return [form for engine in engines if engine.uses_kernels for form in engine.kernels(position, depth)]


def get_ready(forms: Iterable[Specialization], interrupt: Interrupt) -> None:
    """Compile the kernels that are not compiled yet, and print a notice if there are any. Raises Interrupted."""
    forms = list(forms)
    if not forms or (line := compile_notice(forms)) is None:
        return
    err().print(line, style="dim")

    def compile_all() -> None:
        for form in forms:
            form.get_ready()

    wait_for(compile_all, interrupt)
