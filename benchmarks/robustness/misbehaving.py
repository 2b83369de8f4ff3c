"""UCI engines that misbehave, each in one way: `python misbehaving.py NAME`.

The name describes the misbehavior. Apart from it, the engines count correctly, with python-chess.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from fakes.engine import say, sleep_for_ever
from fakes.uci_engine import START, UciEngine

Divide = dict[str, int]


class WellBehaved(UciEngine):
    """An engine without any misbehavior."""

    greeting = "id name misbehaving\noption name UCI_Chess960 type check default false"
    fen = START

    def position(self, fen: str, moves: Sequence[str]) -> None:
        self.fen = fen
        super().position(fen, moves)

    def answer(self, depth: int) -> None:
        assert self.board is not None
        divide = {self.board.uci(move): count for move, count in self.counts(self.board, depth)}
        self.print_answer(divide, sum(divide.values()), depth)

    def print_answer(self, divide: Divide, total: int, _depth: int) -> None:
        say(*lines_of(divide), "", f"Nodes searched: {total}", "")


ENGINES: dict[str, tuple[str, str, Callable[[], WellBehaved]]] = {}
"""The expected verdict, the kind of misbehavior and the class of each engine, by name."""

AGREE, MISMATCH, CRASH, TIMEOUT = "agree", "mismatch", "crash", "timeout"
UNPARSEABLE, REJECTED, REFUSED = "unparseable output", "rejected position", "no start"
"""The verdicts. An engine that is rejected at startup has no verdict, only a message and exit status 3."""


def engine(name: str, verdict: str, kind: str) -> Callable[[type[WellBehaved]], type[WellBehaved]]:
    """Add an engine to the list."""

    def add(engine_class: type[WellBehaved]) -> type[WellBehaved]:
        ENGINES[name] = verdict, kind, engine_class
        return engine_class

    return add


def starting(name: str, verdict: str, does: Callable[[WellBehaved], object]) -> None:
    """Add an engine that does something on `uci`, before it answers."""

    class Starting(WellBehaved):
        def greet(self) -> None:
            does(self)
            super().greet()

    ENGINES[name] = verdict, "at its start", Starting


def counting(
    name: str, verdict: str, does: Callable[[WellBehaved, int], object], *, counts: bool = False, at_once: bool = False
) -> None:
    """Add an engine that does something when a count is requested, and then counts only if `counts`.

    The first request is always for the starting position; it is answered correctly unless `at_once`.
    """

    class DoesAtCounts(WellBehaved):
        def answer(self, depth: int) -> None:
            is_known = self.fen == START and not at_once
            if not is_known:
                does(self, depth)
            if counts or is_known:
                super().answer(depth)

    ENGINES[name] = verdict, "when it counts", DoesAtCounts


def printing(name: str, verdict: str, answer_of: Callable[[Divide, int, int], list[str] | str]) -> None:
    """Add an engine that prints its answer in a certain form: some lines, or root moves and a text as the total."""

    class Printing(WellBehaved):
        def print_answer(self, divide: Divide, total: int, depth: int) -> None:
            answer = answer_of(divide, total, depth)
            say(*([*lines_of(divide), f"Nodes searched: {answer}"] if isinstance(answer, str) else answer))

    ENGINES[name] = verdict, "in what it prints", Printing


def lines_of(divide: Divide) -> list[str]:
    return [f"{move}: {count}" for move, count in divide.items()]


def kill(number: int) -> None:
    os.kill(os.getpid(), number)
    sleep_for_ever()


def write(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def die(*words: str, status: int = 1) -> None:
    print(*words, sep="\n", file=sys.stderr, flush=True)
    os._exit(status)


def daemon(environment: dict[str, str] | None) -> None:
    """Start a process in a new session, and end its parent immediately."""
    code = "import os, time\nif os.fork(): os._exit(0)\nos.setsid()\ntime.sleep(300)\n"
    command = [sys.executable, "-c", code, f"misbehaving-daemon-of-{sys.argv[1]}"]
    quiet = subprocess.DEVNULL
    subprocess.run(
        command, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True, check=True
    )


def child_on_the_pipe() -> None:
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", *sys.argv[1:]])


def ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def use_memory() -> None:
    with contextlib.suppress(MemoryError):
        hoard = [bytearray(16 << 20) for _ in range(40)]
        time.sleep(0.1 + 0 * len(hoard))


# At the start.
starting("silent", REFUSED, lambda _: sleep_for_ever())
starting("exits-0-at-once", REFUSED, lambda _: os._exit(0))
starting("exits-7-at-once", REFUSED, lambda _: die("cannot find network file nn-0000.nnue", status=7))
starting("segfault-at-once", REFUSED, lambda _: kill(signal.SIGSEGV))
starting("real-time-signal-at-once", REFUSED, lambda _: kill(40))
starting("stops-itself", REFUSED, lambda _: kill(signal.SIGSTOP))
starting("closes-stdout-at-once", REFUSED, lambda _: (os.close(1), sleep_for_ever()))
starting("closes-stdin-at-once", REFUSED, lambda _: (os.close(0), sleep_for_ever()))
starting("banner-of-1-megabyte", AGREE, lambda _: say(*("hello, I am an engine" for _ in range(50_000))))
starting("banner-without-end", REFUSED, lambda _: [say("hello, I am an engine") for _ in itertools.count()])
starting("one-line-without-end", REFUSED, lambda _: [write(b"x" * 65_536) for _ in itertools.count()])
starting("random-bytes", AGREE, lambda _: write(bytes(range(256)) * 40 + b"\n"))
starting("zero-bytes", AGREE, lambda _: write(b"\0" * 1000 + b"\n"))
starting("takes-two-seconds", AGREE, lambda _: time.sleep(2))
starting("escape-sequences", AGREE, lambda _: say("id name \x1b[31mred\x1b]0;title\x07 \u202ename", "\x1b[2J\x1b[H"))
starting("a-name-of-60-kilobytes", AGREE, lambda _: say("id name " + "long " * 12_000))
starting("prompts", AGREE, lambda _: write(b"> "))
starting("stderr-of-4-megabytes", AGREE, lambda _: print("debug\n" * 700_000, file=sys.stderr))
starting("ignores-signals", AGREE, lambda _: ignore_signals())
starting(
    "fifty-threads", AGREE, lambda _: [threading.Thread(target=sleep_for_ever, daemon=True).start() for _ in range(50)]
)
starting("changes-its-folder", AGREE, lambda _: os.chdir("/"))
starting("a-child-on-the-pipe", AGREE, lambda _: child_on_the_pipe())
starting("a-daemon", AGREE, lambda _: daemon(None))
starting("a-daemon-with-an-empty-environment", AGREE, lambda _: daemon({}))
starting("640-megabytes", AGREE, lambda _: use_memory())
starting("limits-its-own-files", AGREE, lambda _: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))

# When it counts.
counting("hangs", TIMEOUT, lambda *_: sleep_for_ever())
counting("busy-without-end", TIMEOUT, lambda *_: [None for _ in itertools.count()])
counting("counts-nothing", TIMEOUT, lambda *_: None)
counting("exits-3", CRASH, lambda *_: die("fatal: illegal board", status=3))
counting("exits-0", CRASH, lambda *_: os._exit(0))
counting("segfault", CRASH, lambda *_: kill(signal.SIGSEGV))
counting("aborts", CRASH, lambda *_: (print("perft.c:12: main: Assertion `0' failed.", file=sys.stderr), kill(6)))
counting("real-time-signal", CRASH, lambda *_: kill(40))
counting("kills-itself", CRASH, lambda *_: kill(signal.SIGKILL))
counting("stops-when-it-counts", TIMEOUT, lambda *_: kill(signal.SIGSTOP))
counting(
    "rust-panic",
    CRASH,
    lambda *_: die(
        "thread 'main' panicked at src/board.rs:7:9:",
        "index out of bounds",
        "note: run with `RUST_BACKTRACE=1`",
        status=101,
    ),
)
counting(
    "go-panic",
    CRASH,
    lambda *_: die(
        "panic: runtime error: index out of range [64]", "", "goroutine 1 [running]:", "main.main()", status=2
    ),
)
counting(
    "java-exception",
    CRASH,
    lambda *_: die('Exception in thread "main" java.lang.NullPointerException', "\tat Board.make(Board.java:7)"),
)
counting(
    "cpp-exception",
    CRASH,
    lambda *_: (print("terminate called after throwing an instance of 'std::out_of_range'", file=sys.stderr), kill(6)),
)
counting("python-exception", CRASH, lambda *_: chess.Move.from_uci("e2e9"))
counting("closes-its-output", CRASH, lambda *_: (os.close(1), sleep_for_ever()))
counting("exit-while-a-child-holds-the-pipe", CRASH, lambda *_: (child_on_the_pipe(), os._exit(7)))
counting("lines-without-end", UNPARSEABLE, lambda *_: [say("info string still counting") for _ in itertools.count()])
counting("a-line-of-60-kilobytes", AGREE, lambda *_: say("a1" * 30_000), counts=True)
counting("a-line-of-digits", AGREE, lambda *_: say("1" * 60_000), counts=True)
counting("a-line-of-900-kilobytes", AGREE, lambda *_: say("invalid " * 112_000), counts=True)
counting("a-line-without-an-end", UNPARSEABLE, lambda *_: [write(b"still counting ") for _ in itertools.count()])
counting("drips", TIMEOUT, lambda *_: [(write(b"."), time.sleep(0.05)) for _ in itertools.count()])
counting("zero-bytes-when-it-counts", AGREE, lambda *_: write(b"\0" * 1000 + b"\n"), counts=True)
counting("invalid-utf-8-when-it-counts", AGREE, lambda *_: write(b"\xc3\x28 \xff\xfe\n"), counts=True)
counting("answers-in-utf-16", TIMEOUT, lambda *_: write("Nodes searched: 20\n".encode("utf-16")))
counting("forks-and-hangs", TIMEOUT, lambda *_: (daemon({}), child_on_the_pipe(), sleep_for_ever()))
counting("stderr-without-end", TIMEOUT, lambda *_: [print("debug", file=sys.stderr) for _ in itertools.count()])
counting(
    "searches", REFUSED, lambda *_: say("info depth 1 score cp 20 nodes 21 pv e2e4", "bestmove e2e4"), at_once=True
)
counting(
    "talks-like-a-search-before", AGREE, lambda *_: say("info depth 1 seldepth 1 score cp 20 pv e2e4"), counts=True
)
counting("a-third-of-a-second-each", AGREE, lambda *_: time.sleep(0.3), counts=True)
counting("slower-and-slower", TIMEOUT, lambda engine, _: time.sleep(0.2 * 2**engine.asked), counts=True)
counting("crashes-the-fifth-time", CRASH, lambda engine, _: engine.asked < 5 or kill(signal.SIGSEGV), counts=True)
counting(
    "remarks-in-between", AGREE, lambda *_: say("perft of what? ah, yes", "0", "e2e4 is my favorite: 1"), counts=True
)

# In its output.
printing("no-root-moves", AGREE, lambda _, total, __: [f"Nodes searched: {total}"])
printing("no-total", REFUSED, lambda divide, _, __: lines_of(divide))
printing("one-too-many", MISMATCH, lambda _, total, __: str(total + 1))
printing("a-negative-total", REFUSED, lambda _, total, __: str(-total))
printing("a-total-of-30-digits", UNPARSEABLE, lambda *_: str(10**29))
printing("not-a-number", REFUSED, lambda *_: "NaN")
printing("hexadecimal", REFUSED, lambda _, total, __: f"{total:#x}")
printing("thousands-separators", AGREE, lambda _, total, __: f"{total:,}")
printing("points-between-thousands", AGREE, lambda _, total, __: f"{total:,}".replace(",", "."))
printing("spaces-between-thousands", AGREE, lambda _, total, __: f"{total:,}".replace(",", " "))
printing(
    "a-root-move-in-another-form",
    AGREE,
    lambda divide, total, _: [
        *(line.replace("e1f1", "Kf1") for line in lines_of(divide)),
        f"Nodes searched: {total}",
    ],
)
printing(
    "no-root-moves-without-leaf-nodes",
    AGREE,
    lambda divide, total, _: [
        *lines_of({move: count for move, count in divide.items() if count}),
        f"Nodes searched: {total}",
    ],
)
printing(
    "carriage-returns",
    AGREE,
    lambda divide, total, _: [f"{line}\r" for line in (*lines_of(divide), f"Nodes searched: {total}")],
)
printing(
    "a-root-move-twice",
    AGREE,
    lambda divide, total, _: [*lines_of(divide), lines_of(divide)[0], f"Nodes searched: {total}"],
)
printing(
    "a-root-move-that-is-none",
    MISMATCH,
    lambda divide, total, _: [*lines_of(divide), "e1e9: 1", "a1a1: 1", f"Nodes searched: {total + 1}"],
)
printing(
    "upper-case-moves",
    AGREE,
    lambda divide, total, _: [*(line.upper() for line in lines_of(divide)), f"Nodes searched: {total}"],
)
printing(
    "no-promotion-letters",
    AGREE,
    lambda divide, total, _: [*(f"{move[:4]}: {count}" for move, count in divide.items()), f"Nodes searched: {total}"],
)
printing("an-answer-twice", AGREE, lambda divide, total, _: [*lines_of(divide), f"Nodes searched: {total}"] * 2)
printing("root-moves-after-the-total", AGREE, lambda divide, total, _: [f"Nodes searched: {total}", *lines_of(divide)])
printing(
    "colors",
    AGREE,
    lambda divide, total, _: [f"\x1b[32m{line}\x1b[0m" for line in (*lines_of(divide), f"Nodes searched: {total}")],
)
printing(
    "a-total-for-each-depth",
    AGREE,
    lambda divide, total, depth: [
        *(f"perft {shallow}: {20**shallow}" for shallow in range(1, depth)),
        *lines_of(divide),
        f"Nodes searched: {total}",
    ],
)
printing(
    "other-numbers-after",
    AGREE,
    lambda divide, total, _: [*lines_of(divide), f"Nodes searched: {total}", "Time: 3 ms", "NPS: 12345"],
)


@engine("no-uciok", REFUSED, "at its start")
class NeverSaysUciok(WellBehaved):
    def greet(self) -> None:
        say("id name misbehaving")


@engine("no-readyok", REFUSED, "at its start")
class NoReadyok(WellBehaved):
    def hear(self, line: str) -> None:
        if line.split() != ["isready"]:
            super().hear(line)


@engine("uciok-on-stderr", REFUSED, "at its start")
class UciokOnStderr(WellBehaved):
    def greet(self) -> None:
        print("uciok", file=sys.stderr, flush=True)


@engine("wide-characters", REFUSED, "at its start")
class WideCharacters(WellBehaved):
    def greet(self) -> None:
        write("id name wide\nuciok\n".encode("utf-16"))


@engine("flushes-late", AGREE, "at its start")
class FlushesLate(WellBehaved):
    flushes = False

    def hear(self, line: str) -> None:
        super().hear(line)
        if line != "uci\n":
            sys.stdout.flush()


@engine("echoes", AGREE, "at its start")
class Echoes(WellBehaved):
    def hear(self, line: str) -> None:
        say(" ".join(line.split()))
        super().hear(line)


@engine("a-prompt-before-each-command", AGREE, "at a command")
class PromptBeforeEachCommand(WellBehaved):
    def hear(self, line: str) -> None:
        super().hear(line)
        write(b"perft> ")


@engine("no-chess960", AGREE, "at its start")
class OffersNoChess960(WellBehaved):
    greeting = "id name misbehaving"


@engine("crash-on-setoption", CRASH, "at a command")
class CrashOnSetoption(WellBehaved):
    def hear(self, line: str) -> None:
        if line.startswith("setoption"):
            kill(signal.SIGSEGV)
        super().hear(line)


@engine("crash-on-the-second-position", CRASH, "at a command")
class CrashOnSecondPosition(WellBehaved):
    positions = 0

    def position(self, fen: str, moves: Sequence[str]) -> None:
        self.positions += 1
        if self.positions == 2:
            kill(signal.SIGSEGV)
        super().position(fen, moves)


@engine("exits-at-a-position", CRASH, "at a command")
class ExitsAtAPosition(WellBehaved):
    def position(self, fen: str, moves: Sequence[str]) -> None:
        if "Q" in fen.split()[0] and fen != START and "q" in fen.split()[0]:
            die("bad fen")
        super().position(fen, moves)


@engine("refuses-in-words", AGREE, "at a command")
class RefusesInWords(WellBehaved):
    def position(self, fen: str, moves: Sequence[str]) -> None:
        if fen != START:
            say("info string Illegal FEN: " + fen)
        super().position(fen, moves)


@engine("keeps-the-position-before", REJECTED, "at a command")
class KeepsThePositionBefore(WellBehaved):
    def position(self, fen: str, moves: Sequence[str]) -> None:
        if "q" not in fen.split()[0] or fen == START:
            super().position(fen, moves)


@engine("ignores-moves", AGREE, "at a command")
class IgnoresMoves(WellBehaved):
    def position(self, fen: str, moves: Sequence[str]) -> None:
        super().position(fen, [])


@engine("refuses-moves", AGREE, "at a command")
class RefusesMoves(WellBehaved):
    def position(self, fen: str, moves: Sequence[str]) -> None:
        if moves:
            say("error: unexpected argument 'moves'")
            self.board = chess.Board.empty()
        else:
            super().position(fen, [])


@engine("reads-nothing", REFUSED, "at a command")
class ReadsNothing(WellBehaved):
    def serve(self) -> None:
        sleep_for_ever()


@engine("one-answer-a-process", AGREE, "at a command")
class OneAnswer(WellBehaved):
    def print_answer(self, divide: Divide, total: int, depth: int) -> None:
        super().print_answer(divide, total, depth)
        os._exit(0)


@engine("wrong-every-third-time", UNPARSEABLE, "at a command")
class MiscountsEveryThird(WellBehaved):
    def print_answer(self, divide: Divide, total: int, depth: int) -> None:
        super().print_answer(divide, total + (self.asked % 3 == 0), depth)


@engine("counts-one-deeper", MISMATCH, "at a command")
class CountsDeeper(WellBehaved):
    def answer(self, depth: int) -> None:
        super().answer(depth + 1)


@engine("answers-the-question-before", REFUSED, "at a command")
class AnswersTheQuestionBefore(WellBehaved):
    before: tuple[Divide, int] = ({}, 0)

    def print_answer(self, divide: Divide, total: int, depth: int) -> None:
        answer, self.before = self.before, (divide, total)
        super().print_answer(*answer, depth)


@engine("forgets-en-passant", MISMATCH, "in its rules")
class ForgetsEnPassant(WellBehaved):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        return [move for move in board.legal_moves if not board.is_en_passant(move)]


@engine("castles-through-check", MISMATCH, "in its rules")
class CastlesThroughCheck(WellBehaved):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        king, legal = board.king(board.turn), list(board.legal_moves)
        if king not in (chess.E1, chess.E8) or not board.has_kingside_castling_rights(board.turn):
            return legal
        castling = chess.Move(king, king + 2)
        is_free = not any(board.piece_at(square) for square in (king + 1, king + 2))
        return [*legal, castling] if is_free and castling not in legal else legal


@engine("king-walks-into-check", MISMATCH, "in its rules")
class KingWalksIntoCheck(WellBehaved):
    def moves(self, board: chess.Board) -> list[chess.Move]:
        return list(board.pseudo_legal_moves)


if __name__ == "__main__":
    Path("/proc/self/comm").write_text("misbehaving")
    ENGINES[sys.argv[1]][2]().serve()
