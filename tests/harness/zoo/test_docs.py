"""The figures and the example of benchmarks/zoo.md are correct; tests/tools/test_pages.py compares its table."""

from __future__ import annotations

import re
from pathlib import Path

from helpers.demonstrations import game_of
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import Fault

PAGE = (Path(__file__).parents[3] / "benchmarks" / "zoo.md").read_text(encoding="utf-8")


def test_the_example_of_the_page_is_a_fault() -> None:
    example = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert example is not None
    source = example[1].replace("from ..", "from perft_check.harness.zoo.")
    exec(compile(source, "benchmarks/zoo.md", "exec"), {})
    fault: Fault = ZOO.pop("knight-pins-ignored")
    ZOO[fault.name] = fault
    try:
        line, depth = game_of(fault), fault.demonstration.depth
        got = ZooEngine(fault.name).divide(line, depth, EngineCall()).total
    finally:
        del ZOO[fault.name]
    assert got > OwnEngine("own").divide(line, depth, EngineCall()).total
