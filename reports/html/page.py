"""A page: its template, and the one style sheet and script, which the page itself names as all that may run in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ... import __version__
from ...harness.engines.spec import short_name
from ...harness.model.machine import Circumstances, readable
from ..finding import claim
from ..text import count
from .board import board_rules_of_page, sprites
from .components import LabeledValue, data, fit_or_other

HERE = Path(__file__).parent
STYLES = ("colors", "page", "parts", "cause", "divide", "tables", "print")
"""The style sheets, in the order in which they apply."""
SCRIPTS = ("scheme", "copy", "causes", "table", "print")


@dataclass(frozen=True)
class Page:
    """What a page shows; its text comes in pieces."""

    template: str
    shown: Mapping[str, Any]
    """By the names that the template gives it."""
    has_boards: bool = False
    is_repeatable: bool = False
    """Whether the page is to have the same bytes wherever and whenever it is made."""

    def __iter__(self) -> Iterator[str]:
        return self.chunks(None)

    def chunks(self, made: Circumstances | None) -> Iterator[str]:
        """Yield the text, with when, where and by which versions it was made, if that is known."""
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
                **self.shown,
            )
        )
        yield "\n"


def page(template: str, *, has_boards: bool = False, is_repeatable: bool = False, **shown: Any) -> Page:
    """Return a page of a template; `shown` has what it shows, by the names that the template gives it."""
    return Page(template, shown, has_boards, is_repeatable)


def _facts_of(made: Circumstances) -> tuple[LabeledValue, ...]:
    builds = ((f"build of {short_name(engine)}", f"SHA-256 {digest}") for engine, digest in made.builds)
    versions = ", ".join(f"{name} {version}" for name, version in made.versions)
    return (("made", f"{readable(made.moment)} UTC"), ("machine", made.machine), ("versions", versions), *builds)


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates", encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=fit_or_other,
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
    """Return the security policy: nothing is loaded, and only the script and style sheet of this page apply.

    Text that is not escaped by mistake would run nothing.
    """
    return Markup(
        f"default-src 'none'; script-src {_digest(_script())}; style-src {_digest(_style())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
