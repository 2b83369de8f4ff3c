"""Setting up a position in an engine: how the FEN is written, and what is sent before the question.

The setup does not affect the legal moves and counts, but many engines handle one of the setups incorrectly.
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
    """A deviation from the usual setup. The values are the words used in suite files and on the command line."""

    START_BY_NAME = "startpos"
    """The starting position is set up by name, `startpos`."""
    NEW_GAME = "ucinewgame"
    """`ucinewgame` is sent first."""
    SHREDDER = "shredder"
    """Castling rights are written as the files of the rooks, even in standard chess."""
    XFEN = "xfen"
    """Castling rights are written as KQkq, even in Chess960, unless that is ambiguous."""
    EN_PASSANT_IF_LEGAL = "ep-if-legal"
    """The en passant square is written only if a legal move uses it."""
    FOUR_FIELDS = "four-fields"
    """The FEN has no counters."""
    TWICE = "twice"
    """The same question is asked twice in a row."""
    AFTER_ANOTHER = "after-another"
    """A question about another position (see `preceding_game`) is asked first."""
    COLORS_SWAPPED = "colors-swapped"
    """The engine is asked about the position with White and Black swapped."""
    FILES_MIRRORED = "files-mirrored"
    """The engine is asked about the position with left and right swapped; requires a position without castling
    rights."""


IMAGE_OPTIONS = frozenset({SetupOption.COLORS_SWAPPED, SetupOption.FILES_MIRRORED})
"""Options with which the engine is asked about a mirror image of the position."""
ANOTHER = "r3k2r/8/8/8/pP5P/8/8/R3K2R b KQkq b3 0 60"
ANOTHER_WITH_CLOCK = "r3k2r/8/8/8/p6P/8/8/R3K2R b KQkq - 99 60"
"""Positions whose castling rights, side to move, en passant square or clock an engine may fail to reset."""
MAX_MOVES_SHOWN = 12
"""Maximum number of moves of a game in a description."""
_WRITTEN = frozenset(
    {SetupOption.SHREDDER, SetupOption.XFEN, SetupOption.EN_PASSANT_IF_LEGAL, SetupOption.FOUR_FIELDS, *IMAGE_OPTIONS}
)
"""Options that affect only the FEN, which is not used if a position is set up by name."""
_BY_WORD = {option.value: option for option in SetupOption}
_FILES = str.maketrans("abcdefgh", "hgfedcba")
_RANKS = str.maketrans("12345678", "87654321")


@dataclass(frozen=True, repr=False)
class PositionSetup(Game):
    """A game, and the options with which it is set up in an engine.

    Raises ValueError if the options contradict each other or are not applicable to the position.
    """

    options: frozenset[SetupOption] = frozenset()

    def __post_init__(self) -> None:
        options = self.options
        if SetupOption.START_BY_NAME in options:
            if options & _WRITTEN:
                raise ValueError("startpos cannot be combined with an option about the FEN")
            if replace(self.base, chess960=False) != Position.start():
                raise ValueError("startpos needs the starting position")
        if {SetupOption.SHREDDER, SetupOption.XFEN} <= options:
            raise ValueError("xfen and shredder cannot be combined")
        if SetupOption.FILES_MIRRORED in options and self.base.castling:
            raise ValueError("files-mirrored needs a position without castling rights")

    @classmethod
    def of(cls, game: Game, options: Iterable[SetupOption]) -> PositionSetup:
        """Return a game with setup options. Raises ValueError if they are not applicable."""
        return cls(game.base, game.moves, frozenset(options))

    def __str__(self) -> str:
        """Return the game, followed by the options: "FEN moves e2e4 setup startpos ucinewgame"."""
        return f"{super().__str__()} setup {format_setup(self.options)}" if self.options else super().__str__()

    def __repr__(self) -> str:
        """Return an expression that recreates the setup."""
        return f"PositionSetup.of({Game(self.base, self.moves)!r}, parse_setup({format_setup(self.options)!r}))"

    def __getstate__(self) -> dict[str, object]:
        """Pickle only the game and the options."""
        return {**super().__getstate__(), "options": self.options}

    @property
    def image(self) -> PositionSetup:
        """The setup sent to the engine, with colors or files swapped if an option requires it."""
        if not self.options & IMAGE_OPTIONS:
            return self
        base, moves = self.base, self.moves
        for option, of_position, of_move in _SYMMETRIES:
            if option in self.options:
                base, moves = of_position(base), tuple(map(of_move, moves))
        return PositionSetup(base, moves, self.options - IMAGE_OPTIONS)

    def map_move(self, move: str) -> str:
        """Convert a move in UCI notation between the image and the original position."""
        squares, letter = move[:4], move[4:]
        if SetupOption.COLORS_SWAPPED in self.options:
            squares = squares.translate(_RANKS)
        if SetupOption.FILES_MIRRORED in self.options:
            squares = squares.translate(_FILES)
        return squares + letter

    def without(self, *options: SetupOption) -> PositionSetup:
        """Return this setup without the given options."""
        return replace(self, options=self.options.difference(options))


_SYMMETRIES = (
    (SetupOption.COLORS_SWAPPED, flip_colors, flip_move),
    (SetupOption.FILES_MIRRORED, mirror_files, mirror_move),
)


def truncated_at(setup: PositionSetup, end: int, position: Position) -> PositionSetup:
    """Return the setup truncated after its first `end` moves, which lead to `position`."""
    part = replace(setup, moves=setup.moves[:end])
    part.__dict__["position"] = position  # so that the cached property does not replay all moves
    return part


def options_of(game: Game) -> frozenset[SetupOption]:
    """Return the options with which a game is set up; empty for the usual setup."""
    return game.options if isinstance(game, PositionSetup) else frozenset()


def with_same_setup(like: Game, base: Position, moves: tuple[Move, ...]) -> Game | None:
    """Return a game with the setup options of `like`, or None if they are not applicable."""
    if not isinstance(like, PositionSetup):
        return Game(base, moves)
    try:
        return PositionSetup(base, moves, like.options)
    except ValueError:
        return None


def format_setup(options: Iterable[SetupOption]) -> str:
    """Format options for suite files and the command line, in order of declaration."""
    chosen = {*options}
    return " ".join(option.value for option in SetupOption if option in chosen)


def parse_setup(words: str) -> frozenset[SetupOption]:
    """Parse options formatted by `format_setup`. Raises ValueError for unknown words."""
    for word in words.split():
        if word not in _BY_WORD:
            raise ValueError(f"unknown setup {word!r}: choose from {', '.join(_BY_WORD)}")
    return frozenset(_BY_WORD[word] for word in words.split())


def describe_setup(options: Iterable[SetupOption], moves: Sequence[str]) -> str:
    """Return a phrase that describes a setup, such as "`position startpos moves e2e4`, after `ucinewgame`"."""
    chosen, played = {*options}, _shorten(moves)
    if SetupOption.START_BY_NAME in chosen:
        phrases = [f"`position startpos{' moves ' * bool(played)}{played}`"]
    else:
        written = "".join(f" {phrase}" for option, phrase in _OF_FEN.items() if option in chosen)
        phrases = [f"its FEN{written}" + (f" and the moves {played}" if played else "")]
    phrases += [phrase for option, phrase in _OF_CONTEXT.items() if option in chosen]
    return ", ".join(phrases)


def _shorten(moves: Sequence[str]) -> str:
    """Return the moves, or only the first and last ones of a long game."""
    if len(moves) <= MAX_MOVES_SHOWN:
        return " ".join(moves)
    few = MAX_MOVES_SHOWN // 2
    return f"{' '.join(moves[:few])} ... {' '.join(moves[-few:])} ({len(moves)} moves)"


_OF_FEN = {
    SetupOption.SHREDDER: "with castling rights as the files of the rooks",
    SetupOption.XFEN: "with castling rights as KQkq",
    SetupOption.EN_PASSANT_IF_LEGAL: "without the en passant square unless a pawn may take there",
    SetupOption.FOUR_FIELDS: "without its two counters",
    SetupOption.COLORS_SWAPPED: "with White and Black swapped",
    SetupOption.FILES_MIRRORED: "with left and right swapped",
}
_OF_CONTEXT = {
    SetupOption.NEW_GAME: "after `ucinewgame`",
    SetupOption.TWICE: "asked twice in a row",
    SetupOption.AFTER_ANOTHER: "right after a question about another position",
}


def fen_of(game: Game) -> str:
    """Return the FEN of the base as sent to engines. In Chess960, castling rights are written as files."""
    base, options = game.base, options_of(game)
    by_file = SetupOption.SHREDDER in options or (base.chess960 and SetupOption.XFEN not in options)
    fen = base.fen(
        castling="shredder" if by_file else "xfen",
        en_passant="legal" if SetupOption.EN_PASSANT_IF_LEGAL in options else "given",
    )
    return fen.rsplit(" ", 2)[0] if SetupOption.FOUR_FIELDS in options else fen


def setup_without_moves(game: Game) -> Game:
    """Return the final position with the same FEN options, for engines that cannot play moves."""
    if not isinstance(game, PositionSetup):
        return game.without_moves()
    return PositionSetup(game.position, (), game.options - {SetupOption.START_BY_NAME})


def preceding_game(setup: PositionSetup) -> Game:
    """Return the game that an engine is asked about first with `AFTER_ANOTHER`.

    If possible, it has the same pieces, but all possible castling rights and a different en passant square. If that
    makes no difference, the other side is to move.
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
