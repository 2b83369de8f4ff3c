"""The suites chosen with the zoo: the families that they detect, and that the choice is always the same."""

from __future__ import annotations

import pytest
from bundling.generated import CHOSEN
from bundling.suites import FAMOUS, families, is_wrong
from perft_check.harness.zoo.catalogue import ZOO
from perft_check.harness.zoo.fault import Fault
from perft_check.suites.bundled import RARE, SWEEPS, bundled_path
from perft_check.suites.loader import load_suite

SMALL_NODES = 1_600


def caught_at(fault: Fault, suite: str, max_nodes: int, enough: int) -> int:
    """Return in how many positions of a suite and of `chess960-special` a fault shows, counted up to `enough`."""
    both = [case for name in (suite, "chess960-special") for case in load_suite(bundled_path(name))]
    cases = (case for case in both if case.position.chess960 <= fault.demonstration.chess960)
    places: set[str] = set()
    counts = [(nodes, depth, case) for case in cases for depth, nodes in case.counts if nodes <= max_nodes]
    for nodes, depth, case in sorted(counts, key=lambda count: count[:2]):
        if len(places) < enough and case.name not in places and is_wrong(fault, case, depth, nodes):
            places.add(case.name)
    return len(places)


def caught(suite: str, max_nodes: int, times: int) -> int:
    """Return the number of families whose faults all show in `times` positions."""
    return sum(
        all(caught_at(fault, suite, max_nodes, times) >= times for fault in faults) for faults in families().values()
    )


@pytest.mark.long
def test_small_counts_of_smoke_detect_most_families_that_can_show() -> None:
    assert (caught("smoke", SMALL_NODES, 1), len(families())) == (78, 95)


@pytest.mark.long
def test_the_chosen_suites_detect_these_families() -> None:
    assert [caught("smoke", 100_000, times) for times in (1, 2)] == [87, 77]
    assert [caught("special", 30_000, times) for times in (1, 3)] == [88, 72]


def test_the_famous_positions_are_in_smoke() -> None:
    depths = {case.name: case.max_depth for case in load_suite(bundled_path("smoke"))}
    assert {name: depths[name] for name in FAMOUS} == FAMOUS


def test_every_rare_event_of_standard_chess_is_in_special() -> None:
    special = {case.position.fen() for case in load_suite(bundled_path("special"))}
    assert {case.position.fen() for case in load_suite(RARE) if not case.position.chess960} <= special


@pytest.mark.parametrize("suite", [name for name in CHOSEN if name not in SWEEPS.values()])
def test_a_case_names_faults_that_it_shows(suite: str) -> None:
    for case in load_suite(bundled_path(suite)):
        assert all(name in ZOO for name in case.purpose.split(" and ")[0].split(", ") if name), case.name
    told = [case for case in load_suite(bundled_path(suite)) if case.purpose and dict(case.counts).get(1) != 0]
    for case in told[::12]:
        first = ZOO[case.purpose.split(", ")[0].split(" and ")[0]]
        assert any(is_wrong(first, case, depth, nodes) for depth, nodes in case.counts if nodes < 30_000), case.name
