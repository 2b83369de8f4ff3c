"""The positions from which the walks of a batch start: those that are known, and those that strategies make."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from ....generator.line import Line
from ....generator.position import Position
from ....generator.reachability.labels import is_impossible
from ....strategies.drawing import draw_some
from ....strategies.mixed import NAMES, lines
from ....strategies.seeds import smallest_positions, tricky_positions
from ....suites.bundled import BUNDLED, SWEEPS, bundled_path
from ....suites.loader import load_suite
from ..batch import along
from ..plan import FuzzPlan, Turn

PROMOTED = (
    "nnnnk3/nnnnnn2/8/8/8/8/NNNNNN2/NNNNK3 w - - 0 1",
    "bbbbk3/bbbbbb2/8/8/8/8/BBBBBB2/BBBBK3 w - - 0 1",
    "rrrrk3/rrrrrr2/8/8/8/8/RRRRRR2/RRRRK3 w - - 0 1",
    "qqqqk3/qqqqq3/8/8/8/8/QQQQQ3/QQQQK3 w - - 0 1",
)
"""As many pieces of one kind as promotions can make."""
SEQUENCES = "sequences"
"""The strategy whose lines are of interest all the way."""
SETUPS = "setups"
"""The strategy whose positions are of interest for how they are set up."""
MADE = 12
"""Examples that each strategy makes for a batch. All together take some tenths of a second."""


@cache
def known_bases(chess960: bool) -> tuple[Position, ...]:
    """Return the positions of the bundled suites and of rare events, each once. A run asks about the sweep anyway."""
    names = [name for name in BUNDLED if name not in SWEEPS.values()]
    suites = (case.position for name in names for case in load_suite(bundled_path(name)))
    promoted = (Position.from_fen(fen, chess960) for fen in PROMOTED)
    known = (*smallest_positions().values(), *tricky_positions(), *promoted, *suites)
    return tuple(dict.fromkeys(one for one in known if one.chess960 is chess960))


def known_bases_of(plan: FuzzPlan, chess960: bool) -> list[Position]:
    """Return the known bases of a plan; none where its strategies were chosen."""
    return [] if plan.strategies else _keep_wanted(plan, known_bases(chess960))


def make_bases(plan: FuzzPlan, chess960: bool, number: int) -> list[Position]:
    """Return positions that the strategies of a plan make, always the same for one number."""
    drawn = ((turn, line) for turn in _turns(plan, chess960) for line in _make_lines(turn, number))
    ends = (along(line) if turn.strategy == SEQUENCES else (line,) for turn, line in drawn)
    return _keep_wanted(plan, dict.fromkeys(end.position for some in ends for end in some))


def make_starts(plan: FuzzPlan, chess960: bool, number: int) -> list[Position]:
    """Return the positions from which the sequences among these strategies start."""
    sequences = (turn for turn in _turns(plan, chess960) if turn.strategy == SEQUENCES)
    return _keep_wanted(plan, dict.fromkeys(line.base for turn in sequences for line in _make_lines(turn, number)))


def _turns(plan: FuzzPlan, chess960: bool) -> Iterable[Turn]:
    """Return the strategies of one variant, each once; setups alone have positions that no other strategy draws."""
    turns = dict.fromkeys(turn for turn in plan.turns if turn.chess960 is chess960)
    return [turn for turn in turns if turn.strategy != SETUPS] or turns


def _keep_wanted(plan: FuzzPlan, bases: Iterable[Position]) -> list[Position]:
    return [base for base in bases if plan.impossible or not is_impossible(base)]


@lru_cache(maxsize=len(NAMES))
def _make_lines(turn: Turn, number: int) -> tuple[Line, ...]:
    return tuple(draw_some(lines(turn.strategy, chess960=turn.chess960), MADE, number))
