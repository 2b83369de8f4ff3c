"""Shapes of JSON objects: their fields in order, which are fields of a result or computed.

The shapes are used to write JSON and to generate the published schema (`tools/pages/json_schema.py`).
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import msgspec

VERSION = 1
"""The format version, which increases when the meaning of a field changes; new fields may be added at any time."""
Fields = dict[str, Any]
UNSET = msgspec.UNSET
"""The value of a field that is omitted."""


def _as_text(value: object) -> str:
    """Return an `EngineSpec` as a plain string. Raises NotImplementedError for any other type."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError


_encode = msgspec.json.Encoder(enc_hook=_as_text).encode


class Shape:
    """Describes a JSON object that represents a result."""

    def __init__(self, source: type, names: str, /, **types: Any) -> None:
        """Create a shape from the names of attributes of `source` and of computed fields, whose types are in `types`.

        In `types`, `[X]` means a list of X, `{str: X}` a dictionary with values of type X, and `(X, Y)` X or Y. A field
        that may be UNSET is missing from some objects.
        """
        self.name, self.description = ("", "") if source is object else (source.__name__, source.__doc__ or "")
        self.sources: dict[str, type] = dict.fromkeys(names.split(), source)
        """The fields in order, each with the class that documents it."""
        self.types = types

    def __add__(self, other: Shape) -> Shape:
        """Return a shape with the fields of both."""
        both = Shape(object, "", **self.types | other.types)
        both.name, both.description = self.name or other.name, self.description or other.description
        both.sources = self.sources | other.sources
        return both

    def of(self, result: object, /, **computed: object) -> Fields:
        """Return the fields of a result: `computed` fields, and attributes of the result for all others."""
        fields = {name: computed[name] if name in computed else getattr(result, name) for name in self.sources}
        return {name: value for name, value in fields.items() if value is not UNSET}


PROGRAM = Shape(object, "perft_check", perft_check=Annotated[str, msgspec.Meta(description="Version of perft-check.")])
"""The first field of each document."""


def to_json(value: object) -> str:
    """Return a value as JSON on one line, in ASCII, which every terminal can show.

    msgspec's encoder is not used, because it writes UTF-8 and rejects lone surrogates, which file names may contain.
    """
    try:
        encoded = _encode(value)
    except UnicodeEncodeError:
        encoded = b"\xff"
    if encoded.isascii():
        return encoded.decode()
    return json.dumps(msgspec.to_builtins(value, enc_hook=_as_text), separators=(",", ":"))


def to_indented_json(value: object) -> str:
    """Return a value as indented JSON in ASCII, with the indentation of a field of an object."""
    return json.dumps(msgspec.to_builtins(value, enc_hook=_as_text), indent=2).replace("\n", "\n  ")
