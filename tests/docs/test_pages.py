"""What the pages say about the package: layers, dependencies, formats, paths and the release."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from ci.programs import errors_of
from docs.blocks import PAGES, ROOT
from helpers.program import PROGRAM, STOCKFISH
from pages.pictures.architecture import layers
from perft_check import __version__
from perft_check.harness.checking.covering import CoverFinished
from perft_check.harness.cli.program import run_command_line
from perft_check.harness.fuzzing.model import FuzzFinished
from perft_check.harness.model.results.bench import BenchFinished
from perft_check.harness.model.results.events import RunFinished
from perft_check.harness.model.results.positions import DivideFinished
from perft_check.harness.zoo.score import Score
from perft_check.reports.formats.base import Format
from perft_check.reports.formats.table import FORMATS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
INSTALLING = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
FIRST_CELL = re.compile(r"^\| `([\w.-]+)` \|", re.MULTILINE)
FOR_DEVELOPERS = {"dev", "docs", "coverage"}
RARE = {"asyncio", "dask", "distributed", "jinja2", "junitparser", "pytest", "textual"}
"""Modules that a command must not import unless it uses them."""
NETWORK = {"http", "ssl", "urllib.request"}
HEAVY = RARE | NETWORK | {"chess", "hypothesis", "numba"}
BEYOND_HELP = {"llvmlite", "msgspec", "multiprocessing", "numpy", "platformdirs", "psutil", "regex", "rich"}
NOT_LOADED = {
    "--help": HEAVY | BEYOND_HELP,
    "run --help": HEAVY | BEYOND_HELP,
    "--version": HEAVY | {"msgspec", "multiprocessing", "numpy", "psutil", "regex", "rich"},
    "perft startpos 1": HEAVY | {"msgspec", "psutil", "regex"},
    "perft startpos 4 --hash 1M": {"numba"},
    "perft startpos 3 --stats": {"numba"},
    "divide startpos 1": HEAVY | {"msgspec", "psutil"},
    "moves startpos": HEAVY | {"msgspec", "psutil"},
    "run --max-nodes 1k": {"numba"},
    "run -s smoke -q -e uci:STOCKFISH": HEAVY,
}
"""Command lines, each with modules that it must not import."""


def test_the_page_about_installing_lists_the_extras() -> None:
    assert set(FIRST_CELL.findall(INSTALLING)) == set(PROJECT["optional-dependencies"]) - FOR_DEVELOPERS


@pytest.mark.slow
@pytest.mark.parametrize("line", NOT_LOADED)
def test_a_command_imports_only_what_it_uses(line: str, tmp_path: Path) -> None:
    if "STOCKFISH" in line and STOCKFISH is None:
        pytest.skip("Stockfish is not installed")
    words = [word.replace("STOCKFISH", STOCKFISH or "") for word in line.split()]
    subprocess.run([*PROGRAM, *words], capture_output=True, check=True, cwd=tmp_path)  # compiles the kernels
    command = [sys.executable, "-X", "importtime", *PROGRAM[1:], *words]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, cwd=tmp_path)
    loaded = {
        found.rpartition("|")[2].strip() for found in done.stderr.splitlines() if found.startswith("import time:")
    }
    assert "perft_check.harness.cli.app" in loaded
    assert {one for one in NOT_LOADED[line] if one in loaded} == set()


CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_changelog_has_the_version_of_the_package() -> None:
    headings = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", CHANGES, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    version, date = headings[1]
    assert version == __version__
    assert date == str(CITATION["date-released"])
    assert all(day for _, day in headings[1:]), "each version has its date"


def test_the_citation_has_the_version_of_the_package() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert CITATION["version"] == __version__
    assert CITATION["license"] == PROJECT["license"]


def test_the_citation_is_valid() -> None:
    schema = "vendor.citation-file-format"
    assert errors_of("check_jsonschema", "--builtin-schema", schema, ROOT / "CITATION.cff") == ""


def test_each_supported_python_is_tested() -> None:
    named = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["check"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"


def text_of(name: str) -> str:
    return Path(ROOT, "docs", name).read_text(encoding="utf-8")


def first_cells(text: str) -> list[str]:
    """Return the first cell of each row of the first table in a text."""
    table = re.search(r"^\| ---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None
    return [row.split(" | ")[0].removeprefix("| ") for row in table[1].splitlines()]


def packages_in(text: str) -> list[str]:
    """Return the packages and modules in the first table of a text, in order."""
    names = [name for cell in first_cells(text) for name in re.findall(r"`([^`]+)`", cell)]
    return [name.removesuffix("/").removesuffix(".py") for name in names]


def test_the_packages_are_those_of_import_linter() -> None:
    packages = {package for layer in layers() for package in layer}
    assert sorted(packages_in(text_of("architecture.md"))) == sorted(packages)


def test_the_packages_of_the_generator_are_in_order() -> None:
    expected = layers("The layers of the generator")
    listed = iter(packages_in(text_of("kernels.md")))
    assert [{next(listed, "") for _ in layer} for layer in expected] == [set(layer) for layer in expected]
    assert not list(listed)


REPORTS = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
RESULTS = {
    "run": RunFinished,
    "fuzz": FuzzFinished,
    "cover": CoverFinished,
    "divide": DivideFinished,
    "bench": BenchFinished,
    "zoo score": Score,
}
"""The type of result of each command with `--report`."""
ROW = re.compile(r"^\| `(\w+)` \| (`[\w.-]+`|stdout, after the text) \| ([^|]+) \| [^|]+ \|$", re.MULTILINE)
"""A row of the table: a format, its default name, its commands and its readers."""


def names_in(text: str) -> list[str]:
    """Return the texts in backticks."""
    return re.findall(r"`([^`]+)`", text)


def commands_of(one: Format) -> set[str]:
    """Return the commands that support a format."""
    return {command for command, result in RESULTS.items() if one.supports(result)}


def test_the_table_has_each_format_with_its_name_and_commands() -> None:
    listed = {kind: (name, set(names_in(commands))) for kind, name, commands in ROW.findall(REPORTS)}
    assert listed == {
        one.name: (f"`{one.default_path}`" if one.default_path else "stdout, after the text", commands_of(one))
        for one in FORMATS
    }


def test_the_help_of_a_command_has_its_formats(capfd: pytest.CaptureFixture[str]) -> None:
    offered = {}
    for command in RESULTS:
        assert run_command_line([*command.split(), "--help"]) == 0
        (kinds,) = re.findall(r"a KIND \(([^)]+)\)", " ".join(capfd.readouterr().out.split()))
        offered[command] = set(kinds.split(", "))
    assert offered == {command: {one.name for one in FORMATS if one.supports(RESULTS[command])} for command in offered}


ENDINGS = ("py", "md", "csv", "epd", "svg", "json", "toml", "yml", "yaml", "mjs", "tsv")
NAMED = re.compile(rf"`([\w.*{{}},-]+/[\w./*{{}},-]*\.(?:{'|'.join(ENDINGS)}))`")
"""A path between backticks with a slash and an extension; `*` and `{one,two}` have the meaning of a shell."""


def expand_braces(path: str) -> Iterator[str]:
    """Yield the paths with braces expanded."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if braces is None:
        yield path
        return
    for one in braces[1].split(","):
        yield from expand_braces(path[: braces.start()] + one + path[braces.end() :])


def test_every_path_between_backticks_exists() -> None:
    missing = [
        f"{page.name}: {path}"
        for page in PAGES
        for named in NAMED.findall(page.read_text(encoding="utf-8"))
        for path in expand_braces(named)
        if not any(ROOT.glob(path))
    ]
    assert missing == []


def test_no_message_names_a_file_that_is_not_installed() -> None:
    """Docstrings are for developers, who have the repository."""
    named = re.compile(r"\b(docs|benchmarks|tools|tests)/[\w-]|CONTRIBUTING\.md")
    found = []
    for folder in ("generator", "harness", "platforms", "reports", "strategies", "suites"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            prose = {one.value for one in ast.walk(tree) if isinstance(one, ast.Expr)}
            texts = (one for one in ast.walk(tree) if isinstance(one, ast.Constant) and one not in prose)
            found += [
                f"{file.name}: {one.value}" for one in texts if isinstance(one.value, str) and named.search(one.value)
            ]
    assert found == []
