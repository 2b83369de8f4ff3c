"""Findings about a position: root moves that differ, wrong moves with the rules they break, and the cause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from ....generator.game import Game
from ....generator.position import Position
from ....generator.position_setup import PositionSetup
from ....generator.types.moves import Move, MoveKind
from ....generator.types.pieces import PieceType

MOST_NAMED = 2
"""Maximum number of played moves to name; for more moves, only their number is given."""


def describe_played(fen: str, chess960: bool, moves: Sequence[str]) -> str:
    """Describe the moves played from a position, as in "e1g1 (castling)" or "4 moves"; "" if there are none."""
    if len(moves) > MOST_NAMED:
        return f"{len(moves)} moves"
    return " and ".join(describe_last(fen, chess960, moves[: number + 1]) for number in range(len(moves)))


def describe_last(fen: str, chess960: bool, moves: Sequence[str]) -> str:
    """Describe the last move played from a position, including its kind if it is a special move."""
    try:
        game = Game.from_uci(Position.from_fen(fen, chess960), " ".join(moves))
    except ValueError:  # a report written by another version
        return moves[-1]
    kinds = _special_kinds(Game(game.base, game.moves[:-1]).position, game.moves[-1])
    return moves[-1] + (f" ({', '.join(kinds)})" if kinds else "")


def _special_kinds(position: Position, move: Move) -> list[str]:
    """Return the special features of a move, which require updates of the position that engines tend to forget."""
    if move.kind is MoveKind.CASTLING:
        return ["castling"]
    if move.kind is MoveKind.EN_PASSANT:
        return ["en passant"]
    moving, taken = position.piece_at(move.origin), position.piece_at(move.target)
    is_double_step = moving is not None and moving[1] is PieceType.PAWN and abs(move.target - move.origin) == 16
    found = {
        "promotion": move.kind is MoveKind.PROMOTION,
        "double step": is_double_step,
        "captures a rook": taken is not None and taken[1] is PieceType.ROOK,
    }
    return [kind for kind, is_so in found.items() if is_so]


@dataclass(frozen=True)
class RootMove:
    """A root move on which two divides differ. A count is None if that divide does not contain the move."""

    uci: str
    """UCI text, with castling in the notation of the position (e1g1, or king takes rook in Chess960)."""
    san: str | None
    """The move in algebraic notation, or None if it is illegal."""
    got: int | None
    expected: int | None
    repeated: int = 0
    """Number of additional times that the engine under test lists the move."""


@dataclass(frozen=True)
class Difference:
    """The difference between the divides of a position by the engine under test and by a reference."""

    engine: str
    reference: str
    fen: str
    chess960: bool
    depth: int
    got: int
    """Sum of the engine's divide."""
    expected: int
    """Sum of the reference's divide."""
    moves: tuple[RootMove, ...]
    """The root moves that differ, sorted by their text."""
    played: str = ""
    """The start position and the moves that the engine played, as "FEN moves e2e4"; empty if there were none."""

    @property
    def differs(self) -> bool:
        """Whether any root move or the sum differs."""
        return bool(self.moves) or self.got != self.expected


@dataclass(frozen=True)
class WrongMove:
    """A wrong move and the rule behind it."""

    uci: str
    """UCI text, with castling in the notation of the position."""
    san: str | None
    """The move in algebraic notation, or None if it is illegal."""
    kind: str
    """What is wrong with the move. The values are "missing", "extra", "duplicate", "notation" (the move is written
    incorrectly), "state" (it is played incorrectly), "undo" (it is taken back incorrectly), "fen" (after the move the
    engine prints a FEN that cannot be read) and "draw" (all moves are missing, because the engine ends the game).
    """
    rule: str
    """Stable short name of the rule that is broken or overlooked."""
    title: str
    """The rule as a heading."""
    sentence: str
    """Why the move is legal or illegal in this position."""
    squares: tuple[str, ...]
    """Other relevant squares, such as those of the pinning piece, the checker or the king."""
    engine_is_correct: bool = False
    """Whether the reference is incorrect: the move is extra and legal, missing and illegal, or listed more often by the
    reference.

    It is also True if the reference makes or unmakes a move incorrectly.
    """


