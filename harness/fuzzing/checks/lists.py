"""The wrong moves of a list, by comparing it with the right one. Moves are in 16 bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ....generator.position import Position
from ....generator.types.moves import GenType, Move
from ...checking.comparing import explained
from ...explaining import Explanation, explain_duplicate, explain_extra, explain_missing, explain_stage
from ...model.results.events import WrongMove


def wrong_codes(
    position: Position, got: Iterable[int], expected: Iterable[int], gentype: GenType = GenType.LEGAL
) -> list[WrongMove]:
    """Return the extra, missing and repeated moves of the list `got`, with the rule behind each."""
    ours, truth = Counter(got), Counter(expected)
    wrong = []
    for code in sorted(ours.keys() | truth.keys()) if ours != truth else ():
        text = _text(code)
        if not truth[code]:
            wrong.append(explained(position, text, "extra", _why(position, text, gentype, belongs=False)))
        elif not ours[code]:
            wrong.append(explained(position, text, "missing", _why(position, text, gentype, belongs=True)))
        elif ours[code] > truth[code]:
            wrong.append(explained(position, text, "duplicate", explain_duplicate(position, text)))
    return wrong


def _text(code: int) -> str:
    return Move(code).uci(chess960=True)


def _why(position: Position, text: str, gentype: GenType, belongs: bool) -> Explanation:
    if gentype is not GenType.LEGAL:
        return explain_stage(position, text, gentype, belongs)
    return explain_missing(position, text) if belongs else explain_extra(position, text)
