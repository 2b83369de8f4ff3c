"""Kernels that come with the package: used without a compiler, and only where they are made for what is here."""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributions
import numpy as np
import pytest
from helpers.copies import copy_generator
from helpers.pickled import LeavesTrace
from perft_check.generator.kernels.machine import execution_mode, folders, shipped
from perft_check.generator.kernels.machine.execution_mode import ExecutionMode, current_mode
from perft_check.generator.kernels.machine.jit import kernel
from perft_check.generator.kernels.machine.preparing import forms_of
from perft_check.generator.kernels.machine.shipped import TARGETS, fitting_targets, folder_of
from perft_check.generator.kernels.machine.target import SETTINGS
from perft_check.generator.kernels.sliders.lookup import PextTables, Tables

needs_posix = pytest.mark.skipif(os.name != "posix", reason="the rights of POSIX")
pytestmark = [
    pytest.mark.skipif(current_mode() is ExecutionMode.PYTHON, reason="kernels are plain Python"),
    pytest.mark.skipif(not fitting_targets(), reason="no kernels are made for such a machine"),
]
WORD = np.uint64(21)


def forget() -> None:
    """Look at the disk again, as a new process does."""
    for remembered in (folders.cache_folder, shipped.folders_for_us, shipped.find_shipped):
        remembered.cache_clear()


def new_kernel() -> Any:
    def double(tables: Tables) -> np.uint64:
        return tables.base + tables.base

    return kernel(double)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a package that carries the kernel `double`; the user's cache is empty."""
    tmp_path.chmod(0o755)
    folder = tmp_path / "package" / "shipped"
    monkeypatch.setattr(shipped, "FOLDER", folder)
    monkeypatch.setattr(execution_mode, "_left", set())
    for name in ("CPU_NAME", "CPU_FEATURES", *SETTINGS):
        monkeypatch.delenv(f"NUMBA_{name}", raising=False)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache of the release"))
    forget()
    of_target = folder_of(folder, fitting_targets()[0])
    [form] = forms_of([PextTables], new_kernel())
    of_target.mkdir(parents=True)
    assert form.ship(of_target) > 1000
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    forget()
    yield folder
    forget()


def is_used() -> bool:
    """Call the kernel as a new process does; tell whether it waited for no compiler."""
    forget()
    made = new_kernel()
    was_ready = bool(made.is_ready((PextTables,)))
    assert made(PextTables(WORD)) == 42
    assert was_ready or made.compiled
    return not made.compiled


def file_in(package: Path) -> Path:
    [file] = package.rglob("*.kernel")
    return file


def test_what_is_shipped_needs_no_compiler(package: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert is_used()
    assert shipped.why_not_used() is None
    assert not list((tmp_path / "cache").rglob("*.kernel*"))
    assert not caplog.messages


def test_a_package_without_kernels_works(package: Path, tmp_path: Path) -> None:
    file_in(package).unlink()
    assert [is_used(), len(list((tmp_path / "cache").rglob("*.kernel"))), is_used()] == [False, 1, True]


def of_other_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "source_digest", lambda: "0123456789abcdef")


def of_another_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "versions", lambda *_names: "numba 0.1.0, llvmlite 0.1.0")


def of_another_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "sys", SimpleNamespace(implementation=SimpleNamespace(cache_tag="cpython-310")))


def for_better_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {max(TARGETS[0].features), "neon"}
    found = shipped.machine_features() - missing
    monkeypatch.setattr(shipped, "machine_features", lambda: found)


def for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")


@pytest.mark.parametrize(
    "change", [of_other_sources, of_another_numba, of_another_python, for_better_processors, for_other_machines]
)
def test_kernels_that_are_made_for_something_else_are_ignored(
    package: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[pytest.MonkeyPatch], None]
) -> None:
    change(monkeypatch)
    assert not is_used()
    assert shipped.why_not_used() == (
        "they are for other processors, or for another version of Python, Numba or perft-check"
    )


@pytest.mark.parametrize("name", ["NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT", "NUMBA_BOUNDSCHECK"])
def test_whoever_says_how_to_compile_gets_code_compiled_so(
    package: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "")
    forget()
    assert not new_kernel().is_ready((PextTables,))
    assert shipped.why_not_used() == f"{name} is set"


@needs_posix
@pytest.mark.parametrize("opened", ["the file", "the folder of the target", "the folder of all", "a parent"])
def test_what_others_can_write_is_not_executed(package: Path, tmp_path: Path, opened: str) -> None:
    file = file_in(package)
    code = pickle.dumps(LeavesTrace(tmp_path / "trace"))
    file.write_bytes(hashlib.sha256(code).digest() + code)
    places = {"the file": file, "the folder of the target": file.parent, "the folder of all": package}
    place = places.get(opened, package.parent)
    rights = place.stat().st_mode & 0o777
    place.chmod(0o777)
    assert not is_used()
    assert not (tmp_path / "trace").exists()
    place.chmod(rights)
    forget()
    new_kernel()(PextTables(WORD))
    assert (tmp_path / "trace").exists(), "the plant is good"


