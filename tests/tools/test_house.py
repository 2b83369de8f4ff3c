"""What `tools/house.py` counts, on a small package, and that the figures of ours are within their lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import house
import pytest

KERNEL = """\
    # Black is seen from the other side.
    class Pool:
        def kept(self): ...  # no line of its own
        @property
        def drawn(self): ...
        def _told(self): ...
        def kept_moves(self): ...
    """
OTHER = """\
    class Outer:
        class Pool: ...
    class _Pool: ...
    def split(): ...
    def played(): ...
    """


@pytest.fixture
def modules(tmp_path: Path) -> list[house.Module]:
    (tmp_path / "generator" / "kernels").mkdir(parents=True)
    (tmp_path / "generator" / "kernels" / "one.py").write_text(dedent(KERNEL))
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "__init__.py").write_text("class Pool: ...")
    (tmp_path / "harness" / "other.py").write_text(dedent(OTHER))
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test.py").write_text(dedent(OTHER))
    (tmp_path / "errors.py").write_text("\n" * 50)
    return house.modules_in(tmp_path)


def test_the_figures_of_a_small_package(modules: list[house.Module]) -> None:
    names = [figure.name for figure in house.FIGURES]
    assert dict(zip(names, house.measure(modules), strict=True)) == {
        "modules": 3,
        "lines in all": 7 + 5 + 50,
        "median lines of a module": 7,
        "lines of the longest module": 50,
        "modules of 40 lines and fewer": 2,
        "class names that stand for several classes": 1,
        "functions named by a participle": 3,
        "comment lines of kernels, per mille": round(1000 / 7, 1),
    }


def test_what_is_found_is_named(modules: list[house.Module]) -> None:
    assert {name: len(paths) for name, paths in house.repeated_class_names(modules).items()} == {"Pool": 2}
    assert sorted(name for name, _ in house.participles(modules)) == ["_told", "kept", "played"]


def test_class_names_are_unique_in_the_whole_repository(modules: list[house.Module], tmp_path: Path) -> None:
    beside = house.modules_beside(tmp_path)
    assert [module.path.name for module in beside] == ["test.py"]
    assert list(house.repeated_class_names([*modules, *beside])) == ["Outer", "Pool", "_Pool"]


def test_a_least_and_a_most() -> None:
    least, most = house.Figure("", 3, 5, is_least=True), house.Figure("", 3, 1)
    assert [least.holds(value) for value in (2, 3, 4)] == [False, True, True]
    assert [most.holds(value) for value in (2, 3, 4)] == [True, True, False]


def test_our_figures_are_within_their_lines() -> None:
    done = subprocess.run([sys.executable, house.__file__], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert len(done.stdout.splitlines()) == len(house.FIGURES)
