"""`perft-check suites gallery`: where the page goes, and what is no place for it."""

from __future__ import annotations

from pathlib import Path

from helpers.each import check_each
from helpers.program import Run


def test_the_page_goes_to_a_file_of_this_folder(run: Run, tmp_path: Path) -> None:
    done = run("suites", "gallery")
    assert (done.returncode, done.stdout) == (0, "107 rare events: written to gallery.html\n")
    page = (tmp_path / "gallery.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.count('<article class="exhibit"') == 107
    assert "perft-check divide &#39;k7/8/8/pP6/8/8/8/K7 w - a6 0 1&#39; 1 -e zoo:ep-rank-inverted-on-load" in page


def test_the_page_goes_where_it_is_told(run: Run, tmp_path: Path) -> None:
    done = run("suites", "gallery", "--report", "html=events.htm", "--report", "-")
    assert done.returncode == 2
    done = run("suites", "gallery", "--report", "html=-")
    assert done.stdout.startswith("<!DOCTYPE html>\n<html lang")
    assert "rare events: written" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_mistakes_are_told_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "folder.html").mkdir()
    mistakes = {
        "folder.html": "--report 'folder.html': 'folder.html' is a folder: name a file in it",
        "no/page.html": "--report 'no/page.html': there is no folder 'no'",
        "md": "--report 'md': not for this command, which has html",
        "a.txt": "--report 'a.txt': name a file that ends in .html, or one of the kinds html, alone or as KIND=PATH",
        "/proc/page.html": "cannot write /proc/page.html: No such file or directory; the report is in ",
    }

    def is_told(path: str) -> None:
        done = run("suites", "gallery", "--report", path, XDG_STATE_HOME=str(tmp_path / "state"))
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].partition(str(tmp_path))[0] == f"perft-check: {mistakes[path]}"
        assert "Traceback" not in done.stderr

    check_each(is_told, mistakes)