HEADINGS = {
    "missing": "missing move",
    "extra": "extra move",
    "duplicate": "duplicate move",
    "notation": "wrong notation",
    "state": "wrong state",
    "undo": "wrong undo",
    "fen": "wrong FEN",
    "draw": "perft ignores draws",
}
"""The heading for each kind of wrong move."""
PREPOSITIONS = {"state": "after", "fen": "after", "undo": "of", "notation": "of"}
"""The word that precedes the move in a headline. Kinds that concern a move list have none."""
PLAYED = ("state", "fen", "undo")
"""The kinds that concern a legal move that is played or taken back."""
NOT_OF_ONE_MOVE = {
    ("missing", "list-too-short"),
    ("state", "promotion-letters"),
    ("state", "fen-castling"),
    ("state", "fen-en-passant"),
}
"""Kinds and rules of faults that affect many moves in the same way, or that exist before the move is played."""
MAYBE_EARLIER = "It may also be an earlier move"
"""Beginning of the sentence that names other moves that may be the one taken back incorrectly."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][a-z]?")


FROM_TIME_TO_TIME = "answers differ from time to time (threads? a table? uninitialized memory?)"
"""The explanation for an engine that gives different answers to the same question."""
KEPT_STATE = "the count of a position depends on the questions before it"
"""Beginning of the note about an engine that keeps state or a hash table between questions."""


@dataclass(frozen=True)
class SuspiciousLines:
    """Lines of the engine's source that run together, more often in incorrect answers than in correct ones."""

    path: str
    """The source file: its absolute path or, if it was not found, the path as given by the compiler."""
    name: str
    """The path to show, relative to the working folder or the engine's project."""
    first: int
    """The first line, from 1."""
    last: int
    function: str
    """The function, or "" if it is unknown."""
    text: str
    """The first line of source, or "" if the file was not found."""
    score: float
    """The Ochiai coefficient, from 0 to 1."""


