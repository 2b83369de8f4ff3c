"""A correct engine with a limitation: `python setups.py LIMIT [LOG]`. It writes its input to LOG, if given.

It needs python-chess and speaks UCI with `go perft N`. The limitations are setups that it does not accept.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.uci_engine import UciEngine

FILES = {*"abcdefghABCDEFGH"}
SHORT = ("e1g1", "e1c1", "e8g8", "e8c8")
"""Castling in the notation of standard chess."""

NO_FENS: dict[str, Callable[[], chess.Board]] = {
    "fen-ignored": chess.Board.empty,
    "fen-starts-anew": chess.Board,
    "fen-crashes": os.abort,
    "fen-of-black": partial(chess.Board, "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR b KQkq - 0 1"),
}
"""What it does with any FEN."""


def without_rights(fields: list[str]) -> list[str]:
    """Return the fields of a FEN without castling rights."""
    return [*fields[:2], "-", *fields[3:]]


def without_en_passant(fields: list[str]) -> list[str]:
    """Return the fields of a FEN without an en passant square."""
    return [*fields[:3], "-", *fields[4:]]


def crash_at_en_passant(fields: list[str]) -> list[str]:
    """Return the fields of a FEN unchanged, or crash at an en passant square with Black to move."""
    if fields[1] == "b" and fields[3] != "-":
        os.abort()
    return fields


READINGS: dict[str, Callable[[list[str]], list[str]]] = {
    "rights-unread": without_rights,
    "en-passant-unread": without_en_passant,
    "en-passant-crashes": crash_at_en_passant,
}
"""How it reads a FEN."""


class SetupEngine(UciEngine):
    """Accepts every setup except those of its limitation."""

    greeting = "option name UCI_Chess960 type check default false"

    def __init__(self, limit: str, log: Path | None) -> None:
        super().__init__()
        self.limit, self.log = limit, log
        self.is_by_name = False
        """Whether the last position came as `position startpos`."""

    def hear(self, line: str) -> None:
        words = line.split()
        if self.log is not None and words[:1] in (["position"], ["ucinewgame"], ["go"]):
            with self.log.open("a") as log:
                log.write(line)
        self.is_by_name = words[1:2] == ["startpos"]
        if words == ["d"] and self.limit.endswith("-unread") and self.board is not None:
            print("Fen:", self.board.fen(en_passant="fen"))
        else:
            super().hear(line)

    def position(self, fen: str, moves: Sequence[str]) -> None:
        is_960 = False
        if self.is_by_name:
            if self.limit == "startpos-ignored":
                return
            if self.limit == "startpos-refused":
                print("error: unknown position")
                return
            board = chess.Board(chess960=self.chess960)
        else:
            fields = READINGS.get(self.limit, list)(fen.split())
            if self.limit in NO_FENS:
                self.board = NO_FENS[self.limit]()
                return
            if len(fields) == 4 and self.limit == "short-refused":
                print("error: invalid FEN")
                return
            if len(fields) == 4 and self.limit == "short-ignored":
                return
            if len(fields) == 4 and self.limit == "short-crashes":
                os.abort()
            if {*fields[2]} & FILES and not self.chess960 and self.limit == "files-unread":
                fields[2] = "-"
            if {*fields[2]} & FILES and not self.chess960 and self.limit == "files-refused":
                print("error: invalid FEN: castling")
                return
            is_960 = bool({*fields[2]} & FILES) and self.limit == "files-mean-chess960"
            board = chess.Board(" ".join(fields), chess960=self.chess960 or is_960)
        for text in moves:
            if is_960 and board.piece_type_at(chess.parse_square(text[:2])) == chess.KING and text in SHORT:
                break
            board.push_uci(text)
        self.board = board


if __name__ == "__main__":
    SetupEngine(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None).serve()
