"""Commands and options that there were once, and what to use instead."""

from __future__ import annotations

from collections.abc import Mapping

REMOVED: Mapping[str, str] = {
    "config": "perft-check.toml and the variables PERFT_CHECK_... have all that is set",
    "--export": "the ledger of a count has its results as JSON lines",
    "history": "store JSON reports of runs instead: perft-check run --report json=FILE",
    "--history": "store JSON reports of runs instead: --report json=FILE",
    "--profile": "name another file: --config FILE",
    "--resume": "run fuzz again with another --seed and the same --corpus instead",
    "--soak": "run fuzz without --engine instead, which compares our own generator with python-chess",
    "warm": "every command compiles what it needs at its first use",
    "--watch": "start perft-check with a program that waits for changes instead, such as watchexec or entr",
}
"""What to use instead of a command or an option that was removed, as the end of a sentence."""
