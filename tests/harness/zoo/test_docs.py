"""The figures and the example of benchmarks/zoo.md are correct; tests/tools/test_pages.py compares its table."""

from __future__ import annotations

import re
from pathlib import Path

from helpers.demonstrations import game_of
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.types.own import OwnEngine
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.engine import ZooEngine
from perft_check.harness.zoo.fault import Fault, bugs

PAGE = (Path(__file__).parents[3] / "benchmarks" / "zoo.md").read_text(encoding="utf-8")


def test_the_figures_of_the_page_are_correct() -> None:
    faults = [fault for fault in ZOO.values() if not fault.is_control]
    listed = [fault for fault in faults if fault.ids]
    families, known = {fault.family for fault in listed}, bugs().values()
    text = " ".join(PAGE.split())
    assert f"There are {len(faults)} faults. {len(listed)} of them stand for {len(families)} of the " in text
    assert f"{len({bug.family for bug in known})} families of root causes in a catalogue of {len(known)} bugs" in text
    assert f"{len(faults) - len(listed)} are in no catalogue" in text
    assert (
        f"the scores count {len({fault.family for fault in faults})} families. {len(ZOO) - len(faults)} controls"
        in text
    )


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
