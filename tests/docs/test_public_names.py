"""public_names.txt lists everything that docs/compatibility.md calls public, so that changes are noticed."""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from docs.blocks import ROOT
from helpers.commands import commands
from perft_check.harness.model.results.verdict import ExitCode

KNOWN = Path(__file__).with_name("public_names.txt")
RENEWS = "UPDATE_SNAPSHOTS"
LIBRARIES = "generator", "strategies", "suites", "pytest"
"""Pages of docs/api/ with public objects."""


def names_of_commands() -> Iterator[str]:
    """Yield each command with its arguments, and each option with the type of its value."""
    for words, command in commands():
        path = " ".join(["perft-check", *words])
        yield path
        for one in command.params:
            if one.param_type_name == "argument":
                yield f"{path} {one.metavar}"
            else:
                value = "" if one.is_flag else f" {one.metavar}"
                yield f"{path} {', '.join([*one.opts, *one.secondary_opts])}{value}"


def names_of_objects() -> Iterator[str]:
    """Yield each object on the pages of the Python API with its parameters and members."""
    for page in LIBRARIES:
        for path in re.findall(r"^::: (\S+)", (ROOT / "docs" / "api" / f"{page}.md").read_text(), re.MULTILINE):
            module, _, name = path.rpartition(".")
            yield from _describe(path, getattr(import_module(module), name))


def _describe(path: str, what: Any) -> Iterator[str]:
    if not inspect.isclass(what):
        yield path + _parameters(what)
        return
    if issubclass(what, Enum):
        yield from (f"{path}.{member.name} = {member.value!r}" for member in what)
        return
    yield path + _parameters(what)
    for name, member in sorted(vars(what).items()):
        if name.startswith("_"):
            continue
        function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        yield f"{path}.{name}{_parameters(function) if inspect.isfunction(function) else ''}"


def _parameters(function: Any) -> str:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # an exception, or a class without a signature
        return ""
    return f"({', '.join(_parameter(one) for one in signature.parameters.values() if one.name != 'self')})"


def _parameter(one: inspect.Parameter) -> str:
    name = str(one.replace(annotation=inspect.Parameter.empty, default=inspect.Parameter.empty))
    return name if one.default is inspect.Parameter.empty else f"{name}=..."


def names_of_the_header() -> Iterator[str]:
    """Yield the functions and constants of the C interface."""
    text = (ROOT / "harness" / "engines" / "library" / "perft_check.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    yield from re.findall(r"PERFT_CHECK_EXPORT (.+?\));", text)
    yield from re.findall(r"\b(PERFT_CHECK_[A-Z_]+ = \d+)", text)
    yield from re.findall(r"#define (PERFT_CHECK_[A-Z_]+ .+)", text)


def names_of_json() -> Iterator[str]:
    """Yield each field of the JSON reports, and whether it is required."""
    schema = json.loads((ROOT / "reports" / "formats" / "schema.json").read_text())
    for name, shape in sorted(schema["$defs"].items()):
        for field in shape.get("properties", {}):
            yield f"{name}.{field}{'' if field in shape.get('required', ()) else ' (may be missing)'}"


def names_for_pytest(config: pytest.Config) -> Iterator[str]:
    """Yield the options, the key and the fixtures of the plugin."""
    plugin = import_module("perft_check.harness.pytest_plugin.plugin")
    parser: Any = config._parser
    (group,) = (one for one in parser._groups if one.name == "perft-check")
    for option in group.options:
        yield f"pytest {', '.join(option.names())}"
    yield "pytest.ini: perft_engine"
    yield from (f"fixture {name}" for name, one in sorted(vars(plugin).items()) if "ixture" in type(one).__name__)


def public_names(config: pytest.Config) -> str:
    """Return one line per public name, under the headings of docs/compatibility.md."""
    sections = {
        "Commands": names_of_commands(),
        "Exit status": (f"{code.value} {code.name}" for code in ExitCode),
        "JSON": names_of_json(),
        "Python": names_of_objects(),
        "pytest": names_for_pytest(config),
        "C": names_of_the_header(),
        "Entry points": [one.group for one in entry_points(group="perft_check.engines")][:1],
    }
    return "\n\n".join("\n    ".join([heading, *names]) for heading, names in sections.items()) + "\n"


def test_public_names_are_listed(request: pytest.FixtureRequest) -> None:
    # Add new names with UPDATE_SNAPSHOTS=1. Names that are removed or changed must have been deprecated before.
    names = public_names(request.config)
    if os.environ.get(RENEWS):
        KNOWN.write_text(names, encoding="utf-8")
    known = KNOWN.read_text(encoding="utf-8")
    gone = sorted({*known.splitlines()} - {*names.splitlines()})
    assert not gone, f"docs/compatibility.md describes how to remove a public name; then {RENEWS}=1 updates the list"
    assert names == known, f"new names: {RENEWS}=1 updates the list"
