"""How an engine is asked without waiting for its answers, and how they are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .....generator.drawing.drawn import Drawn
from .....generator.kernels.engines.answers import ANYTHING, DEPTH, NUMBER, WORD
from ..descriptor import Descriptor

NEVER = 1_000
"""A depth at which nobody lists root moves."""
_CODES = {"D": DEPTH, "T": WORD, "...": ANYTHING}


@dataclass(frozen=True)
class Manner:
    """What is known of an engine that is asked ahead."""

    descriptor: Descriptor
    total: str
    """How it writes totals, one of `dialects.TOTALS`."""
    lists_from: int
    """The least depth at which it lists root moves; `NEVER` where only totals can be compared."""
    threads: int = 1
    leaves_out_final_moves: bool = False
    """Whether it lists no root moves with a count of 0."""

    def questions(self, drawn: Drawn) -> bytes:
        """Return what asks about all positions of a block."""
        depths = drawn.depths.tolist()
        around = {depth: self._around(depth) for depth in set(depths)}
        pieces: list[bytes] = []
        for fen, depth in zip(drawn.text.tobytes().split(b"\n"), depths, strict=False):  # nothing is behind the last \n
            before, after = around[depth]
            pieces += (before, fen, after)
        return b"".join(pieces)

    def _around(self, depth: int) -> tuple[bytes, bytes]:
        """Return what stands before and behind a FEN in a question."""
        lines = self.descriptor.lines("\0", [], depth, self.threads)
        before, _, after = "\n".join(lines).partition("\0")
        return before.encode(), f"{after}\n".encode()


def template_of(total: str) -> bytes:
    r"""Return by which bytes `engines.answers` reads a way to write totals: b"totalnodes:\x01" for "Total nodes: N"."""
    before = re.split(r"\bN\b", total, maxsplit=1)[0].replace("=", ":")
    elements = re.split(r"(\b[DT]\b|\.\.\.)", before)
    codes = (bytes([_CODES[one]]) if one in _CODES else one.replace(" ", "").lower().encode() for one in elements)
    return b"".join(codes) + bytes([NUMBER])
