"""The machine and the time of a measurement, without anything about the user."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

from ... import __version__
from ...generator.kernels.machine.target import host_cpu_name
from .project import Project


@dataclass(frozen=True)
class Circumstances:
    """The time, the machine and the versions of a report."""

    moment: str
    """As `now` returns it."""
    machine: str
    versions: tuple[tuple[str, str], ...]
    """Names of programs, each with its version."""
    builds: tuple[tuple[str, str], ...] = ()
    """Engines, each with the SHA-256 of its files if these are known."""
    project: Project = field(default_factory=lambda: Project(os.sep))


def circumstances(builds: Iterable[tuple[str, str]] = (), configuration: str = "") -> Circumstances:
    """Return those of a report that is made now and here, with a `configuration` file of perft-check."""
    versions = (("perft-check", __version__), ("Python", platform.python_version()), ("Numba", version("numba")))
    return Circumstances(now(), machine(), versions, tuple(builds), Project.here(configuration))


def machine() -> str:
    """Return system, processor and threads: "Linux x86_64, znver3, 2 threads"."""
    return f"{platform.system()} {platform.machine()}, {host_cpu_name()}, {threads()}"


def machine_name() -> str:
    """Return the network name of this machine."""
    return platform.node() or "here"


def threads() -> str:
    """Return how many threads this process may use: "2 threads"."""
    usable = usable_threads()
    return f"{usable} thread{'s' if usable != 1 else ''}"


def usable_threads() -> int:
    """Return how many threads of the machine this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def now() -> str:
    """Return the time as ISO 8601 writes it: "2026-11-22T11:58:03Z"."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def readable(moment: str) -> str:
    """Return a time of `now` in a readable form: "2026-11-22 11:58:03"."""
    return moment.replace("T", " ").removesuffix("Z")
