"""The machine and the current time as given in reports and results files, which do not identify the user."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime

from ..generator.kernels.machine.target import host_cpu_name


def machine() -> str:
    """Return the system, processor and threads, such as "Linux x86_64, znver3, 2 threads"."""
    return f"{platform.system()} {platform.machine()}, {host_cpu_name()}, {threads()}"


def machine_name() -> str:
    """Return the network name of this machine."""
    return platform.node() or "here"


def threads() -> str:
    """Return the number of threads available to this process as text, such as "2 threads"."""
    usable = usable_threads()
    return f"{usable} thread{'s' if usable != 1 else ''}"


def usable_threads() -> int:
    """Return the number of threads available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def now() -> str:
    """Return the current time in ISO 8601 format, such as "2026-11-22T11:58:03Z"."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def readable(moment: str) -> str:
    """Return a time from `now` in a readable format, such as "2026-11-22 11:58:03"."""
    return moment.replace("T", " ").removesuffix("Z")
