"""Memory without a name, which a process of ours gets by its descriptor: it ends with those that have it."""

from __future__ import annotations

import os
import tempfile


def new_memory() -> int:
    """Return the descriptor of new memory, which is empty. Raises OSError."""
    if hasattr(os, "memfd_create"):  # Linux
        return os.memfd_create("perft-check")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
