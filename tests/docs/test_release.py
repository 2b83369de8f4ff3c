"""Version, date, addresses and citation of a release are consistent."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from ci.programs import errors_of
from docs.blocks import ROOT
from perft_check import __version__

CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
"""The headings of Keep a Changelog."""


def test_the_changelog_has_the_version_of_the_package() -> None:
    headings = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", CHANGES, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    version, date = headings[1]
    assert version == __version__
    assert date == str(CITATION["date-released"])
    assert all(day for _, day in headings[1:]), "each version has its date"


def test_unreleased_changes_have_the_usual_headings() -> None:
    unreleased = re.split(r"^## ", CHANGES, flags=re.MULTILINE)[1]
    assert set(re.findall(r"^### (.+)$", unreleased, re.MULTILINE)) <= KINDS


def test_the_citation_has_the_version_of_the_package() -> None:
    assert PROJECT["dynamic"] == ["version"]
    assert CITATION["version"] == __version__
    assert CITATION["license"] == PROJECT["license"]


def test_the_citation_is_valid() -> None:
    schema = "vendor.citation-file-format"
    assert errors_of("check_jsonschema", "--builtin-schema", schema, ROOT / "CITATION.cff") == ""


@pytest.mark.parametrize("name", ["Homepage", "Documentation", "Changelog", "Issues", "Source"])
def test_addresses_are_in_the_same_repository(name: str) -> None:
    assert PROJECT["urls"][name].startswith(CITATION["repository-code"])


def test_each_supported_python_is_tested() -> None:
    named = [one.rpartition(" ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["check"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"
