"""The API pages contain every public name."""

from __future__ import annotations

import re

import perft_check.generator
import perft_check.strategies
import pytest
from docs.blocks import ROOT

LEFT_OUT = {"START_FEN": "a text, which the signature of `Position.start` does not need"}
"""Public names without an entry, with the reason."""


@pytest.mark.parametrize("module", [perft_check.generator, perft_check.strategies], ids=lambda one: one.__name__)
def test_every_public_name_has_an_entry(module: object) -> None:
    name: str = module.__name__  # type: ignore[attr-defined]
    public: list[str] = module.__all__  # type: ignore[attr-defined]
    page = (ROOT / "docs" / "api" / f"{name.rpartition('.')[2]}.md").read_text(encoding="utf-8")
    entries = re.findall(rf"^::: {re.escape(name)}\.(\w+)$", page, re.MULTILINE)
    assert sorted(entries) == sorted(set(public) - LEFT_OUT.keys())
