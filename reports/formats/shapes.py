"""What JSON has of a result: which of its fields and properties, in which order, and what is computed beside them.

The same shapes write the JSON and make the published schema (`tools/pages/json_schema.py`).
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec

VERSION = 1
"""Raised when a field changes its meaning; new fields may be added at any time."""
Fields = dict[str, Any]
UNSET = msgspec.UNSET
"""The value of a field that is left out."""


def _as_text(value: object) -> str:
    """Return a SPEC that has a name as text, without it. Raises NotImplementedError for anything else."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


_encode = msgspec.json.Encoder(enc_hook=_as_text).encode


class Shape:
    """An object of JSON that is made of a result."""

    def __init__(self, source: type, names: str, /, **types: Any) -> None:
        """`names` are those of attributes of the `source`, or of what is computed, which has its type in `types`.

        There a list stands for a list of what is in it, a dictionary for one with such values, a tuple for one of its
        types. A field that may be UNSET is missing from some objects.
        """
        self.name, self.description = ("", "") if source is object else (source.__name__, source.__doc__ or "")
        self.sources: dict[str, type] = dict.fromkeys(names.split(), source)
        """The fields in their order, each with the class of the result that it is about."""
        self.types = types

    def __add__(self, other: Shape) -> Shape:
        """Return an object that has the fields of both."""
        both = Shape(object, "", **self.types | other.types)
        both.name, both.description = self.name or other.name, self.description or other.description
        both.sources = self.sources | other.sources
        return both

    def of(self, result: object, /, **computed: object) -> Fields:
        """Return the fields of a result: its attributes, but for what is computed."""
        fields = {name: computed[name] if name in computed else getattr(result, name) for name in self.sources}
        return {name: value for name, value in fields.items() if value is not UNSET}


PROGRAM = Shape(object, "perft_check", perft_check=Annotated[str, msgspec.Meta(description="That of the writer.")])
"""What each document begins with."""


def to_json(value: object) -> str:
    """Return a value as JSON on one line, in ASCII: no terminal garbles that.

    The encoder of msgspec writes UTF-8, and refuses halves of surrogate pairs, which names of files may have.
    """
    try:
        encoded = _encode(value)
    except UnicodeEncodeError:
        encoded = b"\xff"
    if encoded.isascii():
        return encoded.decode()
    return json.dumps(msgspec.to_builtins(value, enc_hook=_as_text), separators=(",", ":"))


def to_indented_json(value: object) -> str:
    """Return a value as JSON in ASCII, on lines for people, as a field of an object."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=_as_text), indent=2).replace("\n", "\n  ")
