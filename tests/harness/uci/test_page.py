"""The page about the engine shows what it prints."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from helpers.program import PROGRAM

PAGE = Path(__file__).parents[3] / "docs" / "uci.md"
SHOWN = re.compile(r"^```text\n\$ printf '(?P<input>.*)' \| perft-check uci\n(?P<output>(?:.*\n)*?)```$", re.MULTILINE)


def test_the_session_of_the_page_is_what_the_engine_prints() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sessions = list(SHOWN.finditer(page))
    assert len(sessions) == page.count("| perft-check ") == 1
    for session in sessions:
        lines = session["input"].replace(r"\n", "\n")
        done = subprocess.run([*PROGRAM, "uci"], input=lines, capture_output=True, text=True, check=True)
        assert done.stdout == session["output"]