@needs_posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("is_folder", [False, True])
def test_what_belongs_to_another_user_is_ignored(package: Path, is_folder: bool) -> None:
    place = file_in(package).parent if is_folder else file_in(package)
    os.chown(place, 1, 1)
    assert not is_used()
    if is_folder:
        assert shipped.why_not_used() == f"{place} belongs to another user"


@needs_posix
def test_what_root_has_installed_is_used(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    is_of_root = file_in(package).stat().st_uid == 0
    forget()
    assert new_kernel().files.load_shipped("PextTables(1)") is not None or not is_of_root


@pytest.mark.parametrize("damage", [b"", b"other"])
def test_damaged_kernels_are_compiled_and_left_as_they_are(
    package: Path, caplog: pytest.LogCaptureFixture, damage: bytes
) -> None:
    file_in(package).write_bytes(damage)
    assert not is_used()
    assert file_in(package).read_bytes() == damage
    assert not caplog.messages


def test_a_kernel_that_is_compiled_can_call_one_that_was_shipped(package: Path) -> None:
    forget()
    inner = new_kernel()
    assert inner(PextTables(WORD)) == 42

    def outer(tables: Tables) -> np.uint64:
        return np.uint64(inner(tables) + np.uint64(1))

    made: Any = kernel(outer)
    assert made(PextTables(WORD)) == 43
    assert inner.compiled == ["PextTables(1)"], "what was shipped holds nothing to link"


def test_the_best_target_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    v3, generic, arm = TARGETS
    assert v3.features > generic.features
    assert [one.name for one in TARGETS] == ["x86-64-v3", "generic", "generic"]
    for machine, found, fitting in (
        ("x86_64", v3.features | {"avx512f"}, (v3, generic)),
        ("AMD64", v3.features - {"bmi2"}, (generic,)),
        ("aarch64", frozenset({"neon"}), (arm,)),
        ("arm64", frozenset[str](), ()),
        ("riscv64", v3.features, ()),
    ):
        monkeypatch.setattr(platform, "machine", lambda machine=machine: machine)
        monkeypatch.setattr(shipped, "machine_features", lambda found=found: found)
        assert fitting_targets() == fitting, machine


def test_the_wheel_has_them() -> None:
    root = Path(__file__).parents[2]
    [pattern] = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"][
        "perft_check.generator.kernels"
    ]
    file = folder_of(shipped.FOLDER, TARGETS[0]) / shipped.file_name("module", "name", "form")
    assert file.relative_to(folders.SOURCES / "kernels").match(pattern)


BUILD = """
import sys
from perft_check.generator.kernels import build
from perft_check.generator.kernels.machine.preparing import forms_of
from perft_check.generator.kernels.play import board_after

build.forms_to_ship = lambda: forms_of([object], board_after)
build.main()
"""
USE = """
import sys
from perft_check.generator.kernels.play import board_after

kinds = board_after.kinds_for()
ready = board_after.is_ready(kinds)
board_after.get_ready(kinds)
print(ready, board_after.compiled, "numba" in sys.modules)
"""


def python_in(folder: Path, code: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = kept | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache")} | variables
    command = [sys.executable, "-B", "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=folder)


@pytest.mark.slow
@pytest.mark.parametrize("target", [[], ["--target", "generic"]], ids=str)
def test_a_package_is_built_and_used(tmp_path: Path, target: list[str]) -> None:
    tmp_path.chmod(0o755)
    out = copy_generator(tmp_path) / "kernels" / "shipped"
    name = target[-1] if target else fitting_targets()[0].name
    built = python_in(tmp_path, BUILD, *target, str(out))
    [folder] = out.iterdir()
    assert (built.returncode, built.stderr) == (0, "")
    assert built.stdout.startswith(f"1 kernels for {name}, 0.0 MB, in {folder}")
    [file] = folder.iterdir()
    assert file.name.partition("-")[0] == "play.board_after"
    assert distributions.find_path(file.read_bytes()) is None, "nothing tells on which machine it was made"
    before = sorted(tmp_path.rglob("*"))
    assert python_in(tmp_path, USE).stdout == "True [] False\n"
    made = set(tmp_path.rglob("*")) - set(before)
    assert {path.relative_to(tmp_path).parts[0] for path in made} <= {"cache"}
    assert not list((tmp_path / "cache").rglob("*.kernel"))


@pytest.mark.parametrize(
    ("arguments", "variables", "message"),
    [
        (["--target", "z80", "out"], {}, "argument --target: invalid choice: 'z80'"),
        (["file"], {}, ": Not a directory: name a folder that can be written"),
        (["out"], {"NUMBA_DISABLE_JIT": "1"}, "unset NUMBA_DISABLE_JIT"),
    ],
)
def test_what_cannot_be_built_is_said_in_a_line(
    tmp_path: Path, arguments: list[str], variables: dict[str, str], message: str
) -> None:
    copy_generator(tmp_path)
    (tmp_path / "file").write_text("")
    done = python_in(tmp_path, BUILD, *arguments, **variables)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
