"""What is answered to commands in their order: the position and the options that they set, and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ...errors import UsageError, did_you_mean
from ...generator.counting.counter import Kernel, Stopped
from ...generator.counting.perft import MAX_DEPTH, root_counts
from ...generator.counting.table import Table
from ...generator.kernels.machine.memory import Control
from ...generator.notation.fen import START_FEN
from ...generator.position import Position
from ...generator.types.moves import Move
from ...generator.types.pieces import Kind
from ...generator.types.squares import name_of, squares_in
from ...generator.validation import FenError, attackers_of
from ..engines.call import EngineCall
from .protocol import Options, info, whole, with_option

Words = Sequence[str]

NOTHING_TO_DO = ("ucinewgame", "debug", "register", "ponderhit")
"""Commands of the protocol that change nothing about counts."""
OUT_OF_ORDER = ("uci", "stop", "quit")
"""Commands that do not wait for their turn, and so do not come here."""


class Answers:
    """The answers to commands that are given one after the other."""

    def __init__(self, kernel: Kernel) -> None:
        """Begin with the starting position, to be counted by a kernel."""
        self._kernel = kernel
        self._options = Options()
        self._table: Table | None = None
        self._position = Position.start()
        self._commands: dict[str, Callable[[Words, EngineCall, Say], str]] = {
            "isready": lambda *_: "readyok\n",
            "setoption": self._set_option,
            "position": self._set_up,
            "d": lambda *_: show_position(self._position),
            "go": self._go,
            "perft": self._count,
            **dict.fromkeys(NOTHING_TO_DO, lambda *_: ""),
        }

    def to(self, words: Words, call: EngineCall, say: Say) -> str:
        """Return the answer to a command, or its end where the rest has been said.

        A command that cannot be followed changes nothing: a line says why.
        """
        command = self._commands.get(words[0])
        try:
            if command is None:
                known = (*OUT_OF_ORDER, *self._commands)
                raise UsageError(f"unknown command {words[0]!r}: {did_you_mean(words[0], known)}")
            return command(words[1:], call, say)
        except UsageError as error:
            return info(str(error))

    def _set_option(self, words: Words, _call: EngineCall, _say: Say) -> str:
        options = with_option(self._options, words)
        if options.hash_mib is not None and options.hash_mib != self._options.hash_mib:
            if self._kernel == "list":
                raise UsageError("option Hash is for own:turbo and own:two-plies: counts go on without a table")
            self._table = Table(options.hash_mib << 20)
        self._options = options
        return ""

    def _set_up(self, words: Words, _call: EngineCall, _say: Say) -> str:
        self._position = position_of(words, self._options.chess960)
        return ""

    def _go(self, words: Words, call: EngineCall, say: Say) -> str:
        """Count. A search, which a GUI may ask for, ends at once without a move."""
        if "perft" in words:
            return self._count(words[words.index("perft") + 1 :], call, say)
        return info("perft-check counts and does not search: ask for go perft DEPTH") + "bestmove 0000\n"

    def _count(self, words: Words, call: EngineCall, say: Say) -> str:
        counts = partial(root_counts, kernel=self._kernel, threads=self._options.threads, table=self._table)
        return count(self._position, depth_of(words), counts, call, say)


Say = Callable[[str], None]
"""Takes a part of an answer, whole lines, before the answer is complete."""
RootCounts = Callable[..., Iterator[tuple[Move, int]]]
"""`generator.counting.perft.root_counts` with all that a count may use."""

GATHERED = 3
"""Depth up to which an answer is given all at once, which saves its reader waking up for each root move."""


def depth_of(words: Sequence[str]) -> int:
    """Return the depth of a count, by the words behind `perft`. Raises UsageError."""
    return whole(words[0] if words else "", 0, MAX_DEPTH, "the depth of perft")


def count(position: Position, depth: int, root_counts: RootCounts, call: EngineCall, say: Say) -> str:
    """Return the end of the answer to a count; the root moves are said before. It ends early if the call is stopped."""
    if depth == 0:
        return _total(1)
    gathered: list[str] = []
    say = gathered.append if depth <= GATHERED else say
    control = Control()
    call.attach(control)
    counts: list[int] = []
    try:
        for move, nodes in root_counts(position, depth, control=control):
            say(f"{move.uci(position.chess960)}: {nodes}\n")
            counts.append(nodes)
        end = _total(sum(counts))
    except Stopped:
        end = info(f"stopped: {len(counts)} of {len(position.legal_moves)} root moves are counted")
    return "".join(gathered) + end


def _total(nodes: int) -> str:
    return f"\nNodes searched: {nodes}\n\n"


def position_of(words: Sequence[str], chess960: bool) -> Position:
    """Return the position of the words behind `position`. Raises UsageError.

    Without `chess960` a position is one of Chess960 where its castling rights need it.
    """
    end = words.index("moves") if "moves" in words else len(words)
    position = _base(words[:end], chess960)
    for number, text in enumerate(words[end + 1 :], 1):
        position = _play(position, text, number)
    return position


def _base(words: Sequence[str], chess960: bool) -> Position:
    match words:
        case ["startpos"]:
            fen = START_FEN
        case ["fen", *fields]:
            fen = " ".join(fields)
        case _:
            raise UsageError("invalid position: it is 'startpos' or 'fen FEN', and then may have 'moves MOVE ...'")
    try:
        return Position.from_fen(fen, chess960 or None)
    except FenError as error:
        raise UsageError(f"invalid FEN: {error}") from None


def _play(position: Position, text: str, number: int) -> Position:
    """Return the position after a move. The piece of a promotion may be an upper-case letter."""
    try:
        return position.play_unchecked(position.parse_uci(text[:4] + text[4:].lower()))
    except ValueError as error:
        raise UsageError(f"illegal move {number}: {error}") from None


_RULE = f" {'+---' * 8}+\n"
_FILES = "".join(f"   {file}" for file in "abcdefgh")


def show_position(position: Position) -> str:
    """Return the board, the FEN and the pieces that give check."""
    checkers = "".join(f"{name_of(square)} " for square in squares_in(position.checkers))
    return f"\n{_board(position)}\nFen: {fen_of(position)}\nCheckers: {checkers}\n"


def fen_of(position: Position) -> str:
    """Return the FEN, with an en passant square only where a pawn stands ready to take, as Stockfish has it.

    Castling rights are the files of the rooks in Chess960, and else KQkq.
    """
    passed = position.en_passant
    own_pawns = position.pieces[position.turn][Kind.PAWN]
    if passed is not None and not attackers_of(position.pieces, passed, position.turn) & own_pawns:
        position = replace(position, en_passant=None)
    return position.fen(castling="shredder" if position.chess960 else "xfen")


def _board(position: Position) -> str:
    rows = position.fen().split()[0].split("/")
    ranks = "".join(f"{_row(row)} {rank}\n{_RULE}" for rank, row in zip(range(8, 0, -1), rows, strict=True))
    return f"{_RULE}{ranks}{_FILES}\n"


def _row(row: str) -> str:
    squares = "".join(" " * int(letter) if letter.isdigit() else letter for letter in row)
    return " " + "".join(f"| {letter} " for letter in squares) + "|"