class Cause(Enum):
    """The origin of an incorrect count."""

    MOVES = "moves"
    """The move list of a position is incorrect even when the position is set up from its FEN."""
    STATE = "state"
    """A move is played incorrectly: the position is counted correctly from its FEN, but not after the move."""
    COUNT = "count"
    """The number of moves is incorrect, but the engine does not print which moves they are."""
    UNDO = "undo"
    """A move is not taken back correctly: later root moves have incorrect counts, although each is correct by itself.
    """
    VANISHED = "vanished"
    """The engine or the reference contradicts itself: their counts agree when compared step by step."""
    FEN = "fen"
    """The engine prints a FEN with a field that cannot be read; its counts may be correct."""
    SEARCH = "search"
    """A search prints an illegal move, or changes the position."""
    KEY = "key"
    """The hash key of a position ignores part of the position, or depends on how it was reached."""
    PREDICATE = "predicate"
    """A function such as `is_check` returns an incorrect value; the moves may be correct."""
    REFUSED = "refused"
    """The engine rejects a position that the moves lead to, so the cause cannot be determined."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """An incorrect count traced to its cause."""

    cause: Cause
    fen: str
    """The position in which the fault occurs."""
    chess960: bool
    path: tuple[tuple[str, str | None], ...] = ()
    """The moves from the failing position to the one with the fault, as UCI text and SAN."""
    wrong: tuple[WrongMove, ...] = ()
    """The wrong moves in that position."""
    base_fen: str | None = None
    """For a fault of state: the position from which the engine must play `base_moves` to show the fault."""
    base_moves: tuple[str, ...] = ()
    state: tuple[WrongMove, ...] = ()
    """For a fault of state: what is wrong in the engine's own FEN after the first of `base_moves`."""
    divides: int = 0
    """Number of divides requested from the engine."""
    note: str = ""
    depth: int = 1
    """The depth in plies at which the fault shows in the position."""
    setup: str = ""
    """The options with which `base_fen` must be set up to show the fault, named as in `SetupOption`."""
    varies: bool = False
    """Whether the engine gives different answers to the same question, depending on chance."""
    suspicious: tuple[SuspiciousLines, ...] = field(default=(), compare=False)
    """The most suspicious lines of the engine, if its coverage was measured."""

    def noting(self, cause: Cause, note: str) -> Finding:
        """Return a copy with another cause and note."""
        return replace(self, cause=cause, note=note)

    @property
    def headline(self) -> str:
        """A one-line summary without the move itself, such as "extra move: Pinned piece leaves its line"."""
        wrong = self.state or self.wrong
        if not wrong:
            return "wrong count above a position that is refused" if self.cause is Cause.REFUSED else self.note
        more = len({(move.kind, move.rule) for move in wrong}) - 1
        return self.heading(wrong[0]) + self._end_of_headline(more)

    @property
    def headline_with_move(self) -> str:
        """The headline with the first wrong move: "extra move c3d5: Pinned piece leaves its line".

        Use it where the sentences about the moves are not shown. Failures are never grouped by it.
        """
        wrong = self.state or self.wrong
        if not wrong or not self._may_name(wrong[0]):
            return self.headline
        more = len({(move.kind, move.rule, move.uci) for move in wrong}) - 1
        return self._heading_with_move(wrong[0]) + self._end_of_headline(more)

    def _end_of_headline(self, more: int) -> str:
        """Return the end of a headline: how many other moves are wrong, and the setup options that show the fault."""
        return (f" (and {more} more)" if more else "") + (f", set up by {self.setup}" if self.setup else "")

    def heading(self, move: WrongMove) -> str:
        """Return a one-line summary of what is wrong with a move, without the move itself."""
        return f"{self._describe_kind(move)}: {move.title}"

    def _describe_kind(self, move: WrongMove) -> str:
        return "the reference is wrong" if self.engine_is_correct else HEADINGS[move.kind]

    def _heading_with_move(self, move: WrongMove) -> str:
        """Return what is wrong, the move, and the moves played before it."""
        word = "about" if self.engine_is_correct else PREPOSITIONS.get(move.kind, "")
        is_played = move.kind in PLAYED
        text = " ".join(
            filter(None, (self._describe_kind(move), word, self._describe_played_move(move) if is_played else move.uci))
        )
        played = "" if is_played else self._describe_moves_before()
        return (f"after {played}, " if played else "") + f"{text}: {move.title}"

    def _may_name(self, move: WrongMove) -> bool:
        """Return True if a headline may name the move, because it is certain and it alone shows the fault."""
        is_guessed = self.cause is Cause.COUNT or MAYBE_EARLIER in move.sentence
        is_of_one = move.kind != "draw" and (move.kind, move.rule) not in NOT_OF_ONE_MOVE
        return is_of_one and not is_guessed and _MOVE.fullmatch(move.uci) is not None

    def _describe_moves_before(self) -> str:
        """Describe the moves that must be played to show the fault."""
        if self.setup or self.base_fen is None:
            return ""
        return describe_played(self.base_fen, self.chess960, self.base_moves)

    def _describe_played_move(self, move: WrongMove) -> str:
        """Describe a move that is played or taken back incorrectly."""
        if self.base_fen is None or move.uci not in self.base_moves:
            return describe_last(self.fen, self.chess960, (move.uci,))
        end = self.base_moves.index(move.uci) + 1
        return describe_last(self.base_fen, self.chess960, self.base_moves[:end])

    @property
    def engine_is_correct(self) -> bool:
        """Whether the reference, and not the engine, is incorrect about all of the moves."""
        wrong = self.state or self.wrong
        return bool(wrong) and all(move.engine_is_correct for move in wrong)

    @property
    def signature(self) -> tuple[str, ...]:
        """The kinds and rules of what is wrong, which are the same for failures with the same cause."""
        wrong = self.state or self.wrong
        setup = (self.setup,) if self.setup else ()
        return (self.cause.value, *setup, *sorted({f"{move.kind} {move.rule}" for move in wrong}))

    @property
    def pieces(self) -> int:
        """Number of pieces on the board in the position with the fault."""
        return sum(letter.isalpha() for letter in self.fen.split()[0])


def varying_answers(position: Position, details: str = "", depth: int = 1) -> Finding:
    """Return a finding about an engine whose answers about a position depend on chance."""
    return Finding(
        cause=Cause.VANISHED,
        fen=position.fen(),
        chess960=position.chess960,
        note="; ".join(filter(None, [FROM_TIME_TO_TIME, details])),
        depth=depth,
        varies=True,
    )


def finding_after(
    game: Game,
    cause: Cause,
    note: str = "",
    *,
    wrong: Sequence[WrongMove] = (),
    state: Sequence[WrongMove] = (),
    depth: int = 1,
) -> Finding:
    """Return a finding in the last position of a game, with the moves and setup that lead to it."""
    return Finding(
        cause=cause,
        fen=game.position.fen(),
        chess960=game.base.chess960,
        wrong=tuple(wrong),
        base_fen=game.base.fen() if game.moves or isinstance(game, PositionSetup) else None,
        base_moves=tuple(game.uci_moves()),
        state=tuple(state),
        note=note,
        depth=depth,
    )
