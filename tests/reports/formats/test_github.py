"""GitHub annotations, parsed like the runner does, and the job summary."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from helpers.made_results import DIVIDE, FEN, FUZZ, GREEN, HOSTILE, MISMATCH, RUN, hostile, run_of
from helpers.readers import rendered
from perft_check.harness.cli.output import github_actions

COMMAND = re.compile("::(?P<name>[a-z-]+)(?: (?P<properties>.*?))?::(?P<message>.*)")


@dataclass
class Annotation:
    """An annotation, as GitHub shows it."""

    level: str
    properties: dict[str, str]
    message: str


def _unescaped(text: str) -> str:
    for escaped, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escaped, letter)
    return text


def annotated(result: object) -> list[Annotation]:
    """Return the annotations of a report, of which every line must be one."""
    found = []
    for line in rendered("github", result).splitlines():
        command = COMMAND.fullmatch(line)
        assert command is not None, line
        pairs = [pair.split("=", 1) for pair in command["properties"].split(",")]
        properties = {name: _unescaped(value) for name, value in pairs}
        found.append(Annotation(command["name"], properties, _unescaped(command["message"])))
    return found


def test_the_text_of_an_annotation() -> None:
    again = f"reproduce: perft-check divide '{FEN}' 1 -e odd -a own"
    assert rendered("github", run_of(MISMATCH)) == (
        "::error file=suites/made.epd,line=2,"
        "title=missing move c4b3%3A En passant along the line of a pin%3A made%3Awrong::"
        "missing move c4b3: En passant along the line of a pin; -1 nodes%0A"
        "MISMATCH  made:wrong  (suites/made.epd:2)%0A"
        f"{FEN}%0Adepth 2: 256 nodes, the suite says 257%0A"
        f"after Kg8 b4%0Ain {FEN}%0A"
        f"c4b3 (cxb3) missing: The pawn stays on the line of its pin.%0A{again}\n"
    )


def test_the_first_failure_of_each_cause_comes_first_up_to_ten() -> None:
    more = [replace(MISMATCH, name=f"w{number}") for number in range(20)]
    found = annotated(run_of(*RUN.results, *more))
    titles = [one.properties["title"] for one in found]
    assert len(titles) == 10
    assert len({title.rpartition(": ")[0] for title in titles[:6]}) == 6
    assert {title.rpartition(": ")[0] for title in titles[6:]} == {
        "missing move c4b3: En passant along the line of a pin"
    }
    assert {one.level for one in found} == {"error"}


def test_a_failure_that_was_not_reproduced_is_a_warning() -> None:
    (one,) = annotated(run_of(RUN.results[8]))
    assert (one.level, one.properties["line"]) == ("warning", "9")


def test_a_position_of_a_bundled_suite_has_no_file() -> None:
    (one,) = annotated(run_of(replace(MISMATCH, source="smoke.epd:3")))
    assert list(one.properties) == ["title"]


def test_a_fuzzing_run_and_a_divide() -> None:
    assert [one.level for one in annotated(FUZZ)] == ["error", "warning"]
    assert [one.level for one in annotated(DIVIDE)] == ["error"]
    assert annotated(GREEN) == []


def test_external_text_is_never_a_workflow_command() -> None:
    for text in HOSTILE:
        for result in hostile(text):
            found = annotated(result)
            assert {one.level for one in found} <= {"error", "warning"}
            assert set().union(*(one.properties for one in found)) <= {"file", "line", "title"}
            assert all(len(one.properties["title"]) <= 255 and len(one.message) <= 4_000 for one in found)
            assert not re.search("[\0-\x08\x0b-\x1f]", "".join(one.message for one in found))


def test_a_summary_that_is_too_long_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    text = rendered("md", RUN)
    monkeypatch.setattr(github_actions, "MOST_BYTES", len(text.encode()))
    github_actions.append_summary(RUN)
    github_actions.append_summary(RUN)
    assert (tmp_path / "summary.md").read_bytes() == text.encode() + github_actions.TOO_LONG
