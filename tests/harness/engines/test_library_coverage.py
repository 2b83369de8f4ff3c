"""Coverage of libraries with perft_check_coverage.h: the branches that were reached, and the first position each."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from helpers.libraries import EXAMPLES, HEADERS, built, questions
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.game import Game
from perft_check.harness.coverage.model import COMPARISONS, EQUAL, BlockCoverage, CoverageTally
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.library import LibraryEngine

needs_clang = pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
COUNTERS = "-fsanitize-coverage=inline-8bit-counters,pc-table"
WAYS = (COUNTERS, f"{COUNTERS},trace-cmp", "-fsanitize-coverage=trace-pc-guard,pc-table")
START = Position.start()
CASTLES = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
HEADER = "perft_check_coverage.h"


def example(folder: Path, *flags: str, compiler: str = "clang") -> Path:
    text = '#include "library.c"\n#include "perft_check_coverage.h"\n'
    return built(folder, text, "-g", "-I", str(EXAMPLES / "c"), *flags, compiler=compiler)


@pytest.mark.slow
@needs_clang
@pytest.mark.parametrize("flags", WAYS)
def test_counters_of_a_single_question_have_source_locations(flags: str, tmp_path: Path) -> None:
    with closing(LibraryEngine("lib", str(example(tmp_path, flags)))) as engine:
        source = engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        source.reset()
        engine.divide(Game(START), 1, EngineCall(PATIENCE))
        counters, places = source.read(), source.locations()
        assert len(counters) == len(places) > 100
        lines = {
            (place.path, place.function) for place, number in zip(places, counters, strict=True) if number and place
        }
        assert (str(EXAMPLES / "c" / "generator.h"), "legal_moves") in lines
        assert (str(EXAMPLES / "c" / "generator.h"), "perft") not in lines
        assert not source.read().any()
        engine.perft(Game(START), 2, EngineCall(PATIENCE))
        functions = {place.function for place, number in zip(places, source.read(), strict=True) if number and place}
        assert "perft" in functions


@pytest.mark.slow
@needs_clang
@pytest.mark.parametrize("flags", WAYS)
def test_the_first_position_of_a_block_that_reaches_a_branch_is_known(flags: str, tmp_path: Path) -> None:
    with closing(LibraryEngine("lib", str(example(tmp_path, flags)))) as engine:
        engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        # The first answer includes what ran while the library was loaded, so the counts of the second differ.
        assert engine.ask(questions([START, START], [1, 1]), EngineCall(PATIENCE)).tolist() == []
        assert engine.ask(questions([START, CASTLES, START], [1, 1, 1]), EngineCall(PATIENCE)).tolist() == []
        first = engine.block_coverage
        assert first is not None
        assert {position for _, position in first.features} == {1}
        engine.ask(questions([CASTLES, START], [1, 1]), EngineCall(PATIENCE))
        assert engine.block_coverage == BlockCoverage(first.branches, ())


@needs_clang
def test_a_comparison_records_how_close_its_values_were(tmp_path: Path) -> None:
    text = (
        '#include "perft_check.h"\n#include "perft_check_coverage.h"\n'
        "int64_t perft_check_perft(const char *fen, int depth) {\n"
        "    int n = 0;\n"
        "    for (; *fen && *fen != ' '; fen++) n += *fen == 'Q';\n"
        "    return n == 6 ? 0 : depth;\n}\n"
    )
    queens = [Position.from_fen(f"k7/8/8/8/8/8/8/K{'Q' * number}{7 - number} b - - 0 1") for number in (1, 2, 4, 5, 6)]
    library = built(tmp_path, text, f"{COUNTERS},trace-cmp", compiler="clang")
    with closing(LibraryEngine("lib", str(library))) as engine:
        engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        engine.ask(questions(queens, [2] * 5), EngineCall(PATIENCE))
        found = engine.block_coverage
        assert found is not None
        branches = 8 * found.branches
        nearness = {
            ((feature - branches) % 16, position) for feature, position in found.features if feature >= branches
        }
        assert {(EQUAL - 5, 0), (EQUAL - 4, 1), (EQUAL - 2, 2), (EQUAL - 1, 3), (EQUAL, 4)} <= nearness


@needs_clang
def test_coverage_is_measured_only_on_request(tmp_path: Path) -> None:
    with closing(LibraryEngine("lib", str(example(tmp_path, COUNTERS)))) as engine:
        engine.start(EngineCall(PATIENCE))
        engine.ask(questions([START], [1]), EngineCall(PATIENCE))
        assert engine.block_coverage is None


@needs_clang
@pytest.mark.parametrize("includes", [True, False])
def test_a_library_without_counters_has_no_source_locations(includes: bool, tmp_path: Path) -> None:
    library = example(tmp_path) if includes else built(tmp_path, EXAMPLES / "c" / "library.c")
    with closing(LibraryEngine("lib", str(library))) as engine:
        source = engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        engine.ask(questions([START], [1]), EngineCall(PATIENCE))
        assert source.locations() == ()
        assert len(source.read()) == 0


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_gcc_reports_the_branches_that_ran(tmp_path: Path) -> None:
    with closing(
        LibraryEngine("lib", str(example(tmp_path, "-fsanitize-coverage=trace-pc", compiler="gcc")))
    ) as engine:
        source = engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        engine.divide(Game(START), 1, EngineCall(PATIENCE))
        before = {place.function for place in source.locations() if place}
        engine.perft(Game(START), 2, EngineCall(PATIENCE))
        after = {place.function for place in source.locations() if place}
        assert "legal_moves" in before
        assert {"perft", "perft_check_perft"} <= after - before


@needs_clang
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("rustc") is None, reason="no rustc")
def test_rust_is_linked_as_the_header_describes(tmp_path: Path) -> None:
    passes = ["inline-8bit-counters", "pc-table", "trace-compares", "level=3"]
    flags = " ".join(["-C passes=sancov-module", *(f"-C llvm-args=-sanitizer-coverage-{name}" for name in passes)])
    header, source = str(HEADERS / HEADER), str(EXAMPLES / "rust" / "src" / "lib.rs")
    commands = (
        f"clang -Wno-everything -O2 -fPIC -x c -c {header} -o coverage.o",
        f"rustc --edition 2021 -O -g --crate-type staticlib -C panic=abort {flags} -o libmine.a {source}",
        "clang -shared -o libmine.so -Wl,--whole-archive libmine.a -Wl,--no-whole-archive coverage.o -lpthread -ldl",
    )
    for command in commands:
        subprocess.run(command.split(), check=True, cwd=tmp_path)
    with closing(LibraryEngine("lib", str(tmp_path / "libmine.so"))) as engine:
        counters = engine.measure_coverage()
        engine.start(EngineCall(PATIENCE))
        counters.reset()
        assert engine.divide(Game(START), 1, EngineCall(PATIENCE)).total == 20
        ran = [place for place, number in zip(counters.locations(), counters.read(), strict=True) if number and place]
        assert {Path(place.path).name for place in ran if place.is_source} >= {"lib.rs", "generator.rs"}


@pytest.mark.parametrize("header", ["perft_check.h", HEADER])
@pytest.mark.parametrize(
    ("compiler", "flags"),
    [
        (compiler, ("-x", *flags))
        for compiler in ("gcc", "clang")
        for flags in (("c", "-std=c99"), ("c++", "-std=c++11"))
        if shutil.which(compiler)
    ],
)
def test_the_headers_compile_without_warnings_and_may_be_copied(
    header: str, compiler: str, flags: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "one.c").write_text(f'#include "{header}"\n#include "{header}"\n', encoding="utf-8")
    command = [compiler, *flags, "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", str(HEADERS)]
    subprocess.run([*command, str(tmp_path / "one.c")], check=True)
    assert "MIT License" in (HEADERS / header).read_text(encoding="utf-8")


def test_a_tally_may_contain_arbitrary_bytes() -> None:
    tally = CoverageTally(3)
    tally.memory[:] = 255
    assert tally.collect(10) == BlockCoverage(3, ())
    tally.memory[:] = 0
    assert {position for _, position in tally.collect(10).features} == {0}
    assert tally.collect(0) == BlockCoverage(3, ())


def test_features_reached_by_trees_are_new_at_depth_1() -> None:
    tally = CoverageTally(3)
    seen = tally.memory[-3 - COMPARISONS :]
    reached = []
    for has_trees, branches in ((True, [0]), (False, [0, 1]), (True, [0, 1, 2]), (False, [0, 1, 2]), (True, [2])):
        tally.begin(has_trees=has_trees)
        reached.append([branch for branch in branches if not seen[branch]])
        seen[branches] = 1
        tally.collect(1)
    assert reached == [[0], [0, 1], [2], [2], []]
