"""Generated pages and pictures of `docs/` are up to date, and `python -m tools.pages` lists those that are not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.blocks import ROOT
from pages.generated import PARTS, PICTURES, differing_files, generate_page, quick_pictures, write_files

REMAKE = "update it: python -m tools.pages"


@pytest.mark.parametrize("name", PARTS)
def test_generated_parts_of_pages_are_up_to_date(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert generate_page(text, name) == text, REMAKE


def test_quick_pictures_are_up_to_date() -> None:
    made = quick_pictures()
    assert len(made) == 115
    for name, text in made.items():
        assert (ROOT / name).read_text(encoding="utf-8") == text, (name, REMAKE)


@pytest.mark.slow
def test_all_files_are_up_to_date() -> None:
    # In a separate process, because tests in a browser leave an asyncio loop running.
    command = [sys.executable, "-m", "tools.pages", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_page_without_a_generated_part_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"benchmarks/zoo\.md needs one part between <!-- figures"):
        generate_page("# The zoo\n", "benchmarks/zoo.md")


def test_changed_missing_and_obsolete_files_are_listed_and_fixed(tmp_path: Path) -> None:
    shutil.copytree(ROOT / PICTURES, tmp_path / PICTURES)
    files = {
        path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8")
        for path in (tmp_path / PICTURES).iterdir()
    }
    assert differing_files(tmp_path, files) == []
    changed, forgotten, missing = (f"{PICTURES}/{name}.svg" for name in ("divide", "obsolete", "perft"))
    (tmp_path / changed).write_text("changed", encoding="utf-8")
    (tmp_path / forgotten).write_text("", encoding="utf-8")
    (tmp_path / missing).unlink()
    names = differing_files(tmp_path, files)
    assert names == [changed, forgotten, missing]
    write_files(tmp_path, files, names)
    assert differing_files(tmp_path, files) == []
