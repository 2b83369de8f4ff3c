"""A total that is wrong where it is asked for alone is found, though the divide is right."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from helpers.libraries import EXAMPLES, built, needs_cc
from helpers.processes import PATIENCE
from perft_check.generator import Position
from perft_check.generator.line import Line
from perft_check.harness.engines.asking.runner import CallRunner
from perft_check.harness.engines.asking.session import EngineSession
from perft_check.harness.engines.call import EngineCall
from perft_check.harness.engines.kinds.library import LibraryEngine
from perft_check.harness.engines.kinds.own import OwnEngine
from perft_check.harness.fuzzing.checks.base import Probe
from perft_check.harness.fuzzing.checks.divides import Totals
from perft_check.harness.model.results.verdict import Verdict

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
ADDED = "nodes += perft(&after, depth - 1);"
DROPPED = "uint64_t all = everybody(b), own = b->of[b->white], queens = b->kind[QUEEN];"

pytestmark = needs_cc


def told(folder: Path, old: str, new: str, depth: int) -> list[tuple[Verdict, str]]:
    """Return what the check says of the example in C after a change."""
    generator = (EXAMPLES / "c" / "generator.h").read_text(encoding="utf-8")
    assert generator.count(old) == 1
    (folder / "generator.h").write_text(generator.replace(old, new), encoding="utf-8")
    source = (EXAMPLES / "c" / "library.c").read_text(encoding="utf-8")
    caller = CallRunner()
    with closing(LibraryEngine("lib", str(built(folder, source)))) as engine:
        engine.start(EngineCall(PATIENCE))
        check = Totals(EngineSession(engine, caller), EngineSession(OwnEngine("own:turbo"), caller))
        found = check(Probe(Line(Position.from_fen(KIWIPETE)), depth))
        return [(one.verdict, one.message) for one in found]


def test_nodes_added_up_in_8_bits(tmp_path: Path) -> None:
    narrow = "nodes += (uint8_t)perft(&after, depth - 1);"
    assert told(tmp_path, ADDED, narrow, 2) == []
    assert told(tmp_path, ADDED, narrow, 3) == [
        (
            Verdict.MISMATCH,
            "it counts 5,958 nodes instead of 97,862 at depth 3 where it is asked for the total alone, though its "
            "divide adds up to the right number: look at how nodes are added up or kept",
        )
    ]


def test_a_wrong_divide_is_for_another_check(tmp_path: Path) -> None:
    assert told(tmp_path, DROPPED, DROPPED.replace("own = b->of[b->white]", "own = 0"), 2) == []
