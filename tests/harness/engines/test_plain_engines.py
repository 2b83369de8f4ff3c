"""Engines on stdin without UCI: `doctor` finds out how to ask them, or says what helps."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from fakes.plain import MANNERS
from helpers.blocks import correct_block, random_positions
from helpers.fakes import COUNTING, FAKES, plain, written_engine
from helpers.libraries import needs_cc
from helpers.processes import PATIENCE, children_of, processes_called_with
from helpers.program import WIDE, Run
from helpers.streams import doubtful_positions, open_stream
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.engines.base import CannotPipeline
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.stdio.transcript import Survey
from perft_check.harness.engines.types.stdin_engine import StdinEngine

KIWIPETE = Game(Position.from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"))
BUFFERED = {"PYTHONUNBUFFERED": ""}
"""Makes Python buffer its output, whatever the environment of the machine."""
FORMATS = {
    "table": ("D: N", None, None),
    "every-depth": ("Nodes: N", 1, None),
    "prompt": ("Leaves: N", None, 48),
    "colors": ("Total moves: N", None, 48),
    "thousands": ("Perft D: N", None, None),
    "leafs": ("Leaves: N", None, None),
}
"""The format of the totals, the depth of the first one if it is not the requested one, the root moves."""


@pytest.mark.slow
@pytest.mark.parametrize("manner", FORMATS)
def test_plain_engine_is_understood(manner: str) -> None:
    total_format, first_depth, moves = FORMATS[manner]
    engine = open_engine(plain(manner))
    assert isinstance(engine, StdinEngine)
    with closing(engine):
        engine.start(EngineCall(PATIENCE))
        descriptor = engine.descriptor
        assert (descriptor.total_format, descriptor.first_depth) == (total_format, first_depth)
        assert descriptor.case.startswith(MANNERS[manner].position)
        assert not descriptor.uci
        assert [engine.perft(KIWIPETE, depth, EngineCall(PATIENCE)) for depth in (1, 2)] == [48, 2039]
        divide = engine.divide(KIWIPETE, 2, EngineCall(PATIENCE))
        assert (divide.total, len(divide.counts) or None) == (2039, moves)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["run -s smoke --timeout 3", "divide startpos 1 --timeout 3", "doctor"])
def test_uci_prefix_excludes_other_dialects(run: Run, command: str) -> None:
    done = run(*command.split(), "-e", f"uci:{plain('prompt')}", **WIDE)
    assert (done.returncode, done.stdout) == (3, "")
    assert re.match(
        r"perft-check: plain\.py does not answer 'uci' with 'uciok' within (3|10) seconds; ",
        done.stderr.splitlines()[-1],
    )
    advice = done.stderr.splitlines()[-1].rpartition("; try: ")[2]
    assert shlex.split(advice) == ["perft-check", "doctor", "-e", plain("prompt")]


@pytest.mark.slow
def test_buffered_output_is_reported_with_a_remedy(run: Run) -> None:
    done = run("run", "-e", plain("unflushed"), "-s", "smoke", **WIDE, **BUFFERED)
    said = "answers only once its input has ended: its output waits in a buffer"
    assert (done.returncode, said in done.stderr) == (3, True), done.stdout + done.stderr
    # Other tests run such processes at the same time.
    assert not {*children_of(os.getpid())} & {*processes_called_with(str(FAKES / "plain.py"))}


BUFFERED_UCI = """
import sys
for line in sys.stdin:
    match line.split():
        case ["uci"]:
            print("uciok")
        case ["isready"]:
            print("readyok")
        case ["go", "perft", _]:
            print("Nodes searched: 20")
