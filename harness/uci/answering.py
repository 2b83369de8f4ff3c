"""Answers to UCI commands, which set the position and options, or count."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import UsageError, did_you_mean
from ...generator.counting.counter import Kernel, Stopped
from ...generator.counting.perft import MAX_DEPTH, root_counts
from ...generator.counting.table import Table
from ...generator.kernels.machine.memory import Control
from ...generator.notation.fen import START_FEN
from ...generator.position import Position
from ...generator.types.pieces import PieceType
from ...generator.types.squares import name_of, squares_in
from ...generator.validation import FenError, attackers_of
from ..engines.call import EngineCall
from .session import MOST_MIB, MOST_THREADS, Say, Words, info

NOTHING_TO_DO = ("ucinewgame", "debug", "register", "ponderhit")
"""UCI commands that are accepted and ignored."""
COMMANDS = ("uci", "stop", "quit", "isready", "setoption", "position", "d", "go", "perft", *NOTHING_TO_DO)
"""All commands. `Session` answers the first three."""
OPTIONS = ("Threads", "Hash", "UCI_Chess960")
GATHERED = 3
"""Depth up to which an answer is written in one piece, so that its reader is not woken for each root move."""


@dataclass(frozen=True)
class Options:
    """The values of the options."""

    chess960: bool = False
    """Whether all positions are Chess960, in which castling is written as king takes rook."""
    hash_mib: int | None = None
    """Size of the hash table in MiB. It is None (no table) until the option is set, despite the declared default."""
    threads: int = 1
    """Number of threads that share a large count."""


def with_option(options: Options, words: Words) -> Options:
    """Return the options after a `setoption` command. Raises UsageError."""
    name, _, value = " ".join(words).partition(" value ")
    keyword, _, name = name.partition(" ")
    if keyword != "name" or not value:
        raise UsageError("invalid setoption: write setoption name NAME value VALUE")
    match name.lower():
        case "threads":
            return replace(options, threads=whole(value, 1, MOST_THREADS, "option Threads"))
        case "hash":
            return replace(options, hash_mib=whole(value, 1, MOST_MIB, "option Hash"))
        case "uci_chess960" if value.lower() in ("true", "false"):
            return replace(options, chess960=value.lower() == "true")
        case "uci_chess960":
            raise UsageError(f"option UCI_Chess960 must be true or false, not {value!r}")
    raise UsageError(f"no option {name!r}: {did_you_mean(name, OPTIONS)}")


def whole(text: str, least: int, most: int, what: str) -> int:
    """Return a whole number between `least` and `most`. Raises UsageError, whose message calls the number `what`."""
    is_short = len(text) <= len(str(most))  # Python limits the digits that int() parses
    number = int(text) if is_short and text.isascii() and text.isdigit() else least - 1
    if not least <= number <= most:
        raise UsageError(f"{what} must be a whole number from {least} to {most}, not {text!r}")
    return number


class Answers:
    """Answers commands in order, and keeps the position and options that they set."""

    def __init__(self, kernel: Kernel) -> None:
        """Start in the starting position. `kernel` is the kernel that counts."""
        self._kernel = kernel
        self._options = Options()
        self._table: Table | None = None
        self._position = Position.start()

    def to(self, words: Words, call: EngineCall, say: Say) -> str:
        """Answer a command: pass the first lines to `say`, and return the rest.

        An invalid command is answered with an `info string` and changes nothing.
        """
        try:
            return self._answer(words, call, say)
        except UsageError as error:
            return info(str(error))

    def _answer(self, words: Words, call: EngineCall, say: Say) -> str:
        match words:
            case ["isready", *_]:
                return "readyok\n"
            case ["d", *_]:
                return show_position(self._position)
            case ["setoption", *rest]:
                self._set_option(rest)
            case ["position", *rest]:
                self._position = position_of(rest, self._options.chess960)
            case ["perft", *rest]:
                return self._count(rest, call, say)
            case ["go", *rest] if "perft" in rest:
                return self._count(rest[rest.index("perft") + 1 :], call, say)
            case ["go", *_]:  # answer a GUI that requests a search immediately, with the null move
                return info("perft-check counts and does not search: send go perft DEPTH") + "bestmove 0000\n"
            case [name, *_] if name not in NOTHING_TO_DO:
                raise UsageError(f"unknown command {name!r}: {did_you_mean(name, COMMANDS)}")
        return ""

    def _set_option(self, words: Words) -> None:
        options = with_option(self._options, words)
        if options.hash_mib is not None and options.hash_mib != self._options.hash_mib:
            if self._kernel == "list":
                raise UsageError("option Hash works with own:turbo and own:two-plies only: this kernel has no table")
            self._table = Table(options.hash_mib << 20)
        self._options = options

    def _count(self, words: Words, call: EngineCall, say: Say) -> str:
        """Pass the count of each root move to `say`, and return the rest of the answer. Return early if stopped."""
        position = self._position
        depth = whole(words[0] if words else "", 0, MAX_DEPTH, "the depth of perft")
        if depth == 0:
            return _total(1)
        gathered: list[str] = []
        say = gathered.append if depth <= GATHERED else say
        control = Control()
        call.attach(control)
        counts: list[int] = []
        try:
            for move, nodes in root_counts(
                position, depth, control=control, kernel=self._kernel, threads=self._options.threads, table=self._table
            ):
                say(f"{move.uci(position.chess960)}: {nodes}\n")
                counts.append(nodes)
            end = _total(sum(counts))
        except Stopped:
            end = info(f"stopped: {len(counts)} of {len(position.legal_moves)} root moves counted")
        return "".join(gathered) + end


def _total(nodes: int) -> str:
    return f"\nNodes searched: {nodes}\n\n"


def position_of(words: Words, chess960: bool) -> Position:
    """Return the position that a `position` command describes. Raises UsageError.

    If `chess960` is False, a position is Chess960 only if its castling rights require it.
    """
    end = words.index("moves") if "moves" in words else len(words)
    position = _base(words[:end], chess960)
    for number, text in enumerate(words[end + 1 :], 1):
        position = _play(position, text, number)
    return position


def _base(words: Words, chess960: bool) -> Position:
    match words:
        case ["startpos"]:
            fen = START_FEN
        case ["fen", *fields]:
            fen = " ".join(fields)
        case _:
            raise UsageError("invalid position: write 'startpos' or 'fen FEN', optionally followed by 'moves MOVE ...'")
    try:
        return Position.from_fen(fen, chess960 or None)
    except FenError as error:
        raise UsageError(f"invalid FEN: {error}") from None


def _play(position: Position, text: str, number: int) -> Position:
    """Return the position after a move. The promotion letter may be upper case."""
    try:
        return position.play_unchecked(position.parse_uci(text[:4] + text[4:].lower()))
    except ValueError as error:
        raise UsageError(f"illegal move {number}: {error}") from None


_RULE = f" {'+---' * 8}+\n"
_FILES = "".join(f"   {file}" for file in "abcdefgh")


def show_position(position: Position) -> str:
    """Return the board, the FEN and the checking pieces, as Stockfish prints them."""
    checkers = "".join(f"{name_of(square)} " for square in squares_in(position.checkers))
    return f"\n{_board(position)}\nFen: {fen_of(position)}\nCheckers: {checkers}\n"


def fen_of(position: Position) -> str:
    """Return the FEN as Stockfish writes it: with an en passant square only if a pawn attacks that square.

    In Chess960, castling rights are written as the files of the rooks; otherwise, as KQkq.
    """
    passed = position.en_passant
    own_pawns = position.pieces[position.turn][PieceType.PAWN]
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
