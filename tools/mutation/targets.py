"""Which sources are mutated: those that decide about moves. What is left out is named, with the reason.

Not here at all: `stats` counts moves that others have found; `soak`, `crosscheck`, `invariants`, `marks`, `draw` and
`events/` check; `control` and `jit` are plumbing, `movelist`, `position`, `counting` and `legality` wrap what is here;
`magic_numbers` is data, and the table builder refuses numbers that do not fit. `techniques/` are other generators.
"""

from __future__ import annotations

from pathlib import Path

import perft_check

GENERATOR = Path(perft_check.__file__).parent / "generator"

TWO_PLIES = (
    *("counters", "fallback", "kernel", "limits", "notes", "outlook", "scene", "tally"),
    *(f"ours.{one}" for one in ("castling", "king", "knights", "mover", "own", "pawns", "pieces")),
    *(f"ours.{one}" for one in ("promotions", "sight", "sliders")),
    *(f"theirs.{one}" for one in ("captures", "castling", "en_passant", "evasions", "king", "knights", "pawns")),
    *(f"theirs.{one}" for one in ("pinned", "pinning", "pins", "sliders")),
)
"""The modules of the kernel that counts two plies at once."""
TARGETS: dict[str, tuple[str, ...]] = {
    "kernels.geometry": (),
    "types.frame": (),
    "kernels.attacks": (),
    # `load8` and `load32` serve the named techniques alone.
    "kernels.machine.bits": ("load8", "load32"),
    "kernels.board": (),
    "kernels.castling": (),
    "kernels.encoding": (),
    "kernels.generate": (),
    "kernels.counting.list_perft": (),
    "kernels.pawns": (),
    "kernels.play": (),
    "kernels.safety": (),
    "kernels.sliders.common": (),
    "kernels.sliders.index": (),
    "kernels.sliders.magic": ("SEED", "ROOK", "BISHOP", "find_magic"),  # the search, run once; a test repeats it
    "kernels.sliders.pext": (),
    "kernels.tables": ("default_backend", "available_backends", "tables", "BACKENDS"),  # choosing, not building
    "kernels.counting.last_ply": (),
    "kernels.counting.walk": (),
    **{f"kernels.counting.two_plies.{module}": () for module in TWO_PLIES},
    "kernels.legality": (),
}
"""Modules below `generator`, and the names at their top level that are left alone."""

BUILDERS = ("kernels.geometry", "kernels.sliders.common", "kernels.sliders.magic", "kernels.tables")
"""Modules that make the tables, which a mutant of them must build anew."""


def path_of(module: str) -> Path:
    """Return the source file of a target."""
    return GENERATOR / f"{module.replace('.', '/')}.py"
