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


def test_descriptor_with_modes(tmp_path: Path) -> None:
    path = tmp_path / "horsie.json"
    mode = {"launch": "bin/horsie -x", "setup": ["setoption name Hash value 1"], "end_re": "^Total: \\d+"}
    case = {"case": "position fen {fen}\nperft {depth}", "quit": "quit"}
    other = {"launch": "elsewhere", "case": "{fen} {depth}"}
    modes = {"multi-with-cache": other, "single-no-cache": mode | case}
    path.write_text(json.dumps({"name": "horsie", "version": "1", "min_depth": 2, "modes": modes}))
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
        ({"launch": None}, "'launch' is missing or no text"),
        ({"launch": "'x"}, "No closing quotation in 'launch'"),
        ({"case": None}, "'case' is missing or no text"),
        ({"case": "go {depth}"}, "'case' has no {fen}"),
        ({"case": "go {fen} {depth} \ud800"}, "'case' has characters that cannot be sent"),
        (
            {"launch": "e {fen}", "case": None},
            "'launch' has no {depth}, which the command of a program for one question ",
        ),
        ({"launch": "e {depth} {fen}"}, "'case' is of no use if the program is started for each question"),
        ({"uci": "false"}, "'uci' must be true or false, not 'false'"),
        ({"min_depth": "2"}, "'min_depth' must be a whole number from 0 to 99, not '2'"),
        ({"min_depth": 10**30}, "'min_depth' must be a whole number from 0 to 99, not 1000"),
        ({"min_depth": True}, "'min_depth' must be a whole number from 0 to 99, not True"),
        ({"end_re": "("}, "'end_re' is not a regular expression: "),
        ({"total_re": r"\\d+"}, "'total_re' has no group named 'nodes': write (?P<nodes>...)"),
        ({"name": ["x"]}, "'name' ['x'] is not a name: write one, such as mine"),
        ({"quit": 7}, "'quit' is missing or no text"),
        ({"setup": 3}, "'setup' must be a list of lines"),
        ({"setup": {"a": 1}}, "'setup' must be a list of lines"),
        ({"setup": ["one", "\ud800"]}, "'setup' has characters that cannot be sent"),
        ({"total": "?"}, "'total' '?' is none of "),
        ({"total": ["N"]}, "'total' ['N'] is none of "),
        ({"separator": "x"}, "'separator' 'x' is not '.' or ' ': others are understood without it"),
        ({"end_er": "x"}, "unknown key 'end_er': did you mean 'end_re'?"),
        ({"modes": {}}, "'modes' must be an object with one object a mode"),
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
        ("{", "bad.json is not JSON: "),
        ("[]", "bad.json: an engine descriptor is a JSON object"),
        *((text, "") for text in ("[" * 100_000, '{"a":' * 20_000, '{"min_depth": ' + "9" * 5_000 + "}", "\ufeff")),
    ],
    ids=range(6),
)
def test_a_file_that_is_not_a_descriptor_is_reported_in_one_line(
    run: Run, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "bad.json").write_text(text)
    assert wrong(run, "divide", "startpos", "1", "-e", "bad.json").startswith(message)
