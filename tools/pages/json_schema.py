"""Generate the JSON Schema `reports/formats/schema.json` from the types and shapes of `reports/formats/json.py`.

The description of a field is its docstring in the class of the result. Numbers are not negative, except those in
`SIGNED`.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from functools import cache, reduce
from itertools import pairwise
from operator import or_
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec
from perft_check.reports.formats import json as formats
from perft_check.reports.formats.jsonl import VERSION, Shape

Schema = dict[str, Any]

FILE = Path(formats.__file__).parent / "schema.json"
REFERENCE = "#/$defs/{name}"
SIGNED = {("ListedMove", "value")}
"""Fields that may be negative."""


def schema_text() -> str:
    """Return the schema as text."""
    return json.dumps(schema(), indent=2) + "\n"


def schema() -> Schema:
    """Return the schema, in which `kind` determines the definition of a document."""
    documents = [_document(kind, shape) for kind, shape in formats.KINDS.items()]
    _, definitions = msgspec.json.schema_components(documents, ref_template=REFERENCE)
    for name, definition in definitions.items():
        definition["description"] = inspect.cleandoc(definition["description"])  # as msgspec 0.23 does it
        for field, value in definition.get("properties", {}).items():
            if (name, field) not in SIGNED:
                _forbid_negatives(value)
            if text := field_texts().get(name, {}).get(field):
                value.setdefault("description", text)
            if "default" in value:  # a report has every field, even if it has its default value
                del value["default"]
                definition["required"].append(field)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"JSON and JSON lines of perft-check, format {VERSION}",
        "description": "A document of --report json, or a line of --report jsonl: `kind` says which. "
        "New fields may come at any time.",
        "type": "object",
        "required": ["format", "kind"],
        "properties": {"format": {"const": VERSION}, "kind": {"enum": list(formats.KINDS)}},
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": kind}}, "required": ["kind"]},
                "then": {"$ref": REFERENCE.format(name=document.__name__)},
            }
            for kind, document in zip(formats.KINDS, documents, strict=True)
        ],
        "$defs": definitions,
    }


def _document(kind: str, shape: Shape | type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return the type of a document or a line."""
    fields = [("format", Literal[VERSION]), ("kind", Literal[kind])]
    text = {"__doc__": shape.description if isinstance(shape, Shape) else shape.__doc__}
    base = _type_of(shape)
    return msgspec.defstruct(f"{kind}_document", fields, bases=(base,), namespace=text, kw_only=True)


@cache
def _struct(shape: Shape) -> Any:
    fields: list[Any] = []
    for name, source in shape.sources.items():
        given = shape.types[name] if name in shape.types else _hint(source, name)
        of, is_missing = _type_of(given), "UnsetType" in str(given)
        has_text = any(
            one.description for one in getattr(given, "__metadata__", ())
        )  # a shape may override the description
        text = "" if has_text else field_texts().get(source.__name__, {}).get(name)
        of = Annotated[of, msgspec.Meta(description=text)] if text else of
        fields.append((name, of, msgspec.UNSET) if is_missing else (name, of))
    return msgspec.defstruct(shape.name, fields, namespace={"__doc__": shape.description}, kw_only=True)


def _hint(source: type, name: str) -> Any:
    """Return the type of a field or property of a class."""
    member = getattr(source, name, None)
    getter = getattr(member, "fget", None) or getattr(member, "func", None)
    return get_type_hints(getter)["return"] if getter else get_type_hints(source)[name]


def _type_of(value: Any) -> Any:
    """Return the type of a shape, or of a list, dictionary or union of shapes."""
    match value:
        case Shape():
            return _struct(value)
        case tuple():
            return reduce(or_, map(_type_of, value))
        case [one]:
            return list[_type_of(one)]  # type: ignore[misc]
        case dict():
            ((_, one),) = value.items()
            return dict[str, _type_of(one)]  # type: ignore[misc]
    return value


def _forbid_negatives(schema: Any) -> None:
    """Set the minimum of every number in a schema, at any depth, to 0 unless it already has a minimum."""
    if isinstance(schema, list):
        for one in schema:
            _forbid_negatives(one)
    if isinstance(schema, dict):
        if schema.get("type") in ("integer", "number"):
            schema.setdefault("minimum", 0)
        for one in schema.values():
            _forbid_negatives(one)


@cache
def field_texts() -> dict[str, dict[str, str]]:
    """Return the docstrings of fields and properties, by class and name.

    A class may have fields of classes that `formats` does not import, so all imported modules of perft-check are read.
    """
    modules = [module for name, module in sys.modules.items() if name.startswith("perft_check.")]
    trees = [ast.parse(Path(module.__file__).read_text(encoding="utf-8")) for module in modules if module.__file__]
    return {node.name: _texts(node) for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def _texts(node: ast.ClassDef) -> dict[str, str]:
    texts: dict[str, str] = {}
    for field, below in pairwise(node.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                texts[name] = " ".join(text.split())
    for one in node.body:
        if isinstance(one, ast.FunctionDef):
            texts[one.name] = " ".join((ast.get_docstring(one) or "").split())
    return texts
