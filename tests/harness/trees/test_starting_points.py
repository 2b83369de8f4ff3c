"""Starting points of the explorer: positions, reports, corpora, and invalid input."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from helpers.program import Run
from perft_check.errors import UsageError
from perft_check.harness.engines.spec import EngineSpec
from perft_check.harness.trees.starting_points import StartingPoint, starting_points_of

FAULT = "zoo:castling-through-attack"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def only(text: str | Path) -> StartingPoint:
    """Return the only starting point that a text names."""
    (start,) = starting_points_of(str(text))
    return start


def report_of(folder: Path, **changes: object) -> str:
    """Write the report of a run with one failure, with some fields changed."""
    case = {"suite": "mine", "name": "one", "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "chess960": False, "depth": 1}
    case |= {"verdict": "mismatch", "difference": None, "finding": None, "message": "wrong"}
    engine = changes.pop("engine", "own")
    path = folder / "report.json"
    path.write_text(json.dumps({"kind": "run", "engine": engine, "results": [case | changes]}), encoding="utf-8")
    return str(path)


def test_a_fen_and_a_name() -> None:
    """The default depth is 3."""
    start = only(KIWIPETE)
    assert (start.position.fen(), start.depth, start.engine) == (KIWIPETE, 3, None)
    assert only("kiwipete").position == start.position
    assert only("startpos").name == "startpos"


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_failures_of_a_run(run: Run, tmp_path: Path, ending: str) -> None:
    """Only failures are listed, with engine, reference and rule."""
    run("run", "-e", FAULT, "-s", "smoke", "--report", f"report.{ending}", "--max-nodes", "3000")
    starting_points = starting_points_of(str(tmp_path / f"report.{ending}"))
    assert starting_points
    assert {start.engine for start in starting_points} == {FAULT}
    assert {start.reference for start in starting_points} == {"own:turbo"}
    assert all("Castling through an attacked square" in start.note for start in starting_points)


@pytest.mark.slow
def test_findings_of_a_fuzzing_run(run: Run, tmp_path: Path) -> None:
    """A finding has a position and the moves that lead to the fault."""
    run("fuzz", "-e", FAULT, "--examples", "100", "--seed", "1", "--jobs", "1", "--report", "report.json")
    starting_points = starting_points_of(str(tmp_path / "report.json"))
    assert starting_points
    assert all(start.engine == FAULT and start.depth >= 1 for start in starting_points)


def test_a_divide(run: Run, tmp_path: Path) -> None:
    """A divide has both engines."""
    run("divide", "kiwipete", "3", "-e", FAULT, "-a", "own:turbo", "--report", "divide.json")
    start = only(tmp_path / "divide.json")
    assert (start.engine, start.reference, start.depth) == (FAULT, "own:turbo", 3)
    assert start.note == "extra: e1g1, Castling through an attacked square"


def test_the_names_of_a_report_are_those_of_its_engines(run: Run, tmp_path: Path) -> None:
    words = ("divide", "kiwipete", "2", "-e", FAULT, "-a", "own:turbo", "--name", "mine", "--report", "divide.json")
    run(*words)
    start = only(tmp_path / "divide.json")
    assert (start.engine, start.reference) == (FAULT, "own:turbo")
    engine, reference = EngineSpec(start.engine or ""), EngineSpec(start.reference or "")
    assert (engine.name, engine.has_given_name, reference.has_given_name) == ("mine", True, False)
    engines = {"./new/engine": "new/engine", "./old/engine": "old/engine", "./third": "a\x1b[31m" + "b" * 60}
    report = json.loads((tmp_path / "divide.json").read_text()) | {"names": engines}
    shown = ("new/engine", "old/engine", "a\ufffd[31m" + "b" * 11 + " ... " + "b" * 18)
    for spec, name in zip(engines, shown, strict=True):
        (tmp_path / "other.json").write_text(json.dumps(report | {"engine": spec}))
        named = only(tmp_path / "other.json").engine
        read = EngineSpec(named or "")
        assert (named, read.name, read.has_given_name) == (spec, name, "b" in name)


def test_a_corpus(tmp_path: Path) -> None:
    """Its moves are the path, and its deepest count that is not too large determines the depth."""
    (tmp_path / "finds.epd").write_text(
        f'{KIWIPETE} ;D1 48 ;D2 2039 ;D6 8031647685; id "one"; moves "e2a6 b4c3"\n', encoding="utf-8"
    )
    start = only(tmp_path / "finds.epd")
    assert (start.depth, start.path) == (3, ("e2a6", "b4c3"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "{", "is not valid JSON: "),
        ("a.json", "[1, 2]", "is JSON, but not a report of perft-check: write one with --report json=FILE"),
        ("a.json", '{"kind": "run"}', "is JSON, but not a readable report of perft-check: 'results'"),
        ("a.json", '{"kind": "run", "results": []}', "contains no failed position: there is nothing to explore"),
        ("a.json", '{"kind": "score"}', "contains no failed position: there is nothing to explore"),
        ("a.json", '{"kind": "run", "results": [{"verdict": "wonderful"}]}', "'wonderful' is not a valid Verdict"),
        ("a.json", "[" * 100_000, "is JSON that is nested too deeply to be a report of perft-check"),
        (
            "a.json",
            '{"kind": "divide", "fen": "8/8 w", "chess960": false, "depth": 3, "engine": "a", "references": []}',
            "bad FEN '8/8 w'",
        ),
    ],
)
def test_an_invalid_report_is_rejected(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(UsageError) as refusal:
        starting_points_of(str(tmp_path / name))
    assert message in str(refusal.value)
    assert str(tmp_path / name) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a file: give a report, or a suite such as a corpus"):
        starting_points_of(str(tmp_path))
    with pytest.raises(UsageError, match=r"cannot read .*: No such file or directory"):
        starting_points_of(str(tmp_path / "none.json"))
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(UsageError, match=r"cannot read .*: Is a directory"):
        starting_points_of(str(tmp_path / "folder.json"))
    with pytest.raises(UsageError, match="no position named 'kiwipet': did you mean 'kiwipete'"):
        starting_points_of("kiwipet")


@pytest.mark.parametrize(
    "changes",
    [{"engine": 7}, {"engine": []}, {"message": 7}, {"depth": float("inf")}, {"fen": "8/8 w"}, {"verdict": "x"}],
)
def test_a_field_of_another_type_is_rejected(tmp_path: Path, changes: dict[str, object]) -> None:
    """It is an error of the user, not of the program."""
    with pytest.raises(UsageError, match="is JSON, but not a readable report of perft-check"):
        starting_points_of(report_of(tmp_path, **changes))


def test_texts_of_a_report_are_made_printable(tmp_path: Path) -> None:
    """Escape sequences and lone surrogates are replaced."""
    (start,) = starting_points_of(report_of(tmp_path, name="\x1b[2Jone", message="\ud800wrong"))
    assert (start.name, start.note) == ("mine:\ufffd[2Jone", "\ufffdwrong")


def test_a_pipe_is_rejected(tmp_path: Path) -> None:
    """A pipe without a writer would block."""
    os.mkfifo(tmp_path / "report.json")
    with pytest.raises(UsageError, match="is a pipe, which may never end: give a file"):
        starting_points_of(str(tmp_path / "report.json"))


def test_a_name_takes_precedence_over_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder called kiwipete does not hide the position."""
    (tmp_path / "kiwipete").mkdir()
    monkeypatch.chdir(tmp_path)
    (start,) = starting_points_of("kiwipete")
    assert start.position.fen().startswith("r3k2r/p1ppqpb1/")
