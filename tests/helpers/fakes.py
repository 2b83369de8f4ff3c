"""The engines of `tests/fakes`, as a user names them."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

FAKES = Path(__file__).parents[1] / "fakes"
PERFT = """import sys, chess
def perft(board, depth):
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes
"""
"""How a program begins that counts."""
COUNTING_PROGRAM = f"{PERFT}print(perft(chess.Board(sys.argv[1]), int(sys.argv[2])))\n"
"""A program that takes a FEN and a depth as its arguments, and prints the right count."""


ON_UCI_ENGINE = f"""import os, sys
sys.path.insert(0, {str(FAKES.parent)!r})
import chess
from fakes.uci_engine import UciEngine
"""
"""How a program begins whose class `Mine` derives from `UciEngine`."""


def written_engine(path: Path, program: str, *arguments: str) -> str:
    """Write a program that derives from `UciEngine`, and return it as a user names it."""
    path.write_text(f"{ON_UCI_ENGINE}{program}", encoding="utf-8")
    return "uci:" + shlex.join([sys.executable, str(path), *arguments])


def fake(mode: str, *arguments: str) -> str:
    """Return the engine that misbehaves in this way."""
    return _uci("engine.py", mode, *arguments)


def ahead(mode: str, *arguments: str) -> str:
    """Return the engine that misbehaves in this way at one position, told much ahead or not."""
    return _uci("ahead.py", mode, *arguments)


def flooding(when: str, what: str, *file: str) -> str:
    """Return the engine that writes this without end, from this moment on."""
    return _uci("floods.py", when, what, *file)


def castling(mode: str, *options: str) -> str:
    """Return the UCI engine that castles, or writes castling, in this way."""
    return _uci("castling.py", "uci", mode, *options)


def moody(mood: str) -> str:
    """Return the engine that misbehaves in this way where there is a queen."""
    return _uci("moody.py", mood)


def dialect(name: str) -> str:
    """Return the engine that counts and answers in the words of a real one."""
    return _uci("dialect.py", name)


def plain(manner: str) -> str:
    """Return the right engine that speaks no UCI, as a user names it who knows nothing of descriptors."""
    return _uci("plain.py", manner).removeprefix("uci:")


def quirky(*quirks: str) -> str:
    """Return the UCI engine that is right, but for these quirks."""
    return _uci("quirks.py", "uci", *quirks)


def quirky_program(*quirks: str) -> str:
    """Return the program, started for each question, that is right but for these quirks."""
    return f"cmd:{_quirky_command('argv', quirks)} {{fen}} {{depth}}"


def quirky_script(*quirks: str) -> str:
    """Return the script that is right, but for these quirks."""
    return f"script:{_quirky_command('script', quirks)}"


def called(manner: str) -> str:
    """Return the command of the program that is to be called in this manner, without what follows it."""
    return shlex.join([sys.executable, str(FAKES / "called.py"), manner])


def quirky_descriptor(file: Path, kind: str, *quirks: str, **keys: object) -> str:
    """Write the descriptor of an engine that is right but for these quirks, "uci" or "plain", and return its path."""
    launch = shlex.join([sys.executable, str(FAKES / "quirks.py"), kind, *quirks])
    case = "position fen {fen}{moves}\ngo perft {depth}"
    file.write_text(json.dumps({"launch": launch, "case": case, "uci": kind == "uci"} | keys))
    return str(file)


def _quirky_command(kind: str, quirks: tuple[str, ...]) -> str:
    return shlex.join([sys.executable, str(FAKES / "quirks.py"), kind, *quirks, "--"])


def _uci(program: str, *arguments: str) -> str:
    return "uci:" + shlex.join([sys.executable, str(FAKES / program), *arguments])


def limited(limit: str, *log: str) -> str:
    """Return the right engine that does not take some setup."""
    return _uci("setups.py", limit, *log)
