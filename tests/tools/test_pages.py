"""Generated pages and pictures of `docs/` are up to date, and `python -m tools.pages` lists those that are not."""

from __future__ import annotations

import subprocess
import sys

import pytest
from docs.blocks import ROOT
from pages.generated import PARTS, generate_page

REMAKE = "update it: python -m tools.pages"


@pytest.mark.parametrize("name", PARTS)
def test_generated_parts_of_pages_are_up_to_date(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert generate_page(text, name) == text, REMAKE


@pytest.mark.slow
def test_all_files_are_up_to_date() -> None:
    # In a separate process, because tests in a browser leave an asyncio loop running.
    command = [sys.executable, "-m", "tools.pages", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_page_without_a_generated_part_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"benchmarks/zoo\.md needs one part between <!-- figures"):
        generate_page("# The zoo\n", "benchmarks/zoo.md")
