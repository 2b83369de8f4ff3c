"""The Python code and the descriptor on the pages work, and print what the pages show."""

from __future__ import annotations

import ast
import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from docs.blocks import ROOT, Block, all_blocks
from docs.pages import IN_SEQUENCE
from helpers.each import check_each
from perft_check.harness.engines.stdio.descriptor import load_descriptor

PYTHON = re.compile(r"(from|import|def) |@")
NEEDED = '''\
"""The reader's generator."""
import chess
from perft_check.generator import Position, divide as our_divide, perft as our_perft


class Board:
    def __init__(self, fen):
        self.position = Position.from_fen(fen, None)

    def play(self, move):
        self.position = self.position.play(self.position.parse_uci(move))

    def fen(self):
        return self.position.fen()


def moves(fen):
    return [move.uci() for move in chess.Board(fen).legal_moves]


def perft(fen, depth):
    return our_perft(Position.from_fen(fen), depth)


def divide(fen, depth):
    return {str(move.uci()): nodes for move, nodes in our_divide(Position.from_fen(fen), depth).items()}
'''
AROUND = """\
import my_generator
from my_generator import moves as my_moves, perft as my_perft
from hypothesis import settings

settings.register_profile("few", max_examples=5, deadline=None, database=None)
settings.load_profile("few")
FEN = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
"""
TESTED_ELSEWHERE = {"docs/uci.md", "docs/configuration.md", "docs/in-ci.md", "docs/coverage.md", "benchmarks/zoo.md"}
"""Pages with their own tests."""
BLOCKS = [block for block in all_blocks() if not (ROOT / block.page).is_relative_to(IN_SEQUENCE)]
"""All blocks except those of pages that are tested as a whole."""


def is_python(block: Block) -> bool:
    return block.language == "python" or (not block.language and PYTHON.match(block.text) is not None)


def is_a_descriptor(block: Block) -> bool:
    return block.text.startswith('{"name"')


def test_python_sessions_print_what_the_page_shows() -> None:
    def prints(block: Block) -> None:
        failures: list[str] = []
        test = doctest.DocTestParser().get_doctest(block.text, {}, block.place, block.page, block.line)
        assert test.examples
        doctest.DocTestRunner().run(test, out=failures.append)
        assert failures == []

    check_each(prints, [block for block in BLOCKS if block.language == "pycon"], lambda block: block.place)


@pytest.mark.slow
def test_python_code_of_the_pages_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_generator.py").write_text(NEEDED, encoding="utf-8")
    python = [block for block in BLOCKS if is_python(block) and block.page not in TESTED_ELSEWHERE]
    assert len(python) >= 7
    has_tests = []
    for number, block in enumerate(python):
        names = [node.name for node in ast.walk(ast.parse(block.text)) if isinstance(node, ast.FunctionDef)]
        kind = "test" if any(name.startswith("test_") for name in names) else "module"
        (tmp_path / f"{kind}_{number}.py").write_text(AROUND + block.text, encoding="utf-8")
        has_tests += [name for name in names if name.startswith("test_")]
        if kind == "module":
            exec(compile(block.text, block.place, "exec"), {})
    pytest_here = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--perft-engine", "own"]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        pytest_here, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout
    assert f"{len(has_tests)} passed" in done.stdout


def test_the_descriptor_of_the_page_is_valid(tmp_path: Path) -> None:
    [block] = [block for block in BLOCKS if is_a_descriptor(block)]
    path = tmp_path / "my-engine.json"
    path.write_text(block.text, encoding="utf-8")
    assert load_descriptor(path).launch[-1] == "--quiet"
