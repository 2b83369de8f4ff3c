"""Kernels that a command waits for at their first use on a machine: one line says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...engines.asking.session import EngineSession
from ...engines.engine import Engine
from ...engines.opening import open_engine
from ...engines.types.own import compile_notice
from ...shutdown import Interrupt
from .console import err, wait_for

if TYPE_CHECKING:
    from ....generator.kernels.machine.preparing import KernelForm
    from ....generator.position import Position

SMALL_DEPTH = 1
"""A depth to which no tree is large."""


def start_engines(
    sessions: Sequence[EngineSession],
    interrupt: Interrupt,
    position: Position | None = None,
    depth: int = 0,
    others: Iterable[KernelForm] = (),
) -> None:
    """Get engines ready, which are asked about one position, or about many, and other kernels that a command needs.

    Raises EngineError, Interrupted.
    """
    engines = [session.engine for session in sessions]
    get_ready([*others, *_forms(engines, position, SMALL_DEPTH)], interrupt)
    # That a tree is large, and needs more kernels, is found out by a small count, which needs those above.
    get_ready([form for form in _forms(engines, position, depth) if not form.is_ready], interrupt)
    for session in sessions:
        if not session.engine.uses_kernels and (line := session.engine.notice()) is not None:
            err().print(line, style="dim")
        session.start()


def get_engines_ready(specs: Iterable[str], interrupt: Interrupt) -> None:
    """Compile the kernels that our own engines need for many questions. Raises UsageError, Interrupted."""
    get_ready(_forms(map(open_engine, specs)), interrupt)


def _forms(engines: Iterable[Engine], position: Position | None = None, depth: int = 0) -> list[KernelForm]:
    ours = [engine for engine in engines if engine.uses_kernels]
    return [form for engine in ours for form in engine.kernels(position, depth)]


def get_ready(forms: Iterable[KernelForm], interrupt: Interrupt) -> None:
    """Compile what of these is not compiled yet; nothing is said where nothing is missing. Raises Interrupted."""
    forms = list(forms)
    if not forms or (line := compile_notice(forms)) is None:
        return
    err().print(line, style="dim")

    def compile_all() -> None:
        for form in forms:
            form.get_ready()

    wait_for(compile_all, interrupt)
