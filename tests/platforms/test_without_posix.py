"""Only `platforms` uses parts of POSIX, and perft-check runs on systems without them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.fakes import fake
from helpers.program import PROGRAM
from helpers.sources import PACKAGES, ROOT, module_paths
from perft_check.platforms.processes import PORTABLE

PACKAGE = "platforms"
MODULES = {"fcntl", "msvcrt", "pty", "resource", "select", "selectors", "termios", "tty"}
OF_OS = {
    "fork", "forkpty", "getpgid", "getsid", "kill", "killpg", "memfd_create", "readv", "set_blocking", "setpgid",
    "setsid", "wait", "waitpid", "waitstatus_to_exitcode", "writev", "O_NONBLOCK", "WNOHANG",
}  # fmt: skip
OF_SIGNAL = {"SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGSTOP", "SIGTSTP", "alarm", "pthread_sigmask"}
OPTIONS = {"creationflags", "pass_fds", "preexec_fn", "process_group", "start_new_session"}
"""Arguments of `Popen` that only some systems support."""
BY_PATH = {f"perft_check.harness.engines.stdio.{name}" for name in ("python_child", "perft_check_predicates")}
"""Modules that only the process of a Python callable imports, by their path."""

MISSING = """
import builtins, io, os, select, signal, sys
for module, names in {os: ("fork", "killpg", "set_blocking", "setsid"), select: ("poll",), signal: ("SIGHUP",)}.items():
    for name in names:
        delattr(module, name)
real_import, real_open = builtins.__import__, builtins.open

def is_ours(depth):
    return sys._getframe(depth).f_globals.get("__name__", "").startswith("perft_check")

def import_(name, *words, **more):
    if name in ("fcntl", "termios", "tty", "pty", "resource") and is_ours(2):
        raise ImportError(name)
    return real_import(name, *words, **more)

def open_(file, *words, **more):
    if str(file).startswith("/proc") and is_ours(2):
        raise FileNotFoundError(file)
    return real_open(file, *words, **more)

builtins.__import__, builtins.open = import_, open_
"""
"""A module that hides parts of POSIX from perft-check, and is imported first in each of its processes."""
IMPORTS_ALL = f"""
import importlib, os, pkgutil, perft_check
assert not hasattr(os, "fork")
for name in {PACKAGES}:
    package = importlib.import_module(f"perft_check.{{name}}")
    for one in pkgutil.walk_packages(package.__path__, f"{{package.__name__}}."):
        if not one.name.endswith("__main__") and one.name not in {BY_PATH}:
            importlib.import_module(one.name)
print("all")
"""
MOVES = "import chess\n\ndef moves(fen): return [move.uci() for move in chess.Board(fen).legal_moves]\n"


def uses_of(tree: ast.Module) -> Iterator[str]:
    """Yield the parts of POSIX that a module uses."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (one.name for one in names if one.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(level=0, module=str(module)) if module.partition(".")[0] in MODULES:
                yield module
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in OF_OS:
                yield f"os.{name}"
            case ast.Attribute(value=ast.Name(id="signal"), attr=name) if name in OF_SIGNAL:
                yield f"signal.{name}"
            case ast.keyword(arg=str(name)) if name in OPTIONS:
                yield name
            case ast.Constant(value=str(text)) if text.startswith("/proc"):
                yield text


@pytest.mark.slow
def test_only_platforms_uses_parts_of_posix() -> None:
    modules = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text()) for path in module_paths()}
    found = {path: sorted({*uses_of(tree)}) for path, tree in modules.items() if not path.startswith(PACKAGE)}
    assert {path: uses for path, uses in found.items() if uses} == {}
    assert {path for path, tree in modules.items() if path.startswith(PACKAGE) and [*uses_of(tree)]} >= {
        "platforms/processes.py",
        "platforms/streams.py",
    }, "uses are found"


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """Return the environment of processes without POSIX."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(MISSING)
    return os.environ | {PORTABLE: "1", "PYTHONPATH": str(tmp_path / "site"), "COLUMNS": "300"}


def carry_out(words: list[str], folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.mark.slow
def test_every_module_can_be_imported(tmp_path: Path, variables: dict[str, str]) -> None:
    assert carry_out([sys.executable, "-P", "-c", IMPORTS_ALL], tmp_path, variables) == (0, "all\n")


@pytest.mark.slow
def test_kernels_count(tmp_path: Path, variables: dict[str, str]) -> None:
    assert carry_out([*PROGRAM, "perft", "startpos", "3"], tmp_path, variables) == (0, "8902\n")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["python:mine:moves", fake("right")])
def test_engines_are_asked(engine: str, tmp_path: Path, variables: dict[str, str]) -> None:
    (tmp_path / "mine.py").write_text(MOVES)
    status, said = carry_out([*PROGRAM, "run", "-s", "smoke", "-e", engine], tmp_path, variables)
    assert (status, "all 36 positions agree" in said) == (0, True), said
    status, said = carry_out([*PROGRAM, "divide", "startpos", "2", "-e", engine], tmp_path, variables)
    assert (status, "agree on every root move" in said) == (0, True), said
