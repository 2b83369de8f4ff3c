"""A small move generator for standard chess with a common design: it uses an array of 64 squares and undoes moves."""

from __future__ import annotations

CORNERS = {"K": 7, "Q": 0, "k": 63, "q": 56}
KINGS = {"K": 4, "Q": 4, "k": 60, "q": 60}
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
DIRECTIONS = {"n": JUMPS, "b": DIAGONAL, "r": STRAIGHT, "q": STRAIGHT + DIAGONAL, "k": STRAIGHT + DIAGONAL}

Undo = tuple[list[tuple[int, str]], tuple[str, int, int, int, int]]
"""The state before a move: contents of changed squares; castling rights, en passant square, clocks, `note`."""


def step(square: int, right: int, up: int) -> int:
    """Return the square that is `right` files and `up` ranks away, or -1."""
    file, rank = square % 8 + right, square // 8 + up
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else -1


def square_of(name: str) -> int:
    """Return the number of a square (a1 is 0)."""
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


def name_of(square: int) -> str:
    """Return the name of a square."""
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1}"


def lines_of(square: int) -> set[int]:
    """Return the squares that a queen reaches on an empty board."""
    return {step(square, right * n, up * n) for right, up in STRAIGHT + DIAGONAL for n in range(1, 8)} - {-1}


LINES = [lines_of(square) for square in range(64)]


