"""What is known of a run before it begins: when and where it runs, and what of."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from typing import Any

from ..engines.base import Engine
from ..engines.files import digest_of
from ..model.machine import machine
from ..model.moments import now
from .model import RunOrigin

GIT_SECONDS = 5.0


def origin_of(spec: str, engine: Engine, settings: Mapping[str, Any]) -> RunOrigin:
    """Return the origin of a run that begins now. The engine need not be started."""
    return RunOrigin(now(), spec, digest_of(engine), machine(), commit(), settings)


def commit() -> str | None:
    """Return the git commit of the working folder, or None where there is none, or no git."""
    command = ["git", "rev-parse", "--verify", "--quiet", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GIT_SECONDS, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    said = done.stdout.strip()
    return said if done.returncode == 0 and said.isalnum() else None
