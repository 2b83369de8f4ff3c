"""SPECs of the engines in `tests/fakes`."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

FAKES = Path(__file__).parents[1] / "fakes"
COUNTING = f"""import sys
sys.path.insert(0, {str(FAKES.parent)!r})
import chess
from fakes.counting import perft
"""
"""The first lines of a module that counts correctly with `perft(board, depth)`."""
COUNTING_PROGRAM = f"{COUNTING}print(perft(chess.Board(sys.argv[1]), int(sys.argv[2])))\n"
"""A program that takes a FEN and a depth as arguments, and prints the correct count."""

ON_UCI_ENGINE = f"""import os, sys
sys.path.insert(0, {str(FAKES.parent)!r})
import chess
from fakes.uci_engine import UciEngine
"""
"""The first lines of a program with a subclass of `UciEngine`."""


def written_engine(path: Path, program: str, *arguments: str) -> str:
    """Write a program with a subclass of `UciEngine`; return its SPEC."""
    path.write_text(f"{ON_UCI_ENGINE}{program}", encoding="utf-8")
    return "uci:" + shlex.join([sys.executable, str(path), *arguments])


def fake(mode: str, *arguments: str) -> str:
    """Return the engine that misbehaves in the given way."""
    return _uci("engine.py", mode, *arguments)


def ahead(mode: str, *arguments: str) -> str:
    """Return the engine that misbehaves in the given way in one position, asked ahead or not."""
    return _uci("ahead.py", mode, *arguments)


def flooding(when: str, what: str, *file: str) -> str:
    """Return the engine that endlessly writes `what` from a given moment on."""
    return _uci("floods.py", when, what, *file)


def castling(mode: str, *options: str) -> str:
    """Return the UCI engine that castles, or writes castling, in the given way."""
    return _uci("castling.py", "uci", mode, *options)


def moody(mood: str) -> str:
    """Return the engine that misbehaves in the given way in positions with a queen."""
    return _uci("moody.py", mood)


def dialect(name: str) -> str:
    """Return the engine that prints its answers like a published one."""
    return _uci("dialect.py", name)


def plain(manner: str) -> str:
    """Return the command of a correct engine without UCI."""
    return _uci("plain.py", manner).removeprefix("uci:")


def quirky(*quirks: str) -> str:
    """Return the UCI engine that is correct except for these quirks."""
    return _uci("quirks.py", "uci", *quirks)


def quirky_program(*quirks: str) -> str:
    """Return the program that is started for each question and is correct except for these quirks."""
    return f"cmd:{_quirky_command('argv', quirks)} {{fen}} {{depth}}"


def quirky_script(*quirks: str) -> str:
    """Return the script that is correct except for these quirks."""
    return f"script:{_quirky_command('script', quirks)}"


def quirky_engine(engine_type: str, folder: Path, *quirks: str) -> str:
    """Return an engine of a type (uci, cmd, script or descriptor) that is correct except for these quirks."""
    if engine_type == "descriptor":
        return quirky_descriptor(folder / "mine.json", "plain", *quirks)
    return {"uci": quirky, "cmd": quirky_program, "script": quirky_script}[engine_type](*quirks)


def called(manner: str) -> str:
    """Return the command of the program with this kind of command line, without its arguments."""
    return shlex.join([sys.executable, str(FAKES / "called.py"), manner])


def quirky_descriptor(file: Path, kind: str, *quirks: str, **keys: object) -> str:
    """Write the descriptor of a "uci" or "plain" engine that is correct except for these quirks; return its path."""
    launch = shlex.join([sys.executable, str(FAKES / "quirks.py"), kind, *quirks])
    case = "position fen {fen}{moves}\ngo perft {depth}"
    file.write_text(json.dumps({"launch": launch, "case": case, "uci": kind == "uci"} | keys))
    return str(file)


def _quirky_command(kind: str, quirks: tuple[str, ...]) -> str:
    return shlex.join([sys.executable, str(FAKES / "quirks.py"), kind, *quirks, "--"])


def _uci(program: str, *arguments: str) -> str:
    return "uci:" + shlex.join([sys.executable, str(FAKES / program), *arguments])


def limited(limit: str, *log: str) -> str:
    """Return the correct engine that lacks a position setup."""
    return _uci("setups.py", limit, *log)
