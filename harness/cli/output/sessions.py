"""The engines of a command, opened for a block and closed at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager

from ...engines.asking.runner import CallRunner
from ...engines.asking.session import UNLIMITED, EngineSession, TimeLimit
from ...engines.kinds.own import ALONE, KernelOptions
from ...engines.opening import open_session
from ...engines.stdio.process import ProcessLimits


@contextmanager
def open_sessions(
    specs: Iterable[str],
    runner: CallRunner,
    limit: TimeLimit = UNLIMITED,
    *,
    limits: ProcessLimits | None = None,
    resources: KernelOptions = ALONE,
    is_reference: bool = False,
) -> Iterator[list[EngineSession]]:
    """Open the engines that SPECs name, each question to be asked through `runner`. Raises UsageError.

    They are not started: `start_engines` compiles what they need beforehand.
    """
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                closing(
                    open_session(spec, runner, limit, limits=limits, resources=resources, is_reference=is_reference)
                )
            )
            for spec in specs
        ]