class MailboxPosition:
    """A position that lists its legal moves, makes moves and undoes them."""

    chess960 = False

    def __init__(self, fen: str) -> None:
        """Read a FEN. Raises ValueError."""
        pieces, turn, rights, passed, half, full = fen.split()
        rows = pieces.split("/")[::-1]
        self.at = [piece for row in rows for sign in row for piece in ("." * int(sign) if sign.isdigit() else sign)]
        self.white = turn == "w"
        self.rights = rights.strip("-")
        self.passed = -1 if passed == "-" else square_of(passed)
        self.half, self.full = int(half), int(full)
        self.note = 0
        self.undos: list[Undo] = []
        self.doubtful: list[bool] = []
        if len(self.at) != 64 or self.at.count("K") != 1 or self.at.count("k") != 1:
            raise ValueError("not a chess position")

    def fen(self) -> str:
        """Return the FEN with all six fields."""
        rows = ["".join(self.at[rank * 8 : rank * 8 + 8]) for rank in range(7, -1, -1)]
        for length in range(8, 0, -1):
            rows = [row.replace("." * length, str(length)) for row in rows]
        passed = "-" if self.passed < 0 else name_of(self.passed)
        return f"{'/'.join(rows)} {'w' if self.white else 'b'} {self.rights or '-'} {passed} {self.half} {self.full}"

    def legal_moves(self) -> list[str]:
        """Return the legal moves as UCI text."""
        moves: list[str] = []
        king = self.king(self.white)
        is_check = self.is_check()
        self.doubtful = [is_check or square == king or square in LINES[king] for square in range(64)]
        for origin in self.squares("PNBRQK" if self.white else "pnbrqk"):
            kind = self.at[origin].lower()
            if kind == "p":
                self._add_pawn_moves(origin, moves)
            else:
                self._add_piece_moves(origin, kind, moves)
            if kind == "k":
                self._add_castling(origin, moves)
        return moves

    def squares(self, pieces: str) -> list[int]:
        """Return the squares of pieces with these letters."""
        return [square for square, piece in enumerate(self.at) if piece in pieces]

    def own(self, kinds: str) -> list[int]:
        """Return the squares of the side to move's pieces of these kinds."""
        return self.squares(kinds.upper() if self.white else kinds)

    def enemy(self, kinds: str) -> list[int]:
        """Return the squares of the opponent's pieces of these kinds."""
        return self.squares(kinds if self.white else kinds.upper())

    def king(self, white: bool) -> int:
        """Return the square of a king."""
        return self.at.index("K" if white else "k")

    def is_check(self) -> bool:
        """Return True if the side to move is in check."""
        return bool(self.attackers(self.king(self.white), not self.white))

    def attackers(self, square: int, white: bool) -> list[int]:
        """Return the squares from which a side attacks a square."""
        found = []
        for kind, directions in (("n", JUMPS), ("r", STRAIGHT), ("b", DIAGONAL)):
            for right, up in directions:
                at, distance = step(square, right, up), 1
                while at >= 0 and self.at[at] == "." and kind != "n":
                    at, distance = step(at, right, up), distance + 1
                if at < 0 or self.at[at] == "." or self.at[at].isupper() != white:
                    continue
                piece = self.at[at].lower()
                is_slider = kind != "n" and piece in (kind, "q")
                is_pawn = kind == "b" and piece == "p" and (up < 0) == white
                if is_slider or (kind == piece == "n") or (distance == 1 and kind != "n" and (is_pawn or piece == "k")):
                    found.append(at)
        return found

    def _add(self, origin: int, target: int, moves: list[str], into: str = "") -> None:
        if self.doubtful[origin] or target == self.passed:
            self._make(origin, target, into)
            is_safe = not self.attackers(self.king(not self.white), self.white)
            self.pop()
            if not is_safe:
                return
        moves.append(name_of(origin) + name_of(target) + into)

    def _add_pawn_moves(self, origin: int, moves: list[str]) -> None:
        up = 1 if self.white else -1
        targets = []
        for right in (-1, 1):
            target = step(origin, right, up)
            if target >= 0 and (target == self.passed or (self.at[target] != "." and not self.is_own(target))):
                targets.append(target)
        if self.at[origin + 8 * up] == ".":
            targets.append(origin + 8 * up)
            if origin // 8 == (1 if self.white else 6) and self.at[origin + 16 * up] == ".":
                targets.append(origin + 16 * up)
        for target in targets:
            for into in "qrbn" if target // 8 in (0, 7) else [""]:
                self._add(origin, target, moves, into)

    def is_own(self, square: int) -> bool:
        """Return True if the side to move has a piece there."""
        return self.at[square] != "." and self.at[square].isupper() == self.white

    def _add_piece_moves(self, origin: int, kind: str, moves: list[str]) -> None:
        for right, up in DIRECTIONS[kind]:
            target = step(origin, right, up)
            while target >= 0 and not self.is_own(target):
                self._add(origin, target, moves)
                if self.at[target] != "." or kind in "nk":
                    break
                target = step(target, right, up)

    def _add_castling(self, origin: int, moves: list[str]) -> None:
        for right in "KQ" if self.white else "kq":
            if right not in self.rights:
                continue
            corner = CORNERS[right]
            towards = 1 if corner > origin else -1
            between = range(origin + towards, corner, towards)
            if any(self.at[square] != "." for square in between):
                continue
            if any(self.attackers(origin + n * towards, not self.white) for n in (0, 1, 2)):
                continue
            moves.append(name_of(origin) + name_of(origin + 2 * towards))

    def push(self, move: str) -> None:
        """Make a move of `legal_moves`."""
        self._make(square_of(move[:2]), square_of(move[2:4]), move[4:])

    def _make(self, origin: int, target: int, into: str) -> None:
        piece, taken, up = self.at[origin], self.at[target], 8 if self.white else -8
        kind = piece.lower()
        changes = [(origin, "."), (target, (into.upper() if self.white else into) or piece)]
        if kind == "p" and target == self.passed:
            changes.append((target - up, "."))
        if kind == "k" and abs(target - origin) == 2:
            rook = target + 1 if target > origin else target - 2
            changes += [((origin + target) // 2, self.at[rook]), (rook, ".")]
        state = (self.rights, self.passed, self.half, self.full, self.note)
        self.undos.append(([(square, self.at[square]) for square, _ in changes], state))
        for square, letter in changes:
            self.at[square] = letter
        for right in self.rights:
            if {origin, target} & {CORNERS[right], KINGS[right]}:
                self.rights = self.rights.replace(right, "")
        self.passed = origin + up if kind == "p" and target - origin == 2 * up else -1
        self.half = 0 if kind == "p" or taken != "." else self.half + 1
        self.full += not self.white
        self.white = not self.white

    def pop(self) -> None:
        """Undo the last move."""
        squares, state = self.undos.pop()
        self.white = not self.white
        for square, letter in squares:
            self.at[square] = letter
        self.rights, self.passed, self.half, self.full, self.note = state
