"""What live displays write where there is no terminal."""

from __future__ import annotations

from io import StringIO

from perft_check.harness.model.results.events import Notice
from perft_check.reports.live.fuzz import FuzzLive
from rich.console import Console


def test_what_every_process_says_is_told_once() -> None:
    written = StringIO()
    with FuzzLive(Console(file=written)) as live:
        for text in ("compiling", "compiling", "the disk is full", "compiling"):
            live.handle(Notice(text))
    assert written.getvalue() == "compiling\nthe disk is full\n"
