"""Check that every command accepts correct engines of each type without Chess960 support, and measure the time.

    python benchmarks/correct_engines.py [--speed 10000] [TYPE ...]

The engines count `--speed` leaf nodes per second. They are the example in C, which needs `cc`, and Python functions and
a class based on python-chess. Prints the exit status, the seconds and the last line of output of `run`, `doctor`,
`init` and `fuzz` (which runs for `--fuzz` seconds). The exit status is 1 if any command fails.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from perft_check.harness.engines import library

C_EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "c"
PROGRAM = r"""
#include "generator.h"
#include <unistd.h>
static void standard(const char *from, char *to) { // drop castling rights that name files: no Chess960
    int field = 0;
    char *start = to;
    for (; *from && to < start + 200; from++) {
        field += *from == ' ';
        if (field == 2 && strchr("ABCDEFGHabcdefgh", *from)) continue;
        *to++ = *from;
        if (field == 3 && to[-2] == ' ' && to[-3] == ' ') to--;
    }
    *to = 0;
}
static int begin(Board *b, const char *fen) {
    char text[256];
    standard(fen, text);
    int known = read_fen(b, text);
    b->chess960 = 0;
    if (king(b, 1) != 4) b->rooks &= ~0xFFull;
    if (king(b, 0) != 60) b->rooks &= ~(0xFFull << 56);
    b->rooks &= BIT(0) | BIT(7) | BIT(56) | BIT(63);
    return known;
}
static void moves(Board *b, const char *text) {
    while (text && *text) {
        Move move;
        text += strspn(text, " \n");
        if (*text && read_move(b, text, &move)) play(b, move);
        text = strchr(text, ' ');
    }
}
static void divide(const Board *b, int depth, const char *separator) {
    Move list[MOST_MOVES];
    long long total = 0;
    for (int i = 0, n = legal_moves(b, list); i < n; i++) {
        Board after = *b;
        char name[6];
        play(&after, list[i]);
        long long count = depth > 1 ? perft(&after, depth - 1) : 1;
        write_move(b, list[i], name);
        printf("%s%s%lld\n", name, separator, count);
        total += count;
    }
    usleep(total * 1000000 / SPEED);
    printf(*separator == ':' ? "\nNodes searched: %lld\n" : "\n%lld\n", total);
    fflush(stdout);
}
int main(int argc, char **argv) {
    Board b;
    char line[8192];
    if (argc > 1 && !strcmp(argv[1], "cmd")) return begin(&b, argv[2]) ? divide(&b, atoi(argv[3]), ": "), 0 : 1;
    if (argc > 1) { // DEPTH FEN [MOVES]
        if (!begin(&b, argv[2])) return 1;
        moves(&b, argc > 3 ? argv[3] : "");
        divide(&b, atoi(argv[1]), " ");
        return 0;
    }
    begin(&b, START);
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "quit", 4)) return 0;
        if (!strncmp(line, "uci", 3) && line[3] < ' ') puts("uciok");
        if (!strncmp(line, "isready", 7)) puts("readyok");
        char *rest = strstr(line, "moves ");
        if (rest) rest[-1] = 0;
        if (!strncmp(line, "position startpos", 17)) begin(&b, START), moves(&b, rest ? rest + 6 : "");
        if (!strncmp(line, "position fen ", 13)) begin(&b, line + 13), moves(&b, rest ? rest + 6 : "");
        if (!strncmp(line, "go perft ", 9)) divide(&b, atoi(line + 9), ": ");
        fflush(stdout);
    }
}
"""
LIBRARY = r"""
#define main unused
#include "program.c"
#include "perft_check.h"
int64_t perft_check_perft(const char *fen, int depth) {
    Board b;
    if (!begin(&b, fen)) return PERFT_CHECK_REJECTED;
    long long nodes = perft(&b, depth);
    usleep(nodes * 1000000 / SPEED);
    return nodes;
}
"""
PYTHON = """
import time
import chess

SPEED = {speed}

