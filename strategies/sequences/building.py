"""Draw a sequence, build it, and play it among bystanders."""

from __future__ import annotations

from hypothesis import reject
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ...generator.line import Line
from ..drawing import COUNTERS, DrawFunction, below, choose
from ..readiness import when_ready
from ..repair import accept_position
from ..scene import TURNED, NoRoom, PiecePlacement
from . import castling, en_passant, rights
from .playing import play_script
from .script import Script, Sequence

SEQUENCES: dict[str, Sequence] = rights.SEQUENCES | castling.SEQUENCES | en_passant.SEQUENCES
"""By name, those that standard chess and Chess960 have."""
CHESS960_SEQUENCES: dict[str, Sequence] = rights.CHESS960_SEQUENCES | castling.CHESS960_SEQUENCES
"""By name, those of Chess960 alone."""

_ATTEMPTS = 12
_LATEST = 92
"""The clock at the start, at the most: the longest sequence then ends within the fifty-move rule."""
_BYSTANDERS = st.lists(below(64 * 10), max_size=4)


def sequences(name: str | None = None, *, chess960: bool = False) -> SearchStrategy[Line]:
    """Return lines of three to eight moves that only a generator with the right state plays rightly.

    `name` is one of `SEQUENCES`, or in Chess960 of `CHESS960_SEQUENCES`; None draws one first. At the end of
    most lines a right that has ended, or an en passant square that has passed, would allow another move.
    Raises ValueError for an unknown name.
    """
    known = SEQUENCES | CHESS960_SEQUENCES if chess960 else SEQUENCES
    if name is not None and name not in known:
        raise ValueError(f"no sequence named {name!r}")
    return when_ready(_sequences(tuple(known.values()) if name is None else (known[name],), chess960))


@st.composite
def _sequences(draw: DrawFunction, options: tuple[Sequence, ...], chess960: bool) -> Line:
    sequence = choose(draw, options)
    flags, (halfmove, fullmove) = draw(TURNED), draw(COUNTERS)
    counters = min(halfmove, _LATEST), fullmove
    attempts = (_attempt(draw, sequence, chess960, flags, counters) for _ in range(_ATTEMPTS))
    line = next((line for line in attempts if line is not None), None)
    return reject() if line is None else line


def _attempt(
    draw: DrawFunction, sequence: Sequence, chess960: bool, flags: int, counters: tuple[int, int]
) -> Line | None:
    """Return a line, crowded if it bears that; None where the draws did not lead to one."""
    scene = PiecePlacement(draw, chess960)
    try:
        script = sequence(scene)
        scene.complete()
    except NoRoom:
        return None
    bare = _line(draw, scene, script, flags, counters)
    if bare is None:
        return None
    scene.crowd(draw(_BYSTANDERS))
    return _line(draw, scene, script, flags, counters) or bare


def _line(
    draw: DrawFunction, scene: PiecePlacement, script: Script, flags: int, counters: tuple[int, int]
) -> Line | None:
    base = accept_position(scene.position(flags, counters), impossible=False)
    if base is None:
        return None
    is_mirrored = scene.may_mirror and not scene.castling
    return play_script(draw, base, script, scene.kept, flags if is_mirrored else flags & 1)
