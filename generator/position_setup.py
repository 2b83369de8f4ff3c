"""How an engine is brought to a position: how its FEN is written, and what the engine is told or asked before.

All setups of one position have the same moves and the same counts. Many programs are wrong in one of them alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from .game import Game
from .position import Position
from .symmetry import flip_colors, flip_move, mirror_files, mirror_move
from .types.moves import Move
from .validation import kept_rights, possible_en_passant, possible_rights


class SetupOption(Enum):
    """One thing that is done in another way than usual. The values are the words of a suite line."""

    START_BY_NAME = "startpos"
    """The position is the starting one, and called by its name."""
    NEW_GAME = "ucinewgame"
    """A new game is announced before."""
    SHREDDER = "shredder"
    """Castling rights are the files of the rooks in standard chess, too."""
    XFEN = "xfen"
    """Castling rights are KQkq in Chess960, too, wherever that is clear."""
    EN_PASSANT_IF_LEGAL = "ep-if-legal"
    """The en passant square is left out where no pawn may take there."""
    FOUR_FIELDS = "four-fields"
    """The FEN ends before the two counters."""
    TWICE = "twice"
    """The same question is asked before."""
    AFTER_ANOTHER = "after-another"
    """A question about `another` position is asked before."""
    COLORS_SWAPPED = "colors-swapped"
    """The engine is asked about the position with White and Black swapped."""
    FILES_MIRRORED = "files-mirrored"
    """The engine is asked about the position with left and right swapped, where nobody may castle."""


IMAGE_OPTIONS = frozenset({SetupOption.COLORS_SWAPPED, SetupOption.FILES_MIRRORED})
"""Options by which the engine is asked about another position, in which every move has its image."""
ANOTHER = "r3k2r/8/8/8/pP5P/8/8/R3K2R b KQkq b3 0 60"
ANOTHER_WITH_CLOCK = "r3k2r/8/8/8/p6P/8/8/R3K2R b KQkq - 99 60"
"""Positions that leave a mark in an engine that keeps something of them: rights, turn, en passant, clock."""
MOST_MOVES_TOLD = 12
"""A description names so many moves of a game."""
_WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGE_OPTIONS}
)
"""Options that say something of the FEN, which a position that is called by its name has not."""
_BY_WORD = {option.value: option for option in SetupOption}
_FILES = str.maketrans("abcdefgh", "hgfedcba")
_RANKS = str.maketrans("12345678", "87654321")


@dataclass(frozen=True, repr=False)
class PositionSetup(Game):
    """A line, and the options by which an engine is brought to it. Raises ValueError if these do not fit."""

    options: frozenset[SetupOption] = frozenset()

    def __post_init__(self) -> None:
        options = self.options
        if SetupOption.START_BY_NAME in options:
            if options & _WRITTEN:
                raise ValueError("startpos goes with no option that is about a FEN")
            if replace(self.base, chess960=False) != Position.start():
                raise ValueError("startpos is the name of another position")
        if {SetupOption.SHREDDER, SetupOption.XFEN} <= options:
            raise ValueError("castling rights are written as xfen or as shredder")
        if SetupOption.FILES_MIRRORED in options and self.base.castling:
            raise ValueError("files-mirrored needs a position in which nobody may castle")

    @classmethod
    def of(cls, game: Game, options: Iterable[SetupOption]) -> PositionSetup:
        """Return a line that is set up by these options. Raises ValueError if they do not fit."""
        return cls(game.base, game.moves, frozenset(options))

    def __str__(self) -> str:
        """Return the line, and the options behind it: "FEN moves e2e4 setup startpos ucinewgame"."""
        return f"{super().__str__()} setup {format_setup(self.options)}" if self.options else super().__str__()

    def __repr__(self) -> str:
        """Return the expression that makes the setup: it can be pasted."""
        return f"PositionSetup.of({Game(self.base, self.moves)!r}, parse_setup({format_setup(self.options)!r}))"

    def __getstate__(self) -> dict[str, object]:
        """Pickle what it is made of."""
        return {**super().__getstate__(), "options": self.options}

    @property
    def image(self) -> PositionSetup:
        """What the engine is asked about: the position with colors or files swapped, if it has such an option."""
        if not self.options & IMAGE_OPTIONS:
            return self
        base, moves = self.base, self.moves
        for option, of_position, of_move in _SYMMETRIES:
            if option in self.options:
                base, moves = of_position(base), tuple(map(of_move, moves))
        return PositionSetup(base, moves, self.options - IMAGE_OPTIONS)

    def map_move(self, move: str) -> str:
        """Return the move, as UCI text, of which a move of the image is the image, and the other way round."""
        squares, letter = move[:4], move[4:]
        if SetupOption.COLORS_SWAPPED in self.options:
            squares = squares.translate(_RANKS)
        if SetupOption.FILES_MIRRORED in self.options:
            squares = squares.translate(_FILES)
        return squares + letter

    def without(self, *options: SetupOption) -> PositionSetup:
        """Return the same without some options."""
        return replace(self, options=self.options.difference(options))


_SYMMETRIES = (
    (SetupOption.COLORS_SWAPPED, flip_colors, flip_move),
    (SetupOption.FILES_MIRRORED, mirror_files, mirror_move),
)


def truncated_at(setup: PositionSetup, end: int, position: Position) -> PositionSetup:
    """Return a setup up to one of its moves, which leads to a position that is known."""
    part = replace(setup, moves=setup.moves[:end])
    part.__dict__["position"] = position  # what the cached property would find by playing all moves again
    return part


def options_of(game: Game) -> frozenset[SetupOption]:
    """Return the options by which a line is set up; none if it is set up as usual."""
    return game.options if isinstance(game, PositionSetup) else frozenset()


def with_same_setup(like: Game, base: Position, moves: tuple[Move, ...]) -> Game | None:
    """Return another line that is set up as `like` is, or None if it cannot be."""
    if not isinstance(like, PositionSetup):
        return Game(base, moves)
    try:
        return PositionSetup(base, moves, like.options)
    except ValueError:
        return None


def format_setup(options: Iterable[SetupOption]) -> str:
    """Return options as a suite line and a command line have them, in the order of their declaration."""
    chosen = {*options}
    return " ".join(option.value for option in SetupOption if option in chosen)


def parse_setup(words: str) -> frozenset[SetupOption]:
    """Return the options of a text that `format_setup` might have made. Raises ValueError, which says what there is."""
    for word in words.split():
        if word not in _BY_WORD:
            raise ValueError(f"{word!r} is no setup: there are {', '.join(_BY_WORD)}")
    return frozenset(_BY_WORD[word] for word in words.split())


def describe_setup(options: Iterable[SetupOption], moves: Sequence[str]) -> str:
    """Return how an engine is brought to a position, such as "`position startpos moves e2e4`, after `ucinewgame`"."""
    chosen, played = {*options}, _shorten(moves)
    if SetupOption.START_BY_NAME in chosen:
        said = [f"`position startpos{' moves ' * bool(played)}{played}`"]
    else:
        written = "".join(f" {phrase}" for option, phrase in _OF_FEN.items() if option in chosen)
        said = [f"its FEN{written}" + (f" and the moves {played}" if played else "")]
    said += [phrase for option, phrase in _BESIDE.items() if option in chosen]
    return ", ".join(said)


def _shorten(moves: Sequence[str]) -> str:
    """Return moves, of very many only the first and the last ones."""
    if len(moves) <= MOST_MOVES_TOLD:
        return " ".join(moves)
    few = MOST_MOVES_TOLD // 2
    return f"{' '.join(moves[:few])} ... {' '.join(moves[-few:])} ({len(moves)} moves)"


_OF_FEN = {
    SetupOption.SHREDDER: "with castling rights as the files of the rooks",
    SetupOption.XFEN: "with castling rights as KQkq",
    SetupOption.EN_PASSANT_IF_LEGAL: "without the en passant square, where no pawn may take",
    SetupOption.FOUR_FIELDS: "without its two counters",
    SetupOption.COLORS_SWAPPED: "with White and Black swapped",
    SetupOption.FILES_MIRRORED: "with left and right swapped",
}
_BESIDE = {
    SetupOption.NEW_GAME: "after `ucinewgame`",
    SetupOption.TWICE: "asked for twice in a row",
    SetupOption.AFTER_ANOTHER: "right after a question about another position",
}


def fen_of(game: Game) -> str:
    """Return the FEN of the base of a line as engines are sent it: rights in Chess960 as the files of the rooks."""
    base, options = game.base, options_of(game)
    by_file = SetupOption.SHREDDER in options or (base.chess960 and SetupOption.XFEN not in options)
    fen = base.fen(
        castling="shredder" if by_file else "xfen",
        en_passant="legal" if SetupOption.EN_PASSANT_IF_LEGAL in options else "given",
    )
    return fen.rsplit(" ", 2)[0] if SetupOption.FOUR_FIELDS in options else fen


def setup_without_moves(game: Game) -> Game:
    """Return the position at the end of a line, whose FEN is written as the line says, for who plays no moves."""
    if not isinstance(game, PositionSetup):
        return game.without_moves()
    return PositionSetup(game.position, (), game.options - {SetupOption.START_BY_NAME})


def preceding_game(setup: PositionSetup) -> Game:
    """Return the line about which an engine is asked before `AFTER_ANOTHER`: it has what the next FEN has not.

    If it can be, that is the same placement of pieces with every castling right, and another en passant square; without
    either, with the other side to move.
    """
    base = setup.base
    if SetupOption.FOUR_FIELDS in setup.options:
        return Game(Position.from_fen(ANOTHER_WITH_CLOCK, base.chess960))
    rooks = sum(1 << rook for rook in possible_rights(base.pieces, base.chess960))
    rights = kept_rights(base.pieces, rooks, base.chess960)
    squares = [one for one in possible_en_passant(base.pieces, base.turn) if one != base.en_passant]
    usable = [one for one in squares if replace(base, en_passant=one).legal_en_passant is not None]
    square = next(iter(usable or squares), None)
    if (rights | base.castling, square) == (base.castling, None):
        if not base.castling and base.en_passant is None and not base.in_check:
            return Game(replace(base, turn=base.turn.other, halfmove=0))
        return Game(Position.from_fen(ANOTHER, base.chess960))
    return Game(replace(base, castling=rights, en_passant=square, halfmove=0))
