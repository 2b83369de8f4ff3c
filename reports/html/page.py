"""A page: its template, and the one style sheet and script, which the page itself names as all that may run in it."""

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
from ..charts import rules_of_page
from ..pictures import style as boards
from ..text import count
from .parts import data, fit_or_other

HERE = Path(__file__).parent
STYLES = ("colors", "page", "parts", "cause", "divide", "tables", "charts", "gallery", "print")
"""The style sheets, in the order in which they apply."""
SCRIPTS = ("scheme", "copy", "causes", "table", "print")
LINES = 16
"""So many lines of a chart have colors."""


def page(template: str, *, has_boards: bool = False, **shown: Any) -> Iterator[str]:
    """Yield the text of a page in pieces: what `shown` has, by the names that the template gives it."""
    environment = _environment()
    sprites = _sprites() if has_boards else None
    yield from environment.get_template(f"{template}.html.jinja").generate(
        style=_style(), script=_script(), policy=_policy(), sprites=sprites, version=__version__, **shown
    )
    yield "\n"


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
    return made


def _sprites() -> Markup:
    """Load python-chess, for which most programs wait longer than for the rest of a page."""
    from ..pictures.board import sprites

    return sprites()


@cache
def _style() -> Markup:
    sheets = [*(_read("styles", f"{name}.css") for name in STYLES), boards.of_page(), rules_of_page(LINES)]
    return Markup("\n".join(sheets))


@cache
def _script() -> Markup:
    return Markup("\n".join(_read("scripts", f"{name}.js") for name in SCRIPTS))


def _read(folder: str, name: str) -> str:
    return (HERE / folder / name).read_text(encoding="utf-8")


@cache
def _policy() -> Markup:
    """Return the security policy: nothing is loaded, and only our own script and style sheet apply.

    Text that is not escaped by mistake would run nothing.
    """
    return Markup(
        f"default-src 'none'; script-src {_digest(_script())}; style-src {_digest(_style())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
