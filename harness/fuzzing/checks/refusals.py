"""Is a FEN refused that no position has? Each true one is spoilt in many ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....generator.validation import FenError
from ...model.verdict import Verdict
from ..model import EXAMPLE, Fault
from .base import Probe
from .subject import Subject

Fields = list[str]
"""The six fields of a FEN."""


def _with(number: int, change: Callable[[Fields], str | None]) -> Callable[[Fields], Fields | None]:
    """Return what replaces one field; None where it cannot be spoilt so."""

    def spoil(fields: Fields) -> Fields | None:
        changed = change(fields)
        return None if changed is None else [*fields[:number], changed, *fields[number + 1 :]]

    return spoil


def _pawn_on_back_rank(fields: Fields) -> str:
    """Put a pawn where the last rank ends, unless a king stands there: then where it begins."""
    above, _, last = fields[0].rpartition("/")
    squares = "".join(" " * int(one) if one.isdigit() else one for one in last)
    spoilt = f"{squares[:-1]}P" if squares[-1] not in "Kk" else f"P{squares[1:]}"
    return f"{above}/{spoilt.replace(' ', '1')}".replace("11111111", "8")


def _right_without_rook(fields: Fields) -> str | None:
    """Add a right on a side where White has no rook on its back rank at all."""
    return None if "R" in fields[0].rpartition("/")[2] else "K"


def _passed_by_nobody(fields: Fields) -> str | None:
    """Name a square of the right rank that no pawn can have passed: there is none in front of it."""
    rank = 3 if fields[1] == "w" else 4
    row = "".join(" " * int(one) if one.isdigit() else one for one in fields[0].split("/")[rank])
    pawn, target = ("p", "6") if fields[1] == "w" else ("P", "3")
    free = [file for file, one in zip("abcdefgh", row, strict=True) if one != pawn]
    return free[0] + target if free else None


SPOILT: dict[str, Callable[[Fields], Fields | None]] = {
    "a ninth rank": _with(0, lambda fields: f"{fields[0]}/8"),
    "seven ranks": _with(0, lambda fields: fields[0].partition("/")[2]),
    "a rank of nine squares": _with(0, lambda fields: f"1{fields[0]}" if not fields[0][0].isdigit() else None),
    "a rank of seven squares": _with(0, lambda fields: fields[0][1:] if not fields[0][0].isdigit() else None),
    "an unknown piece": _with(0, lambda fields: fields[0].replace("K", "X")),
    "no white king": _with(0, lambda fields: fields[0].replace("K", "N")),
    "two black kings": _with(0, lambda fields: fields[0].replace("8", "k7", 1) if "8" in fields[0] else None),
    "a pawn on the back rank": _with(0, _pawn_on_back_rank),
    "nobody to move": _with(1, lambda fields: "-"),
    "a right without its rook": _with(2, _right_without_rook),
    "an en passant square of another rank": _with(3, lambda fields: "e4"),
    "an en passant square that no pawn has passed": _with(3, _passed_by_nobody),
    "an en passant square beyond the board": _with(3, lambda fields: "i3" if fields[1] == "b" else "e9"),
    "a halfmove clock below zero": _with(4, lambda fields: "-1"),
    "no fields after the placement": lambda fields: fields[:1],
}
"""What makes a FEN one that no position has, by what is wrong with it."""


class Refusals:
    """Reads each position's FEN, spoilt: it must be refused, and by FenError, not by whatever goes wrong."""

    names = ("refusal",)

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    def __call__(self, probe: Probe) -> Iterator[Fault]:
        """Yield the faults, one for each way to spoil a FEN that goes unnoticed; none after moves, to save time."""
        if probe.line.moves:
            return
        fields = probe.position.fen().split()
        for wrong, spoil in SPOILT.items():
            spoilt = spoil(fields)
            if spoilt is None:
                continue
            text = " ".join(spoilt)
            answer = self._answer(text, probe.position.chess960)
            if answer is not None:
                message = f"a FEN with {wrong} {answer}{EXAMPLE}{text}"
                yield Fault(self.names[0], Verdict.MISMATCH, probe.place, None, message)

    def _answer(self, fen: str, chess960: bool) -> str | None:
        """Return what went wrong; None where the FEN is refused."""
        try:
            self._subject.read(fen, chess960)
        except FenError:
            return None
        except Exception as error:  # whatever a reader that runs off its board may raise
            return f"ends with {type(error).__name__}"
        return "is accepted"
