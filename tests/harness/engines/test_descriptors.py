"""Descriptors of engines in JSON: what they say, and what is wrong with them in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.program import Run, wrong
from perft_check.errors import UsageError
from perft_check.harness.engines.base import UnparseableOutput
from perft_check.harness.engines.stdio.descriptor import Descriptor, load_descriptor, save_descriptor
from perft_check.harness.engines.stdio.lines import LinePattern


def test_descriptor_of_a_program_that_reads_stdin(tmp_path: Path) -> None:
    path = tmp_path / "horsie.json"
    keys = {"launch": "bin/horsie -x", "setup": ["setoption name Hash value 1"], "end_re": "^Total: \\d+"}
    case = {"case": "position fen {fen}\nperft {depth}", "quit": "quit"}
    path.write_text(json.dumps({"name": "horsie", "version": "1", "min_depth": 2, **keys, **case}))
    descriptor = load_descriptor(path)
    assert descriptor.launch == ("bin/horsie", "-x")
    assert descriptor.setup == ("setoption name Hash value 1",)
    assert descriptor.min_depth == 2
    assert descriptor.end is not None
    assert descriptor.end.is_in("Total: 20")
    assert not descriptor.plays_moves
    assert descriptor.lines("FEN", [], 3) == ["position fen FEN", "perft 3"]
    assert descriptor.position_lines == ["position fen {fen}"]


def test_descriptor_round_trip(tmp_path: Path) -> None:
    descriptor = Descriptor(
        "x", ("a b", "c"), "position fen {fen}{moves}\ngo perft {depth}", total_format="n = N", min_depth=2
    )
    save_descriptor(tmp_path / "x.json", descriptor)
    assert load_descriptor(tmp_path / "x.json") == descriptor


def test_descriptor_pattern_has_a_time_limit() -> None:
    pattern = LinePattern("end_re", r"^(\w|\w\w)+\W\Z")
    assert pattern.is_in("abc!")
    with pytest.raises(UnparseableOutput, match=r"'end_re' of the descriptor takes longer than 0\.2 seconds on 'aaaa"):
        pattern.is_in("a" * 60 + "!!")


def test_missing_descriptor_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read .*none\.json: No such file"):
        load_descriptor(tmp_path / "none.json")


RIGHT: dict[str, object] = {"launch": "true", "case": "position fen {fen}\nperft {depth}"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"launch": None}, "Object missing required field `launch`"),
        ({"launch": "'x"}, "No closing quotation in 'launch'"),
        ({"case": None}, "'case' is missing"),
        ({"case": "go {depth}"}, "'case' has no {fen}"),
        ({"case": "go {fen} {depth} \0"}, "'case': expected text that is not blank"),
        (
            {"launch": "e {fen}", "case": None},
            "'launch' needs {depth}, because the program is started for each question",
        ),
        ({"launch": "e {depth} {fen}"}, "'case' is of no use if the program is started for each question"),
        ({"uci": "false"}, "'uci': Expected `bool | null`, got `str`"),
        ({"min_depth": "2"}, "'min_depth': Expected `int`, got `str`"),
        ({"min_depth": 100}, "'min_depth': Expected `int` <= 99"),
        ({"end_re": "("}, "'end_re' is not a regular expression: "),
        ({"total_re": r"\\d+"}, "'total_re' has no group named 'nodes': write (?P<nodes>...)"),
        ({"setup": 3}, "'setup': Expected `str | array | null`"),
        ({"total": "?"}, "'total' '?' is none of "),
        ({"separator": "x"}, "'separator' 'x' is not '.' or ' ': others are understood without it"),
        ({"end_er": "x"}, "unknown key 'end_er': did you mean 'end_re'?"),
    ],
    ids=str,
)
def test_an_invalid_descriptor_is_reported_in_one_line(
    run: Run, tmp_path: Path, fields: dict[str, object], message: str
) -> None:
    described = {key: value for key, value in (RIGHT | fields).items() if value is not None}
    (tmp_path / "bad.json").write_text(json.dumps(described))
    assert wrong(run, "divide", "startpos", "1", "-e", "bad.json").startswith(f"bad.json: {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "bad.json is not valid JSON: "),
        ("[]", "bad.json: an engine descriptor must be a JSON object"),
        *((text, "") for text in ("[" * 100_000, '{"a":' * 20_000, '{"min_depth": ' + "9" * 5_000 + "}", "\ufeff")),
    ],
    ids=range(6),
)
def test_a_file_that_is_not_a_descriptor_is_reported_in_one_line(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "bad.json").write_text(text)
    assert wrong(run, "divide", "startpos", "1", "-e", "bad.json").startswith(message)
