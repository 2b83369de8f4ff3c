"""perft-check: a perft test harness and differential fuzzer for chess move generators."""

from __future__ import annotations

__version__ = "0.1.0"
