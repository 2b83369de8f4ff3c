"""What the user names: a position, a report, a suite, or a thing that is none of them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from perft_check.errors import UsageError
from perft_check.harness.trees.places import places_of


def report_of(folder: Path, **changes: object) -> str:
    """Write the report of a run with one failure, some of whose fields are others."""
    case = {"suite": "mine", "name": "one", "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "chess960": False, "depth": 1}
    case |= {"verdict": "mismatch", "difference": None, "finding": None, "message": "wrong"}
    engine = changes.pop("engine", "own")
    path = folder / "report.json"
    path.write_text(json.dumps({"kind": "run", "engine": engine, "results": [case | changes]}), encoding="utf-8")
    return str(path)


def test_a_failure_is_a_place(tmp_path: Path) -> None:
    """It has the engine of the run."""
    (place,) = places_of(report_of(tmp_path))
    assert (place.name, place.note, place.engine, place.depth) == ("mine:one", "wrong", "own", 1)


@pytest.mark.parametrize(
    "changes",
    [{"engine": 7}, {"engine": []}, {"message": 7}, {"depth": float("inf")}, {"fen": "8/8 w"}, {"verdict": "x"}],
)
def test_a_field_of_another_type_is_told(tmp_path: Path, changes: dict[str, object]) -> None:
    """It is no fault of ours that such a report cannot be read."""
    with pytest.raises(UsageError, match="is JSON, but no report of perft-check that can be read"):
        places_of(report_of(tmp_path, **changes))


def test_no_text_of_a_report_steers_the_terminal(tmp_path: Path) -> None:
    """Escape sequences and halves of surrogate pairs are shown as marks."""
    (place,) = places_of(report_of(tmp_path, name="\x1b[2Jone", message="\ud800wrong"))
    assert (place.name, place.note) == ("mine:\ufffd[2Jone", "\ufffdwrong")


def test_a_folder_is_told_as_no_file(tmp_path: Path) -> None:
    """Its path is no FEN with one field."""
    with pytest.raises(UsageError, match="is no file: name a report, or a suite such as a corpus"):
        places_of(str(tmp_path))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Nobody writes to it."""
    os.mkfifo(tmp_path / "report.json")
    with pytest.raises(UsageError, match="is a pipe, which may never end: name a file"):
        places_of(str(tmp_path / "report.json"))


def test_a_name_goes_before_a_folder_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder called kiwipete does not hide the position."""
    (tmp_path / "kiwipete").mkdir()
    monkeypatch.chdir(tmp_path)
    (place,) = places_of("kiwipete")
    assert place.position.fen().startswith("r3k2r/p1ppqpb1/")


def test_deeply_nested_json_is_told(tmp_path: Path) -> None:
    """It is a mistake of the file, and no fault of ours."""
    report = tmp_path / "deep.json"
    report.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(UsageError, match="nested too deep"):
        places_of(str(report))
