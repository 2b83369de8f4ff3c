"""Confirm findings: python-chess and Stockfish both contradict the generator in a reachable position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import chess
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.checking.causes import is_ordinary
from perft_check.harness.engines.base import EngineError
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine

LISTS = {"missing": (True, "does not list"), "extra": (False, "lists"), "duplicate": (True, "lists twice")}
"""For each kind of wrong move, whether such moves are legal, and what the generator does with them."""
FAILURES = ("crash", "rejected position")


@dataclass(frozen=True)
class ConfirmedBug:
    """One confirmed bug at its smallest position."""

    title: str
    """The kind of wrong move and the rule."""
    fen: str
    moves: tuple[str, ...]
    """Moves to play from the FEN before the bug shows."""
    wrong: tuple[str, ...]
    """The wrong moves as UCI text."""
    says: str
    """What the generator does."""
    sentence: str
    """Why that is incorrect."""
    references: str
    """What Stockfish and python-chess list in the position, as text."""
    seconds: float | None
    """Seconds from the start of the command until the bug was found, if known."""
    examples: int
    """Number of examined positions that showed the bug."""


class References:
    """Stockfish and python-chess."""

    def __init__(self, spec: str = "uci:stockfish") -> None:
        """Start Stockfish, given by its SPEC."""
        self._stockfish = open_engine(spec)
        self._stockfish.start(EngineCall())

    def legal_moves(self, fen: str, moves: tuple[str, ...]) -> frozenset[str] | None:
        """Return the legal moves after moves from a FEN; None if the two disagree, or if the game is drawn."""
        board = chess.Board(fen)
        for move in moves:
            board.push_uci(move)
        if board.is_insufficient_material() or board.is_fifty_moves():
            return None  # a generator may end the game there
        legal = frozenset(move.uci() for move in board.legal_moves)
        try:
            answer = self._stockfish.divide(Game(Position.from_fen(board.fen())), 1, EngineCall())
        except EngineError:
            return None
        return legal if legal == {standard_notation(move, board) for move in answer.counts} else None


def standard_notation(move: str, board: chess.Board) -> str:
    """Return a move in UCI notation, with castling as e1g1."""
    return board.uci(board.parse_uci(move), chess960=False)


def confirmed(finding: dict[str, Any], references: References, seconds: float | None) -> ConfirmedBug | None:
    """Return the bug that a finding of the JSON report shows, or None if it is not confirmed."""
    if not finding["is_of_engine"] or not finding["reproducible"] or finding["reachability"] != "reachable":
        return None
    if finding["place"]["chess960"]:
        return None
    return (_failure if finding["finding"] is None else _wrong_moves)(finding, references, seconds)


def _wrong_moves(finding: dict[str, Any], references: References, seconds: float | None) -> ConfirmedBug | None:
    """Return the bug of a generator that lists incorrect moves."""
    found = finding["finding"]
    fen, moves = found["fen"], tuple[str, ...]()
    if found["base_fen"]:
        fen, moves = found["base_fen"], tuple(found["base_moves"])
    if not found["wrong"] or found["wrong"][0]["kind"] not in LISTS:
        return None
    first, legal = found["wrong"][0], references.legal_moves(fen, moves)
    is_legal, verb = LISTS[first["kind"]]
    wrong = tuple(move["uci"] for move in found["wrong"] if move["kind"] == first["kind"])
    if legal is None or any((move in legal) is not is_legal for move in wrong):
        return None
    return ConfirmedBug(
        title=f"{first['kind']} move: {first['title']}",
        fen=fen,
        moves=moves,
        wrong=wrong,
        says=f"{verb} {listed(wrong)}",
        sentence=first["sentence"],
        references=f"{len(legal)} moves, {'with' if is_legal else 'without'} {listed(wrong)}",
        seconds=seconds,
        examples=finding["times"],
    )


def _failure(finding: dict[str, Any], references: References, seconds: float | None) -> ConfirmedBug | None:
    """Return the bug of a generator that crashes in a position or rejects it.

    If the reduced position is a draw, use the position that the fuzzer generated, if it looks reachable.
    """
    if finding["verdict"] not in FAILURES:
        return None
    for place in (finding["place"], finding["first"]["place"]):
        fen, moves = place["fen"], tuple(place["moves"])
        legal = references.legal_moves(fen, moves) if is_ordinary(fen, place["chess960"]) else None
        if legal is not None:
            break
    else:
        return None
    return ConfirmedBug(
        title=finding["verdict"],
        fen=fen,
        moves=moves,
        wrong=(),
        says=f"does not answer: {finding['message']}",
        sentence="The position is legal.",
        references=f"{len(legal)} moves",
        seconds=seconds,
        examples=finding["times"],
    )


def listed(moves: tuple[str, ...]) -> str:
    """Return a text with the first four moves and the number of others."""
    return ", ".join(moves[:4]) + (f" and {len(moves) - 4} more" if len(moves) > 4 else "")
