"""The sources that are mutated, which are those that decide about moves, and the names in them that are left out.

These modules are not mutated: `many`, `records` and `table` count, merge and store the results of others; `events/` and
`sampling/` only serve to check generators; `fen/` writes positions; `memory` and `jit` are infrastructure; `movelist`,
`position` and `counting` are wrappers; magic numbers are data, and the table builder rejects incorrect ones;
`techniques/` contains other generators.
"""

from __future__ import annotations

from pathlib import Path

import perft_check

GENERATOR = Path(perft_check.__file__).parent / "generator"

TWO_PLIES = (
    *("evasions", "kernel", "our_pawns", "our_pieces", "pinned", "position", "simple_moves"),
    *("tally", "their_king", "their_pawns", "their_pieces"),
)
"""Modules of the kernel that counts two plies at once."""
TARGETS: dict[str, tuple[str, ...]] = {
    "kernels.geometry": (),
    "types.frame": (),
    "kernels.attacks": (),
    # For hash tables, FENs, sampling and shared libraries, tested by `tests/generator/test_kernels.py`.
    "kernels.machine.bits": (
        *("multiply_high", "load8", "load32", "store8", "store32"),
        *("_COUNTS", "_LISTS", "call_count", "call_list"),
    ),
    # The first three are for many boards in memory, tested by `tests/generator/test_distinct.py`. The last one is for
    # sampling, tested in `tests/generator/sampling/`.
    "kernels.board": ("BOARD_BYTES", "board_at", "store_board", "change_board"),
    "kernels.castling": (),
    "kernels.encoding": (),
    "kernels.generate": (),
    # These classify moves that other functions generate.
    "kernels.counting.list_perft": ("COUNTERS", "_add", "_checkers", "_count_move", "count_kinds"),
    "kernels.pawns": (),
    "kernels.play": (),
    "kernels.safety": (),
    "kernels.sliders.lookup": (),
    # The search, and the numbers that it found.
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
    "kernels.tables": ("default_backend", "available_backends", "tables", "BACKENDS"),  # selection, not construction
    "kernels.counting.last_ply": (),
    "kernels.counting.walk": (),
    **{f"kernels.counting.two_plies.{module}": () for module in TWO_PLIES},
    # Checks of a board for the soak.
    "kernels.legality": (),
}
"""The mutated modules below `generator`, with the top-level names that are not mutated."""

BUILDERS = ("kernels.geometry", "kernels.sliders.magic", "kernels.tables")
"""Modules that build the tables; their mutants must build the tables again."""


def path_of(module: str) -> Path:
    """Return the source file of a target."""
    return GENERATOR / f"{module.replace('.', '/')}.py"
