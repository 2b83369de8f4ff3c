"""The npm packages chess.js and chessops as Python functions, which a Node.js process answers."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("predicates.mjs")


@cache
def _node() -> subprocess.Popen[str]:
    command = ["node", str(SCRIPT), os.environ["PERFT_CHECK_NODE_MODULES"]]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ask(package: str, name: str, fen: str, moves: list[str], argument: str = "") -> Any:
    node = _node()
    assert node.stdin is not None
    assert node.stdout is not None
    question = {"package": package, "name": name, "fen": fen, "moves": moves, "argument": argument}
    node.stdin.write(f"{json.dumps(question)}\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline())
    if isinstance(answer, dict):
        raise ValueError(f"position: {answer['error']}")
    return answer


def chess_js(fen: str) -> list[str]:
    """Return the legal moves by chess.js."""
    return list(_ask("chess.js", "moves", fen, []))


def chessops(fen: str) -> list[str]:
    """Return the legal moves by chessops."""
    return list(_ask("chessops", "moves", fen, []))


OF_POSITIONS = {
    "chess.js": {
        "in_check": "isCheck",
        "is_checkmate": "isCheckmate",
        "is_stalemate": "isStalemate",
        "is_insufficient_material": "isInsufficientMaterial",
        "is_threefold_repetition": "isThreefoldRepetition",
        "is_fifty_moves": "isDrawByFiftyMoves",
        "zobrist_hash": "hash",
    },
    "chessops": {
        "is_check": "isCheck",
        "is_checkmate": "isCheckmate",
        "is_stalemate": "isStalemate",
        "is_insufficient_material": "isInsufficientMaterial",
    },
}
"""Predicates of positions, and the methods that answer them."""
OF_MOVES = {"chess.js": ("san", "parse_san"), "chessops": ("san", "parse_san", "isLegal")}
"""Predicates of moves."""


def _of_position(package: str, method: str) -> Any:
    return lambda fen, moves: _ask(package, method, fen, moves)


def _of_move(package: str, method: str) -> Any:
    return lambda fen, moves, move: _ask(package, method, fen, moves, move)


for _package, _function in (("chess.js", chess_js), ("chessops", chessops)):
    for _name, _method in OF_POSITIONS[_package].items():
        setattr(_function, _name, _of_position(_package, _method))
    for _name in OF_MOVES[_package]:
        setattr(_function, _name, _of_move(_package, _name))
