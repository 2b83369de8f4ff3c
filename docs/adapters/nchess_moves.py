"""nchess of PyPI: `python:nchess_moves:divide`."""

from __future__ import annotations

import re
from typing import Any

from nchess import Board
from walked import Library


def _listed(board: Any) -> dict[str, Any]:
    return {re.sub(r'.*"(.*)".*', r"\1", repr(move)): move for move in board.generate_legal_moves()}


divide = Library(Board, _listed, lambda board, move: board.step(move) and None).divide
