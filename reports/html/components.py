"""Components of pages: the verdict, labeled values, tables, and causes with boards; also escaping."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from markupsafe import Markup

from ...errors import shorten
from ...harness.checking.causes import CauseGroup
from ...harness.model.results.finding import Difference, Finding, WrongMove
from ...harness.model.results.verdict import ExitCode
from ..finding import (
    SHOWN_ROOT_MOVES,
    agreement_sentence,
    describe_totals,
    explain_command,
    moves_table,
    path_in_san,
    played_from,
    remarks,
)
from ..table import ReportTable
from ..text import count

if TYPE_CHECKING:
    from .board import BoardPicture


LONGEST = 10_000
"""Maximum characters of a text in a page."""
_INVISIBLE = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Matches control characters, lone surrogates, and characters that break lines or change the text direction."""


def displayable(text: str) -> str:
    """Return text with invisible characters escaped and its middle omitted if it is too long."""
    return escape_invisible(shorten(text, LONGEST))


def escape_invisible(text: str) -> str:
    """Return text with invisible characters replaced by Python escapes."""
    return text if text.isprintable() else _INVISIBLE.sub(_escape, text)


def finalize(value: object) -> object:
    """Apply `displayable` to text; return other values, including markup, unchanged. Called by Jinja2."""
    return displayable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


LabeledValue = tuple[str, str]
"""A label and a value."""


@dataclass(frozen=True)
class Status:
    """The one-line verdict of a page."""

    tone: str
    """The tone: "good", "bad" or "open". It determines the color and the sign."""
    word: str
    sentence: str

    @property
    def sign(self) -> str:
        """A sign for the tone, for readers who cannot see the colors."""
        return {"good": "✓", "bad": "✗", "open": "!"}[self.tone]


VERDICTS = {
    ExitCode.AGREE: "No fault",
    ExitCode.MISMATCH: "Mismatch",
    ExitCode.ENGINE_FAILED: "Engine failed",
    ExitCode.NOTHING_TO_RUN: "Nothing compared",
    ExitCode.INTERNAL_ERROR: "Internal error",
    ExitCode.INTERRUPTED: "Interrupted",
}
"""Verdicts by exit status."""


def status(code: ExitCode, sentence: str, style: str) -> Status:
    """Return the verdict of a result from its exit status, its summary and the summary's Rich style."""
    tone = next((tone for color, tone in {"green": "good", "red": "bad"}.items() if color in style), "open")
    return Status(tone, VERDICTS[code], sentence)


def nonempty(values: Iterable[LabeledValue]) -> tuple[LabeledValue, ...]:
    """Return the labeled values with non-empty values."""
    return tuple(one for one in values if one[1])


@dataclass(frozen=True)
class DivideTable:
    """The difference between two divides."""

    title: str
    """The totals of both divides."""
    sentence: str
    """A sentence about what the table does not show, possibly empty."""
    moves: ReportTable | None
    """The root moves that differ, if any do."""


def divide_table(difference: Difference) -> DivideTable:
    """Return the difference between two divides as a table."""
    title = describe_totals(difference)
    if not difference.moves:
        return DivideTable(title, agreement_sentence(difference), None)
    left_out = len(difference.moves) - SHOWN_ROOT_MOVES
    more = f"... and {count(left_out, 'more root move')}" if left_out > 0 else ""
    return DivideTable(title, more, moves_table(difference))


T = TypeVar("T")

SHOWN_MOVES = 8
"""Number of wrong moves shown initially; a click shows the others."""
SHOWN_OTHERS = 100
"""Maximum number of other failures listed per cause."""
MAX_BOARDS = 200
"""Maximum number of causes with a board, because there may be thousands of causes."""


@dataclass(frozen=True)
class ShownFinding:
    """A failure as shown on a page."""

    name: str
    facts: tuple[LabeledValue, ...]
    """Labeled values that describe the question to the engine and the outcome."""
    remarks: tuple[str, ...]
    fen: str
    """The position that shows the fault."""
    path: str
    """The moves from the failing position to `fen`."""
    played_from: str
    moves: tuple[WrongMove, ...]
    commands: tuple[str, ...]
    board: BoardPicture | None
    divide: DivideTable | None = None

    @property
    def first_moves(self) -> dict[str, list[WrongMove]]:
        """The wrong moves shown initially, by rule."""
        return _by_rule(self.moves[:SHOWN_MOVES])

    @property
    def more_moves(self) -> dict[str, list[WrongMove]]:
        """The other wrong moves, by rule."""
        return _by_rule(self.moves[SHOWN_MOVES:])

    @property
    def hidden_moves(self) -> int:
        """The number of wrong moves hidden until a click."""
        return max(0, len(self.moves) - SHOWN_MOVES)


def _by_rule(moves: Sequence[WrongMove]) -> dict[str, list[WrongMove]]:
    """Group moves by the title of their rule, in order of first occurrence."""
    return {
        title: [move for move in moves if move.title == title] for title in dict.fromkeys(one.title for one in moves)
    }


@dataclass(frozen=True)
class SimilarFailure:
    """A summary of another failure with the same cause."""

    name: str
    fen: str
    command: str


@dataclass(frozen=True)
class CauseSection:
    """A cause with its simplest failure and a list of others."""

    title: str
    extent: str
    """The number of affected positions."""
    shown: ShownFinding
    others: tuple[SimilarFailure, ...] = ()
    left_out: int = 0
    """The number of other failures that are not listed."""
    tone: str = "bad"


def shown_finding(
    number: int,
    name: str,
    facts: tuple[LabeledValue, ...],
    fallback_fen: str,
    finding: Finding | None,
    *,
    message: str = "",
    commands: tuple[str, ...] = (),
    difference: Difference | None = None,
) -> ShownFinding:
    """Return the representative failure of a cause; `number` counts causes from 0.

    Its position is that of `finding`, or else `fallback_fen`. It has no board if `number` is `MAX_BOARDS` or more.
    """
    from .board import board_of

    fen = fallback_fen if finding is None else finding.fen
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
        board=board_of(fen, wrong) if number < MAX_BOARDS else None,
        divide=None if difference is None else divide_table(difference),
    )


def cause_section(
    group: CauseGroup[T],
    title: str,
    noun: str,
    shown: ShownFinding,
    other: Callable[[T], SimilarFailure],
    tone: str = "bad",
) -> CauseSection:
    """Return the section of a cause, with its simplest failure and a list of others."""
    others = tuple(map(other, group.members[1 : 1 + SHOWN_OTHERS]))
    return CauseSection(title, count(group.positions, noun), shown, others, len(group.members) - 1 - len(others), tone)
