"""perft-check's generator as a UCI engine, for tools that count with Stockfish: `perft-check uci`.

A session reads commands while it counts, so that `stop` works. One thread reads lines, another executes commands in
order, and the main thread writes all answers, so that it can always be interrupted by Ctrl-C. The kernels take a second
to import, so they are loaded after the greeting.
"""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import UsageError, did_you_mean, shorten
from ..generator.notation.fen import START_FEN
from ..generator.position import Position
from ..generator.types.pieces import PieceType
from ..generator.types.squares import name_of, squares_in
from ..generator.validation import FenError, attackers_of
from ..platforms.streams import ClosedPipe
from .engines.call import EngineCall
from .shutdown import POLL_SECONDS

if TYPE_CHECKING:
    from ..generator.counting.counter import Kernel, Table

Words = Sequence[str]
Say = Callable[[str], None]
"""A function that writes the first lines of an answer."""
Answer = Callable[[Words, EngineCall, Say], str]
"""A function that returns the rest of the answer to a command."""
MOST_THREADS, MOST_MIB = 1024, 2**25
"""Stockfish's upper bounds for the options Threads and Hash."""
DECLARATIONS = f"""\
option name Threads type spin default 1 min 1 max {MOST_THREADS}
option name Hash type spin default 16 min 1 max {MOST_MIB}
option name UCI_Chess960 type check default false
"""
BANNER = f"perft-check {__version__}, which counts and does not search\n"
"""The first line. Tools made for Stockfish skip one line before they read answers."""
NAME = f"perft-check {__version__}"
GREETING = f"id name {NAME}\nid author the authors of perft-check\n\n{DECLARATIONS}uciok\n"
COUNTS = ("go", "perft")
"""Commands that may take a long time."""
MOST_SECONDS_TO_END = 2.0
"""Time in seconds that the session waits at its end for a stopped count to return."""
LONGEST_LINE = 1_000_000
"""Maximum length of a line in bytes, a hundred times what the longest possible game needs."""
CHUNK = 65_536
LONGEST_INFO = 400
"""Maximum length of an `info string` in characters."""


def lines_of(descriptor: int) -> Iterator[str | None]:
    """Yield the lines of a file descriptor without line endings, and None for each line that is too long.

    The last line may be incomplete. Raises OSError.
    """
    kept = b""
    while chunk := os.read(descriptor, CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield _text(kept + part)
            kept = b""
        if len(kept) <= LONGEST_LINE:
            kept += rest
    if kept:
        yield _text(kept)


def _text(line: bytes) -> str | None:
    return line.decode(errors="replace") if len(line) <= LONGEST_LINE else None


class Output:
    """An unbuffered output. The lock of a buffer could prevent Ctrl-C from ending the program."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._is_closed = ClosedPipe(descriptor)

    def write(self, text: str) -> None:
        """Write a text. Raises OSError."""
        data = memoryview(text.encode())
        while data:
            data = data[os.write(self._descriptor, data) :]

    @property
    def is_closed(self) -> bool:
        """Whether the reader is known to have closed its end."""
        return bool(self._is_closed)


def info(text: str) -> str:
    """Return an `info string` line."""
    return f"info string {shorten(text, LONGEST_INFO)}\n"


@dataclass(frozen=True)
class Job:
    """A queued command, and the call that stops it."""

    words: Words
    call: EngineCall = field(default_factory=EngineCall)


class Session:
    """A session from its first line to `quit` or the end of the input."""

    def __init__(
        self, lines: Iterable[str | None], output: Output, load: Callable[[], Answer], name: str = NAME
    ) -> None:
        """Create a session. `load` loads the generator on first use, and `name` is the engine's name."""
        self._lines, self._output, self._load = lines, output, load
        self._greeting = GREETING.replace(NAME, name, 1)
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        """Actions for the main thread, queued by the other two."""
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._unfinished: deque[Job] = deque()
        self._listening = True

    def answer_all(self) -> None:
        """Answer all commands until `quit` or the end of the input, as Stockfish does.

        Raises OSError if the output cannot be written, and UsageError if the input cannot be read.
        """
        worker = Thread(target=self._work, daemon=True, name="counts")
        Thread(target=self._read, daemon=True, name="input").start()
        worker.start()
        try:
            self._output.write(BANNER)
            while self._listening or self._unfinished:
                self._next_event()()
        finally:
            self._stop()
            self._jobs.put(None)
            worker.join(MOST_SECONDS_TO_END)

    def _read(self) -> None:
        failure = None
        try:
            for line in self._lines:
                self._events.put(partial(self._hear, line))
        except OSError as error:
            failure = error
        self._events.put(partial(self._end_input, failure))

    def _work(self) -> None:
        answer: Answer | None = None
        for job in iter(self._jobs.get, None):
            try:
                answer = answer or self._load()
                text = answer(job.words, job.call, lambda part: self._events.put(partial(self._output.write, part)))
            except BaseException as fault:
                self._events.put(partial(self._end_job, "", fault))
            else:
                self._events.put(partial(self._end_job, text))

    def _next_event(self) -> Callable[[], None]:
        """Wait for an event. Raises BrokenPipeError if the reader closes its end during a long count."""
        while self._unfinished:
            try:
                return self._events.get(timeout=POLL_SECONDS)
            except Empty:
                if self._output.is_closed:
                    raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from None
        return self._events.get()

    def _end_job(self, text: str, fault: BaseException | None = None) -> None:
        """Remove a job from the queue, then write the rest of its answer, to which the client may react immediately."""
        self._unfinished.popleft()
        if fault is not None:
            raise fault
        self._output.write(text)

    def _end_input(self, failure: OSError | None) -> None:
        self._listening = False
        if failure is not None:
            raise UsageError(f"cannot read stdin: {failure.strerror}")

    def _hear(self, line: str | None) -> None:
        """Answer urgent commands immediately and queue the others."""
        if not self._listening:
            return
        if line is None:
            self._output.write(info(f"a line of more than {LONGEST_LINE:,} bytes is ignored"))
            return
        words = line.split()
        match words:
            case []:
                pass
            case ["quit", *_]:
                self._listening = False
            case ["stop", *_]:
                self._stop()
            case ["uci", *_]:
                self._output.write(self._greeting)
            case ["isready", *_] if not self._unfinished or self._is_counting:
                self._output.write("readyok\n")
            case [first, *_] if not first.startswith("#"):
                self._unfinished.append(Job(words))
                self._jobs.put(self._unfinished[-1])

    @property
    def _is_counting(self) -> bool:
        return any(job.words[0] in COUNTS for job in self._unfinished)

    def _stop(self) -> None:
        for job in self._unfinished:
            job.call.stop()


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
            from ..generator.counting.counter import Table

            self._table = Table(options.hash_mib << 20)
        self._options = options

    def _count(self, words: Words, call: EngineCall, say: Say) -> str:
        """Pass the count of each root move to `say`, and return the rest of the answer. Return early if stopped."""
        from ..generator.counting.counter import Stopped
        from ..generator.counting.perft import MAX_DEPTH, root_counts
        from ..generator.kernels.machine.memory import Control

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
