"""The tables of the score, word by word."""

from __future__ import annotations

import io
import json

import pytest
from helpers.made_outcomes import OUTCOMES, detected, missed, score_of
from helpers.printed import printed
from perft_check.reports.formats.json import JSON
from perft_check.reports.formats.markdown import KEPT_ASIDE, MARKDOWN
from perft_check.reports.live.fuzz import ScoreLive
from perft_check.reports.terminal.zoo import render
from perft_check.reports.text import percent
from rich.console import Console

FUZZED = [outcome for outcome in OUTCOMES if outcome.hunt.strategy == "fuzz"]


def shown(*outcomes: object) -> list[str]:
    return [line.strip() for line in printed(render(score_of(*outcomes)), 140) if line]  # type: ignore[arg-type]


def test_the_tables_of_a_terminal() -> None:
    lines = [" ".join(line.split()) for line in shown(*FUZZED)]
    assert [line for line in lines if line.startswith(("strategy", "fuzz"))] == [
        "strategy faults of faults triggered detected families share explained time positions pieces",
        "fuzz check evasion 1 0.5 0.5 1 of 1 100 % 0 % 2.00 s 40 4",
        "fuzz chess960 1 0.5 0.0 0 of 1 0 % - - - -",
        "fuzz pins 1 1.0 1.0 1 of 1 100 % 100 % 0.50 s 40 4",
        "fuzz standard 2 1.5 1.5 2 of 2 100 % 66.7 % 0.70 s 40 4",
        "fuzz Chess960 1 0.5 0.0 0 of 1 0 % - - - -",
        "fuzz tuned on 3 2.0 1.5 2 of 3 66.7 % 66.7 % 2.00 s 60 4",
        "fuzz all 3 2.0 1.5 2 of 3 66.7 % 66.7 % 2.00 s 60 4",
        "fuzz missed (with so many seeds): chess960-uncovers-king (2), king-beside-king (1)",
    ]


@pytest.mark.parametrize(
    ("share", "text"), [(1.0, "100 %"), (0.0, "0 %"), (2 / 3, "66.7 %"), (0.9, "90 %"), (None, "-")]
)
def test_percent(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_the_page() -> None:
    page = MARKDOWN.render(score_of(*OUTCOMES, planned=12))
    assert page.startswith(
        "# Detection\n\n"
        "How many faults of the zoo are detected. Each fault is hunted alone: 3 faults of 3 families, with 2 seeds. "
        "Each hunt takes at most 10 s; 2 run side by side.\n\n"
        "**Unfinished**: 9 of 12 hunts are done.\n\n"
        "Made by\n\n    perft-check zoo score --seeds 2 --results score.jsonl\n\n"
        "*Reached*: "
    )
    assert page[page.index("## Families detected\n") :] == (
        "## Families detected\n\n"
        "| strategy | standard | Chess960 | tuned on | all |\n"
        "| --- | --: | --: | --: | --: |\n"
        "| fuzz | 2 of 2 (100 %) | 0 of 1 (0 %) | 2 of 3 (66.7 %) | 2 of 3 (66.7 %) |\n"
        "| smoke | 1 of 2 (50 %) | 0 of 1 (0 %) | 1 of 3 (33.3 %) | 1 of 3 (33.3 %) |\n\n"
        f"{KEPT_ASIDE}\n\n"
        "## Detections explained by a right rule\n\n"
        "| strategy | standard | Chess960 | tuned on | all |\n"
        "| --- | --: | --: | --: | --: |\n"
        "| fuzz | 66.7 % | - | 66.7 % | 66.7 % |\n"
        "| smoke | 100 % | - | 100 % | 100 % |\n\n"
        "## Families detected, by class\n\n"
        "| class | fuzz | smoke |\n"
        "| --- | --: | --: |\n"
        "| check evasion | 1 of 1 | 0 of 1 |\n"
        "| chess960 | 0 of 1 | 0 of 1 |\n"
        "| pins | 1 of 1 | 1 of 1 |\n\n"
        "## Fault by fault\n\n### fuzz\n\n"
        "| fault | reached | triggered | detected | positions | nodes | seconds | pieces | explained |\n"
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n"
        "| `king-beside-king` | 100 % | 50 % | 50 % | 40 | - | 2.00 | 4 | 0 % |\n"
        "| `chess960-uncovers-king` | 100 % | 50 % | 0 % | - | - | - | - | - |\n"
        "| `pins-forgotten` | 100 % | 100 % | 100 % | 40 | - | 0.50 | 4 | 100 % |\n\n"
        "### smoke\n\n"
        "| fault | reached | triggered | detected | positions | nodes | seconds | pieces | explained |\n"
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n"
        "| `king-beside-king` | 100 % | 0 % | 0 % | - | - | - | - | - |\n"
        "| `chess960-uncovers-king` | 100 % | 0 % | 0 % | - | - | - | - | - |\n"
        "| `pins-forgotten` | 100 % | 100 % | 100 % | 40 | - | 3.00 | 4 | 100 % |\n"
    )


def test_the_document_for_programs() -> None:
    document = json.loads(JSON.render(score_of(*OUTCOMES)))
    assert (document["format"], document["planned"], document["done"], document["jobs"]) == (1, 9, 9, [2])
    fuzz = document["strategies"]["fuzz"]
    assert fuzz["curve"] == [{"seconds": 0.5, "families": 1}, {"seconds": 2.0, "families": 2}]
    assert list(fuzz["groups"]) == ["standard", "Chess960", "tuned on", "all"]
    assert fuzz["groups"]["standard"]["families_detected"] == 2
    assert fuzz["classes"]["pins"]["seconds"] == 0.5
    assert fuzz["faults"]["chess960-uncovers-king"] == {
        "class": "chess960",
        "family": "rook-uncovers",
        "chess960": True,
        "kept_aside": False,
        "seeds": 2,
        "faults": 1,
        "reached": 1.0,
        "triggered": 0.5,
        "detected": 0.0,
        "families": 1,
        "families_detected": 0,
        "explained": None,
        "seconds": None,
        "positions": None,
        "nodes": None,
        "pieces": None,
    }
    assert len(document["outcomes"]) == 9


def test_what_got_away_is_told_at_once() -> None:
    console = Console(width=100, file=io.StringIO(), color_system=None)
    with console.capture() as capture, ScoreLive(console, 3, 7) as live:
        for event in (detected("pins-forgotten", 1.0), missed("king-beside-king", 2)):
            live.handle(event.hunt)
            live.handle(event)
    assert capture.get() == "5 of 7: king-beside-king by fuzz, seed 2 not detected\n"


def test_on_a_terminal_it_says_what_is_hunted() -> None:
    screen = io.StringIO()
    console = Console(width=100, file=screen, force_terminal=True, color_system=None)
    with ScoreLive(console, 0, 2) as live:
        live.handle(detected("pins-forgotten", 1.0).hunt)
        live.handle(missed("king-beside-king", 2).hunt)
    said = "0 of 2 done, hunting pins-forgotten by fuzz, seed 1; king-beside-king by fuzz, seed 2"
    assert said in screen.getvalue()