def pay(nodes, began):
    time.sleep(max(0, began + nodes / SPEED - time.monotonic()))
    return nodes

def leaves(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total

def moves(fen):
    began = time.monotonic()
    found = [move.uci() for move in chess.Board(fen).legal_moves]
    pay(len(found), began)
    return found

def count(fen, depth):
    began = time.monotonic()
    return pay(leaves(chess.Board(fen), depth), began)

def divide(fen, depth, moves):
    began = time.monotonic()
    board = chess.Board(fen)
    for move in moves:
        board.push_uci(move)
    pairs = []
    for move in list(board.legal_moves):
        board.push(move)
        pairs.append((move.uci(), leaves(board, depth - 1) if depth > 1 else 1))
        board.pop()
    pay(sum(nodes for _, nodes in pairs), began)
    return pairs

class Board:
    def __init__(self, fen):
        self.board = chess.Board(fen)
    def legal_moves(self):
        began = time.monotonic()
        found = list(self.board.legal_moves)
        pay(len(found), began)
        return found
    def push(self, move):
        self.board.push(move)
    def pop(self):
        self.board.pop()
    def fen(self):
        return self.board.fen()
"""
DESCRIPTOR = {"launch": "./program", "case": "position fen {fen}{moves}\ngo perft {depth}", "uci": False}
TYPES = {
    "uci": "./program",
    "descriptor": "program.json",
    "cmd": "cmd:./program cmd {fen} {depth}",
    "script": "script:./program",
    "lib": "lib:./library.so",
    "python f(fen)": "python:mine:moves",
    "python f(fen, depth)": "python:mine:count",
    "python f(fen, depth, moves)": "python:mine:divide",
    "python class": "python:mine:Board",
}


def build(folder: Path, speed: int) -> None:
    """Write and compile the engines."""
    (folder / "program.c").write_text(PROGRAM, encoding="utf-8")
    (folder / "library.c").write_text(LIBRARY, encoding="utf-8")
    (folder / "mine.py").write_text(PYTHON.replace("{speed}", str(speed)), encoding="utf-8")
    (folder / "program.json").write_text(json.dumps(DESCRIPTOR), encoding="utf-8")
    common = ["cc", "-O2", "-w", f"-DSPEED={speed}ll", f"-I{C_EXAMPLE}", f"-I{next(iter(library.__path__))}"]
    subprocess.run([*common, "-o", "program", "program.c"], check=True, cwd=folder)
    subprocess.run([*common, "-shared", "-fPIC", "-o", "library.so", "library.c"], check=True, cwd=folder)


def commands(spec: str, fuzz_seconds: int) -> dict[str, list[str]]:
    return {
        "run": ["run", "-e", spec],
        "doctor": ["doctor", "-e", spec],
        "init": ["init", "-e", spec, "--force"],
        "fuzz": ["fuzz", "-e", spec, "--time", str(fuzz_seconds)],
    }


def main() -> None:
    """Try each type of engine, and print one line per command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--speed", type=int, default=10_000)
    parser.add_argument("--fuzz", type=int, default=10)
    parser.add_argument("types", metavar="TYPE", nargs="*", default=list(TYPES))
    options = parser.parse_args()
    has_passed = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, options.speed)
        for engine_type in options.types:
            for title, arguments in commands(TYPES[engine_type], options.fuzz).items():
                began = time.monotonic()
                environment = {**os.environ, "COLUMNS": "200"}
                command = [sys.executable, "-P", "-m", "perft_check", *arguments]
                done = subprocess.run(
                    command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
                )
                last = (done.stdout.splitlines() or done.stderr.splitlines() or [""])[-1]
                has_passed &= done.returncode == 0
                print(
                    f"{engine_type:28} {title:7} {done.returncode} {time.monotonic() - began:5.1f} s  {last}",
                    flush=True,
                )
                (folder / "perft-check.toml").unlink(missing_ok=True)
    sys.exit(not has_passed)


if __name__ == "__main__":
    main()
