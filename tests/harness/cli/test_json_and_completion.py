"""`--json` of the commands about one position, and the completion of shells."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from helpers.program import PROGRAM, Run
from perft_check.harness.cli.program import run_command_line

FEN = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
HEAD = {"format": 1, "perft_check": "0.1.0"}


def test_perft_as_json(run: Run) -> None:
    done = run("perft", FEN, "2", "--json")
    document = json.loads(done.stdout)
    assert isinstance(document.pop("seconds"), float)
    assert document == HEAD | {
        "kind": "perft",
        "engine": "own:two-plies",
        "names": {"own:two-plies": "own:two-plies"},
        "fen": FEN,
        "chess960": False,
        "depth": 2,
        "exit_code": 0,
        "nodes": 66,
        "reference": None,
        "expected": None,
        "kinds": [],
    }
    kinds = json.loads(run("perft", FEN, "1", "--json", "--stats").stdout)["kinds"]
    assert [(row["depth"], row["nodes"], row["castles"]) for row in kinds] == [(0, 1, 0), (1, 15, 1)]


def test_divide_as_json(run: Run) -> None:
    document = json.loads(run("divide", FEN, "1", "-a", "own", "--json").stdout)
    one, other = document.pop("divides")
    assert (one["engine"], other["engine"], one["nodes"]) == ("own:two-plies", "own", 15)
    assert one["root_moves"] == other["root_moves"]
    assert one["root_moves"]["e1g1"] == 1
    assert document == HEAD | {
        "kind": "divide",
        "engine": "own:two-plies",
        "references": ["own"],
        "names": {"own:two-plies": "own:two-plies", "own": "own"},
        "fen": FEN,
        "chess960": False,
        "depth": 1,
        "exit_code": 0,
        "differences": [],
        "finding": None,
        "vote": None,
    }


def test_a_difference_as_json_has_the_usual_exit_status(run: Run) -> None:
    done = run(
        "divide", "k7/8/8/7r/8/8/3N4/3K4 w - - 0 1", "3", "-e", "zoo:pins-forgotten", "-a", "own:turbo", "--json"
    )
    document = json.loads(done.stdout)
    assert (done.returncode, document["exit_code"]) == (1, 1)
    assert document["differences"][0]["reference"] == "own:turbo"
    assert document["finding"]["wrong"][0]["rule"] == "pinned"


def test_moves_as_json(run: Run) -> None:
    document = json.loads(run("moves", FEN, "--all", "--json").stdout)
    lists = {one["gentype"]: [move["uci"] for move in one["moves"]] for one in document.pop("lists")}
    assert {name: len(moves) for name, moves in lists.items()} == {
        "CAPTURES": 0,
        "QUIETS": 15,
        "QUIET_CHECKS": 1,
        "NON_EVASIONS": 15,
        "LEGAL": 15,
    }
    assert document == HEAD | {
        "kind": "moves",
        "engine": "own",
        "names": {"own": "own"},
        "fen": FEN,
        "chess960": False,
        "oddities": [],
        "exit_code": 0,
    }
    (legal,) = json.loads(run("moves", FEN, "-e", "own:linked-list", "--json").stdout)["lists"]
    assert {move["uci"] for move in legal["moves"]} == set(lists["LEGAL"])
    assert {"uci": "e1g1", "san": "O-O", "value": 0} in legal["moves"]


def output_of(command: list[str], **variables: str) -> str:
    env = os.environ | variables
    return subprocess.run(command, capture_output=True, text=True, env=env, check=True).stdout


@pytest.mark.slow
def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    (tmp_path / "perft-check").write_text(f'#!/bin/sh\nexec {" ".join(PROGRAM)} "$@"\n')
    (tmp_path / "perft-check").chmod(0o755)
    script = """
    source <(perft-check --show-completion bash)
    complete() {
        COMPREPLY=(); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _perft_check_completion perft-check; echo "${COMPREPLY[*]}"
    }
    complete perft-check div
    complete perft-check zoo s
    complete perft-check divide startpos 3 --ag
    """
    printed = output_of(["bash", "-c", script], PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert [line.split() for line in printed.splitlines()] == [
        ["divide"],
        ["show", "serve", "score"],
        ["--against"],
    ]


def test_bash_completes_names(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line has the words, and what the last one may become."""
    asked = {
        ("perft", "kiw"): {"kiwipete"},
        ("run", "-s", "chess"): {"chess960", "chess960-castling", "chess960-special", "chess960-sweep"},
        ("run", "-e", "py"): {"python-chess", "python:"},
        ("run", "-e", "zoo:castling-from-check-"): {"zoo:castling-from-check-on-load"},
        ("run", "-e", "own:ma"): {"own:magic"},
        ("explain", "en-passant-uncovers-"): {"en-passant-uncovers-rank", "en-passant-uncovers-line"},
        ("zoo", "show", "pins-f"): {"pins-forgotten", "pins-forgotten-in-check"},
        ("moves", "startpos", "--type", "quiet"): {"quiets", "quiet_checks"},
        ("run", "--format", "c"): {"concise"},
        ("run", "-e", "./"): set(),
    }
    monkeypatch.setenv("_PERFT_CHECK_COMPLETE", "complete_bash")
    for words, names in asked.items():
        monkeypatch.setenv("COMP_WORDS", "\n".join(["perft-check", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit):
            run_command_line([])
        assert set(capsys.readouterr().out.split()) == names, words
