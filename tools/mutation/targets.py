"""Which sources are mutated: those that decide about moves. What is left out is named, with the reason.

Not here at all: `many`, `records` and `table` count, merge and keep what others have found; `events/` and `drawing/`
check; `fen/` writes; `memory` and `jit` are plumbing; `movelist`, `position` and `counting` wrap what is here; magic
numbers are data, and the table builder refuses numbers that do not fit. `techniques/` are other generators.
"""

from __future__ import annotations

from pathlib import Path

import perft_check

GENERATOR = Path(perft_check.__file__).parent / "generator"

TWO_PLIES = (
    *("evasions", "kernel", "our_pawns", "our_pieces", "pinned", "position", "simple_moves"),
    *("tally", "their_king", "their_pawns", "their_pieces"),
)
"""The modules of the kernel that counts two plies at once."""
TARGETS: dict[str, tuple[str, ...]] = {
    "kernels.geometry": (),
    "types.frame": (),
    "kernels.attacks": (),
    # For tables of counts, FENs, drawing and engines that are libraries: `tests/generator/test_kernels.py` tests them.
    "kernels.machine.bits": (
        *("multiply_high", "load8", "load32", "store8", "store32"),
        *("_COUNTS", "_LISTS", "call_count", "call_list"),
    ),
    # The first three are for many boards in memory: `tests/generator/test_distinct.py` tests them. The last one is for
    # drawing: `tests/generator/sampling/test_sampling.py`.
    "kernels.board": ("BOARD_BYTES", "board_at", "store_board", "change_board"),
    "kernels.castling": (),
    "kernels.encoding": (),
    "kernels.generate": (),
    # The kinds of moves are counted of what others have found.
    "kernels.counting.list_perft": ("COUNTERS", "_add", "_checkers", "_count_move", "count_kinds"),
    "kernels.pawns": (),
    "kernels.play": (),
    "kernels.safety": (),
    "kernels.sliders.lookup": (),
    # The search and what it has found.
    "kernels.sliders.magic": (
        "ROOK",
        "BISHOP",
        "_BATCH",
        "_mix",
        "MagicNumbers",
        "_keep_apart",
        "read_magics",
        "MAGICS",
    ),
    "kernels.tables": ("default_backend", "available_backends", "tables", "BACKENDS"),  # choosing, not building
    "kernels.counting.last_ply": (),
    "kernels.counting.walk": (),
    **{f"kernels.counting.two_plies.{module}": () for module in TWO_PLIES},
    "kernels.legality": (),
}
"""Modules below `generator`, and the names at their top level that are left alone."""

BUILDERS = ("kernels.geometry", "kernels.sliders.magic", "kernels.tables")
"""Modules that make the tables, which a mutant of them must build anew."""


def path_of(module: str) -> Path:
    """Return the source file of a target."""
    return GENERATOR / f"{module.replace('.', '/')}.py"
