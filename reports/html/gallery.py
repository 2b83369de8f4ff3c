"""The page of the gallery: each rare event with a board, what goes wrong there, and the moves right and wrong."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from ...generator.events import IMPOSSIBLE_EVENTS
from ...harness.model.command_lines import command_line, divide_command
from ...harness.model.results.finding import Finding, WrongMove
from ...harness.zoo.gallery import EXHAUSTED, Exhibit, Gallery, ShownEvent
from ..pictures.board import BoardPicture, board_of
from ..text import count
from .page import Page, page
from .parts import SHOWN_MOVES, Fact, ShownMove, known_facts, moves_of

SHOWN_LEGAL = 40
"""Legal moves that are named."""


@dataclass(frozen=True)
class Story:
    """What a fault gets wrong."""

    fault: str
    says: str
    """What is wrong in the program."""
    seen_in: str
    """The programs that had it."""
    moves: tuple[ShownMove, ...]
    command: str
    board: BoardPicture | None = None
    """The position, where it is another one."""


@dataclass(frozen=True)
class GalleryItem:
    """An event as the page shows it."""

    name: str
    sentence: str
    board: BoardPicture | None
    fen: str
    facts: tuple[Fact, ...]
    stories: tuple[Story, ...]
    elsewhere: tuple[Story, ...]
    published: tuple[tuple[str, str, str], ...]
    """Package, position and what it gets wrong."""


def pages(gallery: Gallery) -> Page:
    """Return the page of the gallery."""
    families = {
        name: [_item(one) for one in exhibits]
        for name, exhibits in groupby(gallery.exhibits, key=lambda one: one.family)
    }
    return page(
        "gallery",
        has_boards=True,
        title="Rare events",
        status=None,
        facts=_facts(gallery),
        families=families,
    )


def _facts(gallery: Gallery) -> tuple[Fact, ...]:
    faults = {shown.fault.name for one in gallery.exhibits for shown in (*one.shown, *one.elsewhere)}
    packages = {bug.package for one in gallery.exhibits for bug in one.published}
    return (
        ("events", count(len(gallery.exhibits), "event")),
        ("faults", f"{count(len(faults), 'fault')} of the zoo, run in these positions"),
        ("found", f"bugs of {count(len(packages), 'published package')}"),
        (
            "positions",
            "each the smallest that a search found: positions with the event are drawn and made smaller, as long as "
            f"they have it. All positions of up to {EXHAUSTED} men were tried as well.",
        ),
    )


def _item(exhibit: Exhibit) -> GalleryItem:
    position = exhibit.position
    fen = position.fen()
    first = _moves_to_draw(exhibit.shown[0].finding) if exhibit.shown else ()
    return GalleryItem(
        exhibit.event.label,
        exhibit.event.sentence,
        board_of(fen, first),
        fen,
        known_facts([("men", _describe_men(exhibit)), ("legal moves", _legal(fen, chess960=position.chess960))]),
        tuple(_story(shown, fen, is_here=True) for shown in exhibit.shown),
        tuple(_story(shown, fen, is_here=False) for shown in exhibit.elsewhere),
        tuple((bug.package, bug.fen, bug.says) for bug in exhibit.published),
    )


def _moves_to_draw(finding: Finding) -> tuple[WrongMove, ...]:
    """Return the wrong moves of the position itself: what follows a move that is played wrongly is in another one."""
    return (finding.state or finding.wrong)[:SHOWN_MOVES]


def _describe_men(exhibit: Exhibit) -> str:
    """Return how many pieces there are, and what is known of fewer."""
    if exhibit.event in IMPOSSIBLE_EVENTS:
        return f"{exhibit.men}, more queens than a game can have"
    if exhibit.least is None:
        none = f"{exhibit.men}; no position of up to {EXHAUSTED} has the event"
        return none if exhibit.men > EXHAUSTED + 1 else _describe_proof(exhibit)
    if exhibit.least < exhibit.men:
        return f"{exhibit.men}; {exhibit.least} are enough in a position that no game seems to lead to"
    return _describe_proof(exhibit)


def _describe_proof(exhibit: Exhibit) -> str:
    return f"{exhibit.men}, the fewest that there can be"


def _legal(fen: str, *, chess960: bool) -> str:
    """Return the legal moves, a few of very many."""
    import chess

    board = chess.Board(fen, chess960=chess960)
    names = sorted(board.san(move) for move in board.legal_moves)
    more = f" and {len(names) - SHOWN_LEGAL} more" if len(names) > SHOWN_LEGAL else ""
    return f"{len(names)}: {', '.join(names[:SHOWN_LEGAL])}{more}" if names else "none"


def _story(shown: ShownEvent, fen: str, *, is_here: bool) -> Story:
    fault, finding = shown.fault, shown.finding
    engine = f"zoo:{fault.name}"
    if is_here:
        command = divide_command(fen, 2 if finding.state else 1, engine, "own:turbo", finding.chess960)
    else:
        command = command_line("zoo", "show", fault.name)
    return Story(
        fault.name,
        fault.story,
        "; ".join(fault.sources),
        moves_of(finding),
        command,
        None if is_here else board_of(finding.base_fen or finding.fen, _moves_to_draw(finding)),
    )
