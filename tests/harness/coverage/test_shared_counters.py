"""Programs on stdin that share their counters: which branches ran; the content of the file is untrusted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from helpers.libraries import EXAMPLES, HEADERS, questions
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.coverage import counters
from perft_check.harness.coverage.counters import COUNTERS_AT, LOCATIONS_AT, SIZE, VARIABLE, SharedCounters
from perft_check.harness.coverage.model import SOMEWHERE
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.opening import open_engine
from perft_check.harness.engines.types.stdin_engine import StdinEngine

needs_clang = pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
START = Position.start()
PROGRAM = """
#include "generator.h"
#include "perft_check_coverage.h"
int main(void) {
    char line[4096];
    Board b;
    for (read_fen(&b, START); fgets(line, sizeof line, stdin); fflush(stdout)) {
        if (!strncmp(line, "position fen ", 13)) read_fen(&b, line + 13);
        if (!strncmp(line, "go perft ", 9)) {
            Move moves[MOST_MOVES];
            uint64_t total = 0, below;
            for (int i = 0, n = legal_moves(&b, moves); i < n; i++, total += below) {
                Board after = b;
                char text[8];
                play(&after, moves[i]);
                below = line[9] > '1' ? perft(&after, line[9] - '1') : 1;
                write_move(&b, moves[i], text);
                printf("%s: %d\\n", text, (int)below);
            }
            printf("\\nNodes searched: %d\\n", (int)total);
        }
        if (!strncmp(line, "uci", 3)) puts("uciok");
        if (!strncmp(line, "isready", 7)) puts("readyok");
    }
}
"""


def program(folder: Path, compiler: str, flags: str) -> str:
    (folder / "made.c").write_text(PROGRAM, encoding="utf-8")
    command = [compiler, "-w", "-O1", "-g", flags, "-I", str(HEADERS), "-I", str(EXAMPLES / "c")]
    subprocess.run([*command, "-o", str(folder / "made"), str(folder / "made.c")], check=True)
    return f"uci:{shlex.quote(str(folder / 'made'))}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compiler", "flags"),
    [("clang", "-fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp"), ("gcc", "-fsanitize-coverage=trace-pc")],
)
def test_a_program_shares_its_counters(compiler: str, flags: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    with closing(open_engine(program(tmp_path, compiler, flags))) as engine:
        assert isinstance(engine, StdinEngine)
        source = engine.measure_coverage()
        assert source.locations() == ()
        engine.start(EngineCall(PATIENCE))
        source.reset()
        assert engine.perft(Game(START), 1, EngineCall(PATIENCE)) == 20
        counters, places = source.read(), source.locations()
        ran = [place for place, number in zip(places, counters, strict=True) if number and place]
        assert {"main", "legal_moves"} <= {place.function for place in ran}
        assert "perft" not in {place.function for place in ran}
        assert not source.read().any()
        with closing(engine.open_pipeline(EngineCall(PATIENCE)).stream) as stream:
            stream.start(EngineCall(PATIENCE))
            asked = questions([START], [1])
            for _ in range(3):
                stream.submit(asked)
            first, _, last = (stream.collect().coverage for _ in range(3))
        assert first is not None
        assert last is not None
        assert {position for _, position in first.features} == {SOMEWHERE}
        assert len(last.features) < len(first.features)


@needs_clang
def test_a_program_that_is_not_measured_has_its_own_counters(tmp_path: Path) -> None:
    spec = program(tmp_path, "clang", "-fsanitize-coverage=trace-pc-guard,pc-table")
    with closing(open_engine(spec)) as engine:
        engine.start(EngineCall(PATIENCE))
        assert engine.perft(Game(START), 2, EngineCall(PATIENCE)) == 400


@pytest.mark.slow
@needs_clang
@pytest.mark.parametrize("size", [None, 0, 100, SIZE + 1])
def test_a_file_of_another_size_is_not_written(size: int | None, tmp_path: Path) -> None:
    program(tmp_path, "clang", "-fsanitize-coverage=trace-pc-guard,pc-table")
    file = tmp_path / "file"
    if size is not None:
        file.write_bytes(bytes(size))
    done = subprocess.run(
        [str(tmp_path / "made")],
        input="go perft 2\n",
        env=os.environ | {VARIABLE: str(file)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("Nodes searched: 400\n")
    assert size is None or file.read_bytes() == bytes(size)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"", 0),
        (b"PCCOVER1", 8),
        (b"PCCOVER1" + b"\xff" * 16, 24),
        (b"PCCOVER1" + b"\xff" * (SIZE - 8), SIZE),
        (b"PCCOVER1" + b"\xff" * (COUNTERS_AT - 8), COUNTERS_AT),
        (b"\xff" * SIZE, SIZE),
        (b"PCCOVER1" + (5).to_bytes(8, "little") + b"\x01" * LOCATIONS_AT, LOCATIONS_AT + 3),
    ],
)
def test_arbitrary_file_content_is_harmless(data: bytes, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counters, "find_locations", lambda _program, found: tuple(None for _ in found))
    with closing(SharedCounters()) as source:
        source._file.clear()
        source._file.write(data[:size], 0)
        assert set(source.locations()) <= {None}
        assert source.collect(questions([START], [1])).branches in {0, 5, 65_536}
        assert not np.any(source.read())
