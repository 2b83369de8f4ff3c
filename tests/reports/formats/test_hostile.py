"""Texts of engines and files are escaped in JUnit, SARIF and Markdown, as parsed by other programs."""

from __future__ import annotations

from helpers.made_results import DIVIDE, FUZZ, HOSTILE, LONG, RUN, case, hostile, run_of
from helpers.readers import json_document, junit, rendered, sarif
from markdown_it import MarkdownIt
from markdown_it.token import Token
from perft_check.harness.model.results.verdict import Verdict


def test_junit() -> None:
    for text in HOSTILE:
        run, fuzz, divide = hostile(text)
        assert [len(list(suite)) for suite in junit(run)] == [12]
        assert [len(list(suite)) for suite in junit(fuzz)] == [4]
        assert [len(list(suite)) for suite in junit(divide)] == [1]


def test_invisible_characters_are_escaped_in_junit() -> None:
    run, _, _ = hostile("a\0b\x1b\u2028\ud800")
    failure = next(one.result[0] for suite in junit(run) for one in suite if one.is_failure)
    assert failure.message == r"missing move: a\x00b\x1b\u2028\ud800; a\x00b\x1b\u2028\ud800"
    assert r"a\x00b\x1b\u2028\ud800" in failure.text


def test_sarif() -> None:
    for text in HOSTILE:
        for result in hostile(text):
            found = sarif(result)["results"]
            assert found
            assert all(len(one["message"]["text"]) < 30_000 for one in found)


def _tokens(text: str) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(text)


def _shape(text: str) -> list[str]:
    """Return the types of all Markdown tokens except text and code."""
    kinds = []
    for token in _tokens(text):
        inline = [one.type for one in token.children or () if one.type not in ("text", "text_special", "code_inline")]
        kinds += [token.type, *inline]
    return kinds


def test_texts_do_not_change_the_structure_of_markdown() -> None:
    harmless = [_shape(rendered("md", result)) for result in hostile("plain")]
    for text in HOSTILE:
        assert [_shape(rendered("md", result)) for result in hostile(text)] == harmless, text[:40]


def test_the_markdown_of_a_run() -> None:
    text = rendered("md", RUN)
    assert "| made | 8 of 12 | 1 | 7 | 2 | 3,300 | 5.50 s | 600 n/s |" in text
    assert "| missing move: En passant along the line of a pin | 2 | `made:wrong` |" in text
    commands = [token.content for token in _tokens(text) if token.type == "fence"]
    assert commands[0].startswith("perft-check divide ")
    assert "perft-check fuzz --replay h.replay -e odd" in commands[-1]


def test_the_markdown_of_a_divide_and_of_a_fuzzing_run() -> None:
    text = rendered("md", DIVIDE)
    assert "Depth 3: odd 256, own 257." in text
    assert "| `c4b3` | - | 7 |" in text
    assert "### missing move c4b3: En passant along the line of a pin" in text
    assert "2,000 positions examined, seed 7." in rendered("md", FUZZ)


def test_a_message_of_a_megabyte_is_shortened() -> None:
    run = run_of(case("a", Verdict.CRASH, message=LONG))
    sizes = {name: len(rendered(name, run)) for name in ("md", "junit", "sarif", "github")}
    assert all(size < 30_000 for size in sizes.values()), sizes
    (failure,) = (one.result[0] for suite in junit(run) for one in suite if one.is_error)
    assert failure.message.startswith(r"nodes \x00nodes \x00")
    assert json_document(run)["results"][0]["message"] == LONG
