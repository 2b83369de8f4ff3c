"""What pages are made of: the verdict, facts, tables, trees, causes with their boards, and text of others made fit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from markupsafe import Markup

from ...errors import shorten
from ...harness.checking.causes import CauseGroup
from ...harness.model.results.finding import Difference, Finding, RootMove, WrongMove
from ...harness.model.results.verdict import ExitCode
from ..finding import (
    agreement_sentence,
    claim,
    describe_root_move,
    describe_totals,
    explain_command,
    names_of,
    path_in_san,
    played_from,
    remarks,
)
from ..text import count

if TYPE_CHECKING:
    from .board import BoardPicture


LONGEST = 10_000
"""Characters of a text that are shown."""
_UNSEEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Controls, lone surrogates, and what breaks lines or turns the direction of writing."""
_IN_SCRIPT = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&"}


def fit(text: str) -> str:
    """Return a text as a page may show it: a NUL spelled as in Python, and the middle left out if it is long."""
    return spell_unseen(shorten(text, LONGEST))


def spell_unseen(text: str) -> str:
    """Return a text with its unseen characters spelled as in Python."""
    return text if text.isprintable() else _UNSEEN.sub(_escape, text)


def fit_or_other(value: object) -> object:
    """Return a text made fit, and anything else, including markup, unchanged. Jinja2 calls it."""
    return fit(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def data(value: object) -> Markup:
    """Return a value as JSON for a script element, which no text in it can end early."""
    return Markup(json.dumps(value, separators=(",", ":")).translate(_IN_SCRIPT))


def rows(values: Iterable[Sequence[object]]) -> Markup:
    """Return rows, their texts made fit, as the inner part of a list in JSON."""
    return data([[fit(one) if isinstance(one, str) else one for one in row] for row in values])[1:-1]


def _escape(unseen: re.Match[str]) -> str:
    number = ord(unseen[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


LabeledValue = tuple[str, str]
"""A name and a value; it is not shown if the value is empty."""


@dataclass(frozen=True)
class Status:
    """The verdict of a page in one line."""

    tone: str
    """"good", "bad" or "open": the color and the sign."""
    word: str
    sentence: str

    @property
    def sign(self) -> str:
        """The tone as a sign, for those who see no colors."""
        return {"good": "✓", "bad": "✗", "open": "!"}[self.tone]


WORDS = {
    ExitCode.AGREE: "No fault",
    ExitCode.MISMATCH: "Mismatch",
    ExitCode.ENGINE_FAILED: "Engine failed",
    ExitCode.NOTHING_TO_RUN: "Nothing compared",
    ExitCode.INTERNAL_ERROR: "Internal error",
    ExitCode.INTERRUPTED: "Interrupted",
}
"""What an exit status means."""


def status(code: ExitCode, sentence: str, style: str) -> Status:
    """Return the verdict of a result: its exit status, and the sentence with its rich style of the terminal."""
    tone = next((tone for color, tone in {"green": "good", "red": "bad"}.items() if color in style), "open")
    return Status(tone, WORDS[code], sentence)


def nonempty(facts: Iterable[LabeledValue]) -> tuple[LabeledValue, ...]:
    """Return the facts that have a value."""
    return tuple(fact for fact in facts if fact[1])


Row = list[str | float | None]
"""A text or number for each column, or None."""
ROWS_PER_CHUNK = 1_000
"""Rows that are written together."""


@dataclass(frozen=True)
class ExplorerColumn:
    """What stands in a column of the data."""

    title: str
    kind: str
    """"name", "fen" (shown below the name), "text", "number", "share" (from 0 to 1), or "choice": the number of one of
    `choices`."""
    choices: tuple[str, ...] = ()
    tones: tuple[str, ...] = ()
    """For choices that are verdicts: "good", "bad" or "open"."""
    filters: bool = False
    """Whether rows can be filtered by it."""


@dataclass(frozen=True)
class TableExplorer:
    """The table, its columns and its rows."""

    title: str
    noun: str
    """What a row is, such as "position"."""
    columns: tuple[ExplorerColumn, ...]
    total: int
    rows: Callable[[], Iterable[Row]]

    @property
    def chunks(self) -> Iterator[Markup]:
        """The data as JSON, in pieces."""
        heads = [_head(one) for one in self.columns]
        yield Markup('{"noun":') + data(self.noun) + Markup(',"columns":') + data(heads) + Markup(',"rows":[')
        for number, some in enumerate(_batches(self.rows())):
            yield Markup("," if number else "") + rows(some)
        yield Markup("]}")


def _head(one: ExplorerColumn) -> dict[str, object]:
    return {"title": one.title, "kind": one.kind, "choices": [*map(fit, one.choices)], "tones": one.tones or None}


def _batches(all_rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(all_rows)
    while some := list(islice(left, ROWS_PER_CHUNK)):
        yield some


@dataclass(frozen=True)
class TreeRow:
    """A move of the tree, and what is below it."""

    move: str
    note: str
    tone: str = ""
    """How the engine is wrong here: "missing", "extra", "duplicate", "count"; "" if it is not known to be."""
    below: tuple[TreeRow, ...] = ()


@dataclass(frozen=True)
class TreeTable:
    """How two divides differ."""

    title: str
    """The sums of both."""
    sentence: str
    """How they compare if no root move differs, else ""."""
    nodes: tuple[TreeRow, ...]
    """The root moves that differ; the one that was followed is the first."""
    equal: tuple[TreeRow, ...] = ()
    """The root moves that agree, if they are known."""
    is_open: bool = False
    """Whether it is open from the start."""


def tree_of(difference: Difference, finding: Finding | None, counts: Sequence[tuple[str, int]] = ()) -> TreeTable:
    """Return the tree of a difference. `counts` has all root moves of the engine, if they are known."""
    followed = finding.path[0][0] if finding is not None and finding.path else ""
    moves = sorted(difference.moves, key=lambda move: move.uci != followed)
    nodes = tuple(_node(move, difference, finding if move.uci == followed else None) for move in moves)
    sentence = "" if difference.moves else agreement_sentence(difference)
    differing = {move.uci for move in moves}
    equal = tuple(TreeRow(uci, f"{leaves:,}") for uci, leaves in counts if uci not in differing)
    return TreeTable(describe_totals(difference), sentence, nodes, equal)


def _node(move: RootMove, difference: Difference, finding: Finding | None) -> TreeRow:
    engine, reference = names_of(difference)
    counts = f"{_side(engine, move.got)}, {_side(reference, move.expected)}"
    kind = describe_root_move(move)
    tone = kind if kind in ("missing", "extra", "duplicate") else "count"
    return TreeRow(_name(move.uci, move.san), f"{kind}: {counts}", tone, () if finding is None else _way(finding))


def _way(finding: Finding) -> tuple[TreeRow, ...]:
    """Return the moves of the path after the first one below each other, and at the end the moves that are wrong."""
    below = tuple(TreeRow(claim(move), move.title, move.kind) for move in (*finding.state, *finding.wrong))
    for uci, san in reversed(finding.path[1:]):
        below = (TreeRow(_name(uci, san), "followed", "", below),)
    return below


def _side(engine: str, nodes: int | None) -> str:
    return f"{engine} {'has no such move' if nodes is None else f'{nodes:,}'}"


def _name(uci: str, san: str | None) -> str:
    return f"{uci} ({san})" if san else uci


T = TypeVar("T")

SHOWN_MOVES = 8
"""Wrong moves that are explained before the others, which a click shows."""
SHOWN_OTHERS = 100
"""Other failures of one cause that the page names; a table may have them all."""
MOST_BOARDS = 200
"""Causes that have a board; a page may have thousands of causes."""


@dataclass(frozen=True)
class ShownFinding:
    """One failure."""

    name: str
    facts: tuple[LabeledValue, ...]
    """What was asked, and what came of it."""
    remarks: tuple[str, ...]
    fen: str
    """The position in which the fault shows."""
    path: str
    """The moves that lead there."""
    played_from: str
    moves: tuple[WrongMove, ...]
    commands: tuple[str, ...]
    board: BoardPicture | None
    tree: TreeTable | None = None

    @property
    def first_moves(self) -> dict[str, list[WrongMove]]:
        """The moves that are explained immediately, by the rule."""
        return _by_rule(self.moves[:SHOWN_MOVES])

    @property
    def more_moves(self) -> dict[str, list[WrongMove]]:
        """The moves that a click shows, by the rule."""
        return _by_rule(self.moves[SHOWN_MOVES:])

    @property
    def left(self) -> int:
        """How many moves a click shows."""
        return max(0, len(self.moves) - SHOWN_MOVES)


def _by_rule(moves: Sequence[WrongMove]) -> dict[str, list[WrongMove]]:
    """Return moves by the title of the rule, in the order in which the titles come."""
    return {
        title: [move for move in moves if move.title == title] for title in dict.fromkeys(one.title for one in moves)
    }


@dataclass(frozen=True)
class SimilarFailure:
    """Another failure of the same cause, in short."""

    name: str
    fen: str
    command: str


@dataclass(frozen=True)
class CauseSection:
    """A cause: its simplest failure, and the others."""

    title: str
    extent: str
    """In how many positions it shows."""
    shown: ShownFinding
    others: tuple[SimilarFailure, ...] = ()
    left_out: int = 0
    """How many others are not named."""
    tone: str = "bad"


def shown_finding(
    number: int,
    name: str,
    facts: tuple[LabeledValue, ...],
    place: str,
    finding: Finding | None,
    *,
    message: str = "",
    commands: tuple[str, ...] = (),
    tree: TreeTable | None = None,
) -> ShownFinding:
    """Return the failure that stands for the cause with this number, from 0.

    It shows in the position of the `finding`, if there is one, else at the `place`. Beyond the most boards it has none.
    """
    from .board import board_of

    fen = place if finding is None else finding.fen
    wrong = () if finding is None else finding.wrong
    return ShownFinding(
        name=name,
        facts=(*facts, *(nonempty([("rule", "" if finding is None else explain_command(finding))]))),
        remarks=tuple(dict.fromkeys(filter(None, [message, *(remarks(finding) if finding else ())]))),
        fen=fen,
        path="" if finding is None else path_in_san(finding),
        played_from="" if finding is None else played_from(finding),
        moves=() if finding is None else (*finding.state, *finding.wrong),
        commands=commands,
        board=board_of(fen, wrong) if number < MOST_BOARDS else None,
        tree=tree,
    )


def section_of(
    group: CauseGroup[T],
    title: str,
    noun: str,
    shown: ShownFinding,
    other: Callable[[T], SimilarFailure],
    tone: str = "bad",
) -> CauseSection:
    """Return a cause with its first failure and those others that are shown, in short."""
    others = tuple(map(other, group.members[1 : 1 + SHOWN_OTHERS]))
    return CauseSection(title, count(group.positions, noun), shown, others, len(group.members) - 1 - len(others), tone)
