"""The wheel contains every folder of the package, which `pyproject.toml` lists one by one."""

from __future__ import annotations

import tomllib

from helpers.sources import PACKAGES, ROOT


def test_every_folder_is_in_the_wheel() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    folders = {folder.parent for room in PACKAGES for folder in (ROOT / room).rglob("__init__.py")}
    names = {"perft_check", *(".".join(("perft_check", *folder.relative_to(ROOT).parts)) for folder in folders)}
    assert set(packages) == names
    assert len(packages) == len(set(packages))


def test_every_folder_with_modules_is_a_package() -> None:
    for room in PACKAGES:
        for module in (ROOT / room).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), module
