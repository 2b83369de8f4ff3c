"""The numbers and sentences in pages."""

from __future__ import annotations

import hashlib
import html
import platform
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path

import pytest
from helpers.made_pages import (
    AGREEING,
    DIVIDE,
    FUZZ,
    RESULTS,
    RUN,
)
from helpers.program import Run
from perft_check.harness.model.results.events import RunFinished, RunStarted
from perft_check.harness.report_context import ReportContext
from perft_check.reports.formats.table import HTML
from perft_check.reports.html import components, pages

VOID = ("meta", "link", "input", "br")


class PageReader(HTMLParser):
    """Parses a page: its text, its ids, and whether its elements are balanced."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attributes}
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named[name] for name in ("href", "src") if name in named]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attributes if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def text_of(result: object) -> str:
    """Return the text of a page without markup, style and script."""
    page = re.sub(r"(?s)<(style|script)>.*?</\1>|<svg.*?</svg>", "", HTML.render(result))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def rows_of(result: object, caption: str) -> list[list[str]]:
    """Return the cells of a table."""
    table = HTML.render(result).partition(f"<caption>{caption}</caption>")[2].partition("</table>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr")[2:]]


@pytest.mark.parametrize("name", RESULTS)
def test_a_page_is_well_formed_and_self_contained(name: str) -> None:
    reader = PageReader()
    reader.feed(HTML.render(RESULTS[name]))
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    links = set(reader.links) - {"data:,"}
    assert {link[0] for link in links} == {"#"}
    assert {link[1:] for link in links} <= set(reader.ids)


SAID: dict[str, tuple[object, list[str]]] = {
    "run": (
        RUN,
        [
            "✗ Mismatch 1 of 6 positions agree, 1 not reproduced, 3 mismatches, 1 crash from 3 causes",
            "compared with the counts of the suites, own",
            "counted 7,800 nodes in 2.50 s",
            "1. extra move: Pinned piece leaves its line 2 positions",
            "c4b3 (cxb3) missing : The pawn stays on the line of its pin.",
            "relevant: white bishop a2, black king g8",
            "counts depth 2: 1,256 nodes, the suite says 1,257, own says 1,257",
            "b2b4 b4 7 8 -1",
            "Same cause in 1 other position made:pawn",
            "plays a move wrongly. Right is kept b7h1 (Bxh1) played wrongly",
            "played from 4k3/1b6/8/8/8/8/8/4K2R b K - 0 1 by b7h1",
            "crash: odd exited with status 3",
            "not reproduced: more:once",
            "perft-check fuzz --replay asked.replay -e odd",
        ],
    ),
    "divide": (
        DIVIDE,
        [
            "✗ Mismatch depth 2: odd 1,256, own 1,256, other 1,256 nodes",
            "vote odd alone differs; all others agree",
            "2. differs from other",
            "b2b3 8 7 7 b2b4 7 8 8 g1f1 1,241 1,241 1,241 total",
        ],
    ),
    "agreeing": (AGREEING, ["✓ No fault odd and own agree on every root move: 1 node"]),
    "fuzz": (
        FUZZ,
        [
            "✗ Mismatch 2 kinds of faults of odd found in 2,400 positions",
            "seed 7",
            "discovery check: moves; occurs in 12 positions, first in position 31 (walks); 5 pieces, reduced from 9",
            "perft-check fuzz --replay B",
            "Rare events: 2 of 4 occurred, 2 never",
            "walks 1,400 games 1,000",
        ],
    ),
    "nothing run": (
        RunFinished(RunStarted("1", "odd", (), ()), (), 0.1),
        ["! Nothing compared nothing to run: the options exclude every count"],
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_page_contains_the_facts_of_its_result(name: str) -> None:
    result, facts = SAID[name]
    text = text_of(result)
    assert [fact for fact in facts if fact not in text] == []


def test_the_table_lists_positions_with_failures_first() -> None:
    run = replace(RUN, not_begun=(replace(RUN.results[0], name="later"),))
    rows = rows_of(run, "All positions")
    names = ["pawn", "other-pawn", "rook", "more:broken", "more:once", "start", "later"]
    assert [row[0].removeprefix("made:") for row in rows] == names
    assert rows[0][1:] == ["2", "1,256", "5.20 kn/s", "mismatch"]
    long = replace(RUN, results=[RUN.results[0]] * (pages.MAX_POSITIONS + 2))
    assert len(rows_of(long, "All positions")) == pages.MAX_POSITIONS
    assert "... and 2 more positions, which the JSON report lists" in text_of(long)


SECTIONS = {
    "run": ["3 causes", "Not reproduced", "Suites", "All positions", "About this report"],
    "fuzz": ["2 causes", "Rare events: 2 of 4 occurred, 2 never", "Positions examined"],
    "timed fuzz": ["2 causes", "Rare events: 2 of 4 occurred, 2 never", "Positions examined"],
    "divide": ["2 differences", "Position", "Root moves of each engine", "About this report"],
}
"""The headings of pages in order, with failures first."""
MADE = ReportContext(
    "2026-11-22T11:58:03Z",
    "Linux x86_64, znver3, 2 threads",
    (("perft-check", "0.1.0"), ("Python", "3.11.2"), ("Numba", "0.62.1")),
    (("./odd", "ab" * 32),),
)


def page_made(result: object) -> str:
    """Return the page of a result with known circumstances."""
    return "".join(HTML.chunks(result, MADE))


@pytest.mark.parametrize("name", SECTIONS)
def test_failures_come_first(name: str) -> None:
    heads = re.findall(r"<h2 id=[^>]*>(.*?)</h2>", page_made(RESULTS[name]))
    assert heads == SECTIONS[name] + (["About this report"] if name == "timed fuzz" else [])


@pytest.mark.parametrize("name", RESULTS)
def test_a_page_states_its_circumstances(name: str) -> None:
    content = " ".join(re.sub(r"<[^>]*>", " ", page_made(RESULTS[name])).split())
    facts = (
        "created 2026-11-22 11:58:03 UTC machine Linux x86_64, znver3, 2 threads "
        f"versions perft-check 0.1.0, Python 3.11.2, Numba 0.62.1 build of odd SHA-256 {'ab' * 32}"
    )
    assert (facts in content) == (name != "fuzz"), "a repeatable report contains no circumstances"


def test_a_real_page_names_the_build_of_its_engine(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import chess\ndef moves(fen): return [str(m) for m in chess.Board(fen).legal_moves]\n"
    )
    assert run("divide", "startpos", "1", "-e", "python:mine:moves", "--report", "a.html").returncode == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    digest = hashlib.sha256((tmp_path / "mine.py").read_bytes()).hexdigest()
    assert f"<dt>build of python:mine:moves</dt><dd>SHA-256 {digest}</dd>" in page
    assert f"Python {platform.python_version()}, Numba {version('numba')}" in page


def test_events_that_never_occurred_come_first() -> None:
    assert [row[1] for row in rows_of(FUZZ, "Rare events")] == ["0", "0", "5", "1,234"]


def test_other_failures_beyond_a_hundred_are_counted() -> None:
    many = [RUN.results[1]] * (components.SHOWN_OTHERS + 8)
    assert "Same cause in 107 other positions" in text_of(replace(RUN, results=many))
    assert "... and 7 more" in text_of(replace(RUN, results=many))


def test_html_on_stdout_and_in_a_file(run: Run) -> None:
    done = run("divide", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "2", "-a", "own", "--report", "html=-")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("<!DOCTYPE html>\n<html lang")
    assert done.stdout.endswith("</html>\n")
    assert "own:two-plies and own agree on every root move: 66 nodes" in done.stdout
    refused = run("perft", "startpos", "1", "--report", "a.html")
    assert refused.returncode == 2
