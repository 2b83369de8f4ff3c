"""Kernels that a command waits for: one bar for all of them on a terminal, one line elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, TextColumn

from ...asking.client import EngineClient
from ...engines.base import Engine
from ...engines.kinds.own import KernelEngine, compile_notice
from ...model.shutdown import Interrupt
from .console import err, wait_for

if TYPE_CHECKING:
    from ....generator.kernels.machine.preparing import Compiling, KernelForm, Preparation
    from ....generator.position import Position

SMALL_DEPTH = 1
"""A depth to which no tree is large."""


def start_engines(
    clients: Sequence[EngineClient],
    interrupt: Interrupt,
    position: Position | None = None,
    depth: int = 0,
    others: Iterable[KernelForm] = (),
) -> None:
    """Get engines ready, which are asked about one position, or about many, and other kernels that a command needs.

    Raises EngineError, Interrupted.
    """
    engines = [client.engine for client in clients]
    get_ready([*others, *_forms(engines, position, SMALL_DEPTH)], interrupt)
    # That a tree is large, and needs more kernels, is found out by a small count, which needs those above.
    get_ready([form for form in _forms(engines, position, depth) if not form.is_ready], interrupt)
    for client in clients:
        if not isinstance(client.engine, KernelEngine) and (line := client.engine.notice()) is not None:
            err().print(line, style="dim")
        client.start()


def get_engines_ready(engines: Iterable[Engine], interrupt: Interrupt) -> None:
    """Compile what engines of ours need to be asked much. Raises Interrupted."""
    get_ready(_forms(engines), interrupt)


def _forms(engines: Iterable[Engine], position: Position | None = None, depth: int = 0) -> list[KernelForm]:
    ours = [engine for engine in engines if isinstance(engine, KernelEngine)]
    return [form for engine in ours for form in engine.forms(position, depth)]


def get_ready(forms: Iterable[KernelForm], interrupt: Interrupt) -> None:
    """Compile what of these is not compiled yet; nothing is said where nothing is missing. Raises Interrupted."""
    forms = list(forms)
    if not forms or (line := compile_notice(forms)) is None:
        return
    from ....generator.kernels.machine.preparing import Preparation

    preparation = Preparation.of(forms)
    if not (preparation.missing and err().is_terminal):
        err().print(line, style="dim")
        wait_for(lambda: _compile(preparation, _Shown()), interrupt)
        return
    with _Shown() as shown:
        wait_for(lambda: _compile(preparation, shown), interrupt, watch=shown.move)


def _compile(preparation: Preparation, shown: _Shown) -> None:
    for step in preparation.compile():
        shown.show(step)


class _Shown:
    """The bar: which kernel of how many is being compiled, and the time left."""

    def __init__(self) -> None:
        self._bar = Progress(
            TextColumn("compiling kernels, once: {task.description}"),
            BarColumn(20),
            TextColumn("{task.fields[left]}"),
            console=err(),
            transient=True,
        )
        self._task = self._bar.add_task("", total=1, left="")
        self._step: Compiling | None = None
        self._began = 0.0

    def __enter__(self) -> _Shown:
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def show(self, step: Compiling) -> None:
        """Show that a kernel is being compiled."""
        self._step, self._began = step, time.monotonic()

    def move(self) -> None:
        """Move the bar on while it is."""
        if (step := self._step) is None:
            return
        seconds = time.monotonic() - self._began
        left = step.seconds_left(seconds)
        description = f"{step.number} of {step.total}, {step.form.kernel.__name__}"
        share = 1 - left / (step.all_seconds * step.slowness)
        self._bar.update(
            self._task, description=description, completed=share, left=f"about {max(1, round(left))} s left"
        )
