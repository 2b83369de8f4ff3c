"""From what the user writes to a position, a FEN or the name of a well-known one, and to a GenType."""

from __future__ import annotations

from ..errors import UsageError, did_you_mean
from ..generator.notation.fen import START_FEN
from ..generator.position import Position
from ..generator.types.moves import GenType
from ..generator.validation import FenError
from .bundled import BUNDLED, bundled_path
from .loader import load_suite

ALIASES = {"startpos": "cpw-1-start", "start": "cpw-1-start", "kiwipete": "cpw-2-kiwipete"}
"""Names that people use, beside the names of the positions in the bundled suites."""


def resolve_position(text: str, chess960: bool | None = None) -> Position:
    """Return the position that `text` names: a FEN of six or four fields, or a name.

    Names are those of `ALIASES` and of every position in the bundled suites. `chess960` takes it for
    one of Chess960, or of standard chess; None decides by the castling field. Raises UsageError.
    """
    name = text.strip()
    if name.lower() in ("startpos", "start"):
        return _from_fen(START_FEN, chess960)
    if "/" in name:
        return _from_fen(name, chess960)
    positions = {case.name.lower(): case.position for suite in BUNDLED for case in load_suite(bundled_path(suite))}
    wanted = ALIASES.get(name.lower(), name.lower())
    if wanted in positions:
        position = positions[wanted]
        return position if chess960 is None else _from_fen(position.fen(), chess960)
    hint = did_you_mean(name, [*positions, *ALIASES], "give a FEN in quotes, or a name such as startpos or kiwipete")
    raise UsageError(f"no position named {text!r}: {hint}")


def _from_fen(text: str, chess960: bool | None) -> Position:
    try:
        return Position.from_fen(text, chess960)
    except FenError as error:
        hint = " (leave out --standard if it is such a position)" if "needs Chess960" in str(error) else ""
        raise UsageError(f"bad FEN {text!r}: {error}{hint}") from None


def resolve_gentype(name: str, option: str) -> GenType:
    """Return the GenType of a name such as "quiet-checks", given to an option. Raises UsageError."""
    try:
        return GenType[name.upper().replace("-", "_")]
    except KeyError:
        hint = did_you_mean(name.replace("-", "_"), [kind.name for kind in GenType])
        raise UsageError(f"{option} {name!r}: {hint}", name) from None
