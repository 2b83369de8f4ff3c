"""Shared libraries as engines: the examples are correct, and every failure is reported in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from helpers.libraries import EXAMPLES, WARNINGS, built, needs_cc
from helpers.processes import PATIENCE
from helpers.program import Run, wrong
from perft_check.errors import UsageError
from perft_check.generator import GenType, Position
from perft_check.generator.game import Game
from perft_check.harness.engines.base import EngineCrash, UnparseableOutput
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.library import LibraryEngine

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FEW = "4k3/8/4K3/8/8/8/8/8 w - - 0 1"
SUITE = f"{START} ;D1 20 ;id first\n{KIWIPETE} ;D1 48 ;id disliked\n{START} ;D1 20 ;id last\n"
MISBEHAVES = """
#include "perft_check.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int64_t perft_check_perft(const char *fen, int depth) {
    if (!strstr(fen, "r3k2r/p1pp")) return depth == 1 ? 20 : depth == 2 ? 400 : 8902;
    %s
}
%s
"""
DIVIDE = "int64_t perft_check_divide(const char *fen, int depth, perft_check_move *out, size_t room) { %s }"
SUITES = ("-s", "standard", "-s", "special", "--max-nodes", "10k")

pytestmark = needs_cc


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the library of the example in C."""
    return built(tmp_path_factory.mktemp("library"), EXAMPLES / "c" / "library.c", "-O2", *WARNINGS)


@contextmanager
def loaded(library: Path) -> Iterator[LibraryEngine]:
    with closing(LibraryEngine("lib", str(library))) as engine:
        engine.start(EngineCall(PATIENCE))
        yield engine


def test_the_example_in_c_is_correct(run: Run, example: Path) -> None:
    done = run("-e", f"lib:{example}", *SUITES, "-s", "chess960", "-s", "chess960-special")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all 426 positions agree" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler")
def test_the_example_in_cpp_is_correct(run: Run, tmp_path: Path) -> None:
    built(tmp_path, EXAMPLES / "cpp" / "library.cpp", "-std=c++17", *WARNINGS, compiler="c++")
    done = run("-e", "lib:libmade.so", *SUITES)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cargo") is None, reason="no Rust")