"""


@pytest.mark.slow
def test_buffered_output_of_a_uci_engine(run: Run, tmp_path: Path) -> None:
    (tmp_path / "buffered.py").write_text(BUFFERED_UCI)
    done = run("perft", "startpos", "1", "-e", f"uci:{sys.executable} buffered.py", **WIDE, **BUFFERED)
    said = "buffered.py answers only once its input has ended: its output waits in a buffer; "
    assert f"{said}let the program print each line at once" in done.stderr
    assert done.returncode == 3


FLUSHED_BY_ISREADY = r"""
#include <stdio.h>
#include <string.h>
static const char *counts[] = {"1", "20", "400", "8902"};
int main(void) {
    char line[999];
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "uci\n")) puts("uciok"), fflush(stdout);
        if (!strcmp(line, "isready\n")) puts("readyok"), fflush(stdout);
        if (!strncmp(line, "go perft ", 9)) printf("Nodes searched: %s\n", counts[line[9] - '0']);
    }
}
"""


@needs_cc
def test_an_engine_that_flushes_only_after_isready_is_told_what_helps(run: Run, tmp_path: Path) -> None:
    (tmp_path / "late.c").write_text(FLUSHED_BY_ISREADY)
    subprocess.run(["cc", "late.c", "-o", "late"], cwd=tmp_path, check=True)
    done = run("perft", "startpos", "2", "-e", "uci:./late", **WIDE)
    said = "late answers only once it is sent another command: its output waits in a buffer"
    remedy = "give -e 'uci:stdbuf -oL ./late', or " if shutil.which("stdbuf") else ""
    assert f"{said}; {remedy}let the program print each line at once" in done.stderr
    assert (done.returncode, done.stdout) == (3, "")


START_ONLY = """
import sys, time
COUNTS = [1, 20, 400, 8902]
for line in sys.stdin:
    match line.split():
        case ["uci"]:
            print("uciok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["go", "perft", depth]:
            ANSWER
"""
"""A UCI engine that counts the starting position, whatever it is given."""


@pytest.mark.slow
def test_an_engine_that_answers_on_stderr_is_told_what_helps(run: Run, tmp_path: Path) -> None:
    (tmp_path / "aside.py").write_text(
        START_ONLY.replace("ANSWER", "print('Nodes:', COUNTS[int(depth)], file=sys.stderr, flush=True)")
    )
    done = run("perft", "startpos", "2", "-e", "uci:python3 aside.py", **WIDE)
    said = "aside.py prints its answer to stderr instead of stdout; give -e 'uci:sh -c \"python3 aside.py 2>&1\"'"
    assert (done.returncode, said in done.stderr) == (3, True), done.stderr
    again = run("perft", "startpos", "2", "-e", 'uci:sh -c "python3 aside.py 2>&1"', **WIDE)
    assert "counts the starting position, whatever it is given" in again.stderr


@pytest.mark.slow
def test_an_engine_that_is_only_slow_is_not_said_to_buffer_its_output(run: Run, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        START_ONLY.replace("ANSWER", "time.sleep(2.5); print('Nodes:', COUNTS[int(depth)], flush=True)")
    )
    done = run("perft", "startpos", "2", "-e", f"uci:{sys.executable} slow.py", **WIDE)
    assert (done.returncode, "buffer" in done.stderr) == (2, False), done.stderr
    assert "counts the starting position, whatever it is given" in done.stderr


@pytest.mark.slow
def test_total_in_unknown_format_is_read_by_a_learned_pattern(run: Run, tmp_path: Path) -> None:
    done = run("doctor", "-e", plain("odd"), "--save", "odd.json", **WIDE)
    assert done.returncode == 0, done
    assert "as total_re says: counted (?P<nodes>[0-9]+)" in done.stdout
    assert "correct: 2,039" in done.stdout
    assert json.loads((tmp_path / "odd.json").read_text())["total_re"] == "counted (?P<nodes>[0-9]+)"
    message = "plain.py: totals are read by 'counted (?P<nodes>[0-9]+)', which was correct in three positions"
    for spec, is_reported in ((plain("odd"), True), ("odd.json", False)):
        done = run("run", "-e", spec, "-s", "smoke", "--max-nodes", "100", **WIDE)
        assert (done.returncode, message in done.stderr) == (0, is_reported), done


@pytest.mark.slow
@pytest.mark.parametrize("manner", ["odd", "prompt", "colors"])
def test_unusual_answers_are_read_when_asked_ahead(tmp_path: Path, manner: str) -> None:
    launch = shlex.join([sys.executable, str(FAKES / "plain.py"), manner])
    keys = {"total_re": r"counted (?P<nodes>\d+) ends \(depth (?P<depth>\d+)"} if manner == "odd" else {}
    case = f"{MANNERS[manner].position} {{fen}}\nperft {{depth}}"
    (tmp_path / "mine.json").write_text(json.dumps({"launch": launch, "case": case} | keys))
    right, wrong = correct_block(random_positions(20), 1), correct_block(random_positions(20), 1)
    wrong.totals[7] += 1
    with open_stream(str(tmp_path / "mine.json")) as one:
        assert doubtful_positions(one, right, wrong) == [[], [7]]


@pytest.mark.slow
def test_totals_of_every_depth_exclude_asking_ahead() -> None:
    with pytest.raises(CannotPipeline, match="it counts every depth on the way"), open_stream(plain("every-depth")):
        pass


@pytest.mark.parametrize(
    ("lines", "total", "first_depth"),
    [
        (["Nodes: 20", "Nodes: 400", "Nodes: 8902"], 8902, 1),
        (["Nodes: 1", "Nodes: 20", "Nodes: 400", "Nodes: 8902"], 8902, 0),
        (["Moves: 20", "Nodes: 8902"], 8902, None),
        (["Depth 1: 20", "Depth 2: 400", "Depth 3: 8902"], 8902, None),
        (["3 8902 7 634304"], 8902, None),
    ],
)
def test_survey_takes_the_known_count(lines: list[str], total: int, first_depth: int | None) -> None:
    survey = Survey(3, None, known=(20, 400, 8902))
    assert [survey.add(line) for line in lines] == [*[False] * (len(lines) - 1), True]
    assert (survey.total, survey.first_depth) == (total, first_depth)


def test_survey_prefers_the_strictest_incorrect_total() -> None:
    survey = Survey(3, None, known=(20, 400, 8902))
    assert not any(survey.add(line) for line in ("Nodes searched: 8901", "7", "Moves: 20"))
    assert survey.settle()
    assert (survey.total, survey.total_format) == (8901, "Nodes searched: N")


ASKING = f"""{COUNTING}
asked = 0
while True:
    try:
        board = chess.Board(input("FEN? "))
        depth = int(input("Enter depth: "))
    except EOFError:
        break
    except ValueError:
        continue
    asked += 1
    print("nodes", perft(board, depth), flush=True)
    print(asked, file=open("asked", "a"))
"""


@pytest.mark.slow
def test_engine_prompting_for_fen_and_depth_is_one_process(run: Run, tmp_path: Path) -> None:
    (tmp_path / "asking.py").write_text(ASKING)
    words = ("-e", f"{sys.executable} asking.py")
    done = run("doctor", *words, **WIDE)
    assert (done.returncode, "asked by                         {fen} / {depth}" in done.stdout) == (0, True), (
        done.stdout
    )
    assert run("run", *words, "-s", "smoke", "--max-nodes", "1000").returncode == 0
    assert max(map(int, (tmp_path / "asked").read_text().split())) > 36
    done = run("fuzz", *words, "-n", "30", "--seed", "1", "--jobs", "1", "--timeout", "20")
    assert done.stdout.splitlines()[-1].startswith("no fault of asking.py found in ")


CONSOLE = f"""{COUNTING}
import cmd

class Shell(cmd.Cmd):
    prompt = "(mine) "
    board = chess.Board()
    def do_fen(self, fen): self.board = chess.Board(fen)
    def do_perft(self, depth): print(perft(self.board, int(depth)), "leaf nodes")
    def do_quit(self, _): return True

Shell().cmdloop()
"""


@pytest.mark.slow
def test_prompt_repeated_for_each_input_line(run: Run, tmp_path: Path) -> None:
    """It precedes the count twice in the first questions, and three times in others."""
    (tmp_path / "shell.py").write_text(CONSOLE)
    done = run("run", "-e", f"{sys.executable} shell.py", "-s", "smoke", "--max-nodes", "100", "--timeout", "60")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "positions agree" in done.stdout


OTHER_FORMS = {
    "sums": 'print(f"{move.uci()} done, {count} nodes, {total} so far")|print(f"perft {depth} done: {total} nodes")',
    "rows": 'print(f"{move.uci()} {count} ({count})")|print(f"perft  {total}  ({total / 1000:.1f}K, 0.01s)")',
    "japanese": 'print(f"手 {move.uci()} — 局面 {count}")|print(f"手の数: {moves}\\n局面の数: {total}")',
    "search": 'print(f"info depth {depth} nodes {count} pv {move.uci()}")|print(f"info depth {depth} nodes {total}")',
    "plies": 'print(f"{move.uci()} {reply}: 1", f"{move.uci()}: {count}", sep="\\n")|print(f"all: {total}")',
    "list": 'print(f"* {move.uci()} {count}")|print(f"* perft({depth}) total nodes: {total}")',
}


@pytest.mark.slow
@pytest.mark.parametrize("form", OTHER_FORMS)
def test_total_is_distinguished_from_other_figures(form: str, run: Run, tmp_path: Path) -> None:
    """It is preceded by the numbers of root moves, moves and paths, some in the same format."""
    of_move, of_total = OTHER_FORMS[form].split("|")
    lines = (
        "class Mine(UciEngine):",
        "    def answer(self, depth):",
        "        total = moves = 0",
        "        for move, count in self.counts(self.board, depth):",
        "            total, moves, reply = total + count, moves + 1, move.uci()[2:4] + move.uci()[:2]",
        f"            {of_move}",
        f"        {of_total}",
        "Mine().serve()",
    )
    engine = written_engine(tmp_path / "engine.py", "\n".join(lines))
    done = run("run", "-e", engine, "-s", "smoke", "--max-nodes", "100", "--timeout", "60")
    assert done.returncode == 0, done.stdout + done.stderr
