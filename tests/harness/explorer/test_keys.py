"""Every key of the explorer, pressed without a terminal."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from helpers.explorers import CASTLING, PRESSED, Driver, explore
from perft_check.generator.position import Position
from perft_check.harness.explorer.keys import MAIN
from perft_check.harness.explorer.tree_view import TreeView
from perft_check.harness.trees.controller import StartingPoint

pytestmark = pytest.mark.slow  # most tests start processes

Test = Callable[[Driver], Awaitable[None]]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TESTED: set[str] = set()
"""The keys that are covered by the tests below."""


def explored(*keys: str, status: int | None = None, **how: Any) -> Callable[[Test], Callable[[], None]]:
    """Run a test in the explorer, and check the exit status; fail if the test does not press its keys."""
    TESTED.update(keys)

    def in_the_explorer(test: Test) -> Callable[[], None]:
        def exploring() -> None:
            PRESSED.clear()
            app = explore(test, **how)
            assert set(keys) <= PRESSED
            assert status is None or app.return_code == status

        return exploring

    return in_the_explorer


@explored("down", "up", "home", "end", "pagedown", "pageup")
async def test_the_cursor_moves_through_the_rows(at: Driver) -> None:
    """Rows are sorted by the text of the move."""
    await at.press("down")
    assert at.cursor == "e1d1"
    await at.press("down", "down")
    assert at.cursor == "e1f2"
    await at.press("up")
    assert at.cursor == "e1d2"
    await at.press("end")
    assert at.cursor == "h1h8"
    await at.press("home")
    assert at.cursor == ""
    await at.press("up")
    assert at.cursor == ""
    await at.press("pagedown")
    assert at.cursor == "h1h8"
    await at.press("pageup")
    assert at.cursor == ""


@explored("enter", "right", "left", "backspace")
async def test_branches_open_and_close(at: Driver) -> None:
    """Opening a branch asks the engines about it."""
    rows = at.controller.tree.rows
    await at.press("end", "enter")
    assert at.cursor == "h1h8", "opened, and not left"
    assert at.controller.tree.rows == rows + 3, "two king moves, and the bishop's interposition"
    await at.press("right")
    assert at.cursor == "h1h8 a6f1" or at.cursor.startswith("h1h8 ")
    await at.press("left")
    assert at.cursor == "h1h8"
    await at.press("backspace")
    assert at.controller.tree.rows == rows
    await at.press("left")
    assert at.cursor == ""


@explored("n", "N")
async def test_one_key_goes_to_the_next_difference(at: Driver) -> None:
    """The only difference is an illegal castling move; the search wraps around to it."""
    await at.press("n")
    assert at.cursor == "e1g1"
    assert "e1g1 extra: White cannot castle king-side: the king would pass f1, which the bishop" in at.words
    await at.press("n")
    assert at.cursor == "e1g1"
    await at.press("home", "N")
    assert at.cursor == "e1g1"


@explored("f", fen=KIWIPETE, depth=3)
async def test_one_key_follows_a_difference(at: Driver) -> None:
    """In Kiwipete, the bishop has to capture on e2 first, two plies below the root."""
    await at.press("f")
    assert at.cursor == "a1b1 a6e2 e1g1"
    assert at.words.startswith("extra move e1g1: Castling through an attacked square e1g1 extra: White cannot castle")
    assert at.board[7] == "1  .  R  .  . [K]'.'[.] R", "the king's way, and the attacked square"
    assert at.board[9] == "'' look  [] wrong"


@explored(engines=["own", "python-chess"])
async def test_following_reports_agreement(at: Driver) -> None:
    await at.press("f")
    assert "Below this position the engines agree." in at.words
    await at.press("n")
    assert at.app.view.cursor is at.controller.tree.root


@explored("asterisk", engines=["own"], fen=START, depth=3)
async def test_everything_can_be_opened(at: Driver) -> None:
    """The tree of the starting position at depth 3 has 1 + 20 + 400 + 8902 rows."""
    await at.press("asterisk")
    assert at.controller.tree.rows == 1 + 20 + 400 + 8902
    await at.press("end")
    assert at.cursor == "h2h4 h7h6 h4h5"


@explored("plus", "equals_sign", "minus", engines=["own"], fen=START, depth=1)
async def test_the_depth_can_be_changed(at: Driver) -> None:
    """The cursor stays at its move."""
    await at.press("plus", "plus")
    assert at.controller.tree.root.count(0) == 8_902
    await at.press("down", "down", "minus")
    assert (at.controller.tree.root.depth, at.cursor) == (2, "a2a4")
    await at.press("minus", "minus")
    assert at.controller.tree.root.depth == 1, "there is no tree of no ply"
    await at.press("equals_sign")
    assert at.controller.tree.root.count(0) == 400


@explored("u")
async def test_engines_are_asked_again(at: Driver) -> None:
    """The answers are discarded and requested again."""
    before = at.controller.tree.root.answers
    await at.press("u")
    assert at.controller.tree.root.answers == before
    assert at.controller.tree.root.answers[0] is not before[0]


@explored("x", engines=["own:turbo"])
async def test_counting_can_be_stopped(at: Driver) -> None:
    """A count of 13 plies would take years; afterwards the engine answers again."""
    at.app.navigator.open(StartingPoint("deep", Position.start(), 13))
    assert at.controller.is_busy
    await at.strike("x")
    await at.settle()
    assert at.controller.tree.root.answers == (None,)
    at.app.navigator.open(StartingPoint("shallow", Position.start(), 2))
    await at.settle()
    assert at.controller.tree.root.count(0) == 400


@explored("b")
async def test_the_board_before_and_after_a_move(at: Driver) -> None:
    """The squares of the move are marked in the position before it."""
    await at.press("end")
    assert (at.board[0], at.board[7]) == ("8  .  .  .  .  k  .  . [.]", "1  .  .  .  .  K  .  . [R]")
    await at.press("b")
    assert (at.board[0], at.board[7]) == ("8  .  .  .  .  k  .  . !R!", "1  .  .  .  .  K  .  .  .")
    assert at.board[9] == "!! check"


@explored("a")
async def test_attacked_squares_are_marked(at: Driver) -> None:
    """These are the diagonal of the bishop and the squares around the king."""
    await at.press("a")
    assert at.board[:8] == [
        "8  .  . :.::.: k :.: .  .",
        "7  . :.: . :.::.::.: .  .",
        "6  b  .  .  .  .  .  .  .",
        "5  . :.: .  .  .  .  .  .",
        "4  .  . :.: .  .  .  .  .",
        "3  .  .  . :.: .  .  .  .",
        "2  .  .  .  . :.: .  .  .",
        "1  .  .  .  .  K :.: .  R",
    ]


@explored(engines=["own"], fen="4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1")
async def test_pinned_pieces_are_marked(at: Driver) -> None:
    """The knight is pinned by the rook."""
    assert at.board[6] == "2  .  .  .  . (N) .  .  ."


@explored("v")
async def test_the_board_can_be_flipped(at: Driver) -> None:
    await at.press("v")
    assert at.board[0] == "1  R  .  .  K  .  .  .  ."
    assert at.board[8] == "h  g  f  e  d  c  b  a"


@explored("1", "2", "g", depth=1)
async def test_moves_by_gentype_are_compared(at: Driver) -> None:
    """The list of the engine that castles illegally has one more move."""
    await at.press("2")
    assert "LEGAL: 12 moves, zoo:castling-through-attack has 13 + e1g1 not legal" in at.words
    await at.press("g")
    assert at.words.startswith("[CAPTURES] QUIETS QUIET_CHECKS NON_EVASIONS LEGAL CAPTURES: 0 moves")
    await at.press("g", "g")
    assert "QUIET_CHECKS: 1 move" in at.words
    assert "h1h8" in at.words
    await at.press("1")
    assert at.words.startswith("zoo:castling-through-attack: ")


@explored(engines=["own"], fen="4k3/8/8/8/4r3/8/8/4K3 w - - 0 1")
async def test_the_gentypes_of_a_check(at: Driver) -> None:
    """In check there are evasions and legal moves."""
    await at.press("2", "g")
    assert at.words.startswith("[EVASIONS] LEGAL EVASIONS: ")


@explored("right_square_bracket", "left_square_bracket", engines=["own"], fen=KIWIPETE, depth=1)
async def test_the_panel_can_be_scrolled(at: Driver) -> None:
    """A list of twenty moves is longer than the panel."""
    await at.press("2")
    first = at.words
    await at.press("right_square_bracket")
    assert at.words != first
    await at.press("left_square_bracket")
    assert at.words == first


@explored("c", "y", "r")
async def test_texts_can_be_copied(at: Driver) -> None:
    """FEN, path and command are copied and kept for the end."""
    await at.press("n", "c", "y", "r")
    assert at.app.clipboard == at.app.copied[-1]
    command = f"perft-check divide '{CASTLING}' 2 -e zoo:castling-through-attack -a own:turbo"
    assert at.app.copied == [CASTLING, "e1g1", command]


@explored("d", engines=["own"])
async def test_dark_and_light(at: Driver) -> None:
    """The theme changes and changes back, and so do the colors of rows."""
    tree = at.app.query_one(TreeView)

    def ground() -> object:
        style = next(iter(tree.render_line(1))).style
        return style and style.bgcolor

    dark = ground()
    await at.press("d")
    assert at.app.theme == "textual-light"
    assert ground() not in (dark, None)
    await at.press("d")
    assert at.app.theme == "textual-dark"
    assert ground() == dark


@explored("question_mark", "f1", engines=["own"])
async def test_help_names_every_key(at: Driver) -> None:
    """The page is scrolled to its end and closed."""
    for key in ("question_mark", "f1"):
        await at.press(key)
        seen: set[str] = set()
        for _ in range(12):
            seen.update(line.strip(" │") for line in at.lines)
            await at.press("pagedown")
        shown = "\n".join(seen)
        for one in MAIN:
            assert re.search(rf"^{re.escape(str(one.key_display))} ", shown, re.MULTILINE), one.key_display
        await at.press("escape")
        assert at.app.screen is at.app.screen_stack[0]


@explored("q", engines=["own"], status=0)
async def test_q_quits(at: Driver) -> None:
    await at.strike("q")


@explored()
async def test_rows_can_be_clicked(at: Driver) -> None:
    """A click goes to a row and a second one opens it."""
    await at.click("#tree", 5, 2)
    assert at.cursor == "e1d2"
    await at.click("#tree", 5, 0, times=2)
    assert at.cursor in ("", "e1d1")


@explored("ctrl+c", status=130)
async def test_ctrl_c_quits_with_the_exit_status_of_an_interrupted_run(at: Driver) -> None:
    await at.strike("ctrl+c")


@explored("ctrl+z")
async def test_ctrl_z_does_nothing_without_a_shell(at: Driver) -> None:
    """test_stopping.py tests it with a shell."""
    await at.press("ctrl+z", "down")
    assert at.cursor == "e1d1"


def test_every_key_is_tested() -> None:
    """All keys of the main screen are covered by the tests above."""
    assert {name for key in MAIN for name in key.key.split(",")} == TESTED


@pytest.mark.parametrize("size", [(40, 10), (20, 5), (80, 24), (200, 60)])
def test_any_terminal_size_works(size: tuple[int, int]) -> None:
    """Even the smallest terminal causes no error."""

    async def drive(at: Driver) -> None:
        await at.press("n", "2", "question_mark", "escape")
        await at.resize(80, 24)
        assert at.cursor == "e1g1"

    assert explore(drive, size=size).return_code in (None, 0)
