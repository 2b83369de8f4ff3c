"""A page: its template, style sheet and script, and a content security policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ... import __version__
from ...harness.engines.spec import short_name
from ...harness.machine import readable
from ...harness.report_context import ReportContext
from ..finding import claim
from ..text import count
from .board import board_rules_of_page, sprites
from .components import LabeledValue, data, finalize

HERE = Path(__file__).parent
STYLES = ("colors", "page", "parts", "cause", "tables", "print")
"""The style sheets in the order in which they apply."""
SCRIPTS = ("scheme", "copy", "causes", "table", "print")


class Page:
    """A page with its context, whose text is generated in chunks."""

    def __init__(self, template: str, *, has_boards: bool = False, is_repeatable: bool = False, **context: Any) -> None:
        """Create a page from the name of its template and the template's variables.

        If `is_repeatable`, the page contains no versions, times or machine names, so that equal results produce equal
        bytes.
        """
        self.template, self.context = template, context
        self.has_boards, self.is_repeatable = has_boards, is_repeatable

    def chunks(self, made: ReportContext | None) -> Iterator[str]:
        """Yield the text, including the time and origin of the report if they are known."""
        facts = _facts_of(made) if made is not None and not self.is_repeatable else ()
        yield from (
            _environment()
            .get_template(f"{self.template}.html.jinja")
            .generate(
                style=_style(),
                script=_script(),
                policy=_policy(),
                sprites=sprites() if self.has_boards else None,
                version=__version__,
                made=facts,
                **self.context,
            )
        )
        yield "\n"


def _facts_of(made: ReportContext) -> tuple[LabeledValue, ...]:
    builds = ((f"build of {short_name(engine)}", f"SHA-256 {digest}") for engine, digest in made.builds)
    versions = ", ".join(f"{name} {version}" for name, version in made.versions)
    return (("created", f"{readable(made.moment)} UTC"), ("machine", made.machine), ("versions", versions), *builds)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["data"] = data
    made.filters["count"] = count
    made.filters["claim"] = claim
    return made


@cache
def _style() -> Markup:
    sheets = [*(_read("styles", f"{name}.css") for name in STYLES), board_rules_of_page()]
    return Markup("\n".join(sheets))


@cache
def _script() -> Markup:
    return Markup("\n".join(_read("scripts", f"{name}.js") for name in SCRIPTS))


def _read(folder: str, name: str) -> str:
    return (HERE / folder / name).read_text(encoding="utf-8")


@cache
def _policy() -> Markup:
    """Return a policy that forbids loading anything and allows only the page's script and style sheet.

    Markup that is accidentally not escaped can therefore not execute anything.
    """
    return Markup(
        f"default-src 'none'; script-src {_digest(_script())}; style-src {_digest(_style())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