def test_the_example_in_rust_is_correct(run: Run, tmp_path: Path) -> None:
    sources = shutil.copytree(EXAMPLES / "rust", tmp_path / "rust", ignore=shutil.ignore_patterns("target"))
    command = ["cargo", "build", "--release", "--offline", "--quiet", "--target-dir", "target"]
    built_it = subprocess.run(command, cwd=sources, capture_output=True, encoding="utf-8", check=False)
    assert (built_it.returncode, built_it.stderr) == (0, "")
    done = run("-e", "lib:rust/target/release/libexample.so", *SUITES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_lists_and_fens(example: Path) -> None:
    position = Position.from_fen(KIWIPETE)
    castled = Game.from_uci(position, "e1g1 a8b8")
    rooks = Position.from_fen("4k3/8/8/8/8/8/8/1RK2R2 w BF - 0 1", chess960=True)
    with loaded(example) as engine:
        moves = engine.moves(Game(position), GenType.LEGAL, EngineCall())
        assert sorted(moves or ()) == sorted(move.uci(chess960=True) for move in position.legal_moves)
        assert engine.moves(Game(position), GenType.CAPTURES, EngineCall()) is None
        assert engine.fen(castled, EngineCall()) == castled.position.fen()
        assert (engine.castles_to_rook, engine.chess960, engine.plays_moves) == (False, True, False)
        assert "c1f1" in engine.divide(Game(rooks), 1, EngineCall()).counts
        assert engine.fen(Game.from_uci(rooks, "c1f1"), EngineCall()) == "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"


@pytest.mark.parametrize(
    ("command", "status", "shown"),
    [
        (("divide", KIWIPETE, "2", "-a", "own"), 0, "agree on every root move"),
        (("perft", "kiwipete", "3"), 0, "97862"),
        (("fuzz", "-n", "5", "-j", "1"), 0, "no fault of libmade.so found in 5 positions"),
        pytest.param(("bench", "-p", FEW), 0, "lib:", marks=pytest.mark.slow),
        (("doctor",), 0, "perft_check_perft, perft_check_divide, perft_check_moves, perft_check_fen_after"),
        pytest.param(("init",), 0, "perft-check.toml", marks=pytest.mark.slow),
    ],
)
def test_commands_take_a_library(run: Run, example: Path, command: tuple[str, ...], status: int, shown: str) -> None:
    done = run(*command, "-e", f"lib:{example}", COLUMNS="300")
    assert done.returncode == status, done.stdout + done.stderr
    assert shown in done.stdout, done.stdout + done.stderr


def test_an_incorrect_move_of_a_library_is_explained(run: Run, tmp_path: Path) -> None:
    built(tmp_path, EXAMPLES / "c" / "library.c", "-DWRONG")
    done = run("divide", "5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "1", "-e", "lib:libmade.so", "-a", "own", COLUMNS="300")
    assert done.returncode == 1
    assert "the king would pass f1, which the rook on f8 attacks" in done.stdout


def test_the_process_of_a_library_starts_without_numpy() -> None:
    """Each crash starts a new process, and importing NumPy would take most of that time."""
    program = "import sys, perft_check.harness.engines.library.child; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("body", "verdict", "message"),
    [
        ("abort();", "crash", "was killed by SIGABRT"),
        ("raise(SIGSEGV); return 0;", "crash", "was killed by SIGSEGV"),
        ("exit(3);", "crash", "exited with status 3"),
        ("exit(0);", "crash", "exited with status 0"),
        (
            'puts("to stdout"); fputs("out of ideas\\n", stderr); abort();',
            "crash",
            "was killed by SIGABRT: out of ideas",
        ),
        pytest.param("for (;;);", "timeout", "has not answered within", marks=pytest.mark.slow),
        ("return -7;", "rejected position", "refuses the position"),
        ("return (int64_t)1 << 62;", "mismatch", "+4,611,686,018,427,387,856 nodes"),
        ('puts("to stdout"); fflush(stdout); return 48;', "agree", ""),
        ("close(0); close(1); close(2); return 48;", "agree", ""),
        ("if (fork()) return 48; pause(); return 0;", "agree", ""),
    ],
)
def test_every_failure_is_reported_with_its_position(
    run: Run, tmp_path: Path, body: str, verdict: str, message: str
) -> None:
    (tmp_path / "suite.epd").write_text(SUITE, encoding="utf-8")
    built(tmp_path, MISBEHAVES % (body, ""))
    seconds = "3" if verdict == "timeout" else str(PATIENCE)
    done = run("-e", "lib:libmade.so", "-s", "suite.epd", "--timeout", seconds, "--report", "json=-", "--explain=none")
    results = json.loads(done.stdout)["results"]
    assert [result["verdict"] for result in results] == ["agree", verdict, "agree"], results
    assert results[1]["fen"] == KIWIPETE
    assert results[1]["message"].removeprefix("libmade.so ").startswith(message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 70000;", "returned 70,000 moves: the buffer has room for 1,024"),
        ("memset(out, 'x', 16); return 1;", "returned a move without a terminating zero: 'xxxxxxxx'"),
        ('strcpy(out->move, "\\033[2J"); return 1;', r"returned '\x1b[2J' as a move; expected UCI text"),
        ("memset(out, 0, 16 * (room + 1)); return 0;", "wrote past the end of the buffer for 1,024 moves"),
    ],
)
def test_an_invalid_list_of_moves_is_reported(tmp_path: Path, body: str, message: str) -> None:
    with loaded(built(tmp_path, MISBEHAVES % ("return 48;", DIVIDE % body))) as engine:
        with pytest.raises(UnparseableOutput) as raised:
            engine.divide(Game(Position.start()), 1, EngineCall(PATIENCE))
        assert str(raised.value).startswith(f"lib {message}")
        assert engine.perft(Game(Position.start()), 1, EngineCall(PATIENCE)) == 20


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return size;", "returned a FEN of 1,024 characters: the buffer has room for 1,023"),
        ("memset(out, 'x', 9); return 9;", "returned a FEN without a terminating zero at its end, byte 9"),
    ],
)
def test_an_invalid_fen_is_reported(tmp_path: Path, body: str, message: str) -> None:
    plays = "int64_t perft_check_fen_after(const char *fen, const char *moves, char *out, size_t size) { %s }"
    with loaded(built(tmp_path, MISBEHAVES % ("return 48;", plays % body))) as engine:
        with pytest.raises(UnparseableOutput) as raised:
            engine.fen(Game(Position.start()), EngineCall(PATIENCE))
        assert str(raised.value) == f"lib {message}"


