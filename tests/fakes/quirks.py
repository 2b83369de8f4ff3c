"""A correct generator with some quirks: `python quirks.py KIND [QUIRK[=VALUE] ...]`.

uci                                    speaks UCI, and prints its FEN for `d`
plain                                  the same without `uci` and `isready`
argv ... -- FEN DEPTH [MOVES]          takes the position as arguments, for `cmd:`
script ... -- DEPTH FEN [MOVES]        the perftree convention, for `script:`

lacks=KIND                does not list moves of this kind: castling, en-passant, rook-moves ...
unlisted=dies             ends with a panic when it is sent a move that it does not list; by default it rejects it
dies-playing=MOVE         ends when it is sent this move, which it lists
keeps=TEXT                silently keeps the previous position at a FEN that contains this text
moves=errors              answers `moves` after a FEN with an error; ignores: counts the FEN itself; mute; dies
separator=TEXT            the thousands separator; encoding=NAME its encoding
castling=O-O              writes castling as O-O; castling=0-0 with digits
notation=NAME             writes root moves in one of NOTATIONS
line=TEMPLATE             the line of a root move, with {number}, {text} and {count}
castles-always            lists castling at depth 1 if there is a right to it, legal or not
misspells=MOVE:TEXT       writes TEXT in place of a root move
root-moves-from-depth-2   prints none at depth 1
no-zeros                  omits root moves with a count of 0
counts                    prints no root moves
no-total                  prints only root moves and an empty line
fen:N=OLD:NEW             replaces text in field N, from 0 on, of the FEN that it prints
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fakes.counting import perft
from fakes.uci_engine import UciEngine

KINDS: dict[str, Callable[[chess.Board, chess.Move], bool]] = {
    "castling": lambda board, move: board.is_castling(move),
    "en-passant": lambda board, move: board.is_en_passant(move),
    "underpromotions": lambda _, move: move.promotion not in (None, chess.QUEEN),
    "queen-moves": lambda board, move: board.piece_type_at(move.from_square) == chess.QUEEN,
    "knight-moves": lambda board, move: board.piece_type_at(move.from_square) == chess.KNIGHT,
    "rook-moves": lambda board, move: board.piece_type_at(move.from_square) == chess.ROOK,
}
"""Types of moves that may be missing."""


def vague(board: chess.Board, move: chess.Move) -> str:
    """Return a move without the letter that tells two pieces apart."""
    san = board.san(move)
    return san[0] + san[2:] if len(san) > 3 and san[0] in "NRBQ" and san[1] in "abcdefgh12345678" else san


FIGURINES = str.maketrans("KQRBN", "\u2654\u2655\u2656\u2657\u2658")
NOTATIONS: dict[str, Callable[[chess.Board, chess.Move], str]] = {
    "san": lambda board, move: board.san(move),
    "bare": lambda board, move: board.san(move).rstrip("+#").replace("=", "").replace("O", "0"),
    "hyphens": lambda board, move: board.lan(move),
    "figurines": lambda board, move: board.san(move).translate(FIGURINES),
    "castling": lambda board, move: board.san(move) if board.is_castling(move) else move.uci(),
    "one-unknown": lambda board, move: "the long step" if move.uci() in ("a2a4", "e5d6") else board.san(move),
    "vague": vague,
    "capitals": lambda _, move: move.uci()[:4] + move.uci()[4:].upper(),
    "marked": lambda board, move: board.san(move) + " e.p." * board.is_en_passant(move),
    "in-words": lambda board, move: board.san(move) + " takes on the way" * board.is_en_passant(move),
    "dots": lambda board, move: f"1... {board.san(move)}",
}
"""Notations of root moves."""


class QuirkyGenerator:
    """Lists moves, counts below them, and writes answers."""

    def __init__(self, words: Iterable[str]) -> None:
        pairs = [word.partition("=")[::2] for word in words]
        self.quirks = dict(pairs)
        self.misspelt = dict(value.split(":", 1) for name, value in pairs if name == "misspells")
        self.fields: list[tuple[int, str, str]] = []
        for name, value in pairs:
            if name.startswith("fen:"):
                old, new = value.split(":")
                self.fields.append((int(name[4:]), old, new))

    def moves(self, board: chess.Board) -> list[chess.Move]:
        lacks = KINDS.get(self.quirks.get("lacks", ""))
        return [move for move in board.legal_moves if lacks is None or not lacks(board, move)]

    def castlings(self, board: chess.Board) -> list[str]:
        """Return illegal castling that is listed, as O-O and O-O-O."""
        if "castles-always" not in self.quirks:
            return []
        king, side = board.king(board.turn), self.quirks.get("castling", "O-O")
        rooks = [
            rook for rook in chess.scan_forward(board.clean_castling_rights()) if board.color_at(rook) == board.turn
        ]
        legal = {move.to_square > move.from_square for move in board.legal_moves if board.is_castling(move)}
        wings = [rook > king for rook in rooks if king is not None and (rook > king) not in legal]
        return [side if king_side else f"{side}-{side[0]}" for king_side in wings]

    def count(self, board: chess.Board, depth: int) -> int:
        if "lacks" not in self.quirks:
            return perft(board, depth)
        if depth == 0:
            return 1
        total = 0
        for move in self.moves(board):
            board.push(move)
            total += self.count(board, depth - 1)
            board.pop()
        return total

    def play(self, board: chess.Board, moves: Iterable[str]) -> None:
        """Play moves. Raises ValueError if one is not listed."""
        for text in moves:
            move = board.parse_uci(text)
            if text == self.quirks.get("dies-playing"):
                sys.exit(3)
            if move not in self.moves(board):
                if self.quirks.get("unlisted") == "dies":
                    print("thread 'main' panicked: called `Option::unwrap()` on a `None` value", file=sys.stderr)
                    sys.exit(101)
                raise ValueError(f"illegal move: {text}")
            board.push(move)

    def answer(self, board: chess.Board, depth: int) -> str:
        lines, total = [], 0
        template = self.quirks.get("line", "{text}: {count}")
        for number, move in enumerate(self.moves(board), 1):
            text = self.written(board, move)
            board.push(move)
            below = self.count(board, depth - 1)
            board.pop()
            total += below
            if depth == 1 and "root-moves-from-depth-2" in self.quirks:
                continue
            if "counts" not in self.quirks and (below or "no-zeros" not in self.quirks):
                lines.append(template.format(number=number, text=text, count=self.number(below)) + "\n")
        extra = self.castlings(board) if depth == 1 else []
        total += len(extra)
        lines += [f"{text}: 1\n" for text in extra]
        end = "" if "no-total" in self.quirks else f"Nodes searched: {self.number(total)}\n"
        return "".join(lines) + "\n" + end

    def written(self, board: chess.Board, move: chess.Move) -> str:
        if self.quirks.get("castling") and board.is_castling(move):
            side = self.quirks["castling"]
            return side if board.is_kingside_castling(move) else f"{side}-{side[0]}"
        if "notation" in self.quirks:
            return NOTATIONS[self.quirks["notation"]](board, move)
        text = board.uci(move)
        return self.misspelt.get(text, text)

    def number(self, value: int) -> str:
        return f"{value:,}".replace(",", self.quirks.get("separator", ""))

    def fen(self, board: chess.Board) -> str:
        fields = board.fen(en_passant="fen").split()
        for place, old, new in self.fields:
            fields[place] = fields[place].replace(old, new)
        return " ".join(fields)


class QuirkyEngine(UciEngine):
    """Speaks UCI, or the same without `uci` and `isready`."""

    def __init__(self, generator: QuirkyGenerator, speaks_uci: bool) -> None:
        super().__init__()
        self.generator, self.speaks_uci = generator, speaks_uci

    def hear(self, line: str) -> None:
        match line.split():
            case ["uci"] | ["isready"] if not self.speaks_uci:
                return
            case ["uci"]:
                say(self.generator, "id name quirks\noption name UCI_Chess960 type check default false\nuciok\n")
            case ["isready"]:
                say(self.generator, "readyok\n")
            case ["d"]:
                say(self.generator, "" if self.board is None else f"Fen: {self.generator.fen(self.board)}\n")
            case ["position", "startpos", *_]:
                return
            case _:
                super().hear(line)

    def position(self, fen: str, moves: Sequence[str]) -> None:
        if self.generator.quirks.get("keeps", "-none-") not in fen:
            self.board = positioned(self.generator, chess.Board(fen, chess960=self.chess960), moves)

    def answer(self, depth: int) -> None:
        if self.board is not None:
            say(self.generator, self.generator.answer(self.board, depth))


def positioned(generator: QuirkyGenerator, board: chess.Board, moves: Sequence[str]) -> chess.Board | None:
    """Return the position after moves, if the generator plays moves; None if it sets up no position."""
    kind = generator.quirks.get("moves")
    if not moves or kind == "ignores":
        return board
    if kind == "dies":
        print("unexpected moves", file=sys.stderr)
        sys.exit(2)
    if kind in ("errors", "mute"):
        say(generator, "error: unexpected argument 'moves'\n" * (kind == "errors"))
        return None
    try:
        generator.play(board, moves)
    except ValueError as error:
        say(generator, f"info string {error}\n")
        return None
    return board


def say(generator: QuirkyGenerator, text: str) -> None:
    sys.stdout.buffer.write(text.encode(generator.quirks.get("encoding", "utf-8")))
    sys.stdout.buffer.flush()


def main() -> None:
    kind, *words = sys.argv[1:]
    if kind in ("uci", "plain"):
        QuirkyEngine(QuirkyGenerator(words), speaks_uci=kind == "uci").serve()
        return
    end = words.index("--")
    generator, given = QuirkyGenerator(words[:end]), words[end + 1 :]
    fen, depth = given[:2] if kind == "argv" else (given[1], given[0])
    board = positioned(generator, chess.Board(fen), " ".join(given[2:]).split())
    if board is None:
        sys.exit(1)
    total = "" if kind == "script" else "Nodes: "
    say(generator, generator.answer(board, int(depth)).replace("Nodes searched: ", total))


if __name__ == "__main__":
    main()
