"""The machine that something was measured on, without anything of its user."""

from __future__ import annotations

import os
import platform

from ...generator.kernels.machine.target import host_cpu_name


def machine() -> str:
    """Return system, processor and threads: "Linux x86_64, znver3, 2 threads"."""
    return f"{platform.system()} {platform.machine()}, {host_cpu_name()}, {threads()}"


def machine_name() -> str:
    """Return how this machine calls itself in a network."""
    return platform.node() or "here"


def threads() -> str:
    """Return how many threads this process may use: "2 threads"."""
    usable = usable_threads()
    return f"{usable} thread{'s' if usable != 1 else ''}"


def usable_threads() -> int:
    """Return how many threads of the machine this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
