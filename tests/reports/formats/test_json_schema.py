"""JSON and JSON lines are valid for the published schema, which contains every field."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest
from helpers.made_coverage import CODE, COVER
from helpers.made_outcomes import OUTCOMES, score_of
from helpers.made_results import DIVIDE, FUZZ, GREEN, HOSTILE, RUN, hostile
from helpers.program import Run
from helpers.readers import OUR_SCHEMA, json_document, json_lines, our_schema
from jsonschema import Draft202012Validator, ValidationError
from pages import json_schema


def test_the_schema_is_valid() -> None:
    Draft202012Validator.check_schema(json.loads(OUR_SCHEMA.read_text()))


@pytest.mark.slow
def test_the_schema_matches_the_types() -> None:
    assert OUR_SCHEMA.read_text(encoding="utf-8") == json_schema.schema_text(), "run `python -m tools.pages`"


def test_results_have_exactly_the_fields_of_the_schema() -> None:
    for result in (RUN, GREEN, FUZZ, replace(FUZZ, code=CODE), COVER, DIVIDE, score_of(*OUTCOMES)):
        json_document(result, is_strict=True)


@pytest.mark.slow
def test_output_of_commands_matches_the_schema(run: Run) -> None:
    commands = [
        ["perft", "startpos", "2", "--stats", "--json"],
        ["divide", "startpos", "2", "-e", "own:turbo", "-a", "own", "-a", "python-chess", "--json"],
        ["count", "kiwipete", "3", "--split", "1", "--json"],
        ["moves", "kiwipete", "--all", "--json"],
        ["bench", "-e", "own:turbo", "-p", "startpos", "--rounds", "1", "--report", "json=-"],
    ]
    for command in commands:
        our_schema(is_strict=True).validate(json.loads(run(*command).stdout))


def test_other_documents_are_not_valid() -> None:
    for wrong in ({}, {"format": 2, "kind": "run"}, {"format": 1, "kind": "x"}, {"format": 1, "kind": "run"}):
        with pytest.raises(ValidationError):
            our_schema().validate(wrong)


def test_every_count_of_every_case_is_there() -> None:
    document = json_document(RUN)
    assert len(document["results"]) == 11
    assert [one["verdict"] for one in document["results"][1]["counts"]] == ["agree", "mismatch", "unfinished"]
    assert [one["name"] for one in document["not_begun"]] == ["left"]
    assert [one["reachability"] for one in document["results"][:2]] == [None, "reachable"]


def test_json_lines_of_a_run() -> None:
    lines = json_lines(RUN, is_strict=True)
    assert [line["kind"] for line in lines] == ["run-start", *["case"] * 12, "run-end"]
    document = json_document(RUN)
    cases = [{name: value for name, value in line.items() if name not in ("format", "kind")} for line in lines[1:-1]]
    assert cases == document["results"] + document["not_begun"]
    assert lines[-1]["exit_code"] == 1
    assert lines[-1]["verdicts"] == document["verdicts"]


def test_json_lines_of_a_fuzzing_run() -> None:
    lines = json_lines(FUZZ, is_strict=True)
    assert [line["kind"] for line in lines] == ["fuzz-start", "finding", "finding", "fuzz-end"]


def test_reached_code_is_listed_by_line() -> None:
    document = json_document(COVER)
    assert (document["branches"], document["by_suites"], document["lines_reached"]) == (7, 2, 2)
    (file,) = document["files"]
    assert [one["name"] for one in file["functions"]] == ["count", "undo"]
    assert file["functions"][0]["lines"][1] == {"line": 4, "branches": 2, "by_suites": 1, "by_fuzzing": 0}
    assert document["firsts"][0]["place"] == "/src/mine.c:3"
    end = json_document(replace(FUZZ, code=CODE))["code"]
    assert end["by_fuzzing"] == 1
    assert json_lines(replace(FUZZ, code=CODE), is_strict=True)[-1]["code"] == end


def test_external_texts_are_preserved() -> None:
    for text in HOSTILE:
        run, fuzz, divide = hostile(text)
        assert json_document(run)["results"][0]["message"] == text
        assert json_lines(run)[1]["name"] == text
        assert json_lines(fuzz)[1]["check"] == text
        assert json_document(divide)["finding"]["note"] == text


def test_agreement_is_written_like_other_verdicts() -> None:
    (agreed,) = GREEN.results[:1]
    for one in (agreed, replace(agreed, expected=None, got=None), replace(agreed, name='a"\n', chess960=True)):
        document = json_document(replace(GREEN, results=(one,)), is_strict=True)["results"][0]
        unlike = {"verdict": "agree", "references": dict(one.references), "reachability": None}
        same = {field.name: getattr(one, field.name) for field in fields(one)} | unlike
        document["counts"], same["counts"] = len(document["counts"]), len(one.counts)
        same["at_first"] = None
        assert document == same
