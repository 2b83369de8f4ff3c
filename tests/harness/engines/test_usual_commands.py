"""Programs with a command line: `doctor` finds their arguments, and every error says what to try."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from helpers.fakes import COUNTING_PROGRAM, FAKES, called
from helpers.processes import children_of, processes_called_with
from helpers.program import WIDE, Run, wrong
from perft_check.errors import UsageError
from perft_check.generator.game import Game
from perft_check.generator.position import Position
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.stdio.attempts import CALLS
from perft_check.harness.engines.stdio.help_texts import arguments_in_usage, arguments_of_options
from perft_check.harness.engines.types.program import CommandTemplate
from perft_check.harness.engines.usual_commands import CommandAttempt, UsualCommands

KIWIPETE = Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")


def attempt(manner: str, arguments: str) -> CommandAttempt:
    return UsualCommands(shlex.split(called(manner))).attempt(arguments, EngineCall(30))


@pytest.mark.parametrize(
    ("manner", "arguments"),
    [
        ("perft", "perft {depth} {fen}"),
        ("getopt", "-f {fen} -d {depth}"),
        ("split", "{depth} {fields}"),
        ("piped", "{depth} <<< {fen}"),
        ("commands", "'position fen {fen}' 'go perft {depth}'"),
        ("spoken", "<<< 'fen {fen}' 'perft {depth}' quit"),
        ("asks", "<<< {fen} {depth}"),
    ],
)
def test_usual_arguments_count_correctly(manner: str, arguments: str) -> None:
    assert arguments in CALLS
    assert attempt(manner, arguments) == CommandAttempt(arguments, "correct count", is_correct=True)
    engine = open_engine(f"{called(manner)} {arguments}")  # a command with placeholders needs no prefix
    engine.start(EngineCall(30))
    assert engine.perft(Game(KIWIPETE), 2, EngineCall(30)) == 2039


@pytest.mark.parametrize(
    ("manner", "arguments", "outcome"),
    [
        ("perft", "{depth} {fen}", "exited with status 1: usage: called perft DEPTH FEN"),
        ("mistaken", "perft {depth} {fen}", "incorrect count: 53 instead of 52"),
        ("start", "perft {depth} {fen}", "counts the starting position instead of the given one"),
        ("other", "perft {depth} {fen}", "prints 7, which is not a count of the position"),
        ("split", "{fen} {depth}", "exited with status 64"),
        ("spoken", "{fen} {depth}", "exited with status 0"),
    ],
)
def test_outcome_of_other_arguments(manner: str, arguments: str, outcome: str) -> None:
    found = attempt(manner, arguments)
    assert (found.outcome, found.is_correct) == (outcome, False)


def test_waiting_program_times_out_and_is_killed() -> None:
    found = UsualCommands(shlex.split(called("deaf"))).attempt(CALLS[0], EngineCall(0.5))
    assert (found.outcome, found.is_overdue) == ("has not answered within 0.5 seconds", True)
    assert not {*children_of(os.getpid())} & {*processes_called_with("deaf")}


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("  -d, --depth N  plies\n  -p, --position FEN\n", [], ["-p {fen} -d {depth}"]),
        ("  -s TEXT  the FEN\n  -n N  the depth\n", [], ["-s {fen} -n {depth}"]),
        ("[--position POSITION] [--plies PLIES]", ["count"], ["count --position {fen} --plies {depth}"]),
        ("  --depth N", [], ["{fen} --depth {depth}"]),
    ],
)
def test_arguments_from_options_of_a_help(text: str, words: list[str], expected: list[str]) -> None:
    assert list(arguments_of_options(text, words))[: len(expected)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("usage: engine -d DEPTH FEN", ["-d {depth} {fen}"]),
        ("Usage: ./engine <position file> <depth>", ["/dev/stdin {depth} <<< {fen}"]),
        ('Usage: /usr/bin/engine [-v] [--threads N] perft "FEN" DEPTH', ["perft {fen} {depth}"]),
        ("commands: divide <fen> <depth>", ["divide {fen} {depth}"]),
        ("usage: engine --fen=<FEN> --depth=<N> [--hash=<MB>]", ["--fen={fen} --depth={depth}"]),
        ("usage: engine pos=FEN plies=N", ["pos={fen} plies={depth}"]),
        ("engine fen <fen> perft <depth>", ["fen {fen} perft {depth}"]),
        ("  perft fen depth   counts", ["perft {fen} {depth}"]),
        ('{"error": "perft FEN DEPTH"}', ["perft {fen} {depth}"]),
        ("usage: engine bench | perft DEPTH FEN", ["perft {depth} {fen}"]),
        ("usage: engine [uci |perft DEPTH|divide DEPTH FEN]", ["divide {depth} {fen}"]),
        ("usage: engine perft|divide DEPTH FEN", ["perft {depth} {fen}"]),
        ("usage: engine perft DEPTH | divide DEPTH FEN", ["divide {depth} {fen}"]),
        ("usage: engine OUTPUT FEN DEPTH", []),
        ("  -d, --depth <N>  plies", []),
        ("engine 1.0 reads a fen and counts to a depth, in a very long sentence about that depth", []),
    ],
)
def test_arguments_from_a_usage_line(text: str, expected: list[str]) -> None:
    assert list(arguments_in_usage(text, {"engine"}))[:1] == expected


def test_placeholders_of_a_command() -> None:
    game = Game(KIWIPETE)
    words = ["engine", "{depth}", "--fen={fen}", "{fields}", "<<<", "fen {fen}", "go {depth}"]
    fen = KIWIPETE.fen()
    question = CommandTemplate.of_command(words).fill(game, 3)
    assert question.words == ("engine", "3", f"--fen={fen}", *fen.split())
    assert question.lines == (f"fen {fen}", "go 3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manner", "arguments"),
    [
        ("piped", "{depth} <<< {fen}"),
        ("file", "-i /dev/stdin {depth} <<< {fen}"),
        ("games", "--level {depth} --board {fen}"),
        ("argparse", "count --position {fen} --plies {depth}"),
    ],
)
def test_doctor_finds_the_arguments_of_a_program(run: Run, tmp_path: Path, manner: str, arguments: str) -> None:
    done = run("doctor", "-e", called(manner), "--save", "engine.json")
    assert done.returncode == 0, done
    assert "kiwipete 2            correct: 2,039" in done.stdout
    assert f"{arguments}" in done.stdout
    saved = json.loads((tmp_path / "engine.json").read_text())
    assert saved["launch"] == f"{called(manner)} {arguments}"
    assert saved.keys() <= {"name", "min_depth", "launch", "total"}
    again = run("perft", "kiwipete", "2", "-e", "engine.json", "--alone")
    assert (again.returncode, again.stdout) == (0, "2039\n")


@pytest.mark.slow
def test_doctor_accepts_arguments_with_incorrect_counts(run: Run) -> None:
    done = run("doctor", "-e", called("mistaken"))
    assert done.returncode == 1
    assert "incorrect count: 53 instead of 52" in done.stdout
    assert "incorrect: 8,903 instead of 8,902" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("fixed", ["8902", "the clock"])
def test_number_correct_only_in_the_starting_position_is_not_a_total(run: Run, tmp_path: Path, fixed: str) -> None:
    program = tmp_path / "fixed"
    said = "echo 'Version 8902 of a game'" if fixed == "8902" else "echo score 8902 of $2"
    program.write_text(f"#!/bin/sh\n{said}\n")
    program.chmod(0o755)
    done = run("run", "-e", "cmd:./fixed {fen} {depth}")
    assert (done.returncode, done.stdout) == (3, "")
    assert "perft-check: fixed prints no count; it said " in done.stderr


@pytest.mark.slow
def test_doctor_shows_failed_attempts(run: Run) -> None:
    done = run("doctor", "-e", called("other"))
    assert done.returncode == 3
    title, row = done.stdout.splitlines()
    assert title.split() == ["arguments", "outcome"]
    assert "prints 7, which is not a count of the position" in row
    assert f"and {len(CALLS) - 4} more" in row
    spec = f"cmd:{called('other')} --fen {{fen}} --depth {{depth}}"
    assert done.stderr.splitlines()[-1].endswith(f", such as -e {shlex.quote(spec)}")


@pytest.mark.slow
def test_program_that_is_not_an_engine_gets_a_hint(run: Run, tmp_path: Path) -> None:
    program = tmp_path / "engine"
    program.write_text("#!/bin/sh\necho usage: engine perft DEPTH FEN >&2\nexit 1\n")
    program.chmod(0o755)
    for command in (["run"], ["fuzz"], ["divide", "startpos", "2"], ["perft", "startpos", "2"], ["bench"]):
        done = run(*command, "-e", "./engine")
        assert done.returncode == 3
        assert done.stderr.splitlines()[-1] == (
            "perft-check: engine exited with status 1: usage: engine perft DEPTH FEN; "
            "try: perft-check doctor -e ./engine"
        )


NO_LINE = "has no #! line, so the system cannot start it"
WINDOWS = "has Windows line endings, which make its #! line useless; try: perft-check doctor -e 'python3 ./windows.py'"
REFUSED = {
    "engine.js": ("1\n", 0o644, f"{NO_LINE}; try: perft-check doctor -e 'node ./engine.js'"),
    "plain": ("#!/bin/sh\n", 0o644, "is not executable: run chmod +x ./plain"),
    "text": ("1\n", 0o644, f"{NO_LINE}; build it, or name the interpreter of a script before it"),
    "windows.py": (
        "#!/usr/bin/env python3\r\n", 0o755,
        WINDOWS,
    ),
    "empty": ("", 0o755, "is empty: build it again"),
}  # fmt: skip
"""Files that the system cannot start: content, mode and message."""


@pytest.mark.parametrize("name", REFUSED)
def test_reason_why_a_file_is_not_started(run: Run, tmp_path: Path, name: str) -> None:
    text, mode, message = REFUSED[name]
    (tmp_path / name).write_text(text, newline="")
    (tmp_path / name).chmod(mode)
    for command in ("run", "doctor", "fuzz"):
        assert wrong(run, command, "-e", f"./{name}", **WIDE) == f"engine './{name}': ./{name} {message}"


def test_misspelled_file_name(run: Run, tmp_path: Path) -> None:
    (tmp_path / "my-engine").write_text("")
    assert (
        wrong(run, "-e", "./my-engin") == "engine './my-engin': there is no file ./my-engin; did you mean 'my-engine'?"
    )


def test_a_command_needs_no_prefix(run: Run, tmp_path: Path) -> None:
    (tmp_path / "count.py").write_text(COUNTING_PROGRAM)
    done = run("perft", "kiwipete", "2", "-e", f"{sys.executable} count.py {{fen}} {{depth}}", "--alone")
    assert (done.returncode, done.stdout) == (0, "2039\n")
    spoken = open_engine(f"{sys.executable} {FAKES / 'one_bug.py'} uci none")
    spoken.start(EngineCall(60))
    assert spoken.perft(Game(KIWIPETE), 2, EngineCall(60)) == 2039
    spoken.close()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ls {fen}", "the command has no {depth}: write cmd:PROGRAM {fen} {depth}, or try: perft-check doctor -e ls"),
        ("cmd:ls", "the command has no {fen}: write cmd:PROGRAM {fen} {depth}, or try: perft-check doctor -e ls"),
        ("uci:ls {fen} {depth}", "a UCI command has no placeholders: write -e 'cmd:ls {fen} {depth}'"),
    ],
)
def test_missing_or_superfluous_placeholders(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        open_engine(spec)
    assert str(raised.value) == f"engine {spec!r}: {message}"


OF_PERFTREE = """
import sys
import chess
def count(board, depth):
    return 1 if depth == 0 else sum(after(board, move, depth) for move in board.legal_moves)
def after(board, move, depth):
    board.push(move)
    total = count(board, depth - 1)
    board.pop()
    return total
board, depth = chess.Board(sys.argv[2]), int(sys.argv[1])
for move in " ".join(sys.argv[3:{last}]).split():
    board.push_uci(move)
print(*(f"{{move.uci()}} {{after(board, move, depth)}}" for move in board.legal_moves), sep="\\n")
print()
print(count(board, depth))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("last", "form"), [(4, "script:{program}"), (3, "cmd:{program} {{depth}} {{fen}}")])
def test_program_playing_moves_after_its_fen_is_a_script(last: int, form: str, run: Run, tmp_path: Path) -> None:
    (tmp_path / "tree.py").write_text(OF_PERFTREE.format(last=last))
    program = f"{sys.executable} tree.py"
    done = run("doctor", "-e", program, **WIDE)
    assert done.returncode == 0, done
    assert f"use it as -e {shlex.quote(form.format(program=program))}" in " ".join(done.stdout.split())
