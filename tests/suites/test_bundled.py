"""Suites are found by name if they are bundled, and by path otherwise."""

from __future__ import annotations

from pathlib import Path

import perft_check.suites
import pytest
from perft_check.suites.bundled import ALL_BUNDLED, BUNDLED, bundled_path, find_suite
from perft_check.suites.case import SuiteError
from perft_check.suites.loader import load_suite


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_suites_are_next_to_the_module(here: Path, name: str) -> None:
    assert bundled_path(name) == Path(perft_check.suites.__file__).parent / f"{name}.epd"
    assert find_suite(name) == bundled_path(name)


def test_a_file_is_found_by_its_path(here: Path) -> None:
    (here / "mine.perft").touch()
    assert find_suite("mine.perft") == Path("mine.perft")
    assert find_suite(str(here / "mine.perft")) == here / "mine.perft"


def test_a_file_named_like_a_bundled_suite(here: Path) -> None:
    (here / "smoke").touch()
    assert find_suite("smoke") == bundled_path("smoke")
    assert find_suite("./smoke") == Path("smoke")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("x", "'x'"),
        ("", "''"),
        ("a\0b", "'a\\x00b'"),
        ("no/such/file.epd", "'no/such/file.epd'"),
        ("plain/file.epd", "'plain/file.epd'"),
        ("smok", "'smok' (did you mean 'smoke'?)"),
        ("SMOKE", "'SMOKE' (did you mean 'smoke'?)"),
        ("chess-960", "'chess-960' (did you mean 'chess960'?)"),
        ("special.epd", "'special.epd' (did you mean 'special'?)"),
    ],
)
def test_an_unknown_suite(here: Path, spec: str, message: str) -> None:
    (here / "plain").touch()
    with pytest.raises(SuiteError) as caught:
        find_suite(spec)
    missing = "there is no such file; " if "." in spec else ""
    rest = f"{missing}name a file or one of {', '.join(ALL_BUNDLED)}"
    assert str(caught.value) == f"no suite named {message}: {rest}"
    with pytest.raises(SuiteError) as caught:
        bundled_path(spec)
    assert str(caught.value) == f"no suite named {message}: {rest}"


def test_a_directory_and_an_inaccessible_path(here: Path) -> None:
    (here / "folder").mkdir()
    with pytest.raises(SuiteError) as caught:
        find_suite("folder")
    assert str(caught.value) == "folder is a directory: give a suite file"
    name = "x" * 300
    with pytest.raises(SuiteError) as caught:
        find_suite(name)
    assert str(caught.value) == f"cannot read {name}: File name too long"


def test_the_source_of_a_case_is_short(here: Path) -> None:
    """It does not contain the folder of installed packages."""
    assert load_suite(bundled_path("smoke")).cases[0].source == "smoke.epd:4"
    (here / "mine.epd").write_text("4k3/8/8/8/8/8/8/4K2R w K - 0 1 ;D1 15\n")
    assert load_suite(here / "mine.epd").cases[0].source == f"{here}/mine.epd:1"
