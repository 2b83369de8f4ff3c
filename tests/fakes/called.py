"""A correct program that is started for each question, with one kind of arguments: `python called.py MANNER ...`.

perft           perft DEPTH FEN                      commands   'position fen FEN' 'go perft DEPTH'
getopt          -d DEPTH -f FEN, with defaults       split      DEPTH and the fields of the FEN
piped           DEPTH, with the FEN on stdin         spoken     `fen FEN` and `perft DEPTH` on stdin, up to its end
argparse        count --position FEN --plies DEPTH   start      always counts the starting position
mistaken        perft DEPTH FEN, one leaf too many
deaf            waits forever                        other      prints the number 7
file            -i POSITION_FILE DEPTH          asks       FEN and DEPTH on stdin, after prompts
games           --level DEPTH --board FEN, root moves in SAN, in color and with Windows line endings
json            perft FEN DEPTH, all on one line
"""

from __future__ import annotations

import argparse
import getopt
import sys
import time
from collections.abc import Callable
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import divide, perft


def perft_command(words: list[str]) -> None:
    if len(words) != 3 or words[0] != "perft":
        sys.exit("usage: called perft DEPTH FEN")
    for move in divide(chess.Board(words[2]), int(words[1])):
        print(f"{move.uci}: {move.nodes}")


def mistaken(words: list[str]) -> None:
    if len(words) != 3 or words[0] != "perft":
        sys.exit("usage: called perft DEPTH FEN")
    print("Nodes:", perft(chess.Board(words[2]), int(words[1])) + 1)


def options(words: list[str]) -> None:
    try:
        given = dict(getopt.getopt(words, "d:f:")[0])
    except getopt.GetoptError as error:
        sys.exit(str(error))
    print("Nodes:", perft(chess.Board(given.get("-f", chess.STARTING_FEN)), int(given.get("-d", "3"))))


def split(words: list[str]) -> None:
    if len(words) != 7:
        print("seven words, please")
        sys.exit(64)
    print("Nodes:", perft(chess.Board(" ".join(words[1:])), int(words[0])))


def piped(words: list[str]) -> None:
    if len(words) != 1:
        sys.exit("echo FEN | called DEPTH")
    for line in sys.stdin:
        print(perft(chess.Board(line.strip()), int(words[0])))


def spoken(_words: list[str]) -> None:
    board = chess.Board()
    for line in sys.stdin:
        name, _, rest = line.strip().partition(" ")
        if name == "fen":
            board = chess.Board(rest)
        elif name == "perft":
            print("Nodes:", perft(board, int(rest)))
        else:
            print("what is", name)


def parsed(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="called")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("play")
    count = commands.add_parser("count")
    count.add_argument("--position", help="where to begin")
    count.add_argument("--plies", type=int)
    count.add_argument("--divide", action="store_true")
    given = parser.parse_args(words)
    if given.command == "count":
        print("Nodes:", perft(chess.Board(given.position), given.plies))


def commands(words: list[str]) -> None:
    position, go = words
    print("Nodes:", perft(chess.Board(position.removeprefix("position fen ")), int(go.removeprefix("go perft "))))


def file(words: list[str]) -> None:
    if len(words) != 3 or words[0] != "-i":
        sys.exit("Usage: called.py file -i <position file> <depth>")
    moves = divide(chess.Board(Path(words[1]).read_text()), int(words[2]))
    print("+-------+-------+")
    for move in moves:
        print(f"| {move.uci} | {move.nodes:>5} |")
    print(f"| total | {sum(move.nodes for move in moves):>5,} |")


def asks(_words: list[str]) -> None:
    board = chess.Board(input("Enter FEN: "))
    depth = int(input("Enter depth: "))
    for each in range(1, depth + 1):
        print(f"Depth {each} -> {perft(board, each)} positions (0.003 s)")


def games(words: list[str]) -> None:
    if words[::2] != ["--level", "--board"]:
        sys.exit("usage: called games [-q] --level DEPTH --board FEN")
    board = chess.Board(words[3])
    for move in divide(board, int(words[1])):
        print(f"\x1b[1m{board.san(chess.Move.from_uci(move.uci)):8}\x1b[0m {move.nodes}", end="\r\n")
    print(f"\x1b[1;32mTOTAL........ {perft(board, int(words[1])):,}\x1b[0m", end="\r\n")


def start(words: list[str]) -> None:
    depth = next((int(word) for word in words if word.isdecimal()), 3)
    print("Nodes:", perft(chess.Board(), depth))


def deaf(_words: list[str]) -> None:
    time.sleep(1000)


def other(_words: list[str]) -> None:
    print(7)


MANNERS: dict[str, Callable[[list[str]], None]] = {
    "perft": perft_command,
    "mistaken": mistaken,
    "getopt": options,
    "split": split,
    "piped": piped,
    "spoken": spoken,
    "argparse": parsed,
    "commands": commands,
    "start": start,
    "deaf": deaf,
    "other": other,
    "file": file,
    "asks": asks,
    "games": games,
}

if __name__ == "__main__":
    MANNERS[sys.argv[1]](sys.argv[2:])