def test_a_reason_is_reported_in_one_line(tmp_path: Path) -> None:
    reason = r'const char *perft_check_error(void) { return "no\n\033[31mway \xff"; }'
    with loaded(built(tmp_path, MISBEHAVES % ("return -1;", reason))) as engine:
        with pytest.raises(Exception, match=r"^lib refuses the position: no") as raised:
            engine.perft(Game(Position.from_fen(KIWIPETE)), 1, EngineCall(PATIENCE))
        assert str(raised.value).isprintable()
        assert engine.perft(Game(Position.start()), 1, EngineCall(PATIENCE)) == 20


def test_a_file_that_is_not_a_library_is_reported(run: Run, tmp_path: Path, example: Path) -> None:
    def error_of(name: str) -> str:
        return wrong(run, "perft", "startpos", "1", "-e", f"lib:{name}", COLUMNS="1000").partition("': ")[2]

    whole = example.read_bytes()
    (tmp_path / "text.so").write_text("hello\n", encoding="utf-8")
    (tmp_path / "empty.so").write_bytes(b"")
    (tmp_path / "folder.so").mkdir()
    (tmp_path / "arm.so").write_bytes(whole[:18] + (40).to_bytes(2, "little") + whole[20:])
    (tmp_path / "small.so").write_bytes(whole[:4] + b"\x01" + whole[5:])
    for name in ("text.so", "empty.so"):
        assert error_of(name) == f"{tmp_path}/{name}: file too short"
    assert error_of("folder.so") == "folder.so is a folder: name the library in it"
    assert error_of("none.so") == "there is no file none.so"
    assert error_of("") == "write lib:PATH, such as lib:./libmine.so"
    assert error_of("arm.so") == f"{tmp_path}/arm.so is for another processor: build it for this machine"
    assert error_of("small.so") == f"{tmp_path}/small.so: wrong ELF class: ELFCLASS32"


def test_a_library_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    def error_of(text: str, *flags: str) -> str:
        library = built(tmp_path, text, *flags)
        with pytest.raises(UsageError) as raised, loaded(library):
            pass
        return str(raised.value).removeprefix("engine 'lib': ").replace(str(library), "LIB")

    needed = tmp_path / "needed"
    needed.mkdir()
    built(needed, "int needed(void) { return 1; }").rename(needed / "libneeded.so")
    calls = '#include "perft_check.h"\nint needed(void);\n'
    calls += "int64_t perft_check_perft(const char *fen, int depth) { return needed(); }"
    assert error_of("int nothing;") == (
        "LIB exports no perft_check_perft: include perft_check.h, and make the function visible"
    )
    assert error_of(calls) == "LIB: undefined symbol: needed: link the library with what defines it"
    # The linker needs dependencies after the library that uses them.
    with_needed = ("-Wl,--no-as-needed", f"-L{needed}", "-lneeded", "-Wl,--allow-shlib-undefined")
    assert error_of(calls, *with_needed) == (
        "LIB needs libneeded.so, which is not here: install it, or name its folder in LD_LIBRARY_PATH"
    )
    later = MISBEHAVES % ("return 48;", "int perft_check_version(void) { return 2; }")
    assert error_of(later) == "LIB is built for version 2 of perft_check.h, and this is for version 1"


def test_a_crash_while_a_library_is_loaded_is_reported(tmp_path: Path) -> None:
    loading = "__attribute__((constructor)) static void begin(void) { abort(); }"
    library = built(tmp_path, MISBEHAVES % ("return 48;", loading))
    with pytest.raises(EngineCrash, match=r"^lib was killed by SIGABRT, while it was loaded$"), loaded(library):
        pass


def test_closing_a_library_closes_all_descriptors(example: Path) -> None:
    with loaded(example):
        pass
    before = sorted(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with loaded(example) as engine:
            assert engine.perft(Game(Position.start()), 3, EngineCall(PATIENCE)) == 8902
    assert sorted(os.listdir("/proc/self/fd")) == before
